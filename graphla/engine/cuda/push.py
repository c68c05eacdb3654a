"""w = ⊕_k M[k, :] ⊗ v[k]: the rows of the entries are scattered; the plan says who owns what.

The work space (flags, values, list) is as long as the result. A result with few entries is taken out of it, sorted,
and leaves it clean for the next push; a result with many keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from graphla.engine.arrays.formats import as_sparse
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.pull import no_entries, offset_type, product_kernel
from graphla.plan import vector_format
from graphla.steps import MatVec
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullVector, SparseVector, VectorStorage
from semirings import Monoid
from semirings.dtypes import DType

THREADS = 256
ARCS_A_BLOCK = 4 * THREADS
BLOCKS_A_PROCESSOR = 8
BEGIN_THREADS, SCANNED_BY_A_BLOCK = 1024, 1 << 16
"""One block counts the arcs of so many entries in eight rounds, sooner than CuPy's scan is launched."""
SETTLE_THREADS, SETTLE_MOST = 512, 2048
"""One block sorts so many places in its shared memory; longer lists are sorted by CuPy."""
LANES = {"thread": 1, "warp": 32, "block": THREADS}


@dataclass(frozen=True, eq=False)
class Workspace:
    """Flags, all down, and values, all the identity, if it is clean; and a list."""

    key: tuple[Any, ...]
    present: Array
    out: Array
    touched: Array
    identity: Any
    clean: bool


@lru_cache(maxsize=1024)
def kernel_name(schedule: str, flip: bool, mask: str, offset: str) -> str:
    side = "VectorFirst" if flip else "MatrixFirst"
    if schedule == "edges":
        return f"push_edges<S, {side}, {mask}, {offset}>"
    return f"push<S, {side}, {mask}, {offset}, By{schedule.capitalize()}>"


def push(engine: KernelEngine, step: MatVec, matrix: CompressedMatrix) -> VectorStorage:
    """Scatter the rows of the entries."""
    vector = as_sparse(engine.xp, step.vector)
    if vector.nvals == 0 or matrix.nvals == 0:
        return no_entries(engine, step.size, step.out)
    policy, flags = engine.flags(step.mask, step.size)
    places, count = vector.indices.astype("int32", copy=False), vector.nvals
    even = step.schedule == "edges"
    work, counter = workspace(engine, step), engine.device.take_counter()
    ends = begin(engine, work, matrix, places if even else None, places, counter)
    name = kernel_name(step.schedule, step.flip, policy, offset_type(matrix))
    kernel = product_kernel(engine, "push.cuh", name, step.semiring, (matrix, vector), step.out, step.flip)
    most = min(-(-matrix.nvals // ARCS_A_BLOCK), BLOCKS_A_PROCESSOR * engine.device.processors())
    kernel(
        most if even else -(-count * LANES[step.schedule] // THREADS),
        THREADS,
        (
            matrix.indptr, matrix.indices, matrix.values, places, vector.values, *((ends,) if even else ()),
            np.int32(count), flags, work.present, work.out, work.touched, counter.array,
        ),
    )  # fmt: skip
    return settled(engine, step.size, work, engine.device.read_counter(counter))


def begin(
    engine: KernelEngine, work: Workspace, matrix: CompressedMatrix, counted: Array | None, places: Array, counter: Any
) -> Array:
    """One launch: the work space made clean if it is new, and the running count of arcs."""
    xp, count = engine.xp, 0 if counted is None else int(places.shape[0])
    in_block = count <= SCANNED_BY_A_BLOCK
    ends = xp.empty(max(1, count), "int64")
    size = 0 if work.clean else int(work.out.shape[0])
    kernel = engine.own_kernel("push_begin.cuh", f"push_begin<{engine.c_type(work.out)}, {offset_type(matrix)}>")
    kernel(
        min(2 * engine.device.processors(), -(-max(size, count, 1) // BEGIN_THREADS)),
        BEGIN_THREADS,
        (
            matrix.indptr, places, np.int32(count if in_block else 0), ends, work.present.view("uint32"), work.out,
            work.identity, np.int32(size), counter.array,
        ),
    )  # fmt: skip
    return ends if in_block else xp.cumsum(matrix.indptr[places + 1] - matrix.indptr[places], dtype="int64")


@lru_cache(maxsize=1024)
def identity_of(monoid: Monoid, dtype: DType) -> tuple[Any, bytes]:
    """The identity as a kernel's argument, and as a key."""
    identity = np.dtype(dtype.numpy).type(monoid.identity(dtype))
    return identity, identity.tobytes()


def workspace(engine: KernelEngine, step: MatVec) -> Workspace:
    """A work space of the current stream: the clean one that the last push left, or a new one."""
    identity, its_bytes = identity_of(step.semiring.add, step.out)
    key = engine.device.number(), engine.device.stream(), step.size, step.out.numpy, its_bytes
    found = engine.spare.pop(key, None)
    if found is not None:
        return found
    xp = engine.xp
    flags = xp.empty(-(-step.size // 8) * 8, bool)  # whole words: kernels raise a flag by an atomic on four
    return Workspace(key, flags, xp.empty(step.size, step.out.numpy), xp.empty(step.size, "int32"), identity, False)


def settled(engine: KernelEngine, size: int, work: Workspace, count: int) -> VectorStorage:
    """The result in the format that suits its count."""
    if count == size:
        return FullVector(work.out)
    if vector_format(count, size) != "sparse":
        return BitmapVector(work.present[:size], work.out, count)
    places, values = engine.xp.empty(count, "int32"), engine.xp.empty(count, work.out.dtype)
    c_type = engine.c_type(work.out)
    if count > SETTLE_MOST:
        places = engine.xp.sort(work.touched[:count])
        kernel = engine.own_kernel("settle.cuh", f"collect<{c_type}>")
        numbers = np.int32(count), work.present, work.out, work.identity
        kernel(-(-count // THREADS), THREADS, (places, *numbers, values))
    elif count:
        kernel = engine.own_kernel("settle.cuh", f"settle<{c_type}>")
        numbers = np.int32(count), work.present, work.out, work.identity
        kernel(1, SETTLE_THREADS, (work.touched, *numbers, places, values))
    engine.spare[work.key] = Workspace(work.key, work.present, work.out, work.touched, work.identity, clean=True)
    return SparseVector(size, places, values)
