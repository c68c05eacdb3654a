"""The picture of the demonstration: a map of the search, its levels, and the times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla import pictures
from graphla.algorithms.bfs import bfs
from graphla.comparing.table import groups
from graphla.comparing.time_plot import legend, panel
from graphla.demo.layout import places
from graphla.graph import Graph

NIGHT, MOON = "#0b1120", "#e2e8f0"
TITLES = {"bfs": "Breadth-first search", "sssp": "Shortest paths, weights 1..255"}


def draw(G: Graph, source: int, found: Any, watched: Any, path: Path) -> None:
    """Write the picture."""
    levels = bfs(G, source).to_numpy(-1)
    with pictures.use_style():
        made = pictures.make_figure(16, 8.6)
        made.get_layout_engine().set(w_pad=0.15, h_pad=0.12)
        left, right = made.subfigures(1, 2, width_ratios=[1.5, 1])
        left.set_facecolor(NIGHT)
        roads(left.subplots(), G, source, levels)
        panels = groups(found)
        axes = right.subplots(1 + len(panels), 1, height_ratios=[1.6, *(0.6 + 0.5 * len(rows) for _, rows in panels)])
        frontiers(axes[0], levels, watched)
        for where, (_, rows) in zip(axes[1:], panels, strict=True):
            panel(where, TITLES[rows[0].problem], rows)
        axes[-1].set_xlabel("median time; the ratio is to the fastest right answer")
        right.legend(handles=legend(found.rows), loc="outside lower center", ncols=3, handletextpad=0.4)
    pictures.save_figure(made, path)


def colours() -> Any:
    """Turbo without its darkest ends, which a dark ground would swallow."""
    import matplotlib as mpl

    return mpl.colors.ListedColormap(mpl.colormaps["turbo"](np.linspace(0.08, 0.95, 256)))


def roads(axes: Any, G: Graph, source: int, levels: Any) -> None:
    """Every road as a line in the colour of its level; the places come from the graph alone."""
    from matplotlib.collections import LineCollection

    xy = places(G)
    rows = np.repeat(np.arange(G.n), np.diff(G.csr.indptr))
    once = rows < G.csr.indices
    ends = np.stack([rows[once], G.csr.indices[once]], axis=1)
    lines = LineCollection(xy[ends], cmap=colours(), linewidths=0.45, rasterized=True)
    lines.set_array(levels[ends[:, 0]])
    axes.add_collection(lines)
    axes.plot(*xy[source], marker="*", markersize=18, color="white", markeredgecolor=NIGHT)
    axes.autoscale()
    axes.set_aspect("equal")
    axes.set_axis_off()
    title = (
        f"The roads of New York, {G.n:,} crossings, coloured by the level at which a search from the star finds them"
    )
    axes.set_title(title, color=MOON)
    bar = axes.figure.colorbar(lines, ax=axes, orientation="horizontal", shrink=0.5, aspect=50, pad=0.01)
    bar.set_label("level", color=MOON)
    bar.ax.tick_params(colors=MOON)
    bar.outline.set_visible(False)


def frontiers(axes: Any, levels: Any, watched: Any) -> None:
    """How many crossings each level reaches, in the colours of the map."""
    counts = np.bincount(levels[levels >= 0])
    axes.bar(np.arange(counts.size), counts, width=1.0, color=colours()(np.linspace(0, 1, counts.size)))
    axes.set_xlim(0, counts.size)
    pulls = sum(step.direction == "pull" for step in watched.levels)
    axes.set_title(f"Crossings per level: {counts.size - pulls:,} pushed, {pulls:,} pulled")
    axes.set_xlabel("level")
