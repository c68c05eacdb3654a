"""A trace as a picture: a bar a level for the frontier and for the time, in the colour of its direction."""

from __future__ import annotations

from typing import Any

from graphla import pictures
from graphla.errors import NotSupported
from graphla.pictures import BLUE, ORANGE

COLOURS = {"push": BLUE, "pull": ORANGE}


def levels(trace: Any) -> Any:
    """Two rows of bars over the levels."""
    steps = trace.levels
    if not steps:
        raise NotSupported("the trace holds no product of a matrix and a vector: method='algebraic' has one a level")
    with pictures.styled():
        made = pictures.figure(9, 5)
        above, below = made.subplots(2, 1, sharex=True)
        bars(above, [step.frontier for step in steps], steps)
        bars(below, [step.seconds * 1e3 for step in steps], steps)
        above.set_title(f"{len(steps):,} levels, {trace.seconds * 1e3:,.2f} ms on {steps[0].engine}")
        above.set_ylabel("entries of the frontier")
        below.set_ylabel("milliseconds")
        below.set_xlabel("level")
        above.legend(handles=legend(steps), loc="upper right")
    return made


def bars(axes: Any, heights: list[float], steps: Any) -> None:
    """Bars without gaps once there are many of them; a logarithmic scale where the sizes differ by much."""
    width = 0.8 if len(steps) < 60 else 1.0
    axes.bar(range(len(steps)), heights, width=width, color=[COLOURS[step.direction] for step in steps])
    positive = [height for height in heights if height > 0]
    if positive and max(positive) > 1000 * min(positive):
        axes.set_yscale("log")
    axes.grid(axis="y", color=pictures.PALE)


def legend(steps: Any) -> list[Any]:
    """A patch for each direction that occurs."""
    from matplotlib.patches import Patch

    return [Patch(color=COLOURS[name], label=name) for name in COLOURS if any(s.direction == name for s in steps)]
