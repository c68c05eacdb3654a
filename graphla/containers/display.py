"""How vectors and matrices look in a terminal and in a notebook."""

from __future__ import annotations

import html
from typing import Any

from graphla.common.arguments import show

SHOWN = 8


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
    *places, values = what.head(SHOWN)
    rows = [tuple(str(part) for part in row) for row in zip(*places, values, strict=True)]
    return rows, what.nvals - len(rows)


def format_text(what: Any) -> str:
    """The title and the first entries in columns."""
    rows, more = format_entries(what)
    if not rows:
        return format_title(what)
    widths = [max(map(len, column)) for column in zip(list_headings(what), *rows, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in (list_headings(what), *rows)
    ]
    return "\n".join([format_title(what), *(f"  {line}" for line in lines), *([f"  … {more:,} more"] if more else [])])


def format_page(what: Any) -> str:
    """The same as a table of HTML."""
    rows, more = format_entries(what)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    if more:
        body += f"<tr><td colspan={len(list_headings(what))}>… {more:,} more</td></tr>"
    head = "".join(f"<th>{cell}</th>" for cell in list_headings(what))
    caption = f"<caption>{html.escape(format_title(what))}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def format_facts(what: Any, **parts: Any) -> str:
    """The repr of an object, and what each of its parts looks like where there is one, as HTML."""
    rows = [f"<tr><th>{name}</th><td>{format_part(part)}</td></tr>" for name, part in parts.items() if part is not None]
    return f"<table><caption>{html.escape(repr(what))}</caption><tbody>{''.join(rows)}</tbody></table>"


def format_part(part: Any) -> str:
    """What a part looks like: its own page, else its first line."""
    if hasattr(part, "_repr_html_"):
        return part._repr_html_()
    return html.escape(part if isinstance(part, str) else show(part))


def list_headings(what: Any) -> tuple[str, ...]:
    """The names of the columns."""
    return ("row", "column", "value") if len(what.shape) == 2 else ("index", "value")
