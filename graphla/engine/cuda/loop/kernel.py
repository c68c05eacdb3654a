"""A loop of expressions as one cooperative launch: its body rendered, its vectors as bits and values.

The work space (bits, the product, a queue of the size of a vector) is kept between loops and is clean after each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.loop.kernel_text import body_text
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.source import KERNELS
from graphla.planning.loops.kernel import MOST_NUMBERS, MOST_VECTORS, KernelAnswer, KernelBody, KernelPlan
from graphla.planning.plan import ALONE_ARCS, LISTED_ARCS, PROBE_ADVANTAGE, ROW_FLAG, SUM_ADVANTAGE
from graphla.storage import Array, BitmapVector, CompressedMatrix, Deferred, FullVector, VectorStorage
from graphla.storage.deferred import FewEntries, UncheckedBitmap
from semirings.dtypes import DType

FILE = KERNELS / "loop/loop.cuh"
LOOP_THREADS = 1024  # of a block of the loop: a grid barrier costs more with more blocks
WIDE_THREADS = 256
STATE_WORDS = 16  # the progress of block 0, and three turns
GROUP = 128  # vectors are padded to whole groups, which a warp of a pull takes at once
FROM_BYTES, FULL, ONE = 1, 2, 3  # where the bits of a slot come from; 0: they are there
MOST_ONES = 2  # slots with one entry that is passed with the launch
PULL_ALWAYS = 2
DIRECTIONS = {None: 0, "push": 1, "pull": PULL_ALWAYS}


@dataclass(frozen=True, eq=False)
class Workspace:
    """Allocate clear presence bits, the product (the identity where ⊕ adds to it), a queue and shared counters."""

    key: tuple[Any, ...]
    bits: Array
    product: Array
    vertex: Array
    before: Array
    shift: Array
    lists: Array
    state: Array
    barrier: Array


@dataclass(frozen=True, eq=False)
class Prepared:
    """A body compiled: its kernel, the blocks that the device holds at once, and the identity if ⊕ adds to it."""

    kernel: Any
    blocks: int
    identity: Any


LoopParameters = read_struct("loop/loop.cuh", "LoopParameters")


def prepare(engine: KernelEngine, body: KernelBody, matrix: CompressedMatrix) -> Prepared:
    """Compiled once in this process."""
    key = "loop", body, matrix.indptr.dtype.char, engine.device.number()
    found = engine.spare.get(key)
    if found is None:
        side = "VectorFirst" if body.flip else "MatrixFirst"
        name = f"loop<S, {side}, {engine.c_type(matrix.indptr)}, Body>"
        kernel = engine.kernel(FILE, name, body_text(body), cooperative=True, takes=LoopParameters)
        zero = None if body.semiring.add.is_any else np.dtype(body.out.numpy).type(body.semiring.add.identity(body.out))
        found = engine.spare[key] = Prepared(kernel, kernel.resident_blocks(LOOP_THREADS), zero)
    return found


def run_loop(engine: KernelEngine, plan: KernelPlan) -> KernelAnswer:
    """Run the loop, and read back once: the rounds and the entries of each vector that it wrote."""
    body, n = plan.body, plan.matrix.nrows
    out, into = find_matrices(engine, plan)
    ready = prepare(engine, body, out)
    work, counter = take_workspace(engine, body, ready.identity, n, out), engine.device.take_counter(clear=False)
    values, present, kinds, ones = make_vectors(engine, plan, work)
    strongest, filled, rows = get_rows(engine, out, into, plan)
    parameters = LoopParameters(
        out_indptr=out.indptr,
        out_indices=out.indices,
        out_values=out.values,
        in_indptr=into.indptr,
        in_indices=into.indices,
        in_values=into.values,
        strongest=strongest,
        filled=filled,
        product=work.product,
        bits=work.bits,
        values=pad(engine, values),
        present=pad(engine, present),
        numbers=numbers(engine, plan.numbers),
        one_index=tuple(index for index, _ in ones),
        one_value=tuple(value for _, value in ones),
        vertex=work.vertex,
        before=work.before,
        shift=work.shift,
        lists=work.lists,
        state=work.state,
        barrier=work.barrier,
        counted=counter.array,
        n=n,
        words=count_words(n),
        kinds=kinds,
        direction=DIRECTIONS[plan.direction],
        arcs=out.nvals,
        filled_rows=rows,
        row_flag=ROW_FLAG,
        push_cost=PROBE_ADVANTAGE if body.early else SUM_ADVANTAGE,
        alone=ALONE_ARCS,
        listed=LISTED_ARCS,
        limit=plan.limit,
    )
    ready.kernel(ready.blocks, LOOP_THREADS, parameters)
    rounds, *counts = engine.device.read_counters(counter)
    engine.spare[work.key] = work
    left = (store(engine, values[slot], present[slot], counts[slot]) for slot in body.written_slots)
    return KernelAnswer(tuple(left), rounds, pulled=counts[MOST_VECTORS])


def find_matrices(engine: KernelEngine, plan: KernelPlan) -> tuple[CompressedMatrix, CompressedMatrix]:
    """Return the matrix whose rows a push scatters, and that whose rows a pull probes; one if the caller chose."""
    if plan.direction is not None:
        one = engine.orient(plan.matrix, plan.push_transposed if plan.direction == "push" else plan.pull_transposed)
        return one, one
    return engine.orient(plan.matrix, plan.push_transposed), engine.orient(plan.matrix, plan.pull_transposed)


def count_words(n: int) -> int:
    """Words of bits that a vector takes."""
    return -(-n // GROUP) * GROUP // 32


def take_workspace(
    engine: KernelEngine, body: KernelBody, identity: Any, n: int, matrix: CompressedMatrix
) -> Workspace:
    """The clean one that the last loop of this kind left on this stream, or a new one."""
    key = (
        "loop work", engine.device.number(), engine.device.stream(), n, len(body.types), body.out.numpy,
        None if identity is None else identity.tobytes(), matrix.indptr.dtype.char,
    )  # fmt: skip
    found = engine.spare.pop(key, None)
    if found is not None:
        return found
    xp, offset = engine.xp, matrix.indptr.dtype
    product = xp.empty(n, body.out.numpy) if identity is None else xp.full(n, identity, body.out.numpy)
    return Workspace(
        key,
        xp.zeros((len(body.types) + 1) * count_words(n), "uint32"),
        product,
        xp.empty(n, "int32"),
        xp.empty(n, offset),
        xp.empty(n, offset),
        xp.empty(3 * n, "int32"),
        xp.zeros(STATE_WORDS, "uint64"),
        xp.zeros(1, "uint32"),
    )


def make_vectors(
    engine: KernelEngine, plan: KernelPlan, work: Workspace
) -> tuple[list[Array], list[Array], int, list[tuple[int, int]]]:
    """Values and presence bytes of each slot, where its bits come from, and the entries that come with the launch."""
    ones: list[tuple[int, int]] = []
    values, present, kinds, written = [], [], 0, plan.body.written_slots
    for slot, (storage, dtype) in enumerate(zip(plan.slots, plan.body.types, strict=True)):
        kind, held, flags = enter(engine, storage, dtype, work, slot, ones)
        kinds |= kind << 2 * slot
        if slot in written and flags is None:
            flags = engine.xp.empty(held.shape, bool)
        values.append(held)
        present.append(engine.get_unread("bool") if flags is None else flags)
    return values, present, kinds, [*ones, *[(0, 0)] * (MOST_ONES - len(ones))]


def enter(
    engine: KernelEngine, storage: Any, dtype: DType, work: Workspace, slot: int, ones: list[tuple[int, int]]
) -> tuple[int, Array, Array | None]:
    """Where the bits of a slot come from, its values in memory of every place, and its bytes if it has some."""
    if isinstance(storage, FewEntries):
        if storage.nvals <= 1 and len(ones) + storage.nvals <= MOST_ONES:
            ones += [(int(storage.indices[0]), to_bits(storage.values[0]))] if storage.nvals else []
            return ONE if storage.nvals else 0, engine.xp.empty(storage.size, dtype.numpy), None
        storage = storage.resolve()
    if isinstance(storage, FullVector):
        return FULL, storage.values, None
    if isinstance(storage, BitmapVector):
        return FROM_BYTES, storage.values, storage.present
    values = engine.xp.empty(storage.size, dtype.numpy)
    if storage.nvals:
        kernel = engine.get_own_kernel("loop/loop_prepare.cuh", f"loop_place<{dtype.c}>")
        places = storage.indices.astype("int32", copy=False)
        numbers = np.int32(storage.nvals), np.int64(slot * count_words(storage.size))
        kernel(-(-storage.nvals // WIDE_THREADS), WIDE_THREADS, (*numbers, places, storage.values, work.bits, values))
    return 0, values, None


def get_rows(
    engine: KernelEngine, out: CompressedMatrix, into: CompressedMatrix, plan: KernelPlan
) -> tuple[Array, Array, int]:
    """The strongest k of each row of a pull, the bits of the rows that have one, and how many; kept with the matrix.

    If the caller chose a pull, the rows that a push scatters are not available, and its own longest row is used.
    """
    if plan.direction == "push":
        return engine.get_unread("int32"), engine.get_unread("uint32"), 0

    def make_storage(matrix: CompressedMatrix) -> tuple[Array, Array, int]:
        n, words = matrix.nrows, count_words(matrix.nrows)
        strongest, filled = engine.xp.empty(words * 32, "int32"), engine.xp.empty(words, "uint32")
        kernel = engine.get_own_kernel("loop/loop_prepare.cuh", f"loop_rows<{engine.c_type(matrix.indptr)}>")
        blocks = min(8 * engine.device.processors(), -(-words // (WIDE_THREADS // 32)))
        arguments = np.int32(n), np.int32(words), out.indptr, matrix.indptr, matrix.indices, strongest, filled
        kernel(blocks, WIDE_THREADS, arguments)
        return strongest, filled, engine.lists.count_filled_rows(matrix.indptr)

    return into.cached("loop_rows" if into is not out else "loop_rows_alone", make_storage)


def pad(engine: KernelEngine, arrays: list[Array]) -> tuple[Array, ...]:
    """The arrays, and a dummy for each unused slot."""
    return (*arrays, *[engine.get_unread("uint8")] * (MOST_VECTORS - len(arrays)))


def numbers(engine: KernelEngine, given: tuple[Any, ...]) -> tuple[int, ...]:
    """The bound numbers as bits, and 0 for each that is not used."""
    raw = [to_bits(engine.fill_value(value, dtype)) for value, dtype in given]
    return (*raw, *[0] * (MOST_NUMBERS - len(raw)))


def to_bits(value: Any) -> int:
    """A number of NumPy as bits."""
    return int.from_bytes(value.tobytes(), "little")


def store(engine: KernelEngine, values: Array, present: Array, count: int) -> VectorStorage | Deferred:
    """What the loop left in a slot; whether a list suits it better is seen when it is read."""
    xp, size = engine.xp, int(values.shape[0])
    if count == 0:
        return FewEntries(size, np.zeros(0, "int32"), np.zeros(0, values.dtype), xp)
    return FullVector(values) if count == size else UncheckedBitmap(BitmapVector(present, values, count), xp)
