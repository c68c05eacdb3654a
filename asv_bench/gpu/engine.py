"""How fast the operations of the CUDA engine are, beside CuPy's own in the same run.

python asv_bench/gpu/engine.py [scale ...]

Two medians of each, expression to vector, operands and results on the GPU: of the work on the GPU, between two events
that the host set while the GPU was busy with something else; and of the whole call by the clock on the wall, Python and
the wait for its end included. Ratios are of the first. The graphs are Graph500 Kronecker graphs (symmetric, no loops,
no repeats) and a road network of the size of Florida's.
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
from graphla import generators, semiring
from graphla.comparing.clock import time_both_on_cuda
from graphla.storage import BitmapVector, CompressedMatrix, FullVector
from graphla.storage.convert import csr_from_coo

FLORIDA = 1_070_376
CUDA = gl.engine.get_engine("cuda")


def times(call: Callable[[], Any], repeats: int = 15) -> tuple[float, float]:
    """Milliseconds of the work on the GPU, and of the whole call."""
    for _ in range(3):
        call()
    taken = [time_both_on_cuda(call, CUDA) for _ in range(repeats)]
    work, whole = (statistics.median(part) * 1e3 for part in zip(*taken, strict=True))
    return work, whole


def kronecker(scale: int, edge_factor: int = 16) -> Any:
    return rows_of(generators.kronecker(scale, edge_factor, weights=(1, 255), xp=cp))


def rows_of(coo: Any) -> Any:
    """The matrix for CuPy, float32."""
    matrix = csr_from_coo(coo)
    return sparse.csr_matrix((matrix.values.astype("float32"), matrix.indices, matrix.indptr), shape=matrix.shape)


def ours(matrix: Any) -> Any:
    """The same matrix as one of graphla's, its arrays shared; symmetric, so that it is its own transpose."""
    storage = CompressedMatrix(*matrix.shape, matrix.indptr, matrix.indices, matrix.data)
    storage._cache["transposed"] = storage
    return gl.Matrix._from_storage(storage, CUDA)


def bitmap(engine: Any, flags: Any, values: Any) -> Any:
    return gl.Vector._from_storage(BitmapVector(flags, values, int(flags.sum())), engine)


def line(what: str, taken: tuple[float, float], beside: str = "", other: tuple[float, float] | None = None) -> None:
    ratio = "" if other is None else f"  {beside} {other[0]:9.4f} ms ({other[1]:.4f})  ratio {taken[0] / other[0]:6.3f}"
    print(f"{what:44s} {taken[0]:9.4f} ms ({taken[1]:.4f}){ratio}", flush=True)


def assert_close(found: Any, wanted: Any, what: str) -> None:
    assert bool(cp.allclose(found, wanted, rtol=1e-4)), f"{what}: differs from CuPy's"


def products_with_a_vector(scale: int) -> None:
    """SpMV over two semirings, a masked search step, and a push of one arc in a hundred."""
    matrix = kronecker(scale)
    A, n = ours(matrix), matrix.shape[0]
    engine, name = A.engine, f"kron{scale}"
    print(f"{name}: {n:,} vertices, {matrix.nnz:,} arcs")
    x = cp.random.default_rng(4).random(n, dtype="float32")
    v = gl.Vector._from_storage(FullVector(x), engine)
    assert_close(semiring.plus_times(A @ v).new().to_dense(0), matrix @ x, "plus_times")
    sums, theirs = times(lambda: semiring.plus_times(A @ v).new()), times(lambda: matrix @ x)
    line(f"{name} SpMV plus_times", sums, "cuSPARSE", theirs)
    least = times(lambda: semiring.min_plus(A @ v).new())
    line(f"{name} SpMV min_plus", least, "plus_times", sums)
    masked_steps(name, A, n)
    pushes(name, A, matrix, least, x)


def masked_steps(name: str, A: Any, n: int) -> None:
    rng = cp.random.default_rng(5)
    few = bitmap(A.engine, rng.random(n) < 0.1, cp.ones(n, bool))
    mask = bitmap(A.engine, rng.random(n) < 0.9, cp.ones(n, bool))
    w = gl.Vector("BOOL", n, engine=A.engine)

    def step(**how: Any) -> None:
        w(direction="pull", **how) << semiring.any_pair(A @ few)

    line(f"{name} any_pair, ~mask of 90 %", times(lambda: step(mask=~mask.S, replace=True)), "unmasked", times(step))


def pushes(name: str, A: Any, matrix: Any, full_pull: tuple[float, float], x: Any) -> None:
    degrees = cp.diff(matrix.indptr)
    order = cp.random.permutation(matrix.shape[0])
    upto = int(cp.searchsorted(cp.cumsum(degrees[order]), matrix.nnz // 100))
    places = cp.sort(order[:upto]).astype("int32")
    v = gl.Vector.from_coo(places, x[places], size=matrix.shape[0], engine=A.engine)
    w = gl.Vector("FP32", matrix.shape[0], engine=A.engine)

    def product(direction: str) -> None:
        w(direction=direction) << semiring.min_plus(A.T @ v)

    push = times(lambda: product("push"))
    line(f"{name} push of 1 % of the arcs, min_plus", push, "full pull", full_pull)
    line(f"{name} push of 1 % of the arcs, min_plus", push, "its own pull", times(lambda: product("pull")))


def products_of_matrices(name: str, matrix: Any) -> None:
    A = ours(matrix)
    print(f"{name}: {matrix.shape[0]:,} vertices, {matrix.nnz:,} arcs")
    C, D = semiring.plus_times(A @ A).new(), matrix @ matrix
    if D.nnz:
        D.sort_indices()
        same = bool((D.indices == C._storage.indices).all()) if D.nnz == C.nvals else False
        print(f"{name} A·A: {C.nvals:,} entries, CuPy {D.nnz:,}, the same structure: {same}")
        if same:
            assert_close(C._storage.values, D.data, "A·A")
    del C, D
    sums = times(lambda: semiring.plus_times(A @ A).new(), 7)
    line(f"{name} A·A plus_times", sums, "CuPy", times(lambda: matrix @ matrix, 7))
    line(f"{name} A·A min_plus", times(lambda: semiring.min_plus(A @ A).new(), 7), "plus_times", sums)


def overhead() -> None:
    """Time of the host for one small product, and for one union."""
    A, n = ours(kronecker(7, 4)), 128
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
        print(f"host overhead, n = {n}, {what}: {(time.perf_counter() - begin) * 1000:.1f} µs a call")
        cp.cuda.get_current_stream().synchronize()


def main() -> None:
    overhead()
    for scale in [int(word) for word in sys.argv[1:]] or [20, 22]:
        products_with_a_vector(scale)
        cp.get_default_memory_pool().free_all_blocks()
    products_of_matrices("kron14 (edge factor 8)", kronecker(14, 8))
    products_of_matrices("roads", rows_of(generators.road(FLORIDA, weights=(1, 255), xp=cp)))


if __name__ == "__main__":
    main()
