"""Times of transfers and of work on ranks of this machine's CPU, as rows of graphla/mpi/measured/cpu.csv.

    for n in 1 2 3 4; do mpiexec -n $n python asv_bench/ranks_cpu.py; done

Least times of several, for ranks that share cores with others wait for them.
"""

from __future__ import annotations

import time
from functools import partial
from importlib import import_module

import numpy as np

import graphla as gl
from graphla.algorithms.bfs.ranks.levels import search
from graphla.engine import get_engine
from semirings import monoid, plus_second

graph500 = import_module("graphla.mpi.graph500")
WORLD = gl.mpi.get_world()


def report(kind, name, size, work, repeats=5, inner=1, rounds=1):
    """Print the least time of a call, or of a round of it, on the slowest rank."""
    times = []
    work()
    for _ in range(repeats):
        WORLD.barrier()
        start = time.perf_counter()
        for _ in range(inner):
            work()
        times.append(WORLD.all_reduce(time.perf_counter() - start, monoid.max) / inner)
    if WORLD.rank == 0:
        print(f"{kind},host,{name},{WORLD.size},{size},{1e6 * min(times) / rounds:.2f}", flush=True)


def time_transfers():
    for size in (8, 1 << 12, 1 << 16, 1 << 20, 1 << 23):
        array = np.ones(size // 8)
        inner = 50 if size < 1 << 20 else 3
        report("transfer", "all_reduce", size, partial(WORLD.all_reduce, array, monoid.plus), inner=inner)
        report("transfer", "broadcast", size, lambda array=array: WORLD.start_broadcast(array).wait(), inner=inner)
        part = array[: max(1, array.size // WORLD.size)]
        report("transfer", "all_gather", part.nbytes * WORLD.size, partial(WORLD.all_gather, part), inner=inner)


def time_work():
    for scale in (14, 16, 18):
        rows, _, _ = graph500.build(WORLD, get_engine("cpu"), scale, 16, 1)
        source = graph500.choose_sources(rows, 1, 1)[0]
        report("work", "bfs", rows.nvals, partial(search, rows, source, False), 9)
    for scale in (12, 14, 16):
        G = gl.generate.kronecker(scale, engine="mpi")
        x, y = (gl.Vector.from_scalar(1.0, G.n, engine=G.engine) for _ in "xy")
        report("work", "pagerank", G.nvals, lambda G=G, x=x, y=y: y << plus_second(G.A.T @ x))
        report("work", "pagerank_by_rows", G.nvals, partial(gl.pagerank, G, rounds=20), rounds=20)
    for n in (256, 512, 768):
        rng = np.random.default_rng(1)
        ends = np.unique(rng.integers(0, n * n, 8 * n))
        G = gl.Graph((ends // n, ends % n, rng.random(ends.size, np.float32)), n=n, engine="cpu")
        solve = partial(gl.mpi.apsp, G, method="blocked_floyd_warshall", dense=True)
        report("work", "floyd_warshall", n**3, solve, 3)


if __name__ == "__main__":
    time_transfers() if WORLD.size > 1 else None
    time_work()
