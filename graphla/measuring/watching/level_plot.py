"""Plot a trace: the frontier and the time of each level, coloured by direction.

For a compiled search, which chooses directions itself, the levels are derived from its result.
"""

from __future__ import annotations

from typing import Any

from graphla.common.errors import NotSupported
from graphla.measuring import pictures
from graphla.measuring.pictures import BLUE, GREEN, ORANGE, SLATE, format_duration
from graphla.measuring.watching import text

COLOURS = {"push": BLUE, "pull": ORANGE}
LOG_RATIO = 1000
"""The axis is logarithmic if the largest value is more than so many times the smallest positive one."""


def draw_levels(trace: Any) -> Any:
    """Draw the levels of a trace in two panels; return the figure."""
    if trace.levels:
        return draw_operations(trace, trace.levels)
    searched = next((step for step in reversed(trace.operations) if step.waves), None)
    if searched is None:
        raise NotSupported(
            "the trace has no levels to plot: bfs, sssp and products of a matrix and a vector have levels"
        )
    return draw_waves(searched)


def draw_operations(trace: Any, steps: Any) -> Any:
    """Draw the frontier and the time of each product, coloured by direction. The time excludes compiling."""
    with pictures.use_style():
        figure, above, below = make_panels()
        colours = [COLOURS[step.direction] for step in steps]
        draw_amounts(above, [step.frontier for step in steps], colours)
        draw_amounts(below, [max(0.0, step.seconds - step.compiling) * 1e3 for step in steps], colours)
        above.set_title(format_title(trace, steps))
        above.set_ylabel("entries of the frontier")
        below.set_ylabel("milliseconds")
        below.set_xlabel("level")
        above.legend(handles=make_legend(steps), loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0)
    return figure


def format_title(trace: Any, steps: Any) -> str:
    """Format the number of levels, the time of all operations, and the engine."""
    compiling = sum(step.compiling for step in trace.operations)
    levels = "1 level" if len(steps) == 1 else f"{len(steps):,} levels"
    return f"{levels}, {format_duration(trace.seconds - compiling)} on {steps[0].engine}{describe_compiling(compiling)}"


def draw_waves(step: Any) -> Any:
    """Draw the vertices of each level of a compiled search and the arcs that leave them; it has no times per level."""
    waves = step.waves
    unit = text.name_waves(step)
    with pictures.use_style():
        figure, above, below = make_panels()
        draw_amounts(above, [wave.vertices for wave in waves], GREEN)
        draw_amounts(below, [wave.arcs for wave in waves], SLATE)
        time = format_duration(max(0.0, step.seconds - step.compiling))
        heading = f"{step.equation}: {len(waves):,} {unit}, {time} in all on {step.engine}"
        above.set_title(heading + describe_compiling(step.compiling))
        above.set_ylabel("vertices")
        below.set_ylabel("arcs that leave them")
        below.set_xlabel("level" if unit == "levels" else "distance from the source, in equal ranges")
        if unit != "levels":
            ticks = range(0, len(waves), max(1, len(waves) // 8))
            below.set_xticks(ticks, [waves[tick].name.split()[-1] for tick in ticks])
    return figure


def make_panels() -> Any:
    """Create a figure with two panels that share the level axis."""
    from matplotlib.ticker import MaxNLocator

    figure = pictures.make_figure(9, 5)
    above, below = figure.subplots(2, 1, sharex=True)
    below.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return figure, above, below


def describe_compiling(compiling: float) -> str:
    """Say how long a first call spent compiling, if it did; the plot leaves that out."""
    return f", after {format_duration(compiling)} of compiling or loading kernels" if compiling else ""


def draw_amounts(axes: Any, heights: list[float], colours: Any) -> None:
    """Draw bars from zero, or points on a logarithmic axis if the values span more than `LOG_RATIO`."""
    levels = range(len(heights))
    positive = [height for height in heights if height > 0]
    if positive and max(positive) > LOG_RATIO * min(positive):
        axes.plot(levels, heights, color=pictures.GREY, linewidth=0.8, zorder=1)
        axes.scatter(levels, heights, color=colours, s=36 if len(heights) < 60 else 6, zorder=2)
        axes.set_yscale("log")
    else:
        axes.bar(levels, heights, width=0.8 if len(heights) < 60 else 1.0, color=colours)
    axes.grid(axis="y", color=pictures.PALE)


def make_legend(steps: Any) -> list[Any]:
    """Create a legend patch for each direction that occurs."""
    from matplotlib.patches import Patch

    return [Patch(color=COLOURS[name], label=name) for name in COLOURS if any(s.direction == name for s in steps)]
