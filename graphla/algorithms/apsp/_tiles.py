"""The blocked Floyd–Warshall on the GPU: which kernels, which buffers, in which order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.apsp._lanes import lanes
from graphla.algorithms.apsp._start import cast, non_negative
from graphla.algorithms.sssp._weights import infinity as largest
from graphla.config import config
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.tropical import abreast
from graphla.memory import device_free
from semirings import min_plus
from semirings.cuda import render_semiring
from semirings.dtypes import lookup

Array = Any
HERE = Path(__file__).parent
TILE = 128  # tropical_tile.cuh: TILE_SIDE
CORNER = 64  # _close.cuh: CORNER
WIDE_FROM = 640
"""Vertices from which a pivot block has 256 vertices, not 128: half as many, of 0.18 ms each instead of 0.1."""


@dataclass(frozen=True)
class Numbers:
    """How the kernels name the numbers of a matrix: the C++ type, what it needs before it, numbers in a word.

    Where `far` is given, the kernels write infinity so, that no sum wraps, and no distance is greater than `last`.
    """

    name: str
    prelude: str = ""
    per_word: int = 1
    last: int = 0
    far: int = 0


FAST = {
    "float32": Numbers("NonNegativeFloat"),
    "int32": Numbers("NonNegativeInt"),
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
"""For integers whose paths stay within `last`. An infinite cell is `far` and parts of a path, so more than `last`."""
C_TYPES = {
    "float32": "float", "float64": "double", "int16": "short", "int32": "int",
    "int64": "long long", "uint32": "unsigned", "uint64": "unsigned long long",
}  # fmt: skip


def numbers(dtype: np.dtype[Any], non_negative: bool) -> Numbers:
    """The fastest arithmetic that is exact for the dtype."""
    if non_negative and dtype.name in FAST:
        return FAST[dtype.name]
    if dtype.name in ANY_SIGN:
        return ANY_SIGN[dtype.name]
    kind = lookup(dtype)
    return Numbers("Saturating<S>", render_semiring(min_plus, kind, kind, kind))


def exact(G: Any, dtype: np.dtype[Any]) -> Numbers:
    """The fastest arithmetic that is exact for the weights of a graph."""
    return narrow(G, dtype) or numbers(dtype, non_negative(G))


def narrow(G: Any, dtype: np.dtype[Any]) -> Numbers | None:
    """How integers that would need sums which stop at the ends are spared them, if their paths are short enough.

    Integers that may be negative: before a pivot is found on a negative cycle, each cell is the length of a path or of
    a simple cycle, with `far` for what is no arc, so its finite part is no less than −n · the largest weight.
    """
    found = NARROW.get(dtype.name)
    if found is None or (non_negative(G) and dtype.name in FAST):
        return None
    return found if G.n * widest(G, dtype) <= found.last else None


def widest(G: Any, dtype: np.dtype[Any]) -> int:
    """The largest weight that is not infinite, without its sign; kept with the graph."""

    def found(G: Any) -> int:
        values = cast(G.csr.values, dtype)
        finite = values[values != largest(dtype)]
        return max(int(finite.max()), -int(finite.min()), 0) if finite.size else 0

    return G.cached(f"apsp.widest_{dtype.name}", found)


@dataclass(frozen=True, eq=False)
class Buffers:
    """D, padded to whole tiles with infinity, and what a pivot block needs."""

    D: Array
    before: Array
    squares: Array
    after: tuple[Array, ...]
    cycle: Array
    barrier: Array


def side_of(n: int, per_word: int) -> int:
    """Vertices of a pivot block: at least as many as a tile has columns."""
    return max(2 * TILE if n >= WIDE_FROM else TILE, TILE * per_word)


def padded(n: int, per_word: int) -> int:
    """Rows and columns of D: whole tiles and whole pivot blocks."""
    step = side_of(n, per_word)
    return max(1, -(-n // step)) * step


def fits(xp: Any, n: int, dtype: np.dtype[Any], per_word: int) -> bool:
    """Whether D, its buffers and the result without padding fit on the device."""
    stride, limit = padded(n, per_word), min(device_free(xp), config.memory_limit or 2**62)
    cells = stride * stride + (n * n if stride != n else 0)
    return cells * dtype.itemsize + side_of(n, per_word) * stride * (4 * dtype.itemsize + 8) <= limit


def operand(cells: Array, rows: int, per_word: int, second: bool) -> Array:
    """The values of an operand of so many k as [k // 2, k % 2, word, value], or [k, 0, …]; see `tropical_tile.cuh`."""
    together = abreast(cells.dtype.itemsize)
    values = cells.reshape(rows // together, -1, together, per_word)
    return (values[:, :, ::-1] if second else values).transpose(0, 2, 1, 3)


def buffers(xp: Any, D: Array, side: int, per_word: int, copies: int = 1) -> Buffers:
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


def weights(G: Any, dtype: np.dtype[Any], stride: int) -> Array:
    """The weights in a square of `stride`, infinity elsewhere, 0 on the diagonal."""
    xp = G.engine.xp
    D = xp.full((stride, stride), largest(dtype), dtype)
    scatter = G.engine.kernel(HERE / "_scatter.cuh", f"scatter<{C_TYPES[dtype.name]}, {offset(G)}>")
    arcs = G.csr.indptr, G.csr.indices, cast(G.csr.values, dtype)
    scatter(rows_grid(G.n), 256, (*arcs, np.int32(G.n), D, np.int64(stride)))
    return D


def arcs(G: Any, dtype: np.dtype[Any], stride: int) -> Array:
    """The head of each arc in a square of `stride`, −1 elsewhere, and each vertex on the diagonal."""
    H = G.engine.xp.full((stride, stride), -1, np.int32)
    first_hops = G.engine.kernel(HERE / "_scatter.cuh", f"first_hops<{C_TYPES[dtype.name]}, {offset(G)}>")
    values = cast(G.csr.values, dtype)
    sizes = np.int32(G.n), H, np.int64(stride)
    first_hops(rows_grid(G.n), 256, (G.csr.indptr, G.csr.indices, values, largest(dtype), *sizes))
    return H


def offset(G: Any) -> str:
    return "int" if G.csr.indptr.dtype == np.int32 else "long long"


def rows_grid(n: int) -> int:
    """Blocks of eight warps, a warp a row."""
    return max(1, min(-(-n // 8), 4096))


def closed(engine: KernelEngine, D: Array, kind: Numbers, side: int) -> Array:
    """Close D in place; an array of one vertex on a negative cycle, or −1.

    Nothing is read back: the host only launches. A second stream relaxes the rows and columns of the next pivot block
    first and prepares it, while the rest follows on the main one.
    """
    recode(engine, D, kind, kind.far)
    b = buffers(engine.xp, D, side, kind.per_word, copies=2)
    beside, stride = lanes(engine.xp), D.shape[0]
    prepare(engine, b, kind, 0, side, b.after[0])
    for step, first in enumerate(range(0, stride, side)):
        after, following = b.after[step % 2], first + side
        if following == stride:
            relax(engine, D, kind, after, first, side)
            break
        with beside.aside():
            relax(engine, D, kind, after, first, side, following, strips=True)
            prepare(engine, b, kind, following, side, b.after[1 - step % 2])
        relax(engine, D, kind, after, first, side, following)
        beside.join()
    recode(engine, D, kind, largest(D.dtype))
    return b.cycle


def recode(engine: KernelEngine, D: Array, kind: Numbers, infinity: Any) -> None:
    """Write infinity so in D, if the numbers have one of their own."""
    if kind.far:
        beyond = engine.kernel(HERE / "_scatter.cuh", f"put_beyond<{C_TYPES[D.dtype.name]}>")
        last, by = (D.dtype.type(value) for value in (kind.last, infinity))
        beyond(max(1, min(-(-D.size // 1024), 1 << 16)), 256, (D, np.int64(D.size), last, by))


def prepare(engine: KernelEngine, b: Buffers, kind: Numbers, first: int, side: int, after: Array) -> None:
    """Close the square of a pivot block, then its rows and columns, into `after`."""
    stride, at = b.D.shape[0], (np.int32(first), np.int32(side))
    close = launcher(engine, "_close.cuh", "close_square", kind)
    corners = min((side // CORNER) ** 2, close.resident_blocks(256))
    close(corners, 256, (b.D.reshape(-1)[first * (stride + 1) :], np.int64(stride), *at, b.cycle, b.barrier))
    turned = launcher(engine, "_pivot.cuh", "turned", kind)
    turned((stride // 32, side // 32), (32, 8), (b.D, np.int64(stride), *at, b.before, b.squares))
    reach(engine, b.before, b.squares, kind, side, after)


def reach(engine: KernelEngine, before: Array, squares: Array, kind: Numbers, side: int, after: Array) -> None:
    """The rows and columns of a pivot block over its closed square, into `after`."""
    words = before.size // (2 * side * kind.per_word)
    panels = launcher(engine, "_pivot.cuh", "panels", kind)
    operands = before.reshape(-1).view(after.dtype), squares, np.int32(side), np.int64(words), after
    panels((words // TILE, side // TILE, 2), 256, operands)


def relax(
    engine: KernelEngine, D: Array, kind: Numbers, after: Array, first: int, side: int,
    apart: int = -1, strips: bool = False, row: int = 0,
) -> None:  # fmt: skip
    """Paths through a pivot block, in D but for the rows and columns of the block `apart`, or in those alone.

    D may be a panel of whole tiles of rows, from `row` on.
    """
    rows, stride = D.shape
    words, tile = stride // kind.per_word, TILE * kind.per_word
    rest = launcher(engine, "_pivot.cuh", "rest", kind)
    cells = D.reshape(-1).view(after.dtype), np.int32(row), np.int32(apart), np.bool_(strips)
    panels = after, after[side * words :], np.int32(first), np.int32(side), np.int64(words)
    grid = (stride // TILE, side // TILE + side // tile) if strips else (words // TILE, rows // TILE)
    rest(grid, 256, (*cells, *panels))


def launcher(engine: KernelEngine, file: str, name: str, kind: Numbers) -> Any:
    """A kernel over the numbers; the one that closes a square needs all its blocks at once."""
    cooperative = name == "close_square"
    return engine.kernel(HERE / file, f"{name}<{kind.name}>", kind.prelude, cooperative=cooperative)
