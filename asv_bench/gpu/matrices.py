"""Time products of few rows and few columns, betweenness, and small updates on the GPU, beside cuSPARSE.

python asv_bench/gpu/matrices.py [kron:SCALE ...] [--only WORD] [--kernels] [--emulated]

For each row: the median milliseconds between two CUDA events, and in brackets those of the whole call by the wall
clock. Graphs are Graph500 Kronecker graphs (symmetric, without loops or repeats, float32 weights 1..255). Results are
compared with SciPy's on graphs of up to scale 16. With --kernels the time of each launch follows its row. --emulated
runs small graphs on the host, to try the script.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array, tril

import graphla as gl
from graphla import replace, select, semiring
from graphla.engine.cuda.engine import CudaEngine
from graphla.graphs import generators
from graphla.planning import few_rows
from graphla.planning import plan as planning
from graphla.storage import CompressedMatrix
from graphla.storage.convert import csr_from_coo
from semirings import any_pair, binary, monoid, plus_first, plus_pair, plus_times

LARGEST_CHECKED = 16
REPEATS = 9


class Timed:
    """Kernels as an engine loads them; `times` adds up what each takes while it is on."""

    def __init__(self, load: Callable[..., Any], xp: Any) -> None:
        self.load, self.xp, self.on = load, xp, False
        self.events: list[tuple[str, Any, Any]] = []

    def __call__(self, text: str, expression: str, **how: Any) -> Any:
        return TimedKernel(self, self.load(text, expression, **how), expression)

    def report(self) -> str:
        """Return the launches and milliseconds of each kernel."""
        self.xp.cuda.Device().synchronize()
        taken = defaultdict(list)
        for name, begin, end in self.events:
            taken[name].append(self.xp.cuda.get_elapsed_time(begin, end))
        self.events.clear()
        return "\n".join(f"      {sum(ms):8.4f} ms in {len(ms)} of {name}" for name, ms in taken.items())


class TimedKernel:
    def __init__(self, timed: Timed, kernel: Any, name: str) -> None:
        self.timed, self.kernel, self.name = timed, kernel, name
        self.resident_blocks = kernel.resident_blocks

    def __call__(self, *args: Any) -> None:
        if not self.timed.on:
            return self.kernel(*args)
        begin, end = self.timed.xp.cuda.Event(), self.timed.xp.cuda.Event()
        begin.record()
        self.kernel(*args)
        end.record()
        self.timed.events.append((self.name, begin, end))
        return None


class Bench:
    """An engine, its array module, and the way calls are timed."""

    def __init__(self, words: list[str], kernels: bool, emulated: bool) -> None:
        self.words, self.kernels, self.emulated = words, kernels, emulated
        if emulated:
            sys.path.insert(0, str(Path(__file__).parents[2]))
            from tests.emulator import load

            self.xp, self.timed = np, Timed(load, np)
            self.engine: Any = CudaEngine(np, self.timed)
        else:
            import cupy

            from graphla.engine import get_engine

            self.xp, self.engine = cupy, get_engine("cuda")
            self.timed = self.engine._load = Timed(self.engine._load, cupy)

    def time(self, call: Callable[[], Any]) -> tuple[float, float]:
        """Return the median milliseconds on the device and of the whole call."""
        if self.emulated:
            begin = time.perf_counter()
            call()
            return (1e3 * (time.perf_counter() - begin),) * 2
        from graphla.measuring.comparing.clock import time_both_on_cuda

        for _ in range(2):
            call()
        taken = [time_both_on_cuda(call, self.engine) for _ in range(REPEATS)]
        work, whole = (1e3 * statistics.median(part) for part in zip(*taken, strict=True))
        return work, whole

    def row(self, name: str, call: Callable[[], Any], check: Callable[[Any], None] | None = None) -> None:
        """Print one row of the table, and go on if it fails."""
        if self.words and not any(word in name for word in self.words):
            return
        try:
            result = call()
            if check is not None:
                check(result)
            del result
            work, whole = self.time(call)
            print(f"  {name:64s} {work:9.4f} ms ({whole:9.4f})", flush=True)
            if self.kernels and not self.emulated:
                self.timed.on = True
                call()
                self.timed.on = False
                print(self.timed.report(), flush=True)
        except Exception as error:
            print(f"  {name:64s} FAILED: {type(error).__name__}: {str(error)[:400]}", flush=True)

    def matrix(self, storage: CompressedMatrix) -> Any:
        return gl.Matrix._from_storage(storage, self.engine)


def kronecker(bench: Bench, scale: int) -> Any:
    """A graph that is its own transpose, so that nothing is transposed while it is timed."""
    held = csr_from_coo(generators.kronecker(scale, 16, weights=(1, 255), xp=bench.xp))
    storage = CompressedMatrix(*held.shape, held.indptr, held.indices, held.values.astype("float32"))
    storage._cache["transposed"] = storage
    return bench.matrix(storage)


def some_rows(bench: Bench, rows: int, n: int, share: float, dtype: str = "float32") -> Any:
    """Rows with a share of their entries, at random."""
    cells = bench.xp.flatnonzero(bench.xp.random.RandomState(7).random_sample(rows * n) < share)
    values = bench.xp.ones(cells.shape[0], dtype)
    return gl.Matrix.from_coo(cells // n, cells % n, values, nrows=rows, ncols=n, engine=bench.engine)


def on_host(bench: Bench, matrix: Any) -> csr_array:
    """A matrix as SciPy's."""
    rows, cols, values = (np.asarray(bench.engine.to_host(part)) for part in matrix.to_coo())
    return csr_array((values, (rows, cols)), shape=matrix.shape)


