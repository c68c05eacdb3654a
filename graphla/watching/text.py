"""A trace as columns of text."""

from __future__ import annotations

from typing import Any

HEADS = ("", "operation", "direction", "frontier", "arcs read", "result", "ms", "bytes", "why")
RIGHT = {0, 3, 4, 5, 6, 7}


def row(number: int, step: Any) -> tuple[str, ...]:
    """The cells of one operation."""
    return (
        str(number),
        step.equation,
        step.direction or "",
        amount(step.frontier),
        amount(step.edges),
        amount(step.result),
        f"{step.seconds * 1e3:.3f}",
        amount(step.nbytes),
        "; ".join(step.why),
    )


def rows(trace: Any) -> list[tuple[str, ...]]:
    """The cells of every operation."""
    return [row(number, step) for number, step in enumerate(trace.operations)]


def amount(value: int | None) -> str:
    """A number with separators; nothing where it is not known."""
    return "" if value is None else f"{value:,}"


def table(trace: Any) -> str:
    """Heads and rows in columns, and the sum of the times."""
    cells = [HEADS, *rows(trace)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join([*(aligned(line, widths) for line in cells), summary(trace)])


def aligned(line: tuple[str, ...], widths: list[int]) -> str:
    """Numbers to the right, words to the left."""
    cells = enumerate(zip(line, widths, strict=True))
    return "  ".join(cell.rjust(w) if k in RIGHT else cell.ljust(w) for k, (cell, w) in cells).rstrip()


def summary(trace: Any) -> str:
    """One line about all of it."""
    steps = trace.operations
    if not steps:
        return "nothing ran: operations and methods are seen that run inside the with block"
    pushes = sum(step.direction == "push" for step in steps)
    pulls = sum(step.direction == "pull" for step in steps)
    return f"{len(steps):,} operations, {pushes:,} pushes and {pulls:,} pulls, {trace.seconds * 1e3:.3f} ms in all"
