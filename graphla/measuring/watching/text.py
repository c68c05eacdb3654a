"""A trace as a table of plain text."""

from __future__ import annotations

from typing import Any

HEADS = ("", "operation", "direction", "frontier", "arcs", "result", "ms", "bytes", "why")
RIGHT = {0, 3, 4, 5, 6, 7}


def format_row(number: int, step: Any) -> tuple[str, ...]:
    """Format the cells of one operation."""
    return (
        str(number),
        step.equation,
        step.direction or ("chosen by method" if step.kind == "method" else ""),
        format_count(step.frontier),
        format_count(step.edges),
        format_count(step.result),
        f"{step.seconds * 1e3:.3f}",
        format_count(step.nbytes),
        "; ".join((*step.why, *describe_compiling(step))),
    )


def format_wave(wave: Any) -> tuple[str, ...]:
    """Format the cells of one level of a compiled search."""
    return ("", f"  {wave.name}", "", format_count(wave.vertices), format_count(wave.arcs), "", "", "", "")


def describe_compiling(step: Any) -> list[str]:
    """Describe the time that a first call spent compiling, if it did."""
    return [f"{step.compiling * 1e3:.0f} ms spent compiling or loading kernels"] if step.compiling > 0 else []


def format_rows(trace: Any) -> list[tuple[Any, tuple[str, ...]]]:
    """Format the rows of all operations and their levels, as pairs (operation or None for a level, cells)."""
    rows: list[tuple[Any, tuple[str, ...]]] = []
    for number, step in enumerate(trace.operations):
        rows += [(step, format_row(number, step)), *((None, format_wave(wave)) for wave in step.waves)]
    return rows


def format_count(value: int | None) -> str:
    """Format a count with thousands separators; an unknown count is empty."""
    return "" if value is None else f"{value:,}"


def format_table(trace: Any) -> str:
    """Format a trace as a table: headings, rows and a summary line."""
    cells = [HEADS, *(line for _, line in format_rows(trace))]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join([*(align(line, widths) for line in cells), summarize(trace)])


def align(line: tuple[str, ...], widths: list[int]) -> str:
    """Align numbers to the right and words to the left."""
    cells = enumerate(zip(line, widths, strict=True))
    return "  ".join(cell.rjust(w) if k in RIGHT else cell.ljust(w) for k, (cell, w) in cells).rstrip()


def summarize(trace: Any) -> str:
    """Summarize a trace in one line."""
    steps = trace.operations
    if not steps:
        return "nothing was recorded: a trace records operations and methods that run inside its with block"
    return f"{describe_steps(steps)}, {trace.seconds * 1e3:.3f} ms in all{describe_compile_time(steps)}"


def describe_steps(steps: Any) -> str:
    """Describe the number of operations, pushes and pulls, and the levels of compiled methods."""
    methods = [step for step in steps if step.kind == "method"]
    levels = [f"{step.equation}: {len(step.waves):,} {name_waves(step)}" for step in methods if step.waves]
    pushes, pulls = (sum(step.direction == way for step in steps) for way in ("push", "pull"))
    operations = f"{len(steps):,} operations, {pushes:,} pushes and {pulls:,} pulls"
    return "; ".join(([operations] if len(methods) < len(steps) or not levels else []) + levels)


def name_waves(step: Any) -> str:
    """Name the waves of a search: levels, or ranges of distance."""
    return "levels" if step.waves[0].name.startswith("level") else "ranges of distance"


def describe_compile_time(steps: Any) -> str:
    """Describe how much of the total time was spent compiling, if any."""
    milliseconds = sum(step.compiling for step in steps) * 1e3
    return (
        f", of which {milliseconds:.0f} ms compiling or loading kernels: a second call does without"
        if milliseconds
        else ""
    )
