"""Rounds of `gl.loop` on a GPU: ranks and components as matrix expressions, beside their products alone.

    python asv_bench/gpu/loops.py kron:20 kron:22 road-FLA.pace.gr.xz
    python asv_bench/gpu/loops.py kron:20 --rounds 40

For each graph: the median, least and most milliseconds by CUDA events of a product of a full vector, of a round of
ranks (in `gl.loop` by number and by residual, and statement by statement from Python), and of components by hooking and
shortcutting as a whole. A round is the difference between a loop of many rounds and one of few. Every answer is checked
by SciPy.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np
import scipy.sparse as sp
from bfs import read

import graphla as gl
from graphla import Scalar, Vector, binary, monoid
from graphla.algorithms.components import algebraic as components
from semirings import min_second, plus_second

FEW, DAMPING = 5, 0.85


def measure(solve: Callable[[], Any], repeats: int) -> tuple[float, float, float]:
    """Median, least and most milliseconds."""
    solve()
    begin, end, times = cp.cuda.Event(), cp.cuda.Event(), []
    for _ in range(repeats):
        cp.cuda.Device().synchronize()
        begin.record()
        held = solve()
        end.record()
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(begin, end))
        del held
    return float(np.median(times)), min(times), max(times)


def report(name: str, times: tuple[float, float, float], said: str = "") -> None:
    print(f"  {name:44} {times[0]:9.4f} ({times[1]:.4f} to {times[2]:.4f}) {said}", flush=True)


class Ranks:
    """The ranks of GAP's benchmark: what reaches a vertex without arcs is lost."""

    def __init__(self, G: gl.Graph, dtype: str) -> None:
        self.A, n, make = G.A, G.n, {"dtype": dtype, "engine": G.engine}
        out = G.A.reduce_rowwise(gl.agg.count).new().to_dense(0)
        inverse = cp.where(out > 0, DAMPING / cp.maximum(out, 1), 0)
        self.inverse = Vector.from_dense(inverse.astype(self.numpy(dtype)), engine=G.engine)
        self.some, self.gaps = self.inverse.select("!=", 0).new(), Vector(dtype, n, engine=G.engine)
        self.r, self.w, self.before = (Vector.from_scalar(1 / n, n, **make) for _ in range(3))
        self.teleport, self.n, self.change = (1 - DAMPING) / n, n, Scalar(dtype, 1)

    @staticmethod
    def numpy(dtype: str) -> str:
        return {"FP32": "float32", "FP64": "float64"}[dtype]

    def step(self, _: Any) -> None:
        """One round."""
        self.w << self.r * self.inverse
        self.r << self.teleport
        self.r(binary.plus) << plus_second(self.A.T @ self.w)

    def step_by_residual(self, _: Any) -> None:
        """One round, and what it changes."""
        self.before << self.r
        self.step(_)
        self.change << abs(self.r - self.before).reduce(monoid.plus)

    def step_with_gaps(self, _: Any) -> None:
        """One round in which vertices without arcs have no entry to share."""
        self.gaps << self.r * self.some
        self.r << self.teleport
        self.r(binary.plus) << plus_second(self.A.T @ self.gaps)

    def run_with_gaps(self, rounds: int) -> Any:
        return gl.loop(self.step_with_gaps, times=rounds)

    def run(self, rounds: int) -> Any:
        return gl.loop(self.step, times=rounds)

    def run_by_residual(self, rounds: int) -> Any:
        return gl.loop(self.step_by_residual, while_true=lambda: self.change >= 0, times=rounds)

    def run_in_python(self, rounds: int) -> None:
        for _ in range(rounds):
            self.step(_)

    def check(self) -> str:
        """Compare twenty rounds with SciPy."""
        self.r << 1 / self.n
        self.run(20)
        A = self.A.to_scipy_sparse("csr")
        ones = sp.csr_array((np.ones(A.nnz), A.indices, A.indptr), A.shape)
        inverse, r = np.asarray(self.inverse.to_numpy(), "float64"), np.full(self.n, 1 / self.n)
        for _ in range(20):
            r = self.teleport + ones.T @ (r * inverse)
        error = float(np.abs(np.asarray(self.r.to_numpy()) - r).max() / r.max())
        return f"{'right' if error < 1e-4 else 'WRONG'}, error {error:.1e}"


def report_rounds(name: str, run: Callable[[int], Any], rounds: int, repeats: int, said: str) -> float:
    """Time the difference of many rounds and few; print and return milliseconds a round."""
    many, few = measure(lambda: run(FEW + rounds), repeats), measure(lambda: run(FEW), repeats)
    each = (many[0] - few[0]) / rounds
    report(name, (each, (many[1] - few[2]) / rounds, (many[2] - few[1]) / rounds), f"{said}; first {FEW}: {few[0]:.3f}")
    return each


def report_ranks(G: gl.Graph, rounds: int, repeats: int) -> None:
    """Rounds of ranks, and the product alone."""
    for dtype in ("FP32", "FP64"):
        ranks = Ranks(G, dtype)
        said = ranks.check()

        def multiply(count: int, ranks: Ranks = ranks) -> None:
            for _ in range(count):
                plus_second(ranks.A.T @ ranks.w).new()

        alone = report_rounds(f"{dtype} product alone", multiply, rounds, repeats, "")
        for name, run in (
            ("ranks, gl.loop", ranks.run),
            ("ranks, gl.loop by residual", ranks.run_by_residual),
            ("ranks with gaps, gl.loop", ranks.run_with_gaps),
            ("ranks, statements", ranks.run_in_python),
        ):
            plan = getattr(run(FEW), "plan", "statements")
            each = report_rounds(f"{dtype} {name}", run, rounds, repeats, f"{plan}, {said}")
            print(f"    {each / alone:.2f} x the product", flush=True)


def report_components(G: gl.Graph, repeats: int) -> None:
    """Components as algebra, and their product alone."""
    g = Vector.from_dense(cp.arange(G.n, dtype="int32"), engine=G.engine)
    report("min.second product alone", measure(lambda: min_second(G.A @ g).new(), repeats))
    labels = components.find_weak(G)
    count, found = sp.csgraph.connected_components(G.A.to_scipy_sparse("csr"), directed=False)
    smallest = np.full(count, G.n)
    np.minimum.at(smallest, found, np.arange(G.n))
    same = bool((np.asarray(labels.to_numpy()) == smallest[found]).all())
    report("components, algebraic", measure(lambda: components.find_weak(G), repeats), "right" if same else "WRONG")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=7)
    asked = parser.parse_args()
    for name in asked.graphs:
        G = read(name)
        print(f"{name}: {G.n:,} vertices, {G.nvals:,} arcs", flush=True)
        report_ranks(G, asked.rounds, asked.repeats)
        report_components(G, asked.repeats)


if __name__ == "__main__":
    main()
