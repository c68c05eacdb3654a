"""Time operations on whole matrices on the GPU, and relate the times to the bytes that they must move.

python asv_bench/gpu/operations.py [scale [what ...]]

Times are medians between CUDA events, from expression to new matrix. The graph is a Graph500 Kronecker graph with
float32 weights; operations on two matrices use a second one with another seed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import cupy as cp
from engine import make_cupy_matrix, make_matrix, measure_times

from graphla import binary, select
from graphla.graphs import generators

CELL = 8  # bytes of a column and a value


def kronecker(scale: int, seed: int) -> Any:
    return make_matrix(make_cupy_matrix(generators.kronecker(scale, 16, weights=(1, 255), seed=seed, xp=cp)))


def list_operations(A: Any, B: Any) -> dict[str, tuple[Callable[[], Any], Callable[[Any], int]]]:
    """Return by name what is called, and the bytes that it must move as a function of its result."""
    n, both, C = A.nrows, CELL * (A.nvals + B.nvals), A.dup()
    scattered = cp.random.permutation(n)[: n // 2]

    def write(**how: Any) -> Any:
        C(**how) << B
        return C

    def assign() -> Any:
        C[: n // 2, : n // 2] << corner
        return C

    def transpose() -> Any:
        A._storage._cache.pop("transposed", None)
        return A.T.new()

    corner = A[: n // 2, : n // 2].new()
    return {
        "ewise_add, A | A": (lambda: binary.plus(A | A).new(), lambda C: 2 * CELL * A.nvals + CELL * C.nvals),
        "ewise_add, A | B": (lambda: binary.plus(A | B).new(), lambda C: both + CELL * C.nvals),
        "ewise_mult, A & A": (lambda: binary.times(A & A).new(), lambda C: 2 * CELL * A.nvals + CELL * C.nvals),
        "ewise_mult, A & B": (lambda: binary.times(A & B).new(), lambda C: both // 2 + 2 * CELL * C.nvals),
        "ewise_union": (lambda: A.ewise_union(B, "minus", 0, 0).new(), lambda C: both + CELL * C.nvals),
        "select by value": (lambda: select.valuegt(A, 128).new(), lambda C: 4 * A.nvals + 12 * C.nvals),
        "select tril": (lambda: select.tril(A, -1).new(), lambda C: 4 * A.nvals + 12 * C.nvals),
        "apply": (lambda: A.apply("ainv").new(), lambda C: CELL * A.nvals),
        "reduce_rowwise": (lambda: A.reduce_rowwise("max").new(), lambda v: 4 * A.nvals + 8 * n),
        "reduce_scalar": (lambda: A.reduce_scalar("plus").new(), lambda s: 4 * A.nvals),
        "extract half the rows": (lambda: A[: n // 2, :].new(), lambda C: 2 * CELL * C.nvals),
        "extract a quarter": (lambda: A[: n // 2, : n // 2].new(), lambda C: 2 * CELL * C.nvals),
        "extract scattered rows": (lambda: A[scattered, :].new(), lambda C: 2 * CELL * C.nvals),
        "assign a quarter": (assign, lambda C: CELL * (corner.nvals + 2 * C.nvals)),
        "C(M.S) << B": (lambda: write(mask=A.S), lambda C: both + CELL * (A.nvals + C.nvals)),
        "C(~M.S, replace) << B": (lambda: write(mask=~A.S, replace=True), lambda C: both + CELL * C.nvals),
        "C(accum=plus) << B": (lambda: write(accum=binary.plus), lambda C: both + CELL * C.nvals),
        "transpose": (transpose, lambda C: 2 * CELL * A.nvals),
    }


def main() -> None:
    scale = int(sys.argv[1]) if sys.argv[1:] else 20
    A, B = kronecker(scale, 1), kronecker(scale, 2)
    print(f"kron{scale}: {A.nrows:,} vertices, {A.nvals:,} and {B.nvals:,} entries")
    for name, (call, moved) in list_operations(A, B).items():
        if any(word in name for word in sys.argv[2:] or [name]):
            ms, nbytes = measure_times(call, 7)[0], moved(call())
            print(
                f"{name:24s} {ms:9.3f} ms  {nbytes / 1e9:6.2f} GB at least  {nbytes / ms / 1e9:6.2f} TB/s", flush=True
            )


if __name__ == "__main__":
    main()
