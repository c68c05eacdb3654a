"""Routing on the CPU beside pandana, if it is installed, and SciPy: ``python asv_bench/roads.py [ROADS]``.

Medians of calls in turn, after one that compiles; weights of 100 to 1,099 for each street.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import graphla as gl

SIDE, PAIRS, ROUTES, REACHED = 1000, 100_000, 100, 1000


def measure(repeats: int, **calls: Callable[[], Any]) -> None:
    """Print the median seconds of each call, in turn."""
    seconds = {name: [] for name in calls}
    for repeat in range(repeats + 1):
        for name, call in calls.items():
            begun = time.perf_counter()
            call()
            seconds[name] += [time.perf_counter() - begun] if repeat else []
    for name, each in seconds.items():
        print(f"  {name:28} {np.median(each):12.6f} s", flush=True)


def read_roads(path: str) -> gl.Graph:
    """The roads with a weight for each street."""
    tails, heads, _ = gl.read(path, engine="cpu").A.to_coo()
    return gl.Graph((tails, heads, gl.generators.pair_weights(tails, heads, 100, 1099)), engine="cpu")


def make_network(G: gl.Graph) -> Any:
    """The same in pandana."""
    import pandana
    import pandas as pd

    tails, heads, weights = G.A.to_coo()
    once, places = tails < heads, pd.Series(np.zeros(G.n))
    facts = pd.DataFrame({"weight": weights[once].astype(float)})
    return pandana.Network(places, places, pd.Series(tails[once]), pd.Series(heads[once]), facts, twoway=True)


def find_limit(roads: Any, source: int) -> float:
    """A limit within which about `REACHED` crossings are."""
    limit = 1000.0
    while roads.isochrone(source, limit).vertices.size < REACHED:
        limit *= 1.03
    return limit


if __name__ == "__main__":
    G = read_roads(sys.argv[1] if len(sys.argv) > 1 else str(gl.datasets.new_york()))
    rng = np.random.default_rng(1)
    sources, targets, (a, b) = rng.integers(0, G.n, SIDE), rng.integers(0, G.n, SIDE), rng.integers(0, G.n, (2, PAIRS))
    weights, pairs, both = G.A.to_coo()[2], np.stack([a, b], axis=1), np.arange(ROUTES)
    begun = time.perf_counter()
    roads = gl.roads.prepare(G)
    print(f"{G}\n  prepare, with compilation    {time.perf_counter() - begun:12.6f} s")
    limit = find_limit(roads, int(a[0]))
    print(f"  the isochrone has {roads.isochrone(int(a[0]), limit).vertices.size:,} crossings")
    A = csr_array((weights.astype(float), G.csr.indices, G.csr.indptr), shape=(G.n, G.n))
    calls = {
        "prepare": lambda: gl.roads.prepare(gl.Graph(G.A.dup(), engine="cpu")),
        "customize": lambda: roads.customize(weights),
        f"{PAIRS:,} pairs": lambda: roads.distances(pairs=pairs),
        f"{SIDE} x {SIDE}": lambda: roads.distances(sources, targets),
        f"{ROUTES} routes, each a call": lambda: [roads.paths(pairs[k : k + 1]) for k in both],
        f"{ROUTES} isochrones": lambda: [roads.isochrone(int(a[0]), limit) for _ in both],
        "10,000 x 5 nearest of 500": lambda: roads.nearest(a[:10_000], targets[:500], 5),
        "scipy: 10 sources": lambda: dijkstra(A, indices=sources[:10]),
    }
    try:
        begun = time.perf_counter()
        network = make_network(G)
        print(f"  pandana: prepare             {time.perf_counter() - begun:12.6f} s")
        assert np.array_equal(network.shortest_path_lengths(a[:500], b[:500]), roads.distances(pairs=pairs[:500]))
        calls |= {
            f"pandana: {PAIRS:,} pairs": lambda: network.shortest_path_lengths(a, b),
            f"pandana: {SIDE // 10} x {SIDE}": lambda: network.shortest_path_lengths(
                np.repeat(sources[: SIDE // 10], SIDE), np.tile(targets, SIDE // 10)
            ),
            f"pandana: {ROUTES} routes": lambda: [network.shortest_path(*pair) for pair in pairs[both].tolist()],
        }
    except ImportError:
        print("  pandana is not installed")
    measure(3, **calls)
