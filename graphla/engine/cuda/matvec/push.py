"""w = ⊕_k M[k, :] ⊗ v[k]: the rows of the entries are scattered; the plan says who owns what.

The work space (flags, values, list) is as long as the result. A result with few entries is taken out of it, sorted,
and leaves it clean for the next push; a result with many keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matvec.board import BOARD_BYTES, BOARD_CHUNKS, PUSH_ARCS, Uncounted, get_flags, make_board
from graphla.engine.cuda.matvec.common import get_product_kernel, make_empty
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.rendered import render_over_semiring
from graphla.planning.steps import MatVec
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullVector, SparseVector, VectorStorage
from graphla.storage.formats import as_sparse, choose_vector_format
from semirings import Monoid
from semirings.dtypes import DType

PUSH_THREADS = 256
BLOCKS_A_PROCESSOR = 8
BEGIN_THREADS = 1024
SETTLE_THREADS, SETTLE_MOST = 512, 2048
"""One block sorts so many places in its shared memory; longer lists are sorted by CuPy."""
LANES = {"thread": 1, "warp": 32, "block": PUSH_THREADS}


@dataclass(frozen=True, eq=False)
class Workspace:
    """A board, its flags all down, and values, all the identity, if it is clean; and a list."""

    key: tuple[Any, ...]
    board: Array
    out: Array
    touched: Array
    identity: Any
    clean: bool


BeginParameters = read_struct("matvec/push_begin.cuh", "BeginParameters")
EdgesParameters = read_struct("matvec/push.cuh", "EdgesParameters")


@lru_cache(maxsize=1024)
def name_kernel(schedule: str, flip: bool, mask: str, offset: str) -> str:
    side = "VectorFirst" if flip else "MatrixFirst"
    if schedule == "edges":
        return f"push_edges<S, {side}, {mask}>"
    return f"push<S, {side}, {mask}, {offset}, By{schedule.capitalize()}>"


def push(engine: KernelEngine, step: MatVec, matrix: CompressedMatrix) -> VectorStorage | Uncounted:
    """Scatter the rows of the entries."""
    vector = as_sparse(engine.xp, step.vector)
    if vector.nvals == 0 or matrix.nvals == 0:
        return make_empty(engine, step.size, step.out)
    policy, flags = engine.make_flags(step.mask, step.size)
    places, count = vector.indices.astype("int32", copy=False), vector.nvals
    even = step.schedule == "edges"
    work = take_workspace(engine, step)
    name = name_kernel(step.schedule, step.flip, policy, engine.c_type(matrix.indptr))
    key = engine, name, step.semiring, step.out, vector.type
    matrix.cached(key, lambda m: begin_kernels(engine, step, name, m.type, vector.type, engine.c_type(m.indptr)))
    shares = begin(engine, work, matrix, places, count if even else 0)
    pair, takes = (matrix, vector), EdgesParameters if even else None
    kernel = get_product_kernel(engine, "matvec/push.cuh", name, step.semiring, pair, step.out, step.flip, takes)
    if even:
        most = min(-(-matrix.nvals // PUSH_ARCS), BLOCKS_A_PROCESSOR * engine.device.processors())
        ends, shifts, firsts = shares
        parameters = EdgesParameters(
            indices=matrix.indices,
            values=matrix.values,
            places=places,
            vector=vector.values,
            ends=ends,
            shifts=shifts,
            firsts=firsts,
            entries=count,
            flags=flags,
            board=work.board,
            out=work.out,
            touched=work.touched,
        )
        kernel(most, PUSH_THREADS, parameters)
    else:
        operands = matrix.indptr, matrix.indices, matrix.values, places, vector.values, np.int32(count), flags
        blocks = -(-count * LANES[step.schedule] // PUSH_THREADS)
        kernel(blocks, PUSH_THREADS, (*operands, work.board, work.out, work.touched))
    return Uncounted(engine.device, work.board, work.out, lambda count: settle(engine, step.size, work, count))


def begin_kernels(engine: KernelEngine, step: MatVec, name: str, a: DType, b: DType, pointer: str) -> None:
    """Begin to compile the two kernels of a push, by the dtypes of the matrix and of the vector."""
    engine.begin("matvec/push_begin.cuh", f"push_begin<{step.out.c}, {pointer}>")
    prelude = render_over_semiring(step.semiring, *((b, a) if step.flip else (a, b)), step.out)
    engine.begin("matvec/push.cuh", name, prelude=prelude)


def begin(
    engine: KernelEngine, work: Workspace, matrix: CompressedMatrix, places: Array, count: int
) -> tuple[Array, ...]:
    """One launch, if there is anything to do: values made the identity in a new work space, arcs of `count` entries
    counted. What comes back: the running count, the way from there to the arcs, and the entry that owns the first arc
    of each share."""
    xp, size = engine.xp, 0 if work.clean else int(work.out.shape[0])
    if size == 0 and count == 0:
        return ()
    ends, shifts = xp.empty(max(1, count), "int64"), xp.empty(max(1, count), "int64")
    firsts = xp.empty(matrix.nvals // PUSH_ARCS + 1, "int32")
    rounds = max(1, -(-count // (BOARD_CHUNKS * BEGIN_THREADS)))
    chunks = -(-count // (rounds * BEGIN_THREADS))
    name = f"push_begin<{engine.c_type(work.out)}, {engine.c_type(matrix.indptr)}>"
    kernel = engine.get_own_kernel("matvec/push_begin.cuh", name, BeginParameters)
    parameters = BeginParameters(
        indptr=matrix.indptr,
        places=places,
        entries=count,
        rounds=rounds,
        ends=ends,
        shifts=shifts,
        firsts=firsts,
        values=work.out,
        identity=work.identity,
        size=size,
        board=work.board,
    )
    blocks = max(1, chunks, min(2 * engine.device.processors(), -(-size // BEGIN_THREADS)))
    kernel(blocks, BEGIN_THREADS, parameters)
    return ends, shifts, firsts


@lru_cache(maxsize=1024)
def get_identity(monoid: Monoid, dtype: DType) -> tuple[Any, bytes]:
    """The identity as a kernel's argument, and as a key."""
    identity = np.dtype(dtype.numpy).type(monoid.identity(dtype))
    return identity, identity.tobytes()


