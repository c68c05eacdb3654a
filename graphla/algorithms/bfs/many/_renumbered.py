"""Rows for searches in words: vertices numbered by falling degree, rows sorted and cut into packs of four."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import BLOCK, count_blocks, get_kernel
from graphla.common.memory import require
from graphla.storage.convert import cast_indices, make_pointers

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
    xp, n, offset = G.engine.xp, np.int32(G.n), G.engine.c_type(G.csr.indptr)
    require(SORTED_BYTES * G.nvals + 32 * G.n, "a search from many sources", xp)
    counter, keys = G.engine.device.take_counter(), xp.empty(G.n, np.int64)
    count = get_prepared(G, f"count_arcs<{offset}>")
    pointers = G.csr.indptr, G.csc.indptr
    count(count_blocks(G.n), BLOCK, (n, *pointers, np.bool_(not G.symmetric), keys, counter.array))
    order, many = G.engine.device.order(keys), G.engine.device.read_counters(counter)[0]
    vertex, number = xp.empty(many, np.int32), xp.empty(G.n, np.int32)
    get_prepared(G, "number_vertices")(count_blocks(G.n), BLOCK, (n, order, np.int32(many), vertex, number))
    out = pack_rows(G, G.csr, vertex, number)
    into = out if G.symmetric else pack_rows(G, G.csc, vertex, number)
    return Renumbered(vertex, number, out, into, find_first_packs(G, into), min(HUBS, vertex.size))


def get_prepared(G: Any, name: str) -> Any:
    """A kernel of `_multi_prepare.cuh`; all are compiled as one module."""
    return get_kernel(G, "_multi_prepare", name, beside=tuple(one for one in list_kernels(G) if one != name))


def list_kernels(G: Any) -> tuple[str, ...]:
    """The kernels of `_multi_prepare.cuh` for the rows of a graph."""
    offset = G.engine.c_type(G.csr.indptr)
    over_rows = (f"{each}<{offset}>" for each in ("renumber_arcs", "count_arcs", "count_packs"))
    return (*over_rows, "fill_packs", "number_vertices", "copy_first")


def pack_rows(G: Any, matrix: Any, vertex: Array, number: Array) -> PackedRows:
    """The rows of a matrix under new numbers, each sorted and filled to whole packs."""
    xp, offset = G.engine.xp, G.engine.c_type(matrix.indptr)
    keys = xp.empty(G.nvals, np.int64)
    renumber_arcs = get_prepared(G, f"renumber_arcs<{offset}>")
    renumber_arcs(count_blocks(G.n, BLOCK // 32), BLOCK, (np.int32(G.n), matrix.indptr, matrix.indices, number, keys))
    keys.sort()
    n, lengths, counts = np.int32(vertex.size), xp.empty(vertex.size, np.int64), xp.empty(vertex.size, np.int64)
    count_packs = get_prepared(G, f"count_packs<{offset}>")
    count_packs(count_blocks(vertex.size), BLOCK, (n, vertex, matrix.indptr, lengths, counts))
    starts, ends = make_pointers(xp, lengths), make_pointers(xp, counts)
    packs = xp.empty(PACK * int(ends[-1]), np.int32)
    indptr = cast_indices(ends, "int32")
    fill = get_prepared(G, "fill_packs")
    fill(count_blocks(vertex.size, BLOCK // 32), BLOCK, (n, starts, keys, indptr, packs))
    return PackedRows(indptr, packs)


def find_first_packs(G: Any, rows: PackedRows) -> Array:
    """The first pack of each row, and for a row without arcs its own number, four times."""
    n = int(rows.indptr.size) - 1
    first = G.engine.xp.empty((n, PACK), np.int32)
    get_prepared(G, "copy_first")(count_blocks(n), BLOCK, (np.int32(n), rows.indptr, rows.packs, first))
    return first
