"""The blocked Floyd–Warshall on the GPU: kernels, buffers and the order of launches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.apsp.initial import cast, is_non_negative
from graphla.algorithms.apsp.lanes import make_lanes
from graphla.algorithms.shared.weights import infinity as largest
from graphla.common.config import config
from graphla.common.memory import device_free
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.tropical_operands import TILE_SIDE, TILE_WORKERS, count_abreast
from semirings import min_plus
from semirings.cuda import render_semiring
from semirings.dtypes import lookup

Array = Any
HERE = Path(__file__).parent
CORNER, CORNER_THREADS = 64, 256  # side of a tile of the closure, and its threads
WIDE_FROM = 640
"""From so many vertices on a pivot block has 256 vertices, not 128: half as many blocks, of 0.18 ms instead of 0.1."""


@dataclass(frozen=True)
class Numbers:
    """The arithmetic of a matrix in the kernels: a C++ type, the text it needs before it, and numbers per word.

    If `far` is given, the kernels represent infinity by it, so that no sum wraps, and no distance is more than `last`.
    """

    name: str
    prelude: str = ""
    per_word: int = 1
    last: int = 0
    far: int = 0


FAST = {
    "float32": Numbers("NonNegativeFloat"),
    "int32": Numbers("NonNegativeInt", last=2**31 - 2),
    "int16": Numbers("NonNegativePairs", per_word=2),
    "int64": Numbers("NonNegativeLong"),
}
ANY_SIGN = {"float32": Numbers("SignedFloat"), "float64": Numbers("Double")}
NARROW = {
    "int32": Numbers("SmallInt", last=2**29 - 1, far=2**30 - 1),
    "int64": Numbers("SmallLong", last=2**61 - 1, far=2**62 - 1),
    "uint32": Numbers("NonNegativeInt", last=2**31 - 2, far=2**31 - 1),
    "uint64": Numbers("NonNegativeLong", last=2**63 - 2, far=2**63 - 1),
}
"""For integers whose paths stay within `last`. An infinite cell is `far` plus parts of a path, hence over `last`."""
C_TYPES = {
    "float32": "float", "float64": "double", "int16": "short", "int32": "int",
    "int64": "long long", "uint32": "unsigned", "uint64": "unsigned long long",
}  # fmt: skip


def choose_numbers(dtype: np.dtype[Any], non_negative: bool) -> Numbers:
    """Choose the fastest arithmetic that is exact for the dtype."""
    if non_negative and dtype.name in FAST:
        return FAST[dtype.name]
    if dtype.name in ANY_SIGN:
        return ANY_SIGN[dtype.name]
    kind = lookup(dtype)
    return Numbers("Saturating<S>", render_semiring(min_plus, kind, kind, kind))


def choose_exact_numbers(G: Any, dtype: np.dtype[Any]) -> Numbers:
    """Choose the fastest arithmetic that is exact for the weights of a graph."""
    return choose_narrow_numbers(G, dtype) or choose_numbers(dtype, is_non_negative(G))


def choose_narrow_numbers(G: Any, dtype: np.dtype[Any]) -> Numbers | None:
    """Choose arithmetic without saturation for integers that would otherwise need it, if their paths are short enough.

    With negative weights: until a pivot is found on a negative cycle, each cell is the length of a path or of a simple
    cycle, where missing arcs count `far`. So its finite part is at least −n · the largest weight.
    """
    found = NARROW.get(dtype.name)
    if found is None or (is_non_negative(G) and dtype.name in FAST):
        return None
    return found if G.n * find_widest_weight(G, dtype) <= found.last else None


def choose_work_dtype(G: Any, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Choose the dtype in which distances are computed: INT32 for those of 64 bits that fit it, whatever the path."""
    narrow = FAST["int32"] if is_non_negative(G) else NARROW.get("int32")
    if dtype.name not in ("int64", "uint64") or narrow is None:
        return dtype
    return np.dtype(np.int32) if G.n * find_widest_weight(G, dtype) <= narrow.last else dtype


def find_widest_weight(G: Any, dtype: np.dtype[Any]) -> int:
    """Return the largest magnitude of the finite weights; cached with the graph."""

    def find(G: Any) -> int:
        values = cast(G.csr.values, dtype)
        finite = values[values != largest(dtype)]
        return max(int(finite.max()), -int(finite.min()), 0) if finite.size else 0

    return G.cached(f"apsp.widest_{dtype.name}", find)


@dataclass(frozen=True, eq=False)
class Buffers:
    """D, padded with infinity to whole tiles, and the buffers of a pivot block."""

    D: Array
    before: Array
    squares: Array
    after: tuple[Array, ...]
    cycle: Array
    barrier: Array


def choose_side(n: int, per_word: int) -> int:
    """Choose the number of vertices of a pivot block: at least as many as a tile has columns."""
    return max(2 * TILE_SIDE if n >= WIDE_FROM else TILE_SIDE, TILE_SIDE * per_word)


