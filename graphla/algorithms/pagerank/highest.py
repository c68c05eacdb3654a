"""The vertices of the highest ranks, in rows of all ranks or of those that are listed."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.largest import keep_largest
from graphla.algorithms.similarity.highest import mark_highest
from graphla.common.errors import NotSupported
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix, SparseVector
from graphla.storage.deferred import FewEntries
from graphla.storage.formats import as_sparse, list_row_ids

Array = Any


def keep_top(G: Graph, ranks: Any, top: int) -> Vector:
    """The entries of the highest ranks, of an array of all or of a vector."""
    if G.engine.name == "mpi":
        raise NotSupported("top=: the ranks lie on many processes; leave it out, or take G.to('cpu')")
    if isinstance(ranks, Vector):
        if isinstance(ranks._storage, FewEntries):
            return ranks  # a push on a GPU has chosen them
        listed = as_sparse(G.engine.xp, ranks._storage)
        indptr = G.engine.xp.asarray([0, listed.nvals])
        rows = keep_top_listed(G.engine, CompressedMatrix(1, G.n, indptr, listed.indices, listed.values), top)
    else:
        rows = keep_top_of_all(G.engine, ranks[None], top)
    return Vector._from_storage(SparseVector(G.n, rows.indices, rows.values), G.engine)


def keep_top_of_all(engine: Any, ranks: Array, top: int) -> CompressedMatrix:
    """The highest ranks of each row of a full matrix, those above 0 alone; the host sorts what is left by vertices."""
    xp, (count, n) = engine.xp, ranks.shape
    if n == 0:
        return CompressedMatrix(
            count, n, xp.zeros(count + 1, np.int64), xp.empty(0, np.int32), xp.empty(0, ranks.dtype)
        )
    places, values = map(engine.to_host, keep_largest(engine, ranks, top))
    order = np.argsort(places, axis=1)
    places, values = (np.take_along_axis(each, order, axis=1) for each in (places, values))
    kept = values > 0
    arrays = point(np, kept.sum(axis=1)), places[kept].astype(np.int32), values[kept]
    return CompressedMatrix(count, n, *map(engine.asarray, arrays))


def keep_top_listed(engine: Any, rows: CompressedMatrix, top: int) -> CompressedMatrix:
    """The highest of the ranks that are listed in each row."""
    tails = list_row_ids(rows)
    kept = mark_highest(engine.xp, tails, rows.indices, rows.values, top) & (rows.values > 0)
    counts = engine.xp.bincount(tails[kept], minlength=rows.nrows)
    return CompressedMatrix(rows.nrows, rows.ncols, point(engine.xp, counts), rows.indices[kept], rows.values[kept])


def point(xp: Any, lengths: Array) -> Array:
    """The pointers of rows of these lengths."""
    return xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(lengths, dtype=np.int64)])
