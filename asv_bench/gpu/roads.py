"""Routing on a GPU: wall time of calls for the caller, medians after one that compiles.

    python asv_bench/gpu/roads.py road-NY.pace.gr.xz road-FLA.pace.gr.xz

Weights are 100 to 1,099 for each street. Pairs, a matrix and isochrones are compared with those of the CPU.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

import graphla as gl

PAIRS, SIDE, AREAS, CHECKED, REPEATS = 1_000_000, 10_000, 1000, 500, 7


def measure(name: str, call: Callable[[], Any]) -> Any:
    """Print the median milliseconds of a call; return what it gives."""
    milliseconds = []
    for _ in range(REPEATS + 1):
        begun = time.perf_counter()
        found = call()
        cp.cuda.Stream.null.synchronize()
        milliseconds.append(1e3 * (time.perf_counter() - begun))
    print(f"  {name:40} {np.median(milliseconds[1:]):10.3f} ms, first {milliseconds[0]:10.3f}", flush=True)
    return found


def report(path: str) -> None:
    """Print the times of one network."""
    tails, heads, _ = gl.read(path, engine="cpu").A.to_coo()
    G = gl.Graph((tails, heads, gl.generators.pair_weights(tails, heads, 100, 1099)), name=path, engine="cpu")
    here, there = gl.roads.prepare(G), gl.roads.prepare(G.to("cuda"))
    print(there, flush=True)
    rng = np.random.default_rng(1)
    pairs, some = rng.integers(0, G.n, (PAIRS, 2)), rng.integers(0, G.n, SIDE)
    limit = float(np.quantile(here.distances([int(some[0])], np.arange(G.n)), 1000 / G.n))
    weights = cp.asarray(G.csr.values)
    measure("customize", lambda: there.customize(weights))
    found = measure(f"{PAIRS:,} pairs", lambda: there.distances(pairs=pairs))
    np.testing.assert_array_equal(found[:CHECKED].get(), here.distances(pairs=pairs[:CHECKED]))
    found = measure(f"{SIDE:,} x {SIDE:,}", lambda: there.distances(some, some))
    np.testing.assert_array_equal(found[:3].get(), here.distances(some[:3], some))
    areas = measure(f"{AREAS:,} isochrones, first {limit:,.0f}", lambda: there.isochrone(some[:AREAS], limit))
    for area, wanted in zip(areas[:9], here.isochrone(some[:9], limit), strict=True):
        np.testing.assert_array_equal(area.vertices, wanted.vertices)
        np.testing.assert_array_equal(area.times, wanted.times)
    print(f"  reached in all {sum(area.vertices.size for area in areas):,}")
    measure(f"{SIDE:,} x 5 nearest of 500", lambda: there.nearest(some, some[:500], 5))
    measure("one path", lambda: there.paths(pairs[:1]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", help="files that gl.read reads")
    for each in parser.parse_args().networks:
        report(each)
