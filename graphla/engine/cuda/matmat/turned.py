"""A mask of A Aᵀ whose entries stand in the longer one of their two rows, where that is worth a sort."""

from __future__ import annotations

from typing import Any

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.blocks import BLOCK_THREADS, MOST_BLOCKS
from graphla.engine.cuda.records import read_struct
from graphla.planning.plan import commutes
from graphla.planning.steps import MatMat
from graphla.storage import Array, CompressedMatrix

FILE = "matmat/turned.cuh"
LEAST, MOST = 1 << 16, 2**31 - 1
"""Entries of a mask that is worth a look, and of one whose places fit in int32."""
TURN_COST = 6
"""Looks into a table that cost as much as turning an entry (predicted: 0.15 ns against 40 G looks a second)."""
TurnParameters = read_struct(FILE, "TurnParameters")


def can_turn(step: MatMat, mask: CompressedMatrix, left: CompressedMatrix, right: CompressedMatrix) -> bool:
    """Whether the dot products of (i, j) and (j, i) are the same, and there are many; `right` is Bᵀ."""
    same = left.indices is right.indices and left.values is right.values
    return same and commutes(step.semiring.multiply) and LEAST <= mask.nvals <= MOST


def turn(engine: KernelEngine, mask: CompressedMatrix, lengths: Array) -> tuple[CompressedMatrix, Array] | None:
    """Return the turned mask and the place of each of its entries in the mask; None if that is not worth it."""
    xp, entries, n = engine.xp, mask.nvals, int(lengths.shape[0])
    rows = engine.lists.number_rows(mask.indptr, entries, "int32")
    counts, counter = xp.zeros(n, "int32"), engine.device.take_counter()
    unread = engine.get_unread("int32"), engine.get_unread("int64")
    given = TurnParameters(
        rows=rows, columns_of=mask.indices, entries=entries, lengths=lengths, counts=counts, looks=counter.array,
        upto=unread[1], columns_out=unread[0], places=unread[0],
    )  # fmt: skip
    run(engine, "count_turned", given, "fill_turned")
    now, turned = engine.device.read_counters(counter)[:2]
    if now <= turned + TURN_COST * entries:
        return None
    upto, columns, places = engine.lists.make_pointers(counts), xp.empty(entries, "int32"), xp.empty(entries, "int32")
    engine.lists.fill(counts, 0)
    run(engine, "fill_turned", given._replace(upto=upto, columns_out=columns, places=places), "count_turned")
    return CompressedMatrix(*mask.shape, upto, columns, mask.values), places


def run(engine: KernelEngine, name: str, given: Any, beside: str) -> None:
    """Launch a kernel over the entries."""
    kind = engine.c_type(given.lengths)
    kernel = engine.get_own_kernel(FILE, f"{name}<{kind}>", TurnParameters, (f"{beside}<{kind}>",))
    kernel(min(-(-given.entries // BLOCK_THREADS), MOST_BLOCKS), BLOCK_THREADS, given)
