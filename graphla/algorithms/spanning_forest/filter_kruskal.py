"""Sort the lightest edges and take each that joins two trees; of the heavier ones only those whose ends are apart.

A sample of the weights says below which one lie about three edges per vertex. These join most of what the graph has in
one piece, so that few of the others need to be sorted. Sparse graphs, such as roads, are sorted as a whole. Edges are
sorted as integers: the weight in the upper bits, and below it the number of the edge.

Source: Kruskal, "On the Shortest Spanning Subtree of a Graph and the Traveling Salesman Problem", Proc. AMS 7(1), 1956;
Osipov, Sanders, Singler, "The Filter-Kruskal Minimum Spanning Tree Algorithm", ALENEX 2009.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.edge_order import order_weights
from graphla.algorithms.spanning_forest import Settings
from graphla.problem import Method

Array = Any
LIGHT = 3
"""Edges per vertex among the lightest, which are sorted first."""
FILTERED = 4 * LIGHT
"""Arcs per vertex from which on the lightest edges come first."""
SAMPLES = 4096


def run(G: Any, s: Settings) -> tuple[Array]:
    """The arcs of the forest: positions in ``G.csr``, in order."""
    taken = np.zeros(G.nvals, bool)
    if not G.nvals:
        return (np.flatnonzero(taken),)
    keys = order_weights(G)
    flip = keys.dtype.type(-1 % (1 << 8 * keys.itemsize)) if s.kind == "maximum" else keys.dtype.type(0)
    parent, left, ends = np.arange(G.n, dtype=np.int32), G.n - 1, np.iinfo(keys.dtype)
    most = choose_threshold(G, keys, flip)
    left -= take_edges(G, keys, flip, (0, most), parent, taken, left)
    if most < ends.max and left:
        take_edges(G, keys, flip, (most + 1, ends.max), parent, taken, left)
    return (np.flatnonzero(taken),)


def choose_threshold(G: Any, keys: Array, flip: Any) -> int:
    """The largest key of the edges that are sorted first."""
    if G.nvals < max(SAMPLES, FILTERED * G.n):
        return int(np.iinfo(keys.dtype).max)
    sample = np.sort(keys[np.random.default_rng(1).integers(0, G.nvals, SAMPLES)] ^ flip)
    return int(sample[2 * LIGHT * G.n * SAMPLES // G.nvals])


def take_edges(G: Any, keys: Array, flip: Any, ends: tuple[int, int], parent: Array, taken: Array, left: int) -> int:
    """Take the edges of the forest with keys between two ends; return how many."""
    from graphla.algorithms.spanning_forest.kruskal_cpu import collect_edges, join_edges

    rows, most = (G.csr.indptr, G.csr.indices), G.nvals // 2
    low, high = map(keys.dtype.type, ends)
    found, tails, places = np.empty(most, keys.dtype), np.empty(most, np.int32), np.empty(most, rows[0].dtype)
    count = collect_edges(*rows, keys, flip, low, high, parent, found, tails, places)
    return join_edges(sort_edges(found[:count]), tails, places, *rows, parent, taken, left)


def sort_edges(keys: Array) -> Array:
    """The order of edges by their keys, then by their numbers."""
    if keys.dtype == np.uint64 or keys.size > 1 << 32:
        return np.argsort(keys, kind="stable")
    packed = keys.astype(np.uint64) << np.uint64(32) | np.arange(keys.size, dtype=np.uint64)
    packed.sort()
    return (packed & np.uint64(0xFFFFFFFF)).astype(np.int64)


method = Method(
    runs={"cpu": run},
    idea="sort the lightest edges first; then only those whose ends are in different trees",
    source="Kruskal, Proc. AMS 1956; Osipov, Sanders, Singler, ALENEX 2009",
    rank=100,
)
