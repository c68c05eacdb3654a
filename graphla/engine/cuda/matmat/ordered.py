"""max_min and min_max over full matrices of FP32, as products of integers: `tropical_ordered.cuh`."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.tropical_operands import Layout, launch, pad, transpose_padded
from semirings import Semiring, max_min, min_max
from semirings.dtypes import DType

Array = Any
FEWEST = 1 << 31
"""Updates of the smallest product for which it pays to look for a NaN, which takes two reductions and a read-back."""
THREADS, BLOCKS = 256, 1024


def suits(engine: KernelEngine, semiring: Semiring, A: Array, B: Array, out: DType) -> bool:
    """Whether a product can be one of integers, and gains by it: without a NaN, which minima and maxima ignore."""
    if semiring not in (max_min, min_max) or not (A.dtype == B.dtype == np.dtype(out.numpy) == np.float32):
        return False
    if A.size * B.shape[1] < max(1, FEWEST):
        return False
    most = engine.xp.maximum(A.max(), B.max())
    return not bool(most != most)


def multiply(engine: KernelEngine, semiring: Semiring, A: Array, B: Array, C: Array) -> Array:
    """Fill C with the product."""
    layout = Layout.choose(A.shape[1], 4, -np.inf if semiring == max_min else np.inf)
    order = f"Order<{'false' if semiring == max_min else 'true'}>"
    a, b = transpose_padded(engine, A, layout).view(np.int32), pad(engine, B, layout).view(np.int32)
    encode = engine.get_own_kernel("matmat/tropical_ordered.cuh", f"encode<{order}>")
    for words in (a, b):
        encode(max(1, min(-(-words.size // THREADS), BLOCKS)), THREADS, (words, np.int64(words.size)))
    kernel = engine.get_own_kernel("matmat/tropical_ordered.cuh", f"tropical_ordered<{order}>")
    return launch(kernel, a, b, C, layout.depth)
