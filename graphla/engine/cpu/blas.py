"""Products of dense matrices inside a kernel, by SciPy's BLAS."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload


def multiply(A: Any, B: Any) -> Any:
    """Return A Bᵀ of contiguous matrices: as the compiled kernel has it, by the same call of the same library."""
    from scipy.linalg import get_blas_funcs

    gemm: Any = get_blas_funcs("gemm", (A, B))
    return gemm(1.0, B.T, A.T, trans_a=True).T


@overload(multiply)
def _compile_multiply(A, B):  # type: ignore[no-untyped-def]
    def run(A, B):  # type: ignore[no-untyped-def]
        return np.dot(A, B.T)

    return run
