"""Pictures of graphs: vertices and arcs, or communities as circles where there are too many of those."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.layout.arrange import layout
from graphla.algorithms.leiden import leiden
from graphla.algorithms.shared.communities.contract import contract
from graphla.algorithms.shared.communities.labels import number_by_size, to_labels
from graphla.algorithms.shared.weight_sums import check_weights
from graphla.common.arguments import show, to_array, to_bool, to_int
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidOption
from graphla.common.extras import require
from graphla.graphs.graph import Graph
from graphla.measuring.pictures import GREY, INK

Array = Any
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#b8a900")
"""After Okabe and Ito: they differ to colour-blind readers, too. Communities beyond these are grey."""
CIRCLES = 200
"""The most communities that are drawn."""
NAMES = 40
"""The most names of vertices that are tried."""
ARROWS = 300
"""The most arcs that have heads."""
SMALLEST = 6.0
"""Points of the smallest text."""
SHARE = 0.3
"""Of the picture the share that circles cover, at most."""


class Look(NamedTuple):
    """What a caller asks for: axes, how many vertices and arcs are drawn, whether with names, and the seed."""

    axes: Any
    limit: int
    names: bool
    weights: bool
    seed: int


def plot(G: Graph, labels: Any, positions: Any, axes: Any, limit: Any, names: Any, weights: Any, seed: Any) -> Any:
    """Draw a graph; see `Graph.plot`."""
    pyplot = require("matplotlib.pyplot", "plot", "a plot")
    G = G.to("cpu") if G.engine.name == "mpi" else G
    groups = None if labels is None else number_groups(G, labels)
    places = None if positions is None else to_places(G, positions)
    if axes is not None and not hasattr(axes, "add_collection"):
        raise InvalidOption(f"axes={show(axes)}: give Axes of matplotlib, or None")
    most, named, weighted = to_int(limit, "limit", 0), to_bool(names, "names"), check_weights(G, weights)
    seeded = to_int(seed, "seed", 0)
    axes = pyplot.subplots(figsize=(8, 6), layout="constrained")[1] if axes is None else axes
    look = Look(axes, most, named, weighted, seeded)
    axes.set_axis_off()
    axes.set_aspect("equal", adjustable="datalim")
    draw = draw_vertices if G.n + G.nvals <= most else draw_communities
    draw(G, groups, places, look)
    return axes


def number_groups(G: Graph, labels: Any) -> Array:
    """Communities numbered by size, on the host."""
    given = G.engine.to_host(to_labels(G, labels))
    return number_by_size(np, np.unique(given, return_inverse=True)[1].reshape(-1))


def to_places(G: Graph, positions: Any) -> Array:
    """The positions of a caller: float64[n, 2] on the host."""
    given = to_array(G.engine.asarray, positions, "positions", DomainMismatch)
    if given.shape != (G.n, 2) or given.dtype.kind not in "iuf":
        raise DimensionMismatch(f"positions={show(positions)}: give two numbers for each of {G.n:,} vertices")
    places = G.engine.to_host(given).astype("float64")
    if not np.isfinite(places).all():
        raise DomainMismatch("positions: a number is NaN or infinite")
    return places


def pick_colours(groups: Array) -> Array:
    """The colour of each community by its number."""
    return np.array([*COLOURS, GREY])[np.minimum(groups, len(COLOURS))]


def draw_vertices(G: Graph, groups: Any, places: Any, look: Look) -> None:
    """Draw a point for each vertex, larger for those of many arcs, and a line for each arc."""
    places = find_places(G, look) if places is None else places
    degrees = G.engine.to_host(G.degrees)
    largest = np.clip(8000 / max(1, G.n), 6, 160)
    areas = largest * (0.25 + 0.75 * degrees / max(1, degrees.max(initial=1)))
    tails, heads, _ = map(G.engine.to_host, G.A.to_coo())
    thin = 1 / np.sqrt(max(1, tails.size))
    style = {"alpha": float(np.clip(20 * thin, 0.1, 0.6)), "linewidths": float(np.clip(60 * thin, 0.2, 0.8))}
    if G.nvals <= ARROWS and not G.symmetric:
        draw_arrows(look.axes, places, tails, heads, areas)
    else:
        once = tails < heads if G.symmetric else tails != heads
        draw_lines(look.axes, places, tails[once], heads[once], **style)
    colours = COLOURS[0] if groups is None else pick_colours(groups)
    look.axes.scatter(*places.T, s=areas, c=colours, edgecolors="white", linewidths=0.04 * np.sqrt(areas), zorder=2)
    if look.names:
        order = np.argsort(-degrees, kind="stable")[:NAMES]
        write_names(look.axes, places[order], G._call_vertices(order.tolist()), np.sqrt(areas[order]) / 2)


def find_places(G: Graph, look: Look) -> Array:
    """Positions by forces, on the host."""
    return G.engine.to_host(layout(G, weights=look.weights, seed=look.seed)).astype("float64")


def draw_lines(axes: Any, places: Array, tails: Array, heads: Array, **style: Any) -> None:
    """Draw a line for each arc, below points."""
    from matplotlib.collections import LineCollection

    axes.add_collection(LineCollection(places[np.stack([tails, heads], axis=1)], colors=INK, zorder=1, **style))
    axes.autoscale_view()


def draw_arrows(axes: Any, places: Array, tails: Array, heads: Array, areas: Array) -> None:
    """Draw an arrow for each arc, from the edge of a point to that of another."""
    radii = np.sqrt(areas) / 2 + 1
    for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
        if tail != head:
            style = {"arrowstyle": "-|>", "color": INK, "alpha": 0.6, "linewidth": 0.8, "mutation_scale": 9}
            ends = {"shrinkA": radii[tail], "shrinkB": radii[head], "connectionstyle": "arc3,rad=0.08"}
            axes.annotate("", places[head], places[tail], arrowprops={**style, **ends}, zorder=1)


def write_names(axes: Any, places: Array, names: list[Any], radii: Array) -> None:
    """Write names beside points, the first ones first, and leave out those that would cover another."""
    from matplotlib.patheffects import withStroke

    axes.margins(0.08)
    axes.figure.draw_without_rendering()
    taken: list[Any] = []
    for place, name, radius in zip(places, names, radii, strict=True):
        offset = {"xytext": (0, radius + 1), "textcoords": "offset points", "ha": "center", "va": "bottom"}
        text = axes.annotate(str(name), place, **offset, fontsize=9, color=INK, zorder=3)
        text.set_path_effects([withStroke(linewidth=2, foreground="white")])
        box = text.get_window_extent()
        if any(box.overlaps(other) for other in taken):
            text.remove()
        else:
            taken.append(box)


def draw_communities(G: Graph, groups: Any, places: Any, look: Look) -> None:
    """Draw a circle for each of the largest communities, its area by its vertices, and lines by the arcs between."""
    groups = number_groups(G, leiden(G, seed=look.seed)) if groups is None else groups
    sizes = np.bincount(groups, minlength=1)
    kept = min(CIRCLES, sizes.size)
    H = join_communities(G, np.minimum(groups, kept), kept, look.weights)
    given = find_places(H, look._replace(weights=True)) if places is None else average(groups, places)
    centres, radii = part_circles(given[:kept], np.sqrt(sizes[:kept]))
    tails, heads, values = H.A.to_coo()
    once = tails < heads if H.symmetric else tails != heads
    widths = np.maximum(8 * values[once] / max(1, values.max(initial=0)), 0.2)
    draw_lines(look.axes, centres, tails[once], heads[once], alpha=0.25, linewidths=widths)
    draw_circles(look.axes, centres, radii, [f"{size:,}" for size in sizes[:kept]])
    rest = f", and {sizes.size - kept:,} smaller ones" if sizes.size > kept else ""
    look.axes.set_title(f"{G.n:,} vertices in {kept} communities{rest}", fontsize=10, color=INK)


def join_communities(G: Graph, groups: Array, kept: int, weights: bool) -> Graph:
    """The first communities as vertices of a graph on the host, with the arcs between them."""
    H = contract(G if weights else Graph(G.A.dup("BOOL")), G.engine.asarray(groups), loops=False)
    tails, heads, values = map(H.engine.to_host, H.A.to_coo())
    there = np.maximum(tails, heads) < kept
    return Graph((tails[there], heads[there], values[there]), n=kept, engine="cpu")


def average(groups: Array, places: Array) -> Array:
    """The middle of each community."""
    return np.stack([np.bincount(groups, axis) for axis in places.T], axis=1) / np.bincount(groups)[:, None]


def part_circles(centres: Array, radii: Array) -> tuple[Array, Array]:
    """Scale circles to their share of the picture, and move those apart that overlap."""
    width = max(float(np.ptp(centres, axis=0).max()), 1.0)
    radii = radii * width * np.sqrt(SHARE / np.pi / (radii**2).sum())
    for _ in range(300):
        apart = centres[:, None] - centres
        distance = np.linalg.norm(apart, axis=2) + np.eye(len(radii))
        lacking = np.maximum(1.1 * (radii[:, None] + radii) - distance, 0) * (1 - np.eye(len(radii)))
        if not lacking.any():
            break
        push = lacking / np.maximum(distance, 1e-9) / 2
        centres = centres + (push[:, :, None] * apart).sum(axis=1)
    return centres, radii


def draw_circles(axes: Any, centres: Array, radii: Array, texts: list[str]) -> None:
    """Draw circles in the units of the data, and write into each what fits."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Circle

    colours = pick_colours(np.arange(radii.size))
    for centre, radius, colour in zip(centres, radii, colours, strict=True):
        axes.add_patch(Circle(centre, radius, facecolor=colour, edgecolor="white", zorder=2))
    axes.autoscale_view()
    axes.figure.draw_without_rendering()
    points = 72 / axes.figure.dpi * abs(axes.transData.transform((1, 0)) - axes.transData.transform((0, 0)))[0]
    for centre, radius, colour, text in zip(centres, radii, colours, texts, strict=True):
        size = min(12.0, 2.6 * radius * points / len(text))
        if size >= SMALLEST:
            dark = np.dot(to_rgb(colour), (0.299, 0.587, 0.114)) < 0.5
            axes.text(*centre, text, ha="center", va="center", fontsize=size, color="white" if dark else INK, zorder=3)
