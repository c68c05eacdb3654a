"""Plot a comparison: one point per row on a logarithmic time axis, fastest on top, with its ratio to the fastest."""

from __future__ import annotations

from typing import Any

from graphla.measuring import pictures
from graphla.measuring.comparing.table import find_best, group_rows
from graphla.measuring.pictures import BLUE, INK, PALE, RED, SLATE, format_duration

FAULTS = ("wrong", "failed", "stopped")
COLUMNS = {"median": 62, "ratio": 108}
"""The right ends of the columns of numbers, in points to the right of the axes."""


def draw_times(comparison: Any) -> Any:
    """Draw one panel per graph and a common legend; return the figure."""
    panels = group_rows(comparison)
    heights = [max(2, len(rows)) for _, rows in panels]
    with pictures.use_style():
        figure = pictures.make_figure(9, 1.2 + 0.34 * sum(heights) + 0.8 * len(panels))
        axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
        for panel_axes, (title, rows) in zip(axes, panels, strict=True):
            draw_panel(panel_axes, title, rows)
        axes[-1].set_xlabel("median time; the ratio is to the fastest right answer")
        figure.legend(handles=make_legend(comparison.rows), loc="outside lower center", ncols=3, handletextpad=0.4)
    return figure


def draw_panel(axes: Any, title: str, rows: list[Any]) -> None:
    """Draw the points of one graph."""
    best = find_best(rows)
    for position, row in enumerate(rows):
        axes.axhline(position, color=PALE, linewidth=0.8, zorder=0)
        if row.median:
            draw_point(axes, position, row)
        write_numbers(axes, position, row, best)
    write_headings(axes)
    pictures.set_log_time_axis(axes, [time for row in rows for time in (*row.times, row.whole) if time])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), make_labels(rows))
    axes.tick_params(axis="y", length=0)
    axes.set_title(title)


def draw_point(axes: Any, position: int, row: Any) -> None:
    """Draw the median as a point, the range of times as a line, and the whole call on a GPU as a ring."""
    colour = choose_colour(row)
    if row.engine == "cuda" and row.whole:
        axes.plot([row.median, row.whole], [position, position], color=colour, linewidth=0.8, linestyle=":")
        axes.plot(row.whole, position, "o", color=colour, markerfacecolor="none", markersize=6)
    axes.plot([min(row.times), max(row.times)], [position, position], color=colour, linewidth=2.5, alpha=0.45)
    axes.plot(row.median, position, "X" if row.status in FAULTS else "o", color=colour, markersize=8)


def write_numbers(axes: Any, position: int, row: Any, best: float | None) -> None:
    """Write the median and its ratio to the fastest right answer, or the status of the row."""
    if row.median:
        write_number(axes, "median", position, format_duration(row.median))
    if row.status in ("right", "unchecked") and row.median and best:
        write_number(axes, "ratio", position, pictures.format_ratio(row.median / best))
    else:
        write_number(axes, "ratio", position, row.status, color=RED if row.status in FAULTS else SLATE)


def write_number(axes: Any, column: str, position: float, text: str, **style: Any) -> None:
    """Write a text beside a row, right-aligned in its column."""
    coordinates = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points"}
    axes.annotate(
        text,
        (1, position),
        (COLUMNS[column], 0),
        **{"ha": "right", "va": "center", "fontsize": 9, **coordinates, **style},
    )


def write_headings(axes: Any) -> None:
    """Write the headings of the columns of numbers."""
    for column in COLUMNS:
        write_number(axes, column, 1.04, column, xycoords="axes fraction", va="bottom", fontsize=8, color=SLATE)


def choose_colour(row: Any) -> str:
    """Choose the colour of a row: red for a fault, grey for another library, blue for graphla."""
    return RED if row.status in FAULTS else SLATE if row.kind == "peer" else BLUE


def make_legend(rows: Any) -> list[Any]:
    """Create legend entries for the points, lines and rings that occur."""
    from matplotlib.lines import Line2D

    def mark(label: str, colour: str, **style: Any) -> Any:
        return Line2D([], [], **{"linestyle": "none", "marker": "o", "color": colour, "label": label, **style})

    timed = [row for row in rows if row.median]
    handles = [mark("graphla", BLUE)] if any(choose_colour(row) == BLUE for row in timed) else []
    if any(choose_colour(row) == SLATE for row in timed):
        handles.append(mark("another library", SLATE))
    if any(choose_colour(row) == RED for row in timed):
        handles.append(mark("wrong or failed", RED, marker="X"))
    if any(len(row.times) > 1 for row in timed):
        handles.append(mark("shortest to longest time", INK, marker="", linestyle="-", linewidth=2.5, alpha=0.45))
    if any(row.engine == "cuda" and row.whole for row in timed):
        handles.append(mark("whole call on the GPU", INK, markerfacecolor="none", markersize=6))
    return handles


def make_labels(rows: list[Any]) -> list[str]:
    """Return the names of the rows, with the engine if there are several engines."""
    several = len({row.engine for row in rows}) > 1
    return [f"{row.name} on {row.engine}" if several else row.name for row in rows]
