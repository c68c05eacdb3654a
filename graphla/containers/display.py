"""How vectors and matrices look in a terminal and in a notebook."""

from __future__ import annotations

import html
from typing import Any

from graphla.common.arguments import show
from graphla.containers.labels import Column

SHOWN = 8
WIDEST = 40
"""Characters of the widest cell."""


def format_title(what: Any) -> str:
    """One line: kind, size, dtype, entries, format and engine."""
    shape = "×".join(f"{size:,}" for size in what.shape)
    form = type(what._storage).__name__.removesuffix("Vector").removesuffix("Matrix").lower()
    name = f" {what.name!r}" if what.name else ""
    return (
        f"{type(what).__name__}{name} {shape} {what.dtype.name}, {what.nvals:,} "
        f"{'entry' if what.nvals == 1 else 'entries'}, {form}, on {what.engine.name}"
    )


def format_entries(what: Any) -> tuple[list[tuple[str, ...]], int]:
    """The first few entries as text, and how many more there are."""
    columns = zip(list_columns(what), what.head(SHOWN), strict=True)
    cells = [part if labels is None else labels.array[part] for (_, labels), part in columns]
    rows = [tuple(map(format_cell, row)) for row in zip(*cells, strict=True)]
    return rows, what.nvals - len(rows)


def format_cell(value: Any) -> str:
    """A value in one line, cut to `WIDEST` characters."""
    text = str(value)
    line = text if text.isprintable() else repr(text)
    return line if len(line) <= WIDEST else f"{line[:WIDEST]}…"


def format_text(what: Any) -> str:
    """The title and the first entries in columns."""
    rows, more = format_entries(what)
    if not rows:
        return format_title(what)
    table = [list_headings(what), *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
    return "\n".join([format_title(what), *(f"  {line}" for line in lines), *([f"  … {more:,} more"] if more else [])])


def format_page(what: Any) -> str:
    """The same as a table of HTML."""
    rows, more = format_entries(what)
    heads = list_headings(what)
    body = "".join(map(format_row, rows))
    if more:
        body += f"<tr><td colspan={len(heads)}>… {more:,} more</td></tr>"
    caption = f"<caption>{html.escape(format_title(what))}</caption>"
    return f"<table>{caption}<thead>{format_row(heads, 'th')}</thead><tbody>{body}</tbody></table>"


def format_row(cells: tuple[str, ...], tag: str = "td") -> str:
    """A row of a table of HTML."""
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def format_lines(text: str) -> str:
    """Lines of text as HTML."""
    return f"<pre>{html.escape(text)}</pre>"


def format_facts(what: Any, **parts: Any) -> str:
    """A title, or the repr of an object, above what each of its parts looks like, as HTML."""
    rows = [f"<tr><th>{name}</th><td>{format_part(part)}</td></tr>" for name, part in parts.items()]
    title = what if isinstance(what, str) else repr(what)
    return f"<table><caption>{html.escape(title)}</caption><tbody>{''.join(rows)}</tbody></table>"


def format_part(part: Any) -> str:
    """What a part looks like: its own page, else its first line."""
    if hasattr(part, "_repr_html_"):
        return part._repr_html_()
    return html.escape(part if isinstance(part, str) else show(part))


def list_headings(what: Any) -> tuple[str, ...]:
    """The names of the columns."""
    return tuple(name for name, _ in list_columns(what))


def list_columns(what: Any) -> tuple[Column, ...]:
    """The columns as a table has them: an answer says what they are called, and the labels of its vertices."""
    usual = ("row", "column", "value") if len(what.shape) == 2 else ("index", "value")
    return tuple(map(Column, usual)) if what._names is None else what._names.columns
