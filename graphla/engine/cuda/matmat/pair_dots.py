"""C[i, j] = |A[i, :] ∩ Bᵀ[j, :]| for the entries (i, j) of a mask alone: a masked product by plus.pair.

Columns with the most entries in Bᵀ are hubs. A row with many of them has them as a row of bits, so that two such rows
meet 32 columns to the word; the other columns of a row of A stand in a hash table, and those of Bᵀ are looked up.

Rows of A with more than `MOST_OTHERS` columns beside the hubs are left to the tables and searches of dots.py.

Source: the counting kernel of `graphla.algorithms.triangles.bitmap`, and what stands there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries import select
from graphla.engine.cuda.matmat import dots
from graphla.engine.cuda.matmat.rows import make_empty, widen
from graphla.engine.cuda.records import read_struct
from graphla.planning.steps import MatMat
from graphla.storage import Array, CompressedMatrix
from graphla.storage.convert import is_all, tally

HUBS = 8192
"""Columns that a row of bits has a bit for; a multiple of 4096, what a warp loads at once."""
LEAST_HUBS = 128
"""Rows of Bᵀ with at least so many hubs have a row of bits: 1 KB against a list of 512 bytes."""
MOST_OTHERS = 2048
"""Rows of A with more columns beside the hubs would fill the table more than `MOST_OTHERS / CHUNK` times."""
PAIR_WARPS, TABLE, CHUNK = 4, 512, 256
"""Warps of a block, slots of the hash table of each, and columns that are in it at once."""
AHEAD, BITS_AHEAD = 4, 4
"""Columns that a lane loads, and rows of bits that a warp loads, before it looks at the first."""
SEARCH_COST = 8
"""Looks into a hash table that cost as much as one binary search in a row."""
TASK = 512
"""Entries of the mask that share a row of bits and a table."""
SPLIT_THREADS, LONG_ROW = 256, 2048
"""Threads of a block that splits rows; it owns a row alone if it is longer."""
HUB_KEEP = 2
"""A hub column has at least so many entries: fewer meet nothing that is worth a bit."""


SplitParameters = read_struct("matmat/split_hubs.cuh", "SplitParameters")
HubBitsParameters = read_struct("matmat/split_hubs.cuh", "HubBitsParameters")
PairDotsParameters = read_struct("matmat/pair_dots.cuh", "PairDotsParameters")


class Split(NamedTuple):
    """A matrix whose rows begin with their hubs, by number."""

    indptr: Array
    indices: Array
    parts: Array
    hubs: Array


def multiply_pairs(
    engine: KernelEngine, step: MatMat, left: CompressedMatrix, right: CompressedMatrix
) -> CompressedMatrix:
    """Count for each entry of the mask the columns that its rows of A and of Bᵀ, which is `right`, have in common."""
    found = compute_pairs(engine, step, left, right)
    return make_empty(engine, step) if found is None else select.select_flagged(engine, *found)


def compute_pairs(
    engine: KernelEngine, step: MatMat, left: CompressedMatrix, right: CompressedMatrix
) -> tuple[CompressedMatrix, Array] | None:
    """Compute a count for each entry of the mask, and a flag where there is one; None if there is none at all."""
    assert step.mask is not None
    mask = engine.list_mask(step.mask)
    if 0 in (mask.nvals, left.nvals, right.nvals):
        return None
    xp = engine.xp
    present, out = xp.zeros(mask.nvals, bool), xp.zeros(mask.nvals, step.out.numpy)
    number = right.cached("hub_numbers", lambda held: number_hubs(xp, count_columns(xp, held)))
    b = split(engine, right, number)
    a = b if left.indices is right.indices else split(engine, left, number)
    lengths = xp.diff(left.indptr)
    fits = lengths - a.hubs <= MOST_OTHERS
    launch(engine, step, mask, a, b, xp.where(fits, lengths, 0), (present, out))
    if not is_all(fits):
        dots.launch(engine, step, mask, left, right, xp.where(fits, 0, lengths), (present, out))
    return CompressedMatrix(*step.shape, mask.indptr, mask.indices, out), present


def count_columns(xp: Any, matrix: CompressedMatrix) -> Array:
    """The number of entries of each column."""
    if matrix.is_cached("transposed"):
        return xp.diff(matrix.cached("transposed", None).indptr)
    return tally(matrix.indices, matrix.ncols)


def number_hubs(xp: Any, entries: Array) -> Array:
    """Number the columns with the most entries from 0, the one with the most first; -1 for the others."""
    hubs = xp.argsort(-entries, kind="stable")[:HUBS]
    hubs = hubs[entries[hubs] >= HUB_KEEP]
    number = xp.full(entries.shape[0], -1, "int32")
    number[hubs] = xp.arange(hubs.shape[0], dtype="int32")
    return number


def split(engine: KernelEngine, matrix: CompressedMatrix, number: Array) -> Split:
    """Split the columns of each row into hubs and others."""
    xp, indptr = engine.xp, widen(engine, matrix.indptr)
    parts, hubs = xp.empty(matrix.nvals, "int32"), xp.zeros(matrix.nrows, "int32")
    long_rows = xp.flatnonzero(xp.diff(indptr) > LONG_ROW).astype("int32")
    for group, count in ((32, matrix.nrows), (SPLIT_THREADS, int(long_rows.shape[0]))):
        if count:
            kernel = engine.get_own_kernel("matmat/split_hubs.cuh", f"split_columns<{group}>", takes=SplitParameters)
            parameters = SplitParameters(
                rows=count,
                listed=long_rows,
                indptr=indptr,
                indices=matrix.indices,
                number=number,
                parts=parts,
                hubs=hubs,
            )
            kernel(-(-count * group // SPLIT_THREADS), SPLIT_THREADS, parameters)
    return Split(indptr, matrix.indices, parts, hubs)


def set_bits(engine: KernelEngine, b: Split) -> tuple[Array, Array, Array]:
    """The row of bits of each row (-1 if it has none), where the bits of each end, and the bits."""
    xp, words = engine.xp, HUBS // 32
    listed = xp.flatnonzero(b.hubs >= LEAST_HUBS).astype("int32")
    count = int(listed.shape[0])
    bit_row = xp.full(b.hubs.shape[0], -1, "int32")
    bit_row[listed] = xp.arange(count, dtype="int32")
    bits, ends = xp.zeros(max(1, count * words), "uint32"), xp.zeros(max(1, count), "int32")
    if count:
        kernel = engine.get_own_kernel("matmat/split_hubs.cuh", "set_hub_bits", takes=HubBitsParameters)
        parameters = HubBitsParameters(
            rows=count, words=words, listed=listed, indptr=b.indptr, parts=b.parts, hubs=b.hubs, bits=bits, ends=ends
        )
        kernel(-(-count * 32 // SPLIT_THREADS), SPLIT_THREADS, parameters)
    return bit_row, ends, bits


def launch(
    engine: KernelEngine,
    step: MatMat,
    mask: CompressedMatrix,
    a: Split,
    b: Split,
    lengths: Array,
    results: tuple[Array, Array],
) -> None:
    """Count for the entries of the mask in rows of A whose length is not 0."""
    way = dots.Way(32, 0, TASK, 0, 2**31 - 1)
    rows, chunks = dots.list_tasks(engine, lengths, mask.indptr, way)
    tasks = int(rows.shape[0])
    if tasks:
        name = f"pair_dots<{step.out.c}>"
        kernel = engine.get_own_kernel("matmat/pair_dots.cuh", name, takes=PairDotsParameters)
        bit_row, bit_ends, bits = set_bits(engine, b)
        parameters = PairDotsParameters(
            task_row=rows, task_chunk=chunks, mask_indptr=widen(engine, mask.indptr), mask_indices=mask.indices,
            a_indptr=a.indptr, a_indices=a.indices, a_parts=a.parts, a_hubs=a.hubs,
            b_indptr=b.indptr, b_indices=b.indices, b_parts=b.parts, b_hubs=b.hubs,
            bit_row=bit_row, bit_ends=bit_ends, bits=bits,
            present=results[0], out=results[1], tasks=tasks, chunk=TASK,
        )  # fmt: skip
        kernel(-(-tasks // PAIR_WARPS), 32 * PAIR_WARPS, parameters)


def work_bytes(mask: int, shape: tuple[int, int], inner: int, entries: tuple[int, int], item: int) -> int:
    """Bytes of the work of dots.py, of both operands split, and of rows of bits: one per `LEAST_HUBS` entries of B."""
    bits = entries[1] // LEAST_HUBS * (HUBS // 8 + 12)
    return dots.work_bytes(mask, shape, item) + 4 * sum(entries) + bits + 40 * (sum(shape) + inner)
