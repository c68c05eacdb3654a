"""The plot of the demo: a map of the search, its levels, and the times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.graphs.graph import Graph
from graphla.measuring import pictures
from graphla.measuring.comparing.table import group_rows
from graphla.measuring.comparing.time_plot import draw_panel, make_legend
from graphla.measuring.demo.layout import compute_layout

NIGHT, MOON = "#0b1120", "#e2e8f0"
TITLES = {"bfs": "Breadth-first search", "sssp": "Shortest paths, weights 1..255"}


def draw_map(G: Graph, source: int, found: Any, watched: Any, path: Path) -> None:
    """Draw the plot and write it to `path`."""
    levels = bfs(G, source).to_numpy(-1)
    with pictures.use_style():
        figure = pictures.make_figure(16, 8.6)
        figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12)
        left, right = figure.subfigures(1, 2, width_ratios=[1.5, 1])
        left.set_facecolor(NIGHT)
        draw_roads(left.subplots(), G, source, levels)
        panels = group_rows(found)
        axes = right.subplots(1 + len(panels), 1, height_ratios=[1.6, *(0.6 + 0.5 * len(rows) for _, rows in panels)])
        draw_frontiers(axes[0], levels, watched)
        for panel_axes, (_, rows) in zip(axes[1:], panels, strict=True):
            draw_panel(panel_axes, TITLES[rows[0].problem], rows)
        axes[-1].set_xlabel("median time; the ratio is to the fastest right answer")
        right.legend(handles=make_legend(found.rows), loc="outside lower center", ncols=3, handletextpad=0.4)
    pictures.save_figure(figure, path)


def make_colours() -> Any:
    """Return the colour map turbo without its darkest ends, which are invisible on a dark background."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps["turbo"](np.linspace(0.08, 0.95, 256)))


def draw_roads(axes: Any, G: Graph, source: int, levels: Any) -> None:
    """Draw every road as a line in the colour of its level. The layout is computed from the graph alone."""
    from matplotlib.collections import LineCollection

    xy = compute_layout(G)
    rows = np.repeat(np.arange(G.n), np.diff(G.csr.indptr))
    once = rows < G.csr.indices
    ends = np.stack([rows[once], G.csr.indices[once]], axis=1)
    lines = LineCollection(xy[ends], cmap=make_colours(), linewidths=0.45, rasterized=True)
    lines.set_array(levels[ends[:, 0]])
    axes.add_collection(lines)
    axes.plot(*xy[source], marker="*", markersize=18, color="white", markeredgecolor=NIGHT)
    axes.autoscale()
    axes.set_aspect("equal")
    axes.set_axis_off()
    title = f"The roads of New York, {G.n:,} crossings, coloured by their level in a search from the star"
    axes.set_title(title, color=MOON)
    bar = axes.figure.colorbar(lines, ax=axes, orientation="horizontal", shrink=0.5, aspect=50, pad=0.01)
    bar.set_label("level", color=MOON)
    bar.ax.tick_params(colors=MOON)
    bar.outline.set_visible(False)


def draw_frontiers(axes: Any, levels: Any, watched: Any) -> None:
    """Draw how many crossings each level reaches, in the colours of the map."""
    counts = np.bincount(levels[levels >= 0])
    axes.bar(np.arange(counts.size), counts, width=1.0, color=make_colours()(np.linspace(0, 1, counts.size)))
    axes.set_xlim(0, counts.size)
    pulls = sum(step.direction == "pull" for step in watched.levels)
    axes.set_title(f"Crossings per level: {counts.size - pulls:,} pushed, {pulls:,} pulled")
    axes.set_xlabel("level")
