"""Orders of elimination on the CPU beside METIS's, if pymetis is installed: ``python asv_bench/orders.py [FILES]``.

Without files: New York's roads and graphs that are made here. METIS orders what is left of vertices of at most two
neighbours, as our dissection does, so that both have the same work before. Seconds, by the clock and of the processor,
are medians of calls in turn, after one that compiles. Cells are the numbers of a factor, updates the work of an
elimination, depths those of its tree; ratios are ours to METIS's.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial import Delaunay, cKDTree

import graphla as gl
from graphla.algorithms.apsp.elimination import structure
from graphla.algorithms.apsp.elimination.dissect import dissect
from graphla.algorithms.apsp.elimination.peel import peel_pattern

REPEATS = 5


def make_pattern(n: int, tails: Any, heads: Any) -> tuple[Any, Any]:
    A = csr_array((np.ones(len(tails), bool), (tails, heads)), shape=(n, n))
    return structure.make_symmetric(A.indptr, A.indices)


def make_grid(*sides: int) -> tuple[Any, Any]:
    places = np.arange(np.prod(sides)).reshape(sides)
    steps = [np.moveaxis(places, axis, 0) for axis in range(len(sides))]
    tails, heads = (np.concatenate([step[part].ravel() for step in steps]) for part in (slice(1, None), slice(-1)))
    return make_pattern(places.size, tails, heads)


def make_mesh(n: int, dimension: int) -> tuple[Any, Any]:
    cells = Delaunay(np.random.default_rng(1).random((n, dimension))).simplices
    pairs = [(i, j) for i in range(dimension + 1) for j in range(i)]
    return make_pattern(n, *(np.concatenate([cells[:, pair[end]] for pair in pairs]) for end in (0, 1)))


def find_neighbours(n: int, dimension: int, k: int = 8) -> tuple[Any, Any]:
    points = np.random.default_rng(1).random((n, dimension))
    return make_pattern(n, np.repeat(np.arange(n), k), cKDTree(points).query(points, k + 1)[1][:, 1:].ravel())


def read(file: str) -> tuple[Any, Any]:
    csr = gl.read(file, engine="cpu").csr
    return structure.make_symmetric(csr.indptr, csr.indices)


def list_graphs(files: list[str]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    for file in files or [str(gl.datasets.new_york())]:
        yield file.rpartition("/")[2], read(file)
    if not files:
        yield "grid, 300 x 300", make_grid(300, 300)
        yield "grid, 30 x 30 x 30", make_grid(30, 30, 30)
        yield "grid, 40 x 40 x 40", make_grid(40, 40, 40)
        yield "mesh of triangles", make_mesh(200_000, 2)
        yield "mesh of tetrahedra", make_mesh(10_000, 3)
        yield "8 nearest in a plane", find_neighbours(50_000, 2)
        yield "8 nearest in space", find_neighbours(20_000, 3)
        yield "random", make_pattern(3000, *np.random.default_rng(1).integers(0, 3000, (2, 6000)))


def make_calls() -> dict[str, Callable[[Any, Any], Any]]:
    """Both orders of what is left after the vertices of few neighbours."""
    try:
        from pymetis import CSRAdjacency, nested_dissection
    except ImportError:
        return {"ours": dissect}
    return {
        "METIS": lambda start, heads: np.asarray(nested_dissection(CSRAdjacency(start.astype(np.int32), heads))[0]),
        "ours": dissect,
    }


def measure(pattern: tuple[Any, Any]) -> dict[str, list[float]]:
    """Seconds by the clock and of the processor, cells, updates and depths of each."""
    first, rest, left = peel_pattern(*pattern)
    calls, spent, orders = make_calls(), {}, {}
    for repeat in range(REPEATS + 1):
        for name, call in calls.items():
            clock, processor = time.perf_counter(), time.process_time()
            orders[name] = np.concatenate([first, rest[call(*left)]])
            if repeat:
                spent.setdefault(name, []).append([time.perf_counter() - clock, time.process_time() - processor])
    return {name: [*np.median(spent[name], axis=0), *analyze(pattern, orders[name])] for name in calls}


def analyze(pattern: tuple[Any, Any], order: Any) -> list[float]:
    """The cells and updates of an elimination in an order, and the depths of its tree."""
    compute_order, structure.compute_order = structure.compute_order, lambda *_: order
    try:
        S = structure.analyze(*pattern)
    finally:
        structure.compute_order = compute_order
    return [float(S.cells), float(S.updates), float(structure.count_depths(S))]


if __name__ == "__main__":
    for name, pattern in list_graphs(sys.argv[1:]):
        found = measure(pattern)
        print(f"{name}: {pattern[0].size - 1:,} vertices, {pattern[1].size:,} arcs", flush=True)
        ratios = {"ours / METIS": np.divide(found["ours"], found["METIS"])} if "METIS" in found else {}
        for who, each in found.items():
            clock, processor, cells, updates, depths = each
            print(f"  {who:12} {clock:8.3f} s {processor:8.3f} s of the processor {cells:13,.0f} cells "
                  f"{updates:18,.0f} updates {depths:4.0f} depths", flush=True)  # fmt: skip
        for who, each in ratios.items():
            print(f"  {who:12}", *(f"{ratio:.2f}" for ratio in each), flush=True)
