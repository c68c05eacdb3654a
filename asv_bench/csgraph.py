"""`graphla.csgraph` beside `scipy.sparse.csgraph` on the CPU: ``python asv_bench/csgraph.py 100 10000 262144``.

For each function and number of vertices (edge factor 16): the milliseconds of graphla and of SciPy, the least of some
calls, and their ratio. Wall time and the time of all cores are given, for some functions use every core. SciPy answers
small graphs itself, so a ratio there is that of the door. ``--engine`` lets graphla answer those, too.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.csgraph as theirs

import graphla as gl
from graphla.doors import csgraph
from graphla.doors.csgraph import inputs
from graphla.graphs.generators import pair_weights

SECONDS = 1.0
"""For which a function is called again, at least once and at most `CALLS` times after the first."""
CALLS = 15
DENSE = (100, 500, 2000)


def measure(call: Callable[[], Any]) -> tuple[float, float]:
    """The least wall time and the least time of all cores, in milliseconds; the first call does not count."""
    call()
    walls, cores, begin = [], [], time.perf_counter()
    while not walls or (time.perf_counter() - begin < SECONDS and len(walls) < CALLS):
        wall, core = time.perf_counter(), time.process_time()
        call()
        walls.append(1e3 * (time.perf_counter() - wall))
        cores.append(1e3 * (time.process_time() - core))
    return min(walls), min(cores)


def compare(name: str, graph: Any, **options: Any) -> None:
    """Print one line about a function."""
    ours, own = (measure(partial(getattr(module, name), graph, **options)) for module in (csgraph, theirs))
    given = ", ".join(f"{k}={v if np.size(v) < 3 else f'{np.size(v)} of them'}" for k, v in options.items())
    ratios = f"{ours[0] / own[0]:8.3f} {ours[1] / own[1]:8.3f}"
    print(f"{f'{name} ({given})':70} {ours[0]:9.2f} {own[0]:9.2f} {ours[1]:9.2f} {own[1]:9.2f} {ratios}", flush=True)


def make_kronecker(n: int) -> sp.csr_array:
    """A Kronecker graph of 2^k vertices, else a uniform one: edge factor 16, an edge weighs the same both ways."""
    scale = n.bit_length() - 1
    G = gl.generate.kronecker(scale, engine="cpu") if n == 1 << scale else gl.generate.uniform(n, 16, engine="cpu")
    rows, columns = np.repeat(np.arange(G.n), np.diff(G.csr.indptr)), G.csr.indices
    weights = pair_weights(np.minimum(rows, columns), np.maximum(rows, columns), 1, 10_000) / 10_000
    return sp.csr_array((weights, columns, G.csr.indptr), shape=(G.n, G.n))


def compare_sparse(n: int) -> None:
    """Every function that graphla computes for sparse graphs."""
    A = make_kronecker(n)
    print(f"{A.shape[0]:,} vertices, {A.nnz:,} entries")
    source = int(np.diff(A.indptr).argmax())
    some = np.argsort(-np.diff(A.indptr))[:8]
    compare("connected_components", A)
    compare("connected_components", A, connection="strong")
    compare("dijkstra", A, indices=source)
    compare("dijkstra", A, indices=source, return_predecessors=True)
    compare("dijkstra", A, indices=source, directed=False)
    compare("dijkstra", A, indices=source, limit=0.05)
    compare("dijkstra", A, indices=some)
    compare("dijkstra", A, indices=some, min_only=True)
    compare("dijkstra", A, indices=source, unweighted=True)
    compare("johnson", A, indices=source) if n <= 2000 else None
    compare("bellman_ford", A, indices=source) if n <= 20_000 else None
    compare("breadth_first_order", A, i_start=source)
    compare("shortest_path", A, method="D") if n <= 2000 else None


def compare_dense(n: int) -> None:
    """Floyd–Warshall of a dense graph."""
    D = np.random.default_rng(2).random((n, n))
    print(f"{n:,} vertices, dense")
    compare("shortest_path", D, method="FW")
    compare("floyd_warshall", D, return_predecessors=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("vertices", nargs="*", type=int, default=[100, 10_000, 2**18])
    parser.add_argument("--engine", action="store_true", help="let graphla answer small graphs, too")
    options = parser.parse_args()
    if options.engine:
        inputs.WORTH_AN_ENGINE = 1
    print(f"{len(os.sched_getaffinity(0))} cores; wall graphla, wall SciPy, cores graphla, cores SciPy, two ratios")
    for count in options.vertices:
        compare_sparse(count)
    for count in DENSE:
        compare_dense(count)
