"""Time the operations of the CUDA engine next to CuPy's in the same run.

python asv_bench/gpu/engine.py [scale ...]

Two medians are measured from expression to result, with operands and results on the GPU: of the work on the GPU,
between two events that the host records while the GPU is busy; and of the whole call by the wall clock, including
Python and the wait for its end. Ratios are of the first. The graphs are Graph500 Kronecker graphs (symmetric, without
loops or repeats) and a road network of the size of Florida's.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import cupy as cp
import cupyx.scipy.sparse as sparse

import graphla as gl
from graphla import semiring
from graphla.graphs import generators
from graphla.measuring.comparing.clock import time_both_on_cuda
from graphla.storage import BitmapVector, CompressedMatrix, FullVector
from graphla.storage.convert import csr_from_coo

FLORIDA = 1_070_376
CUDA = gl.engine.get_engine("cuda")


def measure_times(call: Callable[[], Any], repeats: int = 15) -> tuple[float, float]:
    """Return the milliseconds of the work on the GPU and of the whole call."""
    for _ in range(3):
        call()
    taken = [time_both_on_cuda(call, CUDA) for _ in range(repeats)]
    work, whole = (statistics.median(part) * 1e3 for part in zip(*taken, strict=True))
    return work, whole


def kronecker(scale: int, edge_factor: int = 16) -> Any:
    return make_cupy_matrix(generators.kronecker(scale, edge_factor, weights=(1, 255), xp=cp))


def make_cupy_matrix(coo: Any) -> Any:
    """Make a float32 CSR matrix of CuPy."""
    matrix = csr_from_coo(coo)
    return sparse.csr_matrix((matrix.values.astype("float32"), matrix.indices, matrix.indptr), shape=matrix.shape)


def make_matrix(matrix: Any) -> Any:
    """Make a graphla matrix that shares the arrays of a symmetric CuPy matrix and is its own transpose."""
    storage = CompressedMatrix(*matrix.shape, matrix.indptr, matrix.indices, matrix.data)
    storage._cache["transposed"] = storage
    return gl.Matrix._from_storage(storage, CUDA)


def make_bitmap(engine: Any, flags: Any, values: Any) -> Any:
    return gl.Vector._from_storage(BitmapVector(flags, values, int(flags.sum())), engine)


def print_line(
    what: str, taken: tuple[float, float], beside: str = "", other: tuple[float, float] | None = None
) -> None:
    ratio = "" if other is None else f"  {beside} {other[0]:9.4f} ms ({other[1]:.4f})  ratio {taken[0] / other[0]:6.3f}"
    print(f"{what:44s} {taken[0]:9.4f} ms ({taken[1]:.4f}){ratio}", flush=True)


def assert_close(found: Any, wanted: Any, what: str) -> None:
    assert bool(cp.allclose(found, wanted, rtol=1e-4)), f"{what}: differs from CuPy's"


def measure_vector_products(scale: int) -> None:
    """Time matrix-vector products over two semirings, a masked search step, and a push of 1 % of the arcs."""
    matrix = kronecker(scale)
    A, n = make_matrix(matrix), matrix.shape[0]
    engine, name = A.engine, f"kron{scale}"
    print(f"{name}: {n:,} vertices, {matrix.nnz:,} arcs")
    x = cp.random.default_rng(4).random(n, dtype="float32")
    v = gl.Vector._from_storage(FullVector(x), engine)
    assert_close(semiring.plus_times(A @ v).new().to_dense(0), matrix @ x, "plus_times")
    sums, theirs = measure_times(lambda: semiring.plus_times(A @ v).new()), measure_times(lambda: matrix @ x)
    print_line(f"{name} SpMV plus_times", sums, "cuSPARSE", theirs)
    least = measure_times(lambda: semiring.min_plus(A @ v).new())
    print_line(f"{name} SpMV min_plus", least, "plus_times", sums)
    measure_masked_steps(name, A, n)
    measure_pushes(name, A, matrix, least, x)


def measure_masked_steps(name: str, A: Any, n: int) -> None:
    rng = cp.random.default_rng(5)
    few = make_bitmap(A.engine, rng.random(n) < 0.1, cp.ones(n, bool))
    mask = make_bitmap(A.engine, rng.random(n) < 0.9, cp.ones(n, bool))
    w = gl.Vector("BOOL", n, engine=A.engine)

    def step(**how: Any) -> None:
        w(direction="pull", **how) << semiring.any_pair(A @ few)

    print_line(
        f"{name} any_pair, ~mask of 90 %",
        measure_times(lambda: step(mask=~mask.S, replace=True)),
        "unmasked",
        measure_times(step),
    )


def measure_pushes(name: str, A: Any, matrix: Any, full_pull: tuple[float, float], x: Any) -> None:
    degrees = cp.diff(matrix.indptr)
    order = cp.random.permutation(matrix.shape[0])
    upto = int(cp.searchsorted(cp.cumsum(degrees[order]), matrix.nnz // 100))
    indices = cp.sort(order[:upto]).astype("int32")
    v = gl.Vector.from_coo(indices, x[indices], size=matrix.shape[0], engine=A.engine)
    w = gl.Vector("FP32", matrix.shape[0], engine=A.engine)

    def product(direction: str) -> None:
        w(direction=direction) << semiring.min_plus(A.T @ v)

    push = measure_times(lambda: product("push"))
    print_line(f"{name} push of 1 % of the arcs, min_plus", push, "full pull", full_pull)
    print_line(
        f"{name} push of 1 % of the arcs, min_plus", push, "its own pull", measure_times(lambda: product("pull"))
    )


def measure_matrix_products(name: str, matrix: Any) -> None:
    A = make_matrix(matrix)
    print(f"{name}: {matrix.shape[0]:,} vertices, {matrix.nnz:,} arcs")
    C, D = semiring.plus_times(A @ A).new(), matrix @ matrix
    if D.nnz:
        D.sort_indices()
        same = bool((D.indices == C._storage.indices).all()) if D.nnz == C.nvals else False
        print(f"{name} A·A: {C.nvals:,} entries, CuPy {D.nnz:,}, the same structure: {same}")
        if same:
            assert_close(C._storage.values, D.data, "A·A")
    del C, D
    sums = measure_times(lambda: semiring.plus_times(A @ A).new(), 7)
    print_line(f"{name} A·A plus_times", sums, "CuPy", measure_times(lambda: matrix @ matrix, 7))
    print_line(f"{name} A·A min_plus", measure_times(lambda: semiring.min_plus(A @ A).new(), 7), "plus_times", sums)


def measure_overhead() -> None:
    """Time the host's part of one small product and one intersection."""
    A, n = make_matrix(kronecker(7, 4)), 128
    v = gl.Vector._from_storage(FullVector(cp.ones(n, "float32")), A.engine)
    for what, call in (
        ("A min.plus v", lambda: semiring.min_plus(A @ v).new()),
        ("u + v", lambda: gl.binary.plus(v & v).new()),
    ):
        for _ in range(200):
            call()
        cp.cuda.get_current_stream().synchronize()
        begin = time.perf_counter()
        for _ in range(1000):
            call()
        print(f"host overhead, n = {n}, {what}: {(time.perf_counter() - begin) * 1000:.1f} µs per call")
        cp.cuda.get_current_stream().synchronize()


def main() -> None:
    measure_overhead()
    for scale in [int(word) for word in sys.argv[1:]] or [20, 22]:
        measure_vector_products(scale)
        cp.get_default_memory_pool().free_all_blocks()
    measure_matrix_products("kron14 (edge factor 8)", kronecker(14, 8))
    measure_matrix_products("roads", make_cupy_matrix(generators.road(FLORIDA, weights=(1, 255), xp=cp)))


if __name__ == "__main__":
    main()
