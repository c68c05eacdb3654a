"""A trace as a picture: a bar a level for the frontier and for the time, in the colour of its direction.

Of a compiled search, which decides inside, the levels are those that its answer tells.
"""

from __future__ import annotations

from typing import Any

from graphla import pictures
from graphla.errors import NotSupported
from graphla.pictures import BLUE, GREEN, GREY, ORANGE, duration
from graphla.watching import text

COLOURS = {"push": BLUE, "pull": ORANGE}


def levels(trace: Any) -> Any:
    """Two rows of bars over the levels."""
    if trace.levels:
        return of_operations(trace, trace.levels)
    searched = next((step for step in reversed(trace.operations) if step.waves), None)
    if searched is None:
        raise NotSupported(
            "the trace holds no search: bfs and sssp have levels, and so has every product of a matrix and a vector"
        )
    return of_answer(searched)


def of_operations(trace: Any, steps: Any) -> Any:
    """Frontier and time of each product, in the colour of its direction."""
    with pictures.styled():
        made, above, below = panels()
        colours = [COLOURS[step.direction] for step in steps]
        bars(above, [step.frontier for step in steps], colours)
        bars(below, [step.seconds * 1e3 for step in steps], colours)
        above.set_title(f"{len(steps):,} levels, {duration(trace.seconds)} on {steps[0].engine}{compiled(trace)}")
        above.set_ylabel("entries of the frontier")
        below.set_ylabel("milliseconds")
        below.set_xlabel("level")
        above.legend(handles=legend(steps), loc="upper right")
    return made


def of_answer(step: Any) -> Any:
    """Vertices of each level of a compiled search, and the arcs that leave them: its answer does not tell the times."""
    waves = step.waves
    what = text.plural(step)
    with pictures.styled():
        made, above, below = panels()
        bars(above, [wave.vertices for wave in waves], GREEN)
        bars(below, [wave.arcs for wave in waves], GREY)
        title = f"{step.equation}: {len(waves):,} {what}, {duration(step.seconds)} in all on {step.engine}"
        above.set_title(title + compiled([step]))
        above.set_ylabel("vertices")
        below.set_ylabel("arcs that leave them")
        below.set_xlabel("level" if what == "levels" else "distance from the source, in equal ranges")
        if what != "levels":
            shown = range(0, len(waves), max(1, len(waves) // 8))
            below.set_xticks(shown, [waves[place].name.split()[-1] for place in shown])
    return made


def panels() -> Any:
    """A figure and its two panels, which share the axis of the levels."""
    made = pictures.figure(9, 5)
    above, below = made.subplots(2, 1, sharex=True)
    return made, above, below


def compiled(steps: Any) -> str:
    """That the time is one of a first call, if it is."""
    seconds = sum(step.compiling for step in steps)
    return f", of which {duration(seconds)} compiling" if seconds else ""


def bars(axes: Any, heights: list[float], colours: Any) -> None:
    """Bars without gaps once there are many of them; a logarithmic scale where the sizes differ by much."""
    width = 0.8 if len(heights) < 60 else 1.0
    axes.bar(range(len(heights)), heights, width=width, color=colours)
    positive = [height for height in heights if height > 0]
    if positive and max(positive) > 1000 * min(positive):
        axes.set_yscale("log")
    axes.grid(axis="y", color=pictures.PALE)


def legend(steps: Any) -> list[Any]:
    """A patch for each direction that occurs."""
    from matplotlib.patches import Patch

    return [Patch(color=COLOURS[name], label=name) for name in COLOURS if any(s.direction == name for s in steps)]
