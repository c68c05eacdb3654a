"""The neighbours of each vertex, as rows: of a directed graph the heads of its arcs, then the tails of those to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.storage.convert import choose_index_dtype, expand_rows

Array = Any


def get_neighbours(G: Any) -> tuple[Array, Array]:
    """Row pointers and neighbours; cached with the graph. A graph that equals its transpose has them already."""
    if G.symmetric:
        return G.csr.indptr, G.csr.indices
    return G.cached("label_propagation.neighbours", lambda g: join_rows(g.engine.xp, g.csr, g.csc))


def join_rows(xp: Any, out: Any, into: Any) -> tuple[Array, Array]:
    """Each row of `out`, followed by the same row of `into`."""
    arcs = out.nvals + into.nvals
    indptr = out.indptr.astype(np.int64) + into.indptr.astype(np.int64)
    indices = xp.empty(arcs, np.int32)
    ends = indptr[:-1] + xp.diff(out.indptr)
    indices[move_entries(xp, out, indptr[:-1])] = out.indices
    indices[move_entries(xp, into, ends)] = into.indices
    return indptr.astype(choose_index_dtype(arcs)), indices


def move_entries(xp: Any, rows: Any, starts: Array) -> Array:
    """Where the entries of rows come to be if row v begins at ``starts[v]``."""
    moved = starts - rows.indptr[:-1]
    return xp.arange(rows.nvals) + moved[expand_rows(rows)]


def take_first(indptr: Array, indices: Array) -> Array:
    """The labels after the first round if no neighbour counts twice: the smallest neighbours, which stand first."""
    own = np.arange(indptr.size - 1, dtype=np.int32)
    first = indices[np.minimum(indptr[:-1], indices.size - 1)]
    return np.where(indptr[:-1] < indptr[1:], first, own)