def pad_size(n: int, per_word: int) -> int:
    """Return the padded number of rows and columns of D: whole tiles and whole pivot blocks."""
    step = choose_side(n, per_word)
    return max(1, -(-n // step)) * step


def fits(xp: Any, n: int, dtype: np.dtype[Any], per_word: int, result: np.dtype[Any] | None = None) -> bool:
    """Whether D, its buffers and the result, without padding and in its dtype, fit on the device."""
    stride, limit, result = pad_size(n, per_word), min(device_free(xp), config.memory_limit or 2**62), result or dtype
    copied = n * n * result.itemsize if stride != n or result != dtype else 0
    return (
        stride * stride * dtype.itemsize + copied + choose_side(n, per_word) * stride * (4 * dtype.itemsize + 8)
        <= limit
    )


def view_operand(cells: Array, rows: int, per_word: int, second: bool) -> Array:
    """View the values of an operand of `rows` k as [k // 2, k % 2, word, value], or [k, 0, …]: `tropical_tile.cuh`."""
    together = count_abreast(cells.dtype.itemsize)
    values = cells.reshape(rows // together, -1, together, per_word)
    return (values[:, :, ::-1] if second else values).transpose(0, 2, 1, 3)


def make_buffers(xp: Any, D: Array, side: int, per_word: int, copies: int = 1) -> Buffers:
    stride = D.shape[1]
    word = D.dtype if per_word == 1 else np.dtype(np.uint32)
    return Buffers(
        D,
        before=xp.empty((2, side, stride), D.dtype),
        squares=xp.empty((2, side, side), word),
        after=tuple(xp.empty(side * (stride // per_word + stride), word) for _ in range(copies)),
        cycle=xp.full(1, -1, np.int32),
        barrier=xp.zeros(1, np.uint32),
    )


def make_weights(G: Any, dtype: np.dtype[Any], stride: int) -> Array:
    """Write the weights into a square of `stride`, with infinity elsewhere and 0 on the diagonal."""
    xp = G.engine.xp
    D = xp.full((stride, stride), largest(dtype), dtype)
    scatter = G.engine.kernel(HERE / "_scatter.cuh", f"scatter<{C_TYPES[dtype.name]}, {G.engine.c_type(G.csr.indptr)}>")
    arcs = G.csr.indptr, G.csr.indices, narrow_weights(xp, G.csr.values, dtype)
    scatter(count_row_blocks(G.n), 256, (*arcs, np.int32(G.n), D, np.int64(stride)))
    return D


def narrow_weights(xp: Any, values: Array, dtype: np.dtype[Any]) -> Array:
    """Convert weights to the dtype of the work; what is infinite in integers of 64 bits is infinite in it."""
    if values.dtype == dtype or values.dtype.name not in ("int64", "uint64"):
        return cast(values, dtype)
    return xp.where(values == largest(values.dtype), largest(dtype), cast(values, dtype))


def copy_result(engine: KernelEngine, D: Array, n: int, dtype: np.dtype[Any]) -> Array:
    """Copy D without its padding, in its dtype or a wider one."""
    if D.dtype == dtype:
        return engine.xp.ascontiguousarray(D[:n, :n])
    out = engine.xp.empty((n, n), dtype)
    kernel = engine.kernel(HERE / "_scatter.cuh", f"widen<{C_TYPES[D.dtype.name]}, {C_TYPES[dtype.name]}>")
    infinities = D.dtype.type(largest(D.dtype)), dtype.type(largest(dtype))
    kernel(count_row_blocks(n), 256, (D, np.int64(D.shape[1]), np.int32(n), out, *infinities))
    return out


def make_first_hops(G: Any, dtype: np.dtype[Any], stride: int) -> Array:
    """Write the head of each arc into a square of `stride`, with −1 elsewhere and each vertex on the diagonal."""
    H = G.engine.xp.full((stride, stride), -1, np.int32)
    first_hops = G.engine.kernel(
        HERE / "_scatter.cuh", f"first_hops<{C_TYPES[dtype.name]}, {G.engine.c_type(G.csr.indptr)}>"
    )
    values = cast(G.csr.values, dtype)
    sizes = np.int32(G.n), H, np.int64(stride)
    first_hops(count_row_blocks(G.n), 256, (G.csr.indptr, G.csr.indices, values, largest(dtype), *sizes))
    return H


def count_row_blocks(n: int) -> int:
    """Count the thread blocks for one warp per row, eight warps per block."""
    return max(1, min(-(-n // 8), 4096))


def close_blocks(engine: KernelEngine, D: Array, kind: Numbers, side: int) -> Array:
    """Close D in place; return an array with one vertex on a negative cycle, or −1.

    The host only launches and reads nothing back. A second stream relaxes the rows and columns of the next pivot block
    first and prepares the block, while the main stream relaxes the rest.
    """
    recode(engine, D, kind, kind.far)
    b = make_buffers(engine.xp, D, side, kind.per_word, copies=2)
    beside, stride = make_lanes(engine.xp), D.shape[0]
    prepare_pivot(engine, b, kind, 0, side, b.after[0])
    for step, first in enumerate(range(0, stride, side)):
        after, following = b.after[step % 2], first + side
        if following == stride:
            relax(engine, D, kind, after, first, side)
            break
        with beside.use_side_stream():
            relax(engine, D, kind, after, first, side, following, strips=True)
            prepare_pivot(engine, b, kind, following, side, b.after[1 - step % 2])
        relax(engine, D, kind, after, first, side, following)
        beside.join()
    recode(engine, D, kind, largest(D.dtype))
    return b.cycle


def recode(engine: KernelEngine, D: Array, kind: Numbers, infinity: Any) -> None:
    """Replace infinity in D by `infinity`, if the arithmetic represents it by another value."""
    if kind.far:
        beyond = engine.kernel(HERE / "_scatter.cuh", f"put_beyond<{C_TYPES[D.dtype.name]}>")
        last, by = (D.dtype.type(value) for value in (kind.last, infinity))
        beyond(max(1, min(-(-D.size // 1024), 1 << 16)), 256, (D, np.int64(D.size), last, by))


def prepare_pivot(
    engine: KernelEngine, b: Buffers, kind: Numbers, first: int, side: int, after: Array,
    one: Any = None, named: int | None = None,
) -> None:  # fmt: skip
    """Close the square of a pivot block, then write its rows and columns to `after`.

    `one` is the empty path, 0 by default; `named` is the number of the first vertex, if that is not its index in D.
    """
    stride, at = b.D.shape[0], (np.int32(first), np.int32(side))
    square, name = b.D.reshape(-1)[first * (stride + 1) :], first if named is None else named
    close_square(engine, square, kind, (stride, name, side), b.D.dtype.type(0) if one is None else one, b)
    prepare = get_kernel(engine, "_pivot.cuh", "prepare_panels", kind)
    prepare((stride // 32, side // 32), (32, 8), (b.D, np.int64(stride), *at, b.before, b.squares))
    close_panels(engine, b.before, b.squares, kind, side, after)


def close_square(
    engine: KernelEngine, square: Array, kind: Numbers, at: tuple[int, int, int], one: Any, b: Any
) -> None:
    """Close a square in place; `at` are its stride, the number of its first vertex and its side."""
    close = get_kernel(engine, "_close.cuh", "close_square", kind)
    corners = min((at[2] // CORNER) ** 2, close.resident_blocks(CORNER_THREADS))
    numbers = np.int64(at[0]), np.int32(at[1]), np.int32(at[2])
    close(corners, CORNER_THREADS, (square, *numbers, one, b.cycle, b.barrier))


def close_panels(engine: KernelEngine, before: Array, squares: Array, kind: Numbers, side: int, after: Array) -> None:
    """Multiply the rows and columns of a pivot block by its closed square, into `after`."""
    words = before.size // (2 * side * kind.per_word)
    panels = get_kernel(engine, "_pivot.cuh", "panels", kind)
    operands = before.reshape(-1).view(after.dtype), squares, np.int32(side), np.int64(words), after
    panels((words // TILE_SIDE, side // TILE_SIDE, 2), TILE_WORKERS, (*operands, np.int32(0), np.int32(0)))


def close_panel(
    engine: KernelEngine, before: Array, square: Array, kind: Numbers, side: int, after: Array, part: int,
    vertices: tuple[int, int],
) -> None:  # fmt: skip
    """Multiply the rows (part 0) or the columns (part 1) of a pivot block, for a range of whole tiles of vertices."""
    words, tile = before.size // (side * kind.per_word), TILE_SIDE * kind.per_word
    first, last = vertices[0] // tile, vertices[1] // tile
    if first == last:
        return
    panels = get_kernel(engine, "_pivot.cuh", "panels", kind)
    operands = before.reshape(-1).view(after.dtype), square, np.int32(side), np.int64(words), after
    panels((last - first, side // TILE_SIDE, 1), TILE_WORKERS, (*operands, np.int32(part), np.int32(first)))


def relax(
    engine: KernelEngine, D: Array, kind: Numbers, after: Array, first: int, side: int,
    apart: int = -1, strips: bool = False, row: int = 0,
) -> None:  # fmt: skip
    """Relax D by paths through a pivot block, except the rows and columns of the block `apart`, or only those.

    D may be a panel of whole tiles of rows, starting with `row`.
    """
    rows, stride = D.shape
    words, tile = stride // kind.per_word, TILE_SIDE * kind.per_word
    rest = get_kernel(engine, "_pivot.cuh", "rest", kind)
    cells = D.reshape(-1).view(after.dtype), np.int32(row), np.int32(apart), np.bool_(strips)
    panels = after, after[side * words :], np.int32(first), np.int32(side), np.int64(words)
    grid = (
        (stride // TILE_SIDE, side // TILE_SIDE + side // tile) if strips else (words // TILE_SIDE, rows // TILE_SIDE)
    )
    rest(grid, TILE_WORKERS, (*cells, *panels))


def get_kernel(engine: KernelEngine, file: str, name: str, kind: Numbers) -> Any:
    """Return a kernel for an arithmetic; the kernel that closes a square is cooperative."""
    cooperative = name == "close_square"
    return engine.kernel(HERE / file, f"{name}<{kind.name}>", kind.prelude, cooperative=cooperative)
