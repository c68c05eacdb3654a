"""A comparison in the terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from graphla.pictures import format_duration

HEADS = ("", "on", "answer", "median", "spread", "whole call", "first call", "against the best", "arcs/s", "memory")
DROPPED = "arcs/s", "memory", "first call", "spread", "against the best", "whole call"
"""The least telling columns, in the order in which they go where there is no room."""
EXPLAINED = (
    "  On the GPU median and spread are those of the solve, between CUDA events with the host ahead; "
    "whole call adds Python's part and the wait."
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


def groups(comparison: Any) -> list[tuple[str, list[Any]]]:
    """The rows of each graph under its title, the fastest first, those without a time last."""
    found = []
    for (problem, graph), rows in groupby(comparison.rows, key=lambda row: (row.problem, row.graph)):
        ordered = sorted(rows, key=lambda row: (row.status != "right", row.median or float("inf")))
        title = f"{problem} on {graph}: {ordered[0].vertices:,} vertices, {ordered[0].arcs:,} arcs"
        found.append((title, ordered))
    return found


def cells(row: Any, best: float | None) -> tuple[str, ...]:
    """What each column shows."""
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
        magnitude(row.arcs_per_second),
        magnitude(row.memory, "B"),
    )


def best_of(rows: list[Any]) -> float | None:
    """The least median among the right ones."""
    return min((row.median for row in rows if row.status == "right" and row.median), default=None)


def magnitude(value: float | None, unit: str = "") -> str:
    """A number with a prefix: 1.2 M."""
    if value is None:
        return ""
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}".rstrip()


def tables(comparison: Any, width: int) -> Iterator[Any]:
    """A table for each graph, no wider than `width`, with the faults below it."""
    for title, rows in groups(comparison):
        yield from one_table(title, rows, width)


def one_table(title: str, rows: list[Any], width: int) -> Iterator[Any]:
    """The table of a graph, and a line for each row that has something to say."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    made = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    best = best_of(rows)
    shown = [cells(row, best) for row in rows]
    columns = fitting(shown, width, on_gpu(rows))
    for column in columns:
        made.add_column(HEADS[column], justify="left" if column < 3 else "right", no_wrap=column > 0)
    for row, line in zip(rows, shown, strict=True):
        faulty = row.status in ("wrong", "failed", "stopped", "refused")
        parts = [Text(line[column]) for column in columns]
        parts[0].style = "italic" if row.kind == "peer" else ""
        parts[2].style = COLOURS[row.status]
        made.add_row(*parts, style=COLOURS[row.status] if faulty else "")
    yield made
    if on_gpu(rows):
        yield Text(EXPLAINED, "dim")
    yield from (Text(f"  {row.name} {row.status}: {row.note}", COLOURS[row.status]) for row in rows if row.note)
    yield Text("")


def on_gpu(rows: Iterable[Any]) -> bool:
    """Whether a whole call is more than a solve for any of them."""
    return any(row.engine == "cuda" for row in rows)


def fitting(shown: list[tuple[str, ...]], width: float, on_gpu: bool = True) -> list[int]:
    """The columns that say something and fit into a width."""
    wide = [max(map(len, column)) + 2 for column in zip(HEADS, *shown, strict=True)]
    columns = [column for column, head in enumerate(HEADS) if on_gpu or head != "whole call"]
    for least in map(HEADS.index, DROPPED):
        if least in columns and sum(wide[column] for column in columns) + 4 > width:
            columns.remove(least)
    return columns


def text(comparison: Any) -> str:
    """The tables without colours."""
    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, width=WIDTH, color_system=None).print(comparison)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()).rstrip()
