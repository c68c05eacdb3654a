"""A comparison as bars on a logarithmic scale, the fastest on top."""

from __future__ import annotations

from typing import Any

from graphla import pictures
from graphla.compare.table import groups
from graphla.pictures import BLUE, GREY, RED, duration


def bars(comparison: Any) -> Any:
    """One panel a graph: the median of each, with the quartiles; wrong answers red and hatched."""
    panels = groups(comparison)
    heights = [max(2, len(rows)) for _, rows in panels]
    with pictures.styled():
        made = pictures.figure(9, 0.9 + 0.36 * sum(heights) + 0.7 * len(panels))
        axes = made.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
        for where, (title, rows) in zip(axes, panels, strict=True):
            panel(where, title, rows)
        axes[-1].set_xlabel("median time")
    return made


def panel(axes: Any, title: str, rows: list[Any]) -> None:
    """The bars of a graph."""
    times = [row.median or 0.0 for row in rows]
    shown = [time for time in times if time]
    low = min(shown, default=1e-3) / 3
    for place, row in enumerate(rows):
        bad = row.status not in ("right", "unchecked")
        colour = RED if bad else GREY if row.kind == "peer" else BLUE
        if row.median:
            axes.barh(place, row.median, color=colour, hatch="///" if bad else None, edgecolor="white", height=0.72)
        label = duration(row.median) if row.median else ""
        label += f"  {row.status}" if bad else ""
        axes.text((row.median or low) * 1.12, place, label, va="center", fontsize=9, color=RED if bad else pictures.INK)
    axes.set_xscale("log")
    axes.set_xlim(low, max(shown, default=1e-2) * 6)
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.invert_yaxis()
    axes.xaxis.set_minor_formatter(lambda seconds, _: "")
    axes.xaxis.set_major_formatter(lambda seconds, _: duration(seconds))
    axes.grid(axis="x", color=pictures.PALE)
    axes.set_title(title)
