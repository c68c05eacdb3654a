"""The picture of ``graphla roads``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.common.errors import InvalidGraph
from graphla.measuring import pictures


def draw(path: Path, G: Any, places: Any, source: int, found: Any, route: Any) -> None:
    """Draw the roads, those reached in the colours of their times, and the route; `places` is None or [n, 2]."""
    from matplotlib.collections import LineCollection

    xy = lay_out(G) if places is None else places * [np.cos(np.radians(places[:, 1].mean())), 1]
    tails, heads = np.repeat(np.arange(G.n), np.diff(G.csr.indptr)), np.asarray(G.csr.indices)
    times = np.full(G.n, np.nan)
    if found is not None:
        times[found[0]] = np.asarray(found[1]) / 60
    colour = np.maximum(times[tails], times[heads])
    near = ~np.isnan(colour)
    with pictures.use_style():
        figure = pictures.make_figure(9, 8)
        axes = figure.subplots()
        lines = xy[np.stack([tails, heads], axis=1)]
        axes.add_collection(LineCollection(lines[~near], colors=pictures.PALE, linewidths=0.4, rasterized=True))
        if near.any():
            reached = LineCollection(lines[near], cmap="viridis_r", linewidths=0.9, rasterized=True)
            reached.set_array(colour[near])
            axes.add_collection(reached)
            figure.colorbar(reached, ax=axes, shrink=0.6, label="minutes")
        if route is not None:
            axes.plot(*xy[route].T, color=pictures.RED, linewidth=2)
        axes.plot(*xy[source], marker="*", markersize=14, color=pictures.INK, markeredgecolor="white")
        show_near(axes, xy, [source, *(found[0] if found is not None else []), *(route or [])])
        axes.set_aspect("equal")
        axes.set_axis_off()
    pictures.save_figure(figure, path)


def show_near(axes: Any, xy: Any, vertices: list[int]) -> None:
    """Show the part of the plane that holds these vertices, and some of what is around them."""
    low, high = xy[vertices].min(axis=0), xy[vertices].max(axis=0)
    room = 0.25 * max(*(high - low), 1e-9)
    axes.set_xlim(low[0] - room, high[0] + room)
    axes.set_ylim(low[1] - room, high[1] + room)


def lay_out(G: Any) -> Any:
    """Return places for a graph without any: by distances, which it must have between all vertices."""
    from graphla.algorithms.components import components
    from graphla.measuring.demo.layout import compute_layout

    if np.unique(components(G, kind="strong").to_numpy()).size > 1:
        raise InvalidGraph("not every vertex is reached from every other, and a layout needs it: give --places")
    return compute_layout(G)
