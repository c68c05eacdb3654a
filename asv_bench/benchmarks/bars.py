"""Ratios of times to SciPy's, measured in turn in one process; the limits are those of the README's table."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import numpy as np
import scipy.sparse.csgraph as csgraph

import graphla as gl
from graphla.graphs.generators import pair_weights
from semirings import any_pair

from .common import graph, needs, ratio, source, told_by_python
from .start import IMPORT

KRON, WEIGHTED = "kron:18", "kron:18?weights=1..255"


@cache
def scipy_matrix(spec: str) -> Any:
    """Return the graph in the form that SciPy's algorithms take."""
    return graph(spec, "cpu").A.apply("times", 1).new("FP64").to_scipy_sparse()


class AgainstScipy:
    """Time of ours over time of SciPy's, warm."""

    timeout = 900
    unit = "ratio"

    def setup(self) -> None:
        needs("cpu")

    def track_bfs_fast(self) -> float:
        return self.bfs(None)

    def track_bfs_algebraic(self) -> float:
        return self.bfs("algebraic")

    def bfs(self, method: str | None) -> float:
        G, S, start = graph(KRON, "cpu"), scipy_matrix(KRON), source(KRON, "cpu")
        return ratio(
            lambda: gl.bfs(G, start, method=method),
            lambda: csgraph.breadth_first_order(S, start, return_predecessors=False),
        )

    def track_sssp_fast(self) -> float:
        return self.sssp(None)

    def track_sssp_algebraic(self) -> float:
        return self.sssp("algebraic")

    def sssp(self, method: str | None) -> float:
        G, S, start = graph(WEIGHTED, "cpu"), scipy_matrix(WEIGHTED), source(WEIGHTED, "cpu")
        return ratio(lambda: gl.sssp(G, start, method=method), lambda: csgraph.dijkstra(S, indices=start), 5)

    def track_floyd_warshall(self) -> float:
        X = np.random.default_rng(1).uniform(1, 100, (2000, 2000)).astype("float32")
        G = gl.Graph(gl.Matrix.from_dense(X, engine="cpu"))
        return ratio(lambda: gl.apsp(G, method="blocked_floyd_warshall"), lambda: csgraph.floyd_warshall(X), 1)

    def track_elimination(self) -> float:
        """All pairs of 16,384 vertices of New York's roads, the order inside."""
        G = cut_roads(16_384)
        S = G.A.dup("FP64").to_scipy_sparse()
        return ratio(lambda: gl.apsp(gl.Graph(G.A.dup()), method="elimination"), lambda: csgraph.dijkstra(S), 1)


class Roads:
    """Time of ours over time of SciPy's on New York's roads: what a loop in Python costs, and what `gl.loop` does."""

    timeout = 900
    unit = "ratio"

    def setup(self) -> None:
        needs("cpu")

    def track_roads_bfs_by_statements(self) -> float:
        G = graph("ny", "cpu")
        return self.bfs(lambda: search_by_statements(G.A))

    def track_roads_bfs_in_a_loop(self) -> float:
        G = graph("ny", "cpu")
        return self.bfs(lambda: gl.bfs(G, 0, method="algebraic"))

    def bfs(self, ours: Any) -> float:
        S = graph("ny", "cpu").A.dup("FP64").to_scipy_sparse()
        return ratio(ours, lambda: csgraph.breadth_first_order(S, 0, return_predecessors=False))

    def track_roads_sssp_algebraic(self) -> float:
        return self.sssp("algebraic")

    def track_roads_sssp_delta_stepping(self) -> float:
        return self.sssp("delta_stepping_algebraic")

    def sssp(self, method: str) -> float:
        G = weigh_roads()
        S = G.A.dup("FP64").to_scipy_sparse()
        return ratio(lambda: gl.sssp(G, 0, method=method), lambda: csgraph.dijkstra(S, indices=0), 3)


def search_by_statements(A: gl.Matrix) -> gl.Vector:
    """The ten lines of the README."""
    q, level = gl.Vector.from_coo([0], [True], size=A.nrows, engine="cpu"), gl.Vector("INT32", A.nrows, engine="cpu")
    depth = 0
    while q.nvals:
        level(q.S) << depth
        q(~level.S, gl.replace) << any_pair(A.T @ q)
        depth += 1
    return level


def weigh_roads() -> gl.Graph:
    """New York's roads with weights 1 to 255."""
    rows, cols, _ = graph("ny", "cpu").A.to_coo()
    weights = pair_weights(np.minimum(rows, cols), np.maximum(rows, cols), 1, 255)
    return gl.Graph((rows, cols, weights), n=graph("ny", "cpu").n, engine="cpu")


def cut_roads(count: int) -> gl.Graph:
    """The part of New York's roads that a search from vertex 0 reaches first, with weights 1 to 255."""
    G = gl.read(gl.datasets.new_york(), engine="cpu")
    keep = np.sort(np.argsort(gl.bfs(G, 0).to_numpy(2**30), kind="stable")[:count])
    rows, cols, _ = G.A[keep, keep].new().to_coo()
    weights = pair_weights(np.minimum(rows, cols), np.maximum(rows, cols), 1, 255)
    return gl.Graph((rows, cols, weights.astype("float32")), n=count, engine="cpu")


class Start:
    """Seconds before the first result."""

    unit = "s"

    def setup(self) -> None:
        needs("cpu")

    def track_import(self) -> float:
        return float(np.median([told_by_python(IMPORT) for _ in range(5)]))

    def track_read_new_york(self) -> float:
        times = []
        for _ in range(3):
            start = time.perf_counter()
            gl.read(gl.datasets.new_york(), engine="cpu")
            times.append(time.perf_counter() - start)
        return float(np.median(times))
