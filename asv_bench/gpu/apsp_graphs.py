"""All-pairs shortest paths on the GPU from graph to result: next hops, the talk's graphs, Boolean closures, files.

Run `python asv_bench/gpu/apsp_graphs.py [hops] [integers] [talk] [truths] [FILE ...]` from the root of the repository.
A file of undirected edges, such as ego-Facebook, is timed from reading it to its distances. Times are medians between
CUDA events.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np
from apsp import ENGINE, make_random, measure_milliseconds, show
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

import graphla as gl
from graphla.algorithms.apsp import tiles
from graphla.engine.cuda.matmat import tropical
from semirings import lor_land, min_plus
from semirings.dtypes import lookup

TALK = ((2700, 1_808_853), (4039, 88_234), (4412, 108_818), (5881, 21_492), (7500, 837_083))
"""Vertices and edges of the graphs in the talk."""
LARGER = ((20_000, 20_000), (20_000, 200_000), (20_000, 2_000_000))


def hops() -> None:
    """Time next hops against distances only: dense and sparse; weights positive, zero, mixed in sign, or fractional."""
    rng = np.random.default_rng(5)
    for n, density, dtype, weights in ((8192, 0.5, "float32", "positive"), (8192, 0.5, "int32", "positive"),
                                       (8192, 0.002, "int32", "positive"), (8192, 0.5, "float32", "zeros"),
                                       (8192, 0.002, "int32", "zeros"), (8192, 0.5, "float32", "mixed"),
                                       (8192, 0.002, "int32", "mixed"), (8192, 0.5, "float32", "real")):  # fmt: skip
        cells = rng.integers(0 if weights == "zeros" else 1, 1000, (n, n), dtype=np.int32)
        rows, columns = np.nonzero(rng.random((n, n), np.float32) < density)
        values = cells[rows, columns].astype(dtype)
        if dtype == "float32" and weights in ("positive", "real"):
            values += rng.random(values.size, np.float32)
        if weights in ("mixed", "real"):
            potential = (600 * rng.random(n) if weights == "real" else rng.integers(0, 600, n)).astype(dtype)
            values += potential[rows] - potential[columns]
        G = gl.Graph((rows, columns, values), n=n, engine=ENGINE)
        run = gl.apsp.methods["blocked_floyd_warshall"].run
        alone, both = (
            measure_milliseconds(run, G, repeats=3),
            measure_milliseconds(partial(run, G, next_hops=True), repeats=3),
        )
        show(hops=n, density=density, dtype=dtype, weights=weights, alone_ms=alone, both_ms=both, ratio=both / alone)


def integers(n: int = 8192) -> None:
    """Time integer distances in plain and in saturating arithmetic, and check that they agree."""
    rng = np.random.default_rng(1)
    rows, columns = np.divmod(np.unique(rng.integers(0, n * n, 16 * n)), n)
    potential, run = rng.integers(0, 500, n), gl.apsp.methods["blocked_floyd_warshall"].run
    for dtype, narrow in tiles.NARROW.items():
        values = rng.integers(0, 1000, rows.size)
        if dtype.startswith("int"):
            values += potential[rows] - potential[columns]
        G = gl.Graph((rows, columns, values.astype(dtype)), n=n, engine=ENGINE)
        plain, there = measure_milliseconds(run, G, repeats=3), run(G)[0]
        tiles.NARROW[dtype] = replace(narrow, last=-1)
        show(integers=dtype, n=n, plain_ms=plain, saturating_ms=measure_milliseconds(run, G, repeats=1),
             same=bool((run(G)[0] == there).all()))  # fmt: skip
        tiles.NARROW[dtype] = narrow


def make_uniform(n: int, edges: int) -> Any:
    """Make an undirected graph with random edges and weights 1..255."""
    rng = np.random.default_rng(n)
    code = rng.choice(n * (n - 1) // 2, edges, replace=False)
    row = ((1 + np.sqrt(1 + 8 * code.astype(float))) / 2).astype(np.int64)
    row -= row * (row - 1) // 2 > code
    column, weight = code - row * (row - 1) // 2, rng.integers(1, 256, edges, dtype=np.int32)
    pairs = np.concatenate([row, column]), np.concatenate([column, row])
    return gl.Graph((*pairs, np.concatenate([weight, weight])), n=n, engine=ENGINE)


def talk() -> None:
    """Time the sweep and Floyd–Warshall on graphs of several sizes, and show which of them `gl.apsp` chooses."""
    for n, edges in (*TALK, *LARGER):
        G = make_uniform(n, edges)
        chosen, _ = gl.apsp.preferred(G, {})
        for name in ("blocked_floyd_warshall", "sssp_sweep", "floyd_warshall", "johnson")[: 4 if n < 10_000 else 2]:
            ms = measure_milliseconds(gl.apsp.methods[name].run, G, repeats=3)
            show(method=name, n=n, edges=edges, ms=ms, chosen=name == chosen)


def find_reached(R: gl.Matrix) -> gl.Matrix:
    """Compute R ← R lor.land R until nothing changes."""
    while True:
        wider = lor_land(R @ R).new()
        if wider.isequal(R):
            return R
        R = wider


def truths() -> None:
    """Time Boolean products, 32 values per word, against float32; check a Boolean closure against SciPy."""
    for n in (8192, 16384):
        A, B = (cp.random.default_rng(seed).random((n, n), dtype=np.float32) < 0.5 for seed in (1, 2))
        bits = measure_milliseconds(tropical.multiply, ENGINE, lor_land, A, B, lookup("BOOL"))
        C, D = make_random(n, "float32"), make_random(n, "float32")
        floats = measure_milliseconds(tropical.multiply, ENGINE, min_plus, C, D, lookup("FP32"), repeats=2)
        show(truths=n, ms=bits, tera=n**3 / bits / 1e9, float32_ms=floats, ratio=floats / bits)
        rng = np.random.default_rng(n)
        arcs = csr_array((np.ones(n, bool), (rng.integers(0, n, n), rng.integers(0, n, n))), shape=(n, n))
        start = cp.asarray((arcs + arcs.T).toarray() | np.eye(n, dtype=bool))
        R = gl.Matrix.from_dense(start, engine=ENGINE)
        ms, parts = measure_milliseconds(find_reached, R, repeats=3), connected_components(arcs)[1]
        same = bool((find_reached(R).to_numpy() == (parts[:, None] == parts[None, :])).all())
        show(closure_of_truths=n, ms=ms, same=same)


def time_file(path: str) -> None:
    """Measure the wall-clock seconds from a file to all distances: of the first run, which compiles, and the best."""
    rows = []
    for _ in range(6):
        begin = time.perf_counter()
        G = gl.read(path, undirected=True, engine=ENGINE)
        cp.cuda.Device().synchronize()
        read = time.perf_counter()
        gl.apsp(G)
        cp.cuda.Device().synchronize()
        rows.append((time.perf_counter() - begin, read - begin))
    first, best = rows[0], min(rows[1:])
    show(file=path, n=G.n, arcs=G.nvals, first_s=first[0], best_s=best[0], of_which_reading_s=best[1])


if __name__ == "__main__":
    for path in filter(Path.is_file, map(Path, sys.argv[1:])):
        time_file(str(path))
    for part in (hops, integers, talk, truths):
        if part.__name__ in sys.argv[1:]:
            part()
