"""Random graphs and graphs with a corner each, which the tests of several problems share."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

import graphla as gl

EDGELESS: dict[str, Any] = {
    "empty": ([], [], 0),
    "one vertex": ([], [], 1),
    "a loop": ([0], [0], 1),
    "no edges": ([], [], 5),
}
"""Graphs without an edge between two vertices, as (tails, heads, n)."""


def list_pairs(n: int) -> Any:
    """The edges of the complete graph: 2 x n(n-1)/2."""
    return np.argwhere(~np.tri(n, dtype=bool)).T


SHAPES: dict[str, Any] = {
    **EDGELESS,
    "a path": (range(1, 200), range(199), 200),
    "a star": (range(1, 120), [0] * 119, 120),
    "complete": (*list_pairs(40), 40),
}
"""Small undirected graphs, as (tails, heads, n)."""


def make_directed(tails: Any, heads: Any, n: int) -> gl.Graph:
    """The graph of these arcs."""
    return gl.Graph((np.array(tails, int), np.array(heads, int)), n=n, dup="first", engine="cpu")


def make_undirected(tails: Any, heads: Any, n: int, weights: Any = None) -> gl.Graph:
    """The graph of these edges, both ways; of repeated edges the lightest."""
    both = np.concatenate([tails, heads]).astype(int), np.concatenate([heads, tails]).astype(int)
    values = () if weights is None else (np.concatenate([weights, weights]),)
    return gl.Graph((*both, *values), n=n, dup="first" if weights is None else "min", engine="cpu")


def draw_edges(rng: np.random.Generator, n: int, edges: int) -> tuple[Any, Any]:
    """Tails, most of them small, so that these are hubs, and uniform heads."""
    return (rng.random(edges) ** 3 * n).astype(int), rng.integers(0, n, edges)


def draw_undirected(seed: int, n: int = 80, edges: int = 300) -> gl.Graph:
    """A random undirected graph with loops, hubs and vertices without an edge."""
    return make_undirected(*draw_edges(np.random.default_rng(seed), n, edges), n + 3)


def list_arcs(G: gl.Graph) -> list[tuple[int, int]]:
    """The arcs in the order of the matrix."""
    return list(zip(*(part.tolist() for part in G.A.to_coo()[:2]), strict=True))


def list_neighbours(G: gl.Graph) -> list[set[int]]:
    """The neighbours of each vertex, itself left out."""
    near: list[set[int]] = [set() for _ in range(G.n)]
    for u, v in list_arcs(G):
        if u != v:
            near[u].add(v)
    return near


def to_networkx(G: gl.Graph, kind: Any = nx.Graph) -> Any:
    """The vertices and arcs for NetworkX; an undirected graph goes without its loops."""
    g = kind()
    g.add_nodes_from(range(G.n))
    g.add_edges_from((u, v) for u, v in list_arcs(G) if u != v or g.is_directed())
    return g