def take_workspace(engine: KernelEngine, step: MatVec) -> Workspace:
    """A work space of the current stream: the clean one that the last push left, or a new one."""
    identity, its_bytes = get_identity(step.semiring.add, step.out)
    key = step.size, step.out.numpy, its_bytes
    found = engine.spare.pop((engine.device.number(), engine.device.stream(), *key), None)
    if found is not None:
        engine.device.clear(found.board, BOARD_BYTES)
        return found
    out, touched = engine.xp.empty(step.size, step.out.numpy), engine.xp.empty(step.size, "int32")
    return Workspace(key, make_board(engine.device, step.size), out, touched, identity, False)


def settle(engine: KernelEngine, size: int, work: Workspace, count: int) -> VectorStorage:
    """The result in the format that suits its count."""
    if count == size:
        return FullVector(work.out)
    if choose_vector_format(count, size) != "sparse":
        return BitmapVector(get_flags(work.board, size), work.out, count)
    places, values = engine.xp.empty(count, "int32"), engine.xp.empty(count, work.out.dtype)
    c_type = engine.c_type(work.out)
    if count > SETTLE_MOST:
        places = engine.xp.sort(work.touched[:count])
        kernel = engine.get_own_kernel("matvec/settle.cuh", f"collect<{c_type}>")
        numbers = np.int32(count), work.board, work.out, work.identity
        kernel(-(-count // PUSH_THREADS), PUSH_THREADS, (places, *numbers, values))
    elif count:
        kernel = engine.get_own_kernel("matvec/settle.cuh", f"settle<{c_type}>")
        numbers = np.int32(count), work.board, work.out, work.identity
        kernel(1, SETTLE_THREADS, (work.touched, *numbers, places, values))
    cleaned = work if work.clean else replace(work, clean=True)
    engine.spare[engine.device.number(), engine.device.stream(), *work.key] = cleaned
    return SparseVector(size, places, values)
