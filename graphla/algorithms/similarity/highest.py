"""The pairs of the highest scores in each row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.similarity.settings import Pairs
from graphla.containers.matrix import Matrix
from graphla.engine.cuda.blocks import launch_over
from graphla.engine.cuda.records import read_struct
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import tally

Array = Any
HIGHEST_THREADS, MOST_BLOCKS = 128, 1 << 16
KERNELS = Path(__file__).with_suffix(".cuh")
HighestParameters = read_struct(KERNELS, "HighestParameters")


def keep_highest(G: Graph, pairs: Pairs, scores: Array, top: int) -> Matrix:
    """The matrix of so many pairs of each row, the highest scores and of equal ones the lower heads; O(p log p)."""
    if G.engine.name == "cuda":
        return keep_highest_by_digits(G, pairs, scores, top)
    xp = G.engine.xp
    kept = mark_highest(xp, pairs.tails, pairs.heads, scores, top)
    counts = tally(pairs.tails[kept], G.n)
    indptr = xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(counts, dtype=np.int64)])
    return Matrix._from_storage(CompressedMatrix(G.n, G.n, indptr, pairs.heads[kept], scores[kept]), G.engine)


def keep_highest_by_digits(G: Graph, pairs: Pairs, scores: Array, top: int) -> Matrix:
    """The same by kernels: a block finds the lowest score that stays in a row by its digits; O(p) reads."""
    engine: Any = G.engine
    assert pairs.mask is not None
    csr, xp = Graph(pairs.mask).csr, engine.xp
    pointer = engine.c_type(csr.indptr)
    counting, keeping = f"count_kept<{pointer}>", f"keep_highest<{pointer}>"
    counts, most = xp.empty(G.n, np.int32), min(top, 2**31 - 1)
    numbers = np.int32(G.n), np.int64(most)
    launch_over(engine.kernel(KERNELS, counting, beside=(keeping,)), G.n, (csr.indptr, *numbers, counts))
    begins = engine.lists.make_pointers(counts)
    size = engine.device.last_number(begins)
    heads, kept = xp.empty(size, np.int32), xp.empty(size, np.float64)
    given = HighestParameters(
        rows=G.n, indptr=csr.indptr, heads=csr.indices, scores=scores, top=most, begins=begins, kept_heads=heads,
        kept_scores=kept,
    )  # fmt: skip
    if size:
        engine.kernel(KERNELS, keeping, beside=(counting,), takes=HighestParameters)(
            min(G.n, MOST_BLOCKS), HIGHEST_THREADS, given
        )
    return Matrix._from_storage(CompressedMatrix(G.n, G.n, begins, heads, kept), engine)


def mark_highest(xp: Any, tails: Array, heads: Array, scores: Array, top: int) -> Array:
    """Which pairs are among the first of their rows. FP64 holds all numbers of vertices."""
    order = xp.lexsort(xp.stack([heads.astype(np.float64), -scores, tails.astype(np.float64)]))
    rows, places = tails[order], xp.arange(tails.size)
    kept = xp.zeros(tails.size, bool)
    kept[order] = places - xp.searchsorted(rows, rows) < top
    return kept
