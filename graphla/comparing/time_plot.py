"""A comparison as points on a logarithmic axis of time, the fastest on top, with its ratio to the fastest beside it."""

from __future__ import annotations

from typing import Any

from graphla import pictures
from graphla.comparing.table import best_of, groups
from graphla.pictures import BLUE, INK, PALE, RED, SLATE, format_duration

FAULTS = ("wrong", "failed", "stopped")
COLUMNS = {"median": 62, "ratio": 108}
"""Where the columns of numbers end, in points to the right of the axes."""


def points(comparison: Any) -> Any:
    """One panel for each graph, and one legend for all."""
    panels = groups(comparison)
    heights = [max(2, len(rows)) for _, rows in panels]
    with pictures.use_style():
        made = pictures.make_figure(9, 1.2 + 0.34 * sum(heights) + 0.8 * len(panels))
        axes = made.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
        for where, (title, rows) in zip(axes, panels, strict=True):
            panel(where, title, rows)
        axes[-1].set_xlabel("median time; the ratio is to the fastest right answer")
        made.legend(handles=legend(comparison.rows), loc="outside lower center", ncols=3, handletextpad=0.4)
    return made


def panel(axes: Any, title: str, rows: list[Any]) -> None:
    """The points of a graph."""
    best = best_of(rows)
    for place, row in enumerate(rows):
        axes.axhline(place, color=PALE, linewidth=0.8, zorder=0)
        if row.median:
            point(axes, place, row)
        beside(axes, place, row, best)
    heads(axes)
    pictures.set_log_time_axis(axes, [time for row in rows for time in (*row.times, row.whole) if time])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), labels(rows))
    axes.tick_params(axis="y", length=0)
    axes.set_title(title)


def point(axes: Any, place: int, row: Any) -> None:
    """The median as a point, the least to the longest time as a line, and the whole call on a GPU as a ring."""
    colour = colour_of(row)
    if row.engine == "cuda" and row.whole:
        axes.plot([row.median, row.whole], [place, place], color=colour, linewidth=0.8, linestyle=":")
        axes.plot(row.whole, place, "o", color=colour, markerfacecolor="none", markersize=6)
    axes.plot([min(row.times), max(row.times)], [place, place], color=colour, linewidth=2.5, alpha=0.45)
    axes.plot(row.median, place, "X" if row.status in FAULTS else "o", color=colour, markersize=8)


def beside(axes: Any, place: int, row: Any, best: float | None) -> None:
    """The median and its ratio to the fastest right answer, or what became of the row."""
    if row.median:
        number(axes, "median", place, format_duration(row.median))
    if row.status in ("right", "unchecked") and row.median and best:
        number(axes, "ratio", place, pictures.format_ratio(row.median / best))
    else:
        number(axes, "ratio", place, row.status, color=RED if row.status in FAULTS else SLATE)


def number(axes: Any, column: str, place: float, text: str, **style: Any) -> None:
    """A text at the right end of its column, beside a row."""
    where = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points"}
    axes.annotate(
        text, (1, place), (COLUMNS[column], 0), **{"ha": "right", "va": "center", "fontsize": 9, **where, **style}
    )


def heads(axes: Any) -> None:
    """What the columns of numbers say."""
    for column in COLUMNS:
        number(axes, column, 1.04, column, xycoords="axes fraction", va="bottom", fontsize=8, color=SLATE)


def colour_of(row: Any) -> str:
    """Red for a fault, grey for another library, blue for ours."""
    return RED if row.status in FAULTS else SLATE if row.kind == "peer" else BLUE


def legend(rows: Any) -> list[Any]:
    """What points, lines and rings mean, of those that occur."""
    from matplotlib.lines import Line2D

    def mark(label: str, colour: str, **style: Any) -> Any:
        return Line2D([], [], **{"linestyle": "none", "marker": "o", "color": colour, "label": label, **style})

    timed = [row for row in rows if row.median]
    found = [mark("graphla", BLUE)] if any(colour_of(row) == BLUE for row in timed) else []
    if any(colour_of(row) == SLATE for row in timed):
        found.append(mark("another library", SLATE))
    if any(colour_of(row) == RED for row in timed):
        found.append(mark("wrong or failed", RED, marker="X"))
    if any(len(row.times) > 1 for row in timed):
        found.append(mark("shortest to longest time", INK, marker="", linestyle="-", linewidth=2.5, alpha=0.45))
    if any(row.engine == "cuda" and row.whole for row in timed):
        found.append(mark("whole call on the GPU", INK, markerfacecolor="none", markersize=6))
    return found


def labels(rows: list[Any]) -> list[str]:
    """Names, with the engine where there is more than one."""
    several = len({row.engine for row in rows}) > 1
    return [f"{row.name} on {row.engine}" if several else row.name for row in rows]
