"""The picture of the demonstration: a map of the search, its levels, and the times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla import pictures
from graphla.algorithms.bfs import bfs
from graphla.compare.picture import panel
from graphla.compare.table import groups
from graphla.demo.layout import places
from graphla.graph import Graph

COLOURS = "turbo"


def draw(G: Graph, source: int, found: Any, watched: Any, path: Path) -> None:
    """Write the picture."""
    levels = bfs(G, source).to_numpy(-1)
    with pictures.styled():
        made = pictures.figure(15, 8.4)
        left, right = made.subfigures(1, 2, width_ratios=[1.25, 1])
        roads(left.subplots(), G, source, levels)
        panels = groups(found)
        axes = right.subplots(1 + len(panels), 1, height_ratios=[1.2, *(len(rows) for _, rows in panels)])
        frontiers(axes[0], levels, watched)
        for where, (title, rows) in zip(axes[1:], panels, strict=True):
            panel(where, title.split(":")[0], rows)
    pictures.save(made, path)


def roads(axes: Any, G: Graph, source: int, levels: Any) -> None:
    """Every road as a line in the colour of its level; the places come from the graph alone."""
    from matplotlib.collections import LineCollection

    xy = places(G)
    rows = np.repeat(np.arange(G.n), np.diff(G.csr.indptr))
    once = rows < G.csr.indices
    ends = np.stack([rows[once], G.csr.indices[once]], axis=1)
    order = np.argsort(levels[ends[:, 0]])[::-1]
    lines = LineCollection(xy[ends[order]], cmap=COLOURS, linewidths=0.35, rasterized=True)
    lines.set_array(levels[ends[order, 0]])
    axes.add_collection(lines)
    axes.plot(*xy[source], marker="*", markersize=15, color="white", markeredgecolor=pictures.INK)
    axes.autoscale()
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(f"{G.n:,} crossings of New York, by how many roads they are from the star")
    axes.figure.colorbar(lines, ax=axes, orientation="horizontal", shrink=0.6, aspect=40, pad=0.01, label="level")


def frontiers(axes: Any, levels: Any, watched: Any) -> None:
    """How many crossings each level reaches, in the colours of the map."""
    import matplotlib as mpl

    counts = np.bincount(levels[levels >= 0])
    colours = mpl.colormaps[COLOURS](np.linspace(0, 1, counts.size))
    axes.bar(np.arange(counts.size), counts, width=1.0, color=colours)
    axes.set_xlim(0, counts.size)
    pulls = sum(step.direction == "pull" for step in watched.levels)
    axes.set_title(f"{counts.size:,} levels: {len(watched.levels) - pulls:,} pushed, {pulls:,} pulled")
    axes.set_xlabel("level")
    axes.set_ylabel("crossings")
