"""`graphla.csgraph` with cupyx matrices on a GPU: SciPy's tests, then times beside those of the problems themselves.

    python asv_bench/gpu/csgraph.py kron:18 road-FLA.pace.gr.xz
    python asv_bench/gpu/csgraph.py kron:18 --no-tests --repeats 11

For each case: the median milliseconds of the door, from a float64 matrix of cupyx to arrays of CuPy, then those of the
problem on a prepared graph. The door includes what makes a graph of the matrix: checks, and the transpose where a
method needs it. SciPy's tests run first, in their own process.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cupy as cp
import cupyx.scipy.sparse
import numpy as np
from bfs import read
from problems import measure_milliseconds

import graphla as gl
from graphla.common.errors import GraphlaError
from graphla.doors import csgraph

TESTS = Path(__file__).parents[2] / "tests" / "graphla" / "csgraph"


def run_tests() -> None:
    """Run SciPy's tests and graphla's own of csgraph on this GPU."""
    files = [str(TESTS / name) for name in ("test_scipys_tests_on_gpu.py", "test_on_gpu.py")]
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-m", "gpu", "--tb=short", "-p", "no:cacheprovider", *files])


def make_matrix(G: gl.Graph) -> Any:
    """The graph as a float64 matrix of cupyx, with random weights if it has none."""
    csr = G.csr
    weights = cp.random.default_rng(1).random(csr.nvals) if csr.values.dtype == bool else csr.values.astype("float64")
    return cupyx.scipy.sparse.csr_matrix((weights, csr.indices, csr.indptr), shape=csr.shape)


def report(name: str, door: Callable[[], Any], problem: Callable[[], Any] | None, repeats: int) -> None:
    """Time both; print one line."""
    try:
        times = [np.median(measure_milliseconds(f, repeats)) if f else np.nan for f in (door, problem)]
        print(f"  {name:44} door {times[0]:10.3f} ms, problem {times[1]:10.3f} ms", flush=True)
    except GraphlaError as error:
        print(f"  {name:44} {type(error).__name__}: {error}", flush=True)


def measure(text: str, repeats: int) -> None:
    """Time the functions that have a method on the GPU."""
    A = make_matrix(read(text).to("cuda"))
    G = gl.Graph(A, engine="cuda")
    source = int(G.degrees.argmax())
    few = [int(v) for v in cp.argsort(-G.degrees)[:16]]
    print(f"{text}: {G.n:,} vertices, {G.nvals:,} edges", flush=True)
    report("connected_components", lambda: csgraph.connected_components(A), lambda: gl.components(G), repeats)
    strong = lambda: csgraph.connected_components(A, connection="strong")  # noqa: E731
    report("connected_components, strong", strong, lambda: gl.components(G, kind="strong"), repeats)
    report("dijkstra", lambda: csgraph.dijkstra(A, indices=source), lambda: gl.sssp(G, source), repeats)
    report(
        "dijkstra, 16 sources, predecessors",
        lambda: csgraph.dijkstra(A, indices=few, return_predecessors=True),
        lambda: gl.sssp(G, sources=few, parents=True),
        repeats,
    )
    report("dijkstra, undirected", lambda: csgraph.dijkstra(A, directed=False, indices=source), None, repeats)
    report("dijkstra, min_only", lambda: csgraph.dijkstra(A, indices=few, min_only=True), None, repeats)
    walk = lambda: csgraph.dijkstra(A, indices=source, unweighted=True)  # noqa: E731
    report("dijkstra, unweighted", walk, lambda: gl.bfs(G, source), repeats)
    report("breadth_first_order", lambda: csgraph.breadth_first_order(A, source), lambda: gl.bfs(G, source), repeats)
    report("breadth_first_tree", lambda: csgraph.breadth_first_tree(A, source), None, repeats)


def measure_dense(n: int, repeats: int) -> None:
    """Time Floyd–Warshall of a dense matrix."""
    D = cp.random.default_rng(2).random((n, n))
    G = gl.Graph(D, engine="cuda")
    print(f"dense, {n:,} vertices", flush=True)
    report("floyd_warshall", lambda: csgraph.floyd_warshall(D), lambda: gl.apsp(G, dense=True), repeats)
    report(
        "floyd_warshall, predecessors",
        lambda: csgraph.floyd_warshall(D, return_predecessors=True),
        lambda: gl.apsp(G, dense=True, next_hops=True),
        repeats,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("graphs", nargs="*", default=["kron:18"])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--dense", type=int, default=2000)
    parser.add_argument("--no-tests", action="store_true")
    options = parser.parse_args()
    if not options.no_tests:
        run_tests()
    for text in options.graphs:
        measure(text, options.repeats)
    measure_dense(options.dense, options.repeats)
