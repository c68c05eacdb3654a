"""The pairs of the highest scores in each row."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.similarity.settings import Pairs
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import tally

Array = Any


def keep_highest(G: Graph, pairs: Pairs, scores: Array, top: int) -> Matrix:
    """The matrix of so many pairs of each row, the highest scores and of equal ones the lower heads; O(p log p)."""
    xp = G.engine.xp
    kept = mark_highest(xp, pairs.tails, pairs.heads, scores, top)
    counts = tally(pairs.tails[kept], G.n)
    indptr = xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(counts, dtype=np.int64)])
    return Matrix._from_storage(CompressedMatrix(G.n, G.n, indptr, pairs.heads[kept], scores[kept]), G.engine)


def mark_highest(xp: Any, tails: Array, heads: Array, scores: Array, top: int) -> Array:
    """Which pairs are among the first of their rows. FP64 holds all numbers of vertices."""
    order = xp.lexsort(xp.stack([heads.astype(np.float64), -scores, tails.astype(np.float64)]))
    rows, places = tails[order], xp.arange(tails.size)
    kept = xp.zeros(tails.size, bool)
    kept[order] = places - xp.searchsorted(rows, rows) < top
    return kept
