"""A program that makes one call again and again until it is interrupted: ``python -m … NAME``."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import graphla as gl
from graphla.algorithms.apsp.elimination.order import compute_order
from semirings import plus_times

Make = Callable[[int], Any]


def make_kronecker(scale: int) -> gl.Graph:
    return gl.generate.kronecker(scale, 16, seed=1, engine="cpu")


def make_grid(side: int) -> gl.Graph:
    """A grid with weights."""
    G = gl.generate.grid2d(side, side, engine="cpu")
    rows, columns, _ = G.A.to_coo()
    return gl.Graph((rows, columns, (rows + columns) % 99 + 1), n=G.n, engine="cpu")


def renew(G: gl.Graph) -> gl.Graph:
    """The same graph, of which nothing is known yet."""
    return gl.Graph(G.A.dup())


def read_again(G: gl.Graph) -> gl.Graph:
    path = f"/tmp/graphla-{G.n}.npz"
    gl.write(path, G)
    return gl.read(path, engine="cpu")


def repeat(G: gl.Graph) -> Any:
    """A loop whose rounds run in one kernel, or in rounds."""
    x = gl.Vector.from_scalar(1.0, G.n, engine="cpu")

    def body(_: int) -> None:
        x << plus_times(G.A @ x)

    return gl.loop(body, times=60_000)


CALLS: dict[str, tuple[Make, int, Callable[[Any], Any]]] = {
    "leiden": (make_kronecker, 16, gl.leiden),
    "louvain": (make_kronecker, 17, gl.louvain),
    "truss_numbers": (make_kronecker, 15, lambda G: gl.truss_numbers(renew(G))),
    "betweenness": (make_kronecker, 12, gl.betweenness),
    "blocked_floyd_warshall": (make_kronecker, 12, lambda G: gl.apsp(G, method="blocked_floyd_warshall")),
    "sssp_sweep": (make_kronecker, 12, lambda G: gl.apsp(G, method="sssp_sweep")),
    "factorize": (make_grid, 150, lambda G: gl.factorize(renew(G))),
    "dissection": (make_grid, 900, lambda G: compute_order(G.csr.indptr, G.csr.indices)),
    "product": (make_kronecker, 13, lambda G: plus_times(G.A @ G.A).new("INT64")),
    "loop": (make_kronecker, 12, repeat),
    "transitive_closure": (make_kronecker, 13, gl.transitive_closure),
    "triangles": (make_kronecker, 16, lambda G: gl.triangles(renew(G))),
    "eccentricity": (make_kronecker, 13, lambda G: gl.eccentricity(G, method="searches")),
    "max_flow": (make_grid, 300, lambda G: gl.max_flow(G, 0, G.n - 1)),
    "sssp": (make_grid, 700, lambda G: gl.sssp(G, 0)),
    "pagerank": (make_kronecker, 16, lambda G: gl.pagerank(G, rounds=400)),
    "core_numbers": (make_kronecker, 17, lambda G: gl.core_numbers(renew(G))),
    "matching": (make_kronecker, 16, gl.matching),
    "random_walks": (make_kronecker, 14, lambda G: gl.random_walks(G, length=400)),
    "label_propagation": (make_kronecker, 16, gl.label_propagation),
    "biconnected_components": (make_kronecker, 16, lambda G: gl.biconnected_components(renew(G))),
    "generate": (make_kronecker, 10, lambda G: make_kronecker(18 if G.n > 64 else 5)),
    "Graph": (make_kronecker, 16, lambda G: gl.Graph(G.A.to_coo()[1::-1], n=G.n, engine="cpu")),
    "read": (make_kronecker, 14, read_again),
}


def main(name: str) -> None:
    """Compile on a small graph, then say so, and call until Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it, and that is inherited
    make, size, call = CALLS[name]
    call(make(5 if make is make_kronecker else 12))
    graph = make(size)
    print("begun", flush=True)
    try:
        while True:
            call(graph)
    except KeyboardInterrupt:
        print(sum(os.times()[:4]), flush=True)


if __name__ == "__main__":
    np.seterr(all="ignore")
    main(sys.argv[1])
