"""A trace as a picture: the frontier and the time of each level, in the colour of its direction.

Of a compiled search, which decides inside, the levels are those that its answer tells.
"""

from __future__ import annotations

from typing import Any

from graphla import pictures
from graphla.errors import NotSupported
from graphla.pictures import BLUE, GREEN, ORANGE, SLATE, duration
from graphla.watching import text

COLOURS = {"push": BLUE, "pull": ORANGE}
WIDE = 1000
"""Amounts whose largest is more than so many times their smallest stand on a logarithmic axis."""


def levels(trace: Any) -> Any:
    """Two rows of marks over the levels."""
    if trace.levels:
        return of_operations(trace, trace.levels)
    searched = next((step for step in reversed(trace.operations) if step.waves), None)
    if searched is None:
        raise NotSupported(
            "the trace holds no search: bfs and sssp have levels, and so has every product of a matrix and a vector"
        )
    return of_answer(searched)


def of_operations(trace: Any, steps: Any) -> Any:
    """Frontier and time of each product, in the colour of its direction, without what it took to compile."""
    with pictures.styled():
        made, above, below = panels()
        colours = [COLOURS[step.direction] for step in steps]
        amounts(above, [step.frontier for step in steps], colours)
        amounts(below, [max(0.0, step.seconds - step.compiling) * 1e3 for step in steps], colours)
        above.set_title(title(trace, steps))
        above.set_ylabel("entries of the frontier")
        below.set_ylabel("milliseconds")
        below.set_xlabel("level")
        above.legend(handles=legend(steps), loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0)
    return made


def title(trace: Any, steps: Any) -> str:
    """How many levels, how long all operations took, and where."""
    compiling = sum(step.compiling for step in trace.operations)
    counted = "1 level" if len(steps) == 1 else f"{len(steps):,} levels"
    return f"{counted}, {duration(trace.seconds - compiling)} on {steps[0].engine}{beside(compiling)}"


def of_answer(step: Any) -> Any:
    """Vertices of each level of a compiled search, and the arcs that leave them: its answer does not tell the times."""
    waves = step.waves
    what = text.plural(step)
    with pictures.styled():
        made, above, below = panels()
        amounts(above, [wave.vertices for wave in waves], GREEN)
        amounts(below, [wave.arcs for wave in waves], SLATE)
        taken = duration(max(0.0, step.seconds - step.compiling))
        counted = f"{step.equation}: {len(waves):,} {what}, {taken} in all on {step.engine}"
        above.set_title(counted + beside(step.compiling))
        above.set_ylabel("vertices")
        below.set_ylabel("arcs that leave them")
        below.set_xlabel("level" if what == "levels" else "distance from the source, in equal ranges")
        if what != "levels":
            shown = range(0, len(waves), max(1, len(waves) // 8))
            below.set_xticks(shown, [waves[place].name.split()[-1] for place in shown])
    return made


def panels() -> Any:
    """A figure and its two panels, which share the axis of the levels."""
    from matplotlib.ticker import MaxNLocator

    made = pictures.figure(9, 5)
    above, below = made.subplots(2, 1, sharex=True)
    below.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return made, above, below


def beside(compiling: float) -> str:
    """That a first call compiled, which is not drawn, if it did."""
    return f", after {duration(compiling)} of compiling or loading kernels" if compiling else ""


def amounts(axes: Any, heights: list[float], colours: Any) -> None:
    """Bars from zero; points on a logarithmic axis, which has no zero, where the sizes differ by much."""
    levels = range(len(heights))
    positive = [height for height in heights if height > 0]
    if positive and max(positive) > WIDE * min(positive):
        axes.plot(levels, heights, color=pictures.GREY, linewidth=0.8, zorder=1)
        axes.scatter(levels, heights, color=colours, s=36 if len(heights) < 60 else 6, zorder=2)
        axes.set_yscale("log")
    else:
        axes.bar(levels, heights, width=0.8 if len(heights) < 60 else 1.0, color=colours)
    axes.grid(axis="y", color=pictures.PALE)


def legend(steps: Any) -> list[Any]:
    """A patch for each direction that occurs."""
    from matplotlib.patches import Patch

    return [Patch(color=COLOURS[name], label=name) for name in COLOURS if any(s.direction == name for s in steps)]
