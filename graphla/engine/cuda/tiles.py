"""C = A ⊕.⊗ B over full matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphla.storage import FullMatrix
from semirings.dtypes import lookup

if TYPE_CHECKING:
    from graphla.engine.cuda.engine import CudaEngine
    from graphla.steps import MatMat

TILE, THREADS = 64, 256


def tiles(engine: CudaEngine, step: MatMat, left: FullMatrix, right: FullMatrix) -> FullMatrix:
    """Tiles of 64 × 64."""
    (m, depth), n = left.shape, right.shape[1]
    types = lookup(left.dtype), lookup(right.dtype), step.out
    out = engine.xp.empty((m, n), step.out.numpy)
    if out.size:
        kernel = engine.over_semiring("tiles.cuh", "tiles<S>", step.semiring, *types)
        sizes = tuple(map(np.int32, (m, depth, n)))
        kernel((-(-n // TILE), -(-m // TILE)), THREADS, (left.values, right.values, out, *sizes))
    return FullMatrix(out)
