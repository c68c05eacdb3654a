"""A comparison as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from graphla.measuring.pictures import format_duration

HEADS = ("", "on", "answer", "median", "spread", "whole call", "first call", "against the best", "arcs/s", "memory")
DROPPED = "arcs/s", "memory", "first call", "spread", "against the best", "whole call"
"""The columns that are left out if the table is too wide, the least useful first."""
GPU_NOTE = (
    "  On the GPU median and spread are times of the solve, between CUDA events with the host ahead; "
    "whole call adds the time in Python and the wait."
)
COLOURS = {
    "right": "green",
    "wrong": "bold red",
    "failed": "red",
    "stopped": "red",
    "refused": "dim",
    "unchecked": "yellow",
}
WIDTH = 140


def group_rows(comparison: Any) -> list[tuple[str, list[Any]]]:
    """Group the rows by graph, each with a title: right answers first, then by time."""
    groups = []
    for (problem, graph), rows in groupby(comparison.rows, key=lambda row: (row.problem, row.graph)):
        ordered = sorted(rows, key=lambda row: (row.status != "right", row.median or float("inf")))
        title = f"{problem} on {graph}: {ordered[0].vertices:,} vertices, {ordered[0].arcs:,} arcs"
        groups.append((title, ordered))
    return groups


def format_cells(row: Any, best: float | None) -> tuple[str, ...]:
    """Format the cells of a row."""
    ratio = f"{row.median / best:.3g}×" if row.median and best else ""
    return (
        row.name,
        row.engine,
        row.status,
        format_duration(row.median) if row.median is not None else "",
        f"± {format_duration(row.spread)}" if row.spread is not None else "",
        format_duration(row.whole) if row.whole is not None else "",
        format_duration(row.first) if row.first is not None else "",
        ratio,
        format_magnitude(row.arcs_per_second),
        format_magnitude(row.memory, "B"),
    )


def find_best(rows: list[Any]) -> float | None:
    """Return the least median time of the right answers, or None."""
    return min((row.median for row in rows if row.status == "right" and row.median), default=None)


def format_magnitude(value: float | None, unit: str = "") -> str:
    """Format a number with a decimal prefix, as in 1.2 M."""
    if value is None:
        return ""
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}".rstrip()


def make_tables(comparison: Any, width: int) -> Iterator[Any]:
    """Make one table per graph, at most `width` wide, with the notes below it."""
    for title, rows in group_rows(comparison):
        yield from make_table(title, rows, width)


def make_table(title: str, rows: list[Any], width: int) -> Iterator[Any]:
    """Make the table of one graph, and a line for each note."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    best = find_best(rows)
    cells = [format_cells(row, best) for row in rows]
    columns = choose_columns(cells, width, has_gpu_rows(rows))
    for column in columns:
        table.add_column(HEADS[column], justify="left" if column < 3 else "right", no_wrap=column > 0)
    for row, line in zip(rows, cells, strict=True):
        faulty = row.status in ("wrong", "failed", "stopped", "refused")
        parts = [Text(line[column]) for column in columns]
        parts[0].style = "italic" if row.kind == "peer" else ""
        parts[2].style = COLOURS[row.status]
        table.add_row(*parts, style=COLOURS[row.status] if faulty else "")
    yield table
    yield from (Text(note, style) for note, style in list_notes(rows))
    yield Text("")


def list_notes(rows: list[Any]) -> Iterator[tuple[str, str]]:
    """The lines below the table of one graph, each with its style."""
    if has_gpu_rows(rows):
        yield GPU_NOTE, "dim"
    yield from ((f"  {row.name} {row.status}: {row.note}", COLOURS[row.status]) for row in rows if row.note)


def has_gpu_rows(rows: Iterable[Any]) -> bool:
    """Whether any row ran on the GPU, where a whole call takes longer than a solve."""
    return any(row.engine == "cuda" for row in rows)


def choose_columns(cells: list[tuple[str, ...]], width: float, on_gpu: bool = True) -> list[int]:
    """Choose the columns that have content and fit into `width`."""
    widths = [max(map(len, column)) + 2 for column in zip(HEADS, *cells, strict=True)]
    columns = [column for column, head in enumerate(HEADS) if on_gpu or head != "whole call"]
    for least in map(HEADS.index, DROPPED):
        if least in columns and sum(widths[column] for column in columns) + 4 > width:
            columns.remove(least)
    return columns


def format_text(comparison: Any) -> str:
    """Format the tables as plain text, which needs no other package."""
    return "\n\n".join(format_group(title, rows) for title, rows in group_rows(comparison))


def format_group(title: str, rows: list[Any]) -> str:
    """Format the table of one graph, and its notes."""
    best = find_best(rows)
    cells = [format_cells(row, best) for row in rows]
    columns = choose_columns(cells, WIDTH, has_gpu_rows(rows))
    lines = [[line[column] for column in columns] for line in (HEADS, *cells)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    head, *body = (lay_out(line, widths).rstrip() for line in lines)
    rule = " " + "─" * (sum(widths) + 2 * len(widths))
    return "\n".join([title, "", head, rule, *body, *(note for note, _ in list_notes(rows))])


def lay_out(line: list[str], widths: list[int]) -> str:
    """Put cells side by side: words to the left, figures to the right."""
    sides = ("<", "<", "<", *">" * len(HEADS))
    return "  " + "  ".join(f"{text:{side}{width}}" for text, side, width in zip(line, sides, widths, strict=False))
