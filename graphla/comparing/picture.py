"""A comparison as bars on a logarithmic scale, the fastest on top."""

from __future__ import annotations

from typing import Any

from graphla import pictures
from graphla.comparing.table import groups, on_gpu
from graphla.pictures import BLUE, GREY, RED, duration


def bars(comparison: Any) -> Any:
    """One panel a graph; wrong answers are red and hatched."""
    panels = groups(comparison)
    heights = [max(2, len(rows)) for _, rows in panels]
    with pictures.styled():
        made = pictures.figure(9, 0.9 + 0.36 * sum(heights) + 0.7 * len(panels))
        axes = made.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
        for where, (title, rows) in zip(axes, panels, strict=True):
            panel(where, title, rows)
        axes[-1].set_xlabel(
            "median time; pale: the whole call, Python's part and the wait for the GPU included"
            if on_gpu(comparison)
            else "median time"
        )
    return made


def panel(axes: Any, title: str, rows: list[Any]) -> None:
    """The bars of a graph."""
    shown = [time for row in rows for time in (row.median, row.whole) if time]
    low = min(shown, default=1e-3) / 3
    for place, row in enumerate(rows):
        bar(axes, place, row, low)
    axes.set_xscale("log")
    axes.set_xlim(low, max(shown, default=1e-2) * 6)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), labels(rows))
    axes.xaxis.set_minor_formatter(lambda seconds, _: "")
    axes.xaxis.set_major_formatter(lambda seconds, _: duration(seconds))
    axes.grid(axis="x", color=pictures.PALE)
    axes.set_title(title)


def bar(axes: Any, place: int, row: Any, low: float) -> None:
    """The median as a bar, the least and the longest time as a line over it, and what there is to say."""
    bad = row.status in ("wrong", "failed", "stopped")
    colour = RED if bad else GREY if row.kind == "peer" else BLUE
    said = row.status if row.status != "right" else ""
    if row.median:
        if row.engine == "cuda" and row.whole:
            axes.barh(place, row.whole, color=pictures.PALE, height=0.72)
        axes.barh(place, row.median, color=colour, hatch="///" if bad else None, edgecolor="white", height=0.72)
        axes.plot([min(row.times), max(row.times)], [place, place], color=pictures.INK, linewidth=1)
        said = f"{duration(row.median)}  {said}"
    end = max((*row.times, row.whole or low), default=low)
    axes.text(end * 1.12, place, said, va="center", fontsize=9, color=RED if bad else pictures.INK)


def labels(rows: list[Any]) -> list[str]:
    """Names, with the engine where there is more than one."""
    several = len({row.engine for row in rows}) > 1
    return [f"{row.name} on {row.engine}" if several else row.name for row in rows]
