"""A trace as columns of text."""

from __future__ import annotations

from typing import Any

HEADS = ("", "operation", "direction", "frontier", "arcs", "result", "ms", "bytes", "why")
RIGHT = {0, 3, 4, 5, 6, 7}


def row(number: int, step: Any) -> tuple[str, ...]:
    """The cells of one operation."""
    return (
        str(number),
        step.equation,
        step.direction or ("decided inside" if step.kind == "method" else ""),
        amount(step.frontier),
        amount(step.edges),
        amount(step.result),
        f"{step.seconds * 1e3:.3f}",
        amount(step.nbytes),
        "; ".join((*step.why, *compiling(step))),
    )


def wave_row(wave: Any) -> tuple[str, ...]:
    """The cells of a level of a compiled search."""
    return ("", f"  {wave.name}", "", amount(wave.vertices), amount(wave.arcs), "", "", "", "")


def compiling(step: Any) -> list[str]:
    """What a first call must be told apart by."""
    return [f"{step.compiling * 1e3:.0f} ms of it compiling or loading kernels"] if step.compiling > 0 else []


def rows(trace: Any) -> list[tuple[Any, tuple[str, ...]]]:
    """The cells of every operation, and below it of its levels, each with the operation; None with a level."""
    found: list[tuple[Any, tuple[str, ...]]] = []
    for number, step in enumerate(trace.operations):
        found += [(step, row(number, step)), *((None, wave_row(wave)) for wave in step.waves)]
    return found


def amount(value: int | None) -> str:
    """A number with separators; nothing where it is not known."""
    return "" if value is None else f"{value:,}"


def table(trace: Any) -> str:
    """Heads and rows in columns, and the sum of the times."""
    cells = [HEADS, *(line for _, line in rows(trace))]
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
    return f"{counted(steps)}, {trace.seconds * 1e3:.3f} ms in all{first(steps)}"


def counted(steps: Any) -> str:
    """How many operations there were, which way they went, and the levels of compiled methods."""
    methods = [step for step in steps if step.kind == "method"]
    told = [f"{step.equation}: {len(step.waves):,} {plural(step)}" for step in methods if step.waves]
    pushes, pulls = (sum(step.direction == way for step in steps) for way in ("push", "pull"))
    operations = f"{len(steps):,} operations, {pushes:,} pushes and {pulls:,} pulls"
    return "; ".join(([operations] if len(methods) < len(steps) or not told else []) + told)


def plural(step: Any) -> str:
    """What its waves are."""
    return "levels" if step.waves[0].name.startswith("level") else "ranges of distance"


def first(steps: Any) -> str:
    """That compiling is in the figures, if it is."""
    spent = sum(step.compiling for step in steps) * 1e3
    return f", of which {spent:.0f} ms compiling or loading kernels: a second call shows it without" if spent else ""
