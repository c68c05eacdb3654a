"""The bytes of a closure, checked before they are allocated."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.memory import require
from graphla.containers.matrix import Matrix
from graphla.storage import CompressedMatrix
from graphla.storage.convert import cast_indices, choose_index_dtype, make_full
from graphla.storage.convert import make_pointers as add_up

Array = Any
WAY_OUT = "gl.bfs(G, sources=…) gives what some vertices reach"


def count_words(n: int) -> int:
    """The words of 64 bits that hold a bit for each vertex."""
    return -(-n // 64)


def make_bits(xp: Any, rows: int, n: int) -> Array:
    """A row of bits for each strong component."""
    require(8 * rows * count_words(n), f"a bit for each of {rows:,} strong components and {n:,} vertices", xp, WAY_OUT)
    return xp.zeros((rows, count_words(n)), np.uint64)


def make_pointers(xp: Any, counts: Array) -> tuple[Array, int]:
    """Where the entries of each row begin, and how many there are; refused if they do not fit."""
    indptr = add_up(xp, counts)
    total = int(indptr[-1])
    require(5 * total, f"a closure of {total:,} entries", xp, WAY_OUT)
    return cast_indices(indptr, choose_index_dtype(total)), total


def wrap(G: Any, indptr: Array, indices: Array) -> Matrix:
    """The matrix of these entries, all True."""
    values = make_full(G.engine.xp, indices.size, True, "bool")
    return Matrix._from_storage(CompressedMatrix(G.n, G.n, indptr, indices, values), G.engine)
