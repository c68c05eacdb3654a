"""Spanning forests on the GPU, with SciPy's directions."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.spanning_forest import spanning_forest
from graphla.doors.csgraph.device import Edges, join_directions, make_graph, make_sparse
from graphla.doors.csgraph.inputs import Array
from graphla.graphs.graph import Graph
from graphla.storage.convert import expand_rows


def minimum_spanning_tree(csgraph: Any) -> Any:
    """`csgraph.minimum_spanning_tree` on the GPU: each edge in the direction of its lighter arc.

    Of two arcs of one weight it is the one that leads to the larger vertex. An edge of weight zero joins trees, and
    leaves no entry, as in SciPy.
    """
    A = make_graph(csgraph)
    xp, csr = A.engine.xp, A.csr
    arcs = Edges(A.n, expand_rows(csr), csr.indices, csr.values)
    G = Graph(tuple(join_directions(xp, arcs)[1:]), n=A.n, dup="min", engine=A.engine)
    tails, heads, weights = spanning_forest(G).to_coo()
    there, back = (has_arcs(xp, arcs, *ends, weights) for ends in ((tails, heads), (heads, tails)))
    chosen = there & ((tails < heads) | ~back) & (weights != 0)
    tails, heads, weights = tails[chosen], heads[chosen], weights[chosen]
    indptr = xp.searchsorted(tails, xp.arange(A.n + 1, dtype=tails.dtype)).astype(csr.indptr.dtype)
    return make_sparse(A.n, indptr, heads.astype(np.int32), weights)


def has_arcs(xp: Any, arcs: Edges, tails: Array, heads: Array, weights: Array) -> Array:
    """Whether arcs are among others, which are sorted, with these weights."""
    if not arcs.tails.size:
        return xp.zeros(tails.size, bool)
    cells = arcs.tails.astype(np.int64) * arcs.n + arcs.heads
    wanted = tails.astype(np.int64) * arcs.n + heads
    places = xp.minimum(xp.searchsorted(cells, wanted), cells.size - 1)
    return (cells[places] == wanted) & (arcs.weights[places] == weights)
