"""NetworkX's Louvain in its own order: the nodes as its generator shuffles them, neighbours as its dictionaries do.

The sums and products are those of its code, one after the other, so that ties are broken alike. The share of chance of
an undirected graph is written as that of a directed one, twice as much over twice the divisor, which rounds alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit

Array = Any


@dataclass(frozen=True)
class Edges:
    """The edges of a graph in the order in which they were added.

    Attributes
    ----------
    n : int
        The number of nodes.
    tails, heads : array
        int64 of shape (m,); of an undirected graph each edge once.
    weights : array
        float64 of shape (m,).
    directed : bool
        Whether it is directed.
    """

    n: int
    tails: Array
    heads: Array
    weights: Array
    directed: bool


@dataclass(frozen=True)
class Rows:
    """The dictionaries of neighbours, each in its order."""

    indptr: Array
    indices: Array
    values: Array


def make_rows(n: int, tails: Array, heads: Array, weights: Array) -> Rows:
    """Rows of entries that are added in this order."""
    order = np.argsort(tails, kind="stable")
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(tails, minlength=n), out=indptr[1:])
    return Rows(indptr, heads[order], weights[order])


def list_rows(edges: Edges) -> Rows:
    """The neighbours of an undirected graph, or the successors of a directed one."""
    if edges.directed:
        return make_rows(edges.n, edges.tails, edges.heads, edges.weights)
    loop = edges.tails == edges.heads
    tails, heads = (np.stack(pair, 1).ravel() for pair in ((edges.tails, edges.heads), (edges.heads, edges.tails)))
    added = np.stack([np.ones(loop.size, bool), ~loop], 1).ravel()
    return make_rows(edges.n, tails[added], heads[added], np.repeat(edges.weights, 2)[added])


def list_in_order(edges: Edges, rows: Rows) -> Edges:
    """The edges in the order in which the graph lists them: row by row, and of an undirected one each at its first."""
    tails = np.repeat(np.arange(edges.n), np.diff(rows.indptr))
    there = np.ones(tails.size, bool) if edges.directed else rows.indices >= tails
    return Edges(edges.n, tails[there], rows.indices[there], rows.values[there], edges.directed)


def join_groups(edges: Edges, groups: Array, count: int) -> Edges:
    """The edges between groups, in the order in which each first occurs, with the sums of their weights."""
    tails, heads = groups[edges.tails], groups[edges.heads]
    if not edges.directed:
        tails, heads = np.minimum(tails, heads), np.maximum(tails, heads)
    cells, first, inverse = np.unique(tails * count + heads, return_index=True, return_inverse=True)
    weights, order = np.bincount(inverse, edges.weights, cells.size), np.argsort(first)
    return Edges(count, cells[order] // count, cells[order] % count, weights[order], edges.directed)


def find_strengths(edges: Edges, rows: Rows) -> tuple[Array, Array]:
    """The weights that leave each node and that enter it; of an undirected graph its degree, a loop twice, and that."""
    out = np.bincount(np.repeat(np.arange(edges.n), np.diff(rows.indptr)), rows.values, edges.n)
    if edges.directed:
        return out, np.bincount(edges.heads, edges.weights, edges.n)
    loops = edges.tails == edges.heads
    degrees = out + np.bincount(edges.tails[loops], edges.weights[loops], edges.n)
    return degrees, degrees


def add_up(strengths: tuple[Array, Array], directed: bool) -> float:
    """The weight of all edges, as NetworkX adds it up: half the sum of the degrees."""
    degrees = strengths[0] + strengths[1] if directed else strengths[0]
    return sum(degrees.tolist()) / 2


@njit()
def join_directions(indptr, indices, values, back, tails, weights):  # type: ignore[no-untyped-def]
    """Successors, then predecessors that are none, with the sums of both weights, without the node itself."""
    n = indptr.size - 1
    pointers, place = np.zeros(n + 1, np.int64), np.full(n, -1)
    heads, sums = np.empty(2 * indices.size, np.int64), np.zeros(2 * indices.size)
    end = 0
    for v in range(n):
        begin = end
        for direction in range(2):
            rows, ends, amounts = (indptr, indices, values) if direction == 0 else (back, tails, weights)
            for k in range(rows[v], rows[v + 1]):
                u = ends[k]
                if u == v:
                    continue
                if place[u] < begin:
                    place[u] = end
                    heads[end] = u
                    end += 1
                sums[place[u]] += amounts[k]
        pointers[v + 1] = end
    return pointers, heads[:end].copy(), sums[:end].copy()


@njit()
def move_nodes(indptr, indices, values, out, into, order, m, divisor, resolution):  # type: ignore[no-untyped-def]
    """The community of each node after passes over all nodes, until one moves none; and whether any moved."""
    n = order.size
    community = np.arange(n)
    total_out, total_in = out.copy(), into.copy()
    near, seen, known = np.zeros(n), np.empty(n + 1, np.int64), np.zeros(n, np.bool_)
    improved, moves = False, 1
    while moves > 0:
        moves = 0
        for v in order:
            own = community[v]
            count = 0
            for k in range(indptr[v], indptr[v + 1]):
                if indices[k] == v:
                    continue
                c = community[indices[k]]
                if not known[c]:
                    known[c] = True
                    near[c] = 0.0
                    seen[count] = c
                    count += 1
                near[c] += values[k]
            total_out[own] -= out[v]
            total_in[own] -= into[v]
            if not known[own]:
                near[own] = 0.0
                seen[count] = own
                count += 1
            leave = -near[own] / m + resolution * (out[v] * total_in[own] + into[v] * total_out[own]) / divisor
            best, most = own, 0.0
            for i in range(count):
                c = seen[i]
                chance = resolution * (out[v] * total_in[c] + into[v] * total_out[c]) / divisor
                gain = leave + near[c] / m - chance
                if gain > most:
                    best, most = c, gain
                known[c] = False
            total_out[best] += out[v]
            total_in[best] += into[v]
            if best != own:
                community[v] = best
                improved = True
                moves += 1
    return community, improved


def measure(edges: Edges, groups: Array, strengths: tuple[Array, Array], m: float, resolution: float) -> float:
    """The modularity of groups."""
    same = groups[edges.tails] == groups[edges.heads]
    out, into = (np.bincount(groups, each) for each in strengths)
    norm = m * m if edges.directed else 4 * m * m
    return float(edges.weights[same].sum() / m - resolution * (out * into).sum() / norm)


def climb(edges: Edges, resolution: float, threshold: float, shuffle: Any) -> Iterator[Array]:
    """The community of each node after each level: numbers from 0 on, in NetworkX's order."""
    labels, m, reached, first = np.arange(edges.n), 0.0, 0.0, True
    while True:
        rows = list_rows(edges)
        strengths = find_strengths(edges, rows)
        if first:
            m = add_up(strengths, edges.directed)
            reached = measure(edges, labels, strengths, m, resolution)
        found, improved = move_level(edges, rows, strengths, m, resolution, shuffle)
        if not (improved or first):
            return
        used, groups = np.unique(found, return_inverse=True)
        labels, first = groups[labels], False
        yield labels
        before, reached = reached, measure(edges, groups, strengths, m, resolution)
        if reached - before <= threshold:
            return
        edges = join_groups(list_in_order(edges, rows), groups, used.size)


def move_level(
    edges: Edges, rows: Rows, strengths: tuple[Array, Array], m: float, resolution: float, shuffle: Any
) -> tuple[Array, bool]:
    """The moves of one level, in an order that `shuffle` makes."""
    order = list(range(edges.n))
    shuffle(order)
    near, (out, into), divisor = rows, strengths, m**2 if edges.directed else 4 * m**2
    if edges.directed:
        back = make_rows(edges.n, edges.heads, edges.tails, edges.weights)
        near = Rows(*join_directions(rows.indptr, rows.indices, rows.values, back.indptr, back.indices, back.values))
    entries = near.indptr, near.indices, near.values
    return move_nodes(*entries, out, into, np.array(order, np.int64), m, divisor, float(resolution))
