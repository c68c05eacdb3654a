"""Layouts by forces: ``python asv_bench/layout.py [ENGINE]``, beside those libraries that are installed.

Each line is a graph, steps and seconds, warm: of `gl.layout` from positions and by default, of `igraph`'s
Fruchterman-Reingold with a grid, of `fa2` and of NetworkX's ForceAtlas2, which compares all pairs, on the small graph.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import graphla as gl

SMALL, LARGE, STEPS = 2_000, 100_000, 200


def measure(name: str, steps: int, call: Callable[[], Any]) -> float:
    """Print the seconds of a call that makes so many steps, and how long a step is."""
    began = time.perf_counter()
    found = call()
    getattr(found, "sum", lambda: 0)()  # waits for a GPU
    seconds = time.perf_counter() - began
    print(f"{name:44} {seconds:8.3f} s, {1e3 * seconds / steps:9.2f} ms a step", flush=True)
    return seconds


def make_graph(n: int, engine: str) -> tuple[gl.Graph, Any]:
    """A graph of ten arcs per vertex, and positions to start from."""
    G = gl.generate.uniform(n, 10, engine=engine)
    rng = np.random.default_rng(1)
    return G, (100 * np.sqrt(n) * rng.random((n, 2))).astype("float32")


def measure_ours(n: int, engine: str) -> None:
    """Layouts from positions, and by default, after one that compiles."""
    G, start = make_graph(n, engine)
    gl.layout(G, steps=2)
    measure(f"graphla, {n:,} vertices from positions", STEPS, lambda: gl.layout(G, steps=STEPS, start=start))
    measure(f"graphla, {n:,} vertices by default", STEPS, lambda: gl.layout(G, steps=STEPS))


def measure_igraph(n: int, steps: int) -> None:
    """Fruchterman and Reingold's layout by a grid."""
    import igraph

    G, start = make_graph(n, "cpu")
    tails, heads, _ = G.A.to_coo()
    once = tails < heads
    graph = igraph.Graph(n, np.stack([tails[once], heads[once]], axis=1).tolist())
    options = {"niter": steps, "seed": start.tolist(), "grid": "grid"}
    measure(f"igraph, {n:,} vertices", steps, lambda: graph.layout_fruchterman_reingold(**options))


def measure_fa2(n: int, steps: int) -> None:
    """The port of Gephi's ForceAtlas2 to Python."""
    from fa2_modified import ForceAtlas2
    from scipy.sparse import csr_array

    G, start = make_graph(n, "cpu")
    values = np.ones(G.nvals)
    A = csr_array((values, G.csr.indices, G.csr.indptr), shape=(n, n)).tolil()
    forces = ForceAtlas2(verbose=False)
    measure(f"fa2, {n:,} vertices", steps, lambda: forces.forceatlas2(A, pos=start, iterations=steps))


def measure_networkx(n: int) -> None:
    """NetworkX's ForceAtlas2."""
    import networkx as nx

    G, start = make_graph(n, "cpu")
    graph = nx.Graph(zip(*map(list, G.A.to_coo()[:2]), strict=True))
    positions = dict(enumerate(start.astype(float)))
    measure(f"networkx, {n:,} vertices", 10, lambda: nx.forceatlas2_layout(graph, positions, max_iter=10))


if __name__ == "__main__":
    engine = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    for n, steps in ((SMALL, STEPS), (LARGE, 4)):
        measure_ours(n, engine)
        if find_spec("igraph"):
            measure_igraph(n, steps)
        if find_spec("fa2_modified") and n == SMALL:
            measure_fa2(n, steps)
    measure_networkx(SMALL)
