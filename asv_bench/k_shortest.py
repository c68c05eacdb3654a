"""The k shortest paths between two ends, beside SciPy's `yen`: ``python asv_bench/k_shortest.py [GRAPH] [--most K]``.

From the first vertex of a graph to the last; the wall-clock time of one call after one that compiles. SciPy is left out
beyond a number of paths, for it searches once for each vertex of each path. In the end, how many deviations were
searched for, and how many vertices these searches met.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import yen

import graphla as gl
from graphla.algorithms.sssp._detours import Detours


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("graph", nargs="?", default="grid2d:100")
    parser.add_argument("--most", type=int, default=100, help="paths that SciPy is asked for at most")
    asked = parser.parse_args()
    G = gl.read(gl.datasets.new_york(), engine="cpu") if asked.graph == "new_york" else make(asked.graph)
    csr = G.csr
    A = csr_array(
        (csr.values.astype(float), csr.indices.astype(np.int32), csr.indptr.astype(np.int32)), shape=csr.shape
    )
    gl.k_shortest_paths(G, 0, G.n - 1, 2)
    for k in (1, 10, 100, 1000):
        taken, (_, lengths) = measure(lambda k=k: gl.k_shortest_paths(G, 0, G.n - 1, k))
        line = f"{k:5} paths {taken:9.1f} ms"
        if k <= asked.most:
            taken, expected = measure(lambda k=k: yen(A, 0, G.n - 1, k))
            np.testing.assert_allclose(lengths, expected)
            line += f", SciPy {taken:9.1f} ms"
        print(f"{line}, {count_searches(G, k)}", flush=True)


def count_searches(G: gl.Graph, k: int) -> str:
    """How many deviations are searched for, and how many vertices a search meets."""
    met, answer = list[int](), Detours.answer

    def count(self: Any, question: Any) -> Any:
        found = answer(self, question)
        met.append(int((self.met[2] == self.asked).sum()))
        return found

    with mock.patch.object(Detours, "answer", count):
        gl.k_shortest_paths(G, 0, G.n - 1, k)
    return f"{len(met)} searches of {np.mean(met) if met else 0:.1f} vertices"


def make(spec: str) -> gl.Graph:
    """The graph of a name, with weights of 1 to 99."""
    return gl.generate.from_spec(f"{spec}?weights=1..99&seed=3", engine="cpu")


def measure(call: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds of a call, and what it returns."""
    begun = time.perf_counter()
    found = call()
    return 1e3 * (time.perf_counter() - begun), found


if __name__ == "__main__":
    main()
