"""Rows for searches in words: vertices numbered by falling degree, rows sorted and cut into packs of four."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import BLOCK, count_blocks, get_kernel
from graphla.common.memory import require
from graphla.storage.convert import count_true

PACK = 4  # columns moved by one load
HUBS = 4096  # strongest vertices: their words fit in the shared memory of a block
SORTED_BYTES = 28  # an arc at the peak: a key, the sort's copy of it, its scratch, and the packs

Array = Any


@dataclass(frozen=True, eq=False)
class PackedRows:
    """Packs ``indptr[v]`` to ``indptr[v + 1]`` hold the row of the vertex numbered v."""

    indptr: Array
    packs: Array


@dataclass(frozen=True, eq=False)
class Renumbered:
    """A graph without its isolated vertices, the strongest first; ``out`` and ``into`` may be the same."""

    vertex: Array
    number: Array
    out: PackedRows
    into: PackedRows
    first: Array  # packs of the rows `into`, side by side: most rows need no other
    hubs: int  # the first of them, whose words a search keeps in shared memory

    @property
    def n(self) -> int:
        """Vertices with an arc."""
        return int(self.vertex.size)


def renumber(G: Any) -> Renumbered:
    """O(E log E) once a graph; the rows are a copy.

    Raises
    ------
    OutOfMemory
        If the arcs cannot be sorted in what is free.
    """
    xp = G.engine.xp
    require(SORTED_BYTES * G.nvals + 32 * G.n, "a search from many sources", xp)
    arcs = xp.diff(G.csr.indptr).astype(np.int64)
    if not G.symmetric:
        arcs += xp.diff(G.csc.indptr)
    vertex = xp.argsort(-arcs, kind="stable")[: count_true(arcs > 0)].astype(np.int32)
    number = xp.full(G.n, -1, np.int32)
    number[vertex] = xp.arange(vertex.size, dtype=np.int32)
    out = pack_rows(G, G.csr, vertex, number)
    into = out if G.symmetric else pack_rows(G, G.csc, vertex, number)
    return Renumbered(vertex, number, out, into, find_first_packs(into), min(HUBS, vertex.size))


def pack_rows(G: Any, matrix: Any, vertex: Array, number: Array) -> PackedRows:
    """The rows of a matrix under new numbers, each sorted and filled to whole packs."""
    xp = G.engine.xp
    keys = xp.empty(G.nvals, np.int64)
    renumber_arcs = get_kernel(G, "_multi_prepare", f"renumber_arcs<{G.engine.c_type(matrix.indptr)}>")
    renumber_arcs(count_blocks(G.n, BLOCK // 32), BLOCK, (np.int32(G.n), matrix.indptr, matrix.indices, number, keys))
    keys.sort()
    lengths = xp.diff(matrix.indptr)[vertex].astype(np.int64)
    starts = make_offsets(xp, lengths, np.int64)
    indptr = make_offsets(xp, -(-lengths // PACK), np.int32)
    packs = xp.empty(PACK * int(indptr[-1]), np.int32)
    fill = get_kernel(G, "_multi_prepare", "fill_packs")
    fill(count_blocks(vertex.size, BLOCK // 32), BLOCK, (np.int32(vertex.size), starts, keys, indptr, packs))
    return PackedRows(indptr, packs)


def find_first_packs(rows: PackedRows) -> Array:
    """The first pack of each row, and for a row without arcs its own number, four times."""
    packs, begin, end = rows.packs.reshape(-1, PACK), rows.indptr[:-1], rows.indptr[1:]
    found = packs[begin % max(len(packs), 1)]
    empty = (begin == end).nonzero()[0]
    found[empty] = empty[:, None]
    return found


def make_offsets(xp: Any, lengths: Array, dtype: Any) -> Array:
    """Where each of consecutive pieces begins, and where the last ends."""
    ends = xp.zeros(lengths.size + 1, dtype)
    ends[1:] = xp.cumsum(lengths)
    return ends