def compare(bench: Bench, wanted: Any) -> Callable[[Any], None]:
    """A check against a matrix of SciPy or NumPy."""

    def check(found: Any) -> None:
        ours = on_host(bench, found).toarray()
        theirs = wanted.toarray() if hasattr(wanted, "toarray") else wanted
        assert np.allclose(ours, theirs, rtol=1e-4), f"differs from SciPy's by {np.abs(ours - theirs).max()}"

    return check


def force(bench: Bench, way: str, expression: Callable[[], Any], mask: Any = None) -> Callable[[], Any]:
    """The same product by one way."""

    def call() -> Any:
        C = gl.Matrix(expression().dtype, *expression().shape, engine=bench.engine)
        C(direction=way, **({} if mask is None else {"mask": mask, "replace": True})) << expression()
        return C

    return call


def time_sparse_rows(bench: Bench, A: Any, host: Any) -> None:
    """plus_first(F @ A) with the entries of the table."""
    n = A.nrows
    for rows, share in ((1, 0.06), (4, 0.06), (32, 0.0218)):
        F = some_rows(bench, rows, n, share)
        check = None if host is None else compare(bench, on_host(bench, F) @ (host != 0).astype("float32"))
        what = f"{rows} x n, {F.nvals:,} entries, plus_first"
        bench.row(what, lambda F=F: plus_first(F @ A).new(), check)
        bench.row(f"{what}, pushed", force(bench, "push", lambda F=F: plus_first(F @ A)), check)
        bench.row(f"{what}, pulled", force(bench, "pull", lambda F=F: plus_first(F @ A)), check)
        P = some_rows(bench, rows, n, 0.5)
        for way in ("push", "pull"):
            call = force(bench, way, lambda F=F: plus_first(F @ A), ~P.S)
            bench.row(f"{what}, ~mask of half, {way}", call)
        bench.row(f"{rows} x n, any_pair", lambda F=F: any_pair(F @ A).new())


def time_full_rows(bench: Bench, A: Any, host: Any) -> None:
    """Full rows and columns, beside cuSPARSE."""
    n, xp = A.nrows, bench.xp
    for rows in (1, 4, 32, 33, 64):
        dense = xp.random.RandomState(3).random_sample((rows, n)).astype("float32")
        F = gl.Matrix.from_dense(dense, engine=bench.engine)
        X = gl.Matrix.from_dense(xp.ascontiguousarray(dense.T), engine=bench.engine)
        plain = np.asarray(bench.engine.to_host(dense))
        check = None if host is None else compare(bench, plain @ host)
        bench.row(f"full {rows} x n, plus_times", lambda F=F: plus_times(F @ A).new(), check)
        bench.row(f"full {rows} x n, min_plus", lambda F=F: semiring.min_plus(F @ A).new())
        check = None if host is None else compare(bench, host @ plain.T)
        bench.row(f"A @ full n x {rows}, plus_times", lambda X=X: plus_times(A @ X).new(), check)
        if not bench.emulated:
            import cupyx.scipy.sparse as sparse

            held = A._storage
            theirs = sparse.csr_matrix((held.values, held.indices, held.indptr), shape=A.shape)
            columns = xp.asfortranarray(dense.T)
            bench.row(f"cuSPARSE A @ n x {rows}", lambda columns=columns, theirs=theirs: theirs @ columns)


