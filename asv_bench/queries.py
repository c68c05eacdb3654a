"""Personalised ranks of one seed set and of many: ``python asv_bench/queries.py [--vertices N] [--arcs M] …``.

A uniform graph, or one by its name (``--graph kron:22 --engine cuda --queries 32``), five seeds a query; medians of the
wall-clock time of a call, and on a CPU igraph beside it if it is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import graphla as gl

TURNS = 7


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    for name, default in (("vertices", 12_000), ("arcs", 144_000), ("queries", 100)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--graph", default=None)
    parser.add_argument("--engine", choices=("cpu", "cuda"), default="cpu")
    asked = parser.parse_args()
    bits = np.random.default_rng(33)
    ends = bits.integers(0, asked.vertices, (2, asked.arcs))
    if asked.graph is None:
        G = gl.Graph(tuple(ends), n=asked.vertices, dup="first", engine=asked.engine)
    else:
        G = gl.generate.from_spec(asked.graph, engine=asked.engine)
    seeds = bits.integers(0, G.n, (asked.queries, 5)).tolist()
    calls: dict[str, Callable[[], Any]] = {
        "one query": lambda: gl.pagerank(G, personalization=set(seeds[0])),
        f"{asked.queries} together": lambda: gl.pagerank(G, personalization=seeds),
    }
    if asked.graph is None and asked.engine == "cpu" and importlib.util.find_spec("igraph") is not None:
        theirs = make_igraph(ends, asked.vertices)
        calls["igraph, one query"] = lambda: theirs.personalized_pagerank(reset_vertices=seeds[0])
    for name, call in calls.items():
        print(f"{name:24}{measure(partial(finish, call, asked.engine)):9.2f} ms")


def finish(call: Callable[[], Any], engine: str) -> None:
    """Call, and wait for the device."""
    call()
    if engine == "cuda":
        import cupy

        cupy.cuda.Device().synchronize()


def make_igraph(ends: Any, n: int) -> Any:
    """The same arcs in igraph."""
    import igraph

    return igraph.Graph(n, np.unique(ends, axis=1).T.tolist(), directed=True)


def measure(call: Callable[[], Any]) -> float:
    """The median of some calls in milliseconds, after one that compiles."""
    call()
    taken = []
    for _ in range(TURNS):
        begun = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begun)
    return 1e3 * median(taken)


if __name__ == "__main__":
    main()
