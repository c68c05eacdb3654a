"""A comparison in the terminal."""

from __future__ import annotations

import io
from itertools import groupby
from typing import Any

from graphla.pictures import duration

HEADS = ("", "on", "answer", "median", "spread", "first call", "against the best", "arcs/s", "memory")
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
        duration(row.median) if row.median is not None else "",
        f"± {duration(row.spread)}" if row.spread is not None else "",
        duration(row.first) if row.first is not None else "",
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


def tables(comparison: Any) -> Any:
    """A table for each graph, with the faults below it."""
    from rich.console import Group

    return Group(*(part for title, rows in groups(comparison) for part in one_table(title, rows)))


def one_table(title: str, rows: list[Any]) -> list[Any]:
    """The table of a graph, and a line for each row that has something to say."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    made = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for head in HEADS:
        made.add_column(head, justify="left" if head in ("", "on", "answer") else "right", no_wrap=True)
    best = best_of(rows)
    for row in rows:
        colour = COLOURS[row.status]
        name, on, status, *figures = cells(row, best)
        style = colour if row.status in ("wrong", "failed", "stopped", "refused") else ""
        label = Text(name, style="italic" if row.kind == "peer" else "")
        made.add_row(label, on, Text(status, style=colour), *figures, style=style)
    notes = [Text(f"  {row.name} {row.status}: {row.note}", style=COLOURS[row.status]) for row in rows if row.note]
    return [made, *notes, Text("")]


def text(comparison: Any) -> str:
    """The tables without colours."""
    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, width=WIDTH, color_system=None).print(tables(comparison))
    return stream.getvalue().rstrip()