def betweenness(A: Any, sources: list[int]) -> Any:
    """Betweenness of some sources, as LAGraph writes it."""
    n, count = A.nrows, len(sources)
    paths = gl.Matrix.from_coo(range(count), sources, 1.0, "FP64", nrows=count, ncols=n, engine=A.engine)
    frontier = gl.Matrix("FP64", count, n, engine=A.engine)
    frontier(~paths.S, replace) << plus_first(paths @ A)
    levels = []
    while frontier.nvals:
        levels.append(frontier.dup())
        paths(binary.plus) << frontier
        frontier(~paths.S, replace) << plus_first(frontier @ A)
    update = gl.Matrix.from_dense(A.engine.xp.ones((count, n)), engine=A.engine)
    W = gl.Matrix("FP64", count, n, engine=A.engine)
    for depth in range(len(levels) - 1, 0, -1):
        W(levels[depth].S, replace) << binary.truediv(update & paths)
        W(levels[depth - 1].S, replace) << plus_first(W @ A.T)
        update(binary.plus) << binary.times(W & paths)
    centrality = gl.Vector.from_scalar(-float(count), n, engine=A.engine)
    centrality(binary.plus) << update.reduce_columnwise(monoid.plus)
    return centrality


def betweenness_on_host(A: csr_array, sources: list[int]) -> Any:
    """The same by Brandes's sums, level by level in NumPy."""
    ones, total = (A != 0).astype("float64"), np.zeros(A.shape[0])
    for source in sources:
        sigma, seen = np.zeros(A.shape[0]), np.zeros(A.shape[0], bool)
        sigma[source], seen[source] = 1, True
        levels = [np.array([source])]
        while levels[-1].size:
            reached = ones[:, levels[-1]] @ sigma[levels[-1]]
            found = np.flatnonzero((reached > 0) & ~seen)
            sigma[found], seen[found] = reached[found], True
            levels.append(found)
        delta = np.zeros(A.shape[0])
        for above, below in reversed(list(pairwise(levels))):
            part = ones[above][:, below] @ ((1 + delta[below]) / sigma[below])
            delta[above] = sigma[above] * part
        delta[source] = 0
        total += delta
    return total


def reach(A: Any, sources: list[int]) -> Any:
    """Many searches as one masked product a level; returns who is reached."""
    count, n = len(sources), A.nrows
    q = gl.Matrix.from_coo(range(count), sources, True, "BOOL", nrows=count, ncols=n, engine=A.engine)
    seen = q.dup()
    while q.nvals:
        q(~seen.S, replace) << any_pair(q @ A)
        seen(binary.lor) << q
    return seen


def count_triangles(bench: Bench, mask: Any, left: Any, right: Any) -> int:
    """Triangles as a masked product."""
    C = gl.Matrix("INT64", *mask.shape, engine=bench.engine)
    C(mask.S) << plus_pair(left @ right)
    return C.reduce_scalar(monoid.plus).new().value


def sum_triangles(mask: Any, left: Any, right: Any) -> int:
    """Triangles as the sum of a masked product of which no matrix is made."""
    return plus_pair(left @ right).mask(mask.S).reduce_scalar(monoid.plus).new().value


def call_without_hubs(call: Callable[[], int]) -> int:
    """The same by hash tables and searches alone."""
    least, planning.HUB_READS = planning.HUB_READS, math.inf
    try:
        return call()
    finally:
        planning.HUB_READS = least


