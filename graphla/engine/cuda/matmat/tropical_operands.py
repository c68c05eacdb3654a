"""Operands of products of full matrices, padded to whole tiles as `tropical_tile.cuh` reads them, and the launch."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.engine.cuda.base import KernelEngine

Array = Any
TILE_SIDE, TILE_WORKERS = 128, 256  # words along a tile of C, and threads of its block
STAGE_BYTES = 64  # of a column of a stage of the operands


class Layout(NamedTuple):
    """How the k of operands lie: how many side by side, up to which, and what fills up; see `tropical_tile.cuh`."""

    together: int
    depth: int
    fill: Any

    @classmethod
    def choose(cls, depth: int, wide: int, nothing: Any) -> Layout:
        """For words of so many bytes; where `nothing` absorbs what it meets, it fills stages up."""
        stage = 1 if nothing is None else STAGE_BYTES // wide
        return cls(count_abreast(wide), -(-depth // stage) * stage, nothing or 0)

    def allocate(self, engine: KernelEngine, size: int, dtype: Any) -> Array:
        """An operand to be written."""
        return engine.xp.full((-(-self.depth // self.together), round_up(size) * self.together), self.fill, dtype)

    def count_bytes(self, size: int, itemsize: int) -> int:
        """Of an operand."""
        return -(-self.depth // self.together) * round_up(size) * self.together * itemsize


def count_abreast(wide: int) -> int:
    """How many k of words of so many bytes lie side by side."""
    return 1 if wide > 4 else 2


def launch(kernel: Any, a: Array, b: Array, C: Array, depth: int) -> Array:
    """C by one block a tile, of operands in the layout of the tiles."""
    m, n = C.shape
    sizes = tuple(map(np.int32, (m, depth, n)))
    kernel(
        (-(-n // TILE_SIDE), -(-m // TILE_SIDE)),
        TILE_WORKERS,
        (a, np.int64(round_up(m)), b, np.int64(round_up(n)), C, *sizes),
    )
    return C


def round_up(size: int) -> int:
    """A size in whole tiles."""
    return max(1, -(-size // TILE_SIDE)) * TILE_SIDE


def transpose_padded(engine: KernelEngine, A: Array, layout: Layout) -> Array:
    """Aᵀ as a first operand."""
    m, depth = A.shape
    out = layout.allocate(engine, m, A.dtype)
    if A.size:
        kernel = engine.get_own_kernel(
            "matmat/tropical_transpose.cuh", f"transpose_padded<{engine.c_type(A)}, {layout.together}>"
        )
        grid = -(-depth // 32), -(-m // 32)
        kernel(grid, (32, 8), (A, np.int32(m), np.int32(depth), out, np.int64(round_up(m))))
    return out


def pad(engine: KernelEngine, B: Array, layout: Layout) -> Array:
    """B as a second operand; itself if it is one."""
    depth, n = B.shape
    if n % TILE_SIDE == 0 and depth == layout.depth and layout.together == 1:
        return B
    out = layout.allocate(engine, n, B.dtype)
    if B.size:
        kernel = engine.get_own_kernel(
            "matmat/tropical_transpose.cuh", f"copy_padded<{engine.c_type(B)}, {layout.together}>"
        )
        kernel((depth, -(-n // 256)), 256, (B, np.int32(n), out, np.int64(round_up(n))))
    return out
