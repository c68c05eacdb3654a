"""Breadth-first orders on the GPU in the order of SciPy's queue, and matrices made of predecessors."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import InvalidGraph
from graphla.doors.csgraph.device import Edges, join_directions, make_graph, make_sparse, read_edges, require_square
from graphla.doors.csgraph.inputs import Array
from graphla.engine import get_engine
from graphla.storage.convert import expand_rows

NOWHERE = np.int32(-9999)


def breadth_first_order(csgraph: Any, i_start: int, directed: bool, predecessors: bool) -> Any:
    """`csgraph.breadth_first_order` on the GPU, a level at a time."""
    xp, n = get_engine("cuda").xp, require_square(csgraph)
    if not 0 <= i_start < n:
        raise InvalidGraph(f"i_start={i_start!r}: a vertex is an int from 0 to {n - 1}")
    turned = not directed and getattr(csgraph, "format", None) == "csc"  # SciPy takes its columns for rows, too
    edges = read_edges(csgraph.T if turned else csgraph)
    indptr, indices = group_by_tails(xp, edges if directed else join_directions(xp, edges))
    order, parents = walk(xp, indptr, indices, int(i_start))
    return (order, parents) if predecessors else order


def group_by_tails(xp: Any, edges: Edges) -> tuple[Array, Array]:
    """The heads of the edges of each vertex, in the order in which they are given."""
    places = xp.argsort(edges.tails, kind="stable")
    tails = edges.tails[places]
    return xp.searchsorted(tails, xp.arange(edges.n + 1, dtype=tails.dtype)), edges.heads[places]


def walk(xp: Any, indptr: Array, indices: Array, start: int) -> tuple[Array, Array]:
    """Vertices in the order of a queue: by level, then by the place of the parent, then by its rows' order."""
    parents = xp.full(indptr.size - 1, NOWHERE, np.int32)
    found = xp.zeros(parents.size, bool)
    found[start] = True
    levels = [xp.asarray([start], np.int32)]
    while levels[-1].size:
        tails, heads = expand(xp, indptr, indices, levels[-1])
        new = xp.flatnonzero(~found[heads])
        _, first = xp.unique(heads[new], return_index=True)
        first = new[xp.sort(first)]
        parents[heads[first]], found[heads[first]] = tails[first], True
        levels.append(heads[first].astype(np.int32))
    return xp.concatenate(levels), parents


def expand(xp: Any, indptr: Array, indices: Array, frontier: Array) -> tuple[Array, Array]:
    """Tails and heads of all edges of the vertices of a frontier, in their order."""
    begin, ends = indptr[frontier], xp.cumsum(indptr[frontier + 1] - indptr[frontier])
    places = xp.arange(int(ends[-1]))
    owner = xp.searchsorted(ends, places, side="right")
    skipped = ends[owner] - (indptr[frontier + 1] - begin)[owner]
    return frontier[owner], indices[begin[owner] + places - skipped]


def breadth_first_tree(csgraph: Any, i_start: int, directed: bool) -> Any:
    """`csgraph.breadth_first_tree` on the GPU."""
    return reconstruct_path(csgraph, breadth_first_order(csgraph, i_start, directed, True)[1], directed)


def reconstruct_path(csgraph: Any, predecessors: Array, directed: bool) -> Any:
    """`csgraph.reconstruct_path` on the GPU."""
    xp, G = get_engine("cuda").xp, make_graph(csgraph)
    before = xp.asarray(predecessors).reshape(-1)
    if before.size != G.n:
        raise InvalidGraph(f"predecessors has {before.size:,} entries, and the graph {G.n:,} vertices")
    heads = xp.argsort(before, kind="stable")[int((before < 0).sum()) :].astype(np.int32)
    tails = before[heads].astype(np.int32)
    indptr = xp.searchsorted(tails, xp.arange(G.n + 1, dtype=np.int32)).astype(np.int32)
    weights = find_weights(xp, G, tails, heads)
    if not directed:  # a weight of zero counts as no edge here, as for SciPy
        turned = find_weights(xp, G, heads, tails)
        weights = xp.minimum(xp.where(weights == 0, np.inf, weights), xp.where(turned == 0, np.inf, turned))
    return make_sparse(G.n, indptr, heads, weights)


def find_weights(xp: Any, G: Any, tails: Array, heads: Array) -> Array:
    """The weights of edges by their ends; 0 where there is no edge."""
    csr = G.csr
    if not csr.nvals:
        return xp.zeros(tails.size)
    keys = expand_rows(csr, "int64") * G.n + csr.indices
    wanted = tails.astype(np.int64) * G.n + heads
    places = xp.minimum(xp.searchsorted(keys, wanted), csr.nvals - 1)
    return xp.where(keys[places] == wanted, csr.values[places], 0.0)


def csgraph_from_dense(graph: Any, null_value: Any, nan_null: bool, infinity_null: bool) -> Any:
    """`csgraph.csgraph_from_dense` on the GPU."""
    xp, n = get_engine("cuda").xp, require_square(graph)
    cells = graph.astype(np.float64)
    edge = xp.ones(cells.shape, bool)
    if null_value is not None and not np.isnan(null_value):
        edge &= cells != null_value
    if nan_null or (null_value is not None and np.isnan(null_value)):
        edge &= ~xp.isnan(cells)
    if infinity_null:
        edge &= ~xp.isinf(cells)
    tails, heads = xp.nonzero(edge)
    indptr = xp.searchsorted(tails, xp.arange(n + 1)).astype(np.int32)
    return make_sparse(n, indptr, heads.astype(np.int32), cells[tails, heads])


def csgraph_to_dense(csgraph: Any, null_value: float) -> Array:
    """`csgraph.csgraph_to_dense` on the GPU."""
    xp, G = get_engine("cuda").xp, make_graph(csgraph)
    cells = xp.full((G.n, G.n), float(null_value))
    cells[expand_rows(G.csr), G.csr.indices] = G.csr.values
    return cells