def time_triangles(bench: Bench, A: Any, host: Any, degrees: Any) -> None:
    """LAGraph's forms, with vertices sorted by degree outside of what is timed."""
    wanted = None
    if host is not None:
        lower = tril((host != 0).astype("int64"), -1, format="csr")
        wanted = int((lower @ lower.T).multiply(lower).sum())
    for name, order in (("rising", np.argsort(degrees, kind="stable")), ("falling", np.argsort(-degrees))):
        p = bench.xp.asarray(order)
        S = A[p, p].new()
        L, U = select.tril(S, -1).new(), select.triu(S, 1).new()
        forms = {"L, L @ L.T": (L, L, L.T), "U, U @ U.T": (U, U, U.T), "L, L @ L": (L, L, L), "L, L @ U.T": (L, L, U.T)}
        for form, operands in forms.items():

            def check(found: Any) -> None:
                assert wanted is None or found == wanted, f"{found} triangles, SciPy has {wanted}"

            call = partial(count_triangles, bench, *operands)
            bench.row(f"triangles, {name} degrees, {form}", call, check)
            bench.row(f"triangles, {name} degrees, {form}, without hubs", partial(call_without_hubs, call), check)
            fused = partial(sum_triangles, *operands)
            bench.row(f"triangles, {name} degrees, {form}, the sum alone", fused, check)


def time_algorithms(bench: Bench, A: Any, host: Any) -> None:
    degrees = np.asarray(bench.engine.to_host(A._storage.indptr[1:] - A._storage.indptr[:-1]))
    usable = np.flatnonzero(degrees)
    picked = np.random.default_rng(5).choice(usable, 64, replace=False).tolist()
    for count in (4, 32):
        sources = picked[:count]

        def check(found: Any, sources: list[int] = sources) -> None:
            ours, theirs = np.asarray(bench.engine.to_host(found.to_dense(0))), betweenness_on_host(host, sources)
            assert np.allclose(ours, theirs, rtol=1e-6, atol=1e-6), f"differs by {np.abs(ours - theirs).max()}"

        name = f"betweenness of {count} sources, as LAGraph writes it"
        bench.row(name, lambda sources=sources: betweenness(A, sources), None if host is None else check)
    time_triangles(bench, A, host, degrees)
    bench.row("64 searches, a masked product a level", lambda: reach(A, picked))


def time_corners(bench: Bench, A: Any) -> None:
    """Small updates, permutations and diagonals."""
    n, xp = A.nrows, bench.xp
    p = xp.random.RandomState(11).permutation(n)
    x = gl.Vector.from_dense(xp.arange(n, dtype="float32"), engine=bench.engine)
    y, D = (
        x.dup(),
        gl.Matrix.from_coo(xp.arange(n), xp.arange(n), xp.ones(n, "float32"), nrows=n, ncols=n, engine=bench.engine),
    )
    few = xp.arange(64) * (n // 64)
    C = A.dup()

    def write(target: Any, index: Any, value: Any) -> Any:
        target[index] << value
        return target

    def delete(target: Any, *index: Any) -> Any:
        del target[index]
        return target

    bench.row("x[p], a permutation", lambda: x[p].new())
    bench.row("x[p] << y", lambda: write(x, p, y))
    bench.row("diag @ A", lambda: plus_times(D @ A).new())
    bench.row("A @ diag", lambda: plus_times(A @ D).new())
    bench.row("A[p, p]", lambda: A[p, p].new())
    bench.row("A[:, 5]", lambda: A[:, 5].new())
    bench.row("A[5, :]", lambda: A[5, :].new())
    bench.row("C[i, j] read", lambda: C[3, 5].new().value)
    bench.row("C[i, j] set", lambda: write(C, (3, 5), 2.0))
    bench.row("C[i, j] deleted and set", lambda: write(delete(C, 3, 5), (3, 5), 2.0))
    bench.row("C[64 indices, 64 indices] << 1", lambda: write(C, (few, few), 1.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="*", default=["kron:16"])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--emulated", action="store_true")
    chosen = parser.parse_args()
    bench = Bench(chosen.only, chosen.kernels, chosen.emulated)
    named = {name: value for name, value in vars(few_rows).items() if isinstance(value, int | float)}
    print("thresholds", named)
    for graph in chosen.graphs:
        scale = int(graph.removeprefix("kron:"))
        A = kronecker(bench, scale)
        print(f"{graph}: {A.nrows:,} vertices, {A.nvals:,} arcs", flush=True)
        host = on_host(bench, A) if scale <= LARGEST_CHECKED else None
        time_sparse_rows(bench, A, host)
        time_full_rows(bench, A, host)
        time_algorithms(bench, A, host)
        time_corners(bench, A)


if __name__ == "__main__":
    main()
