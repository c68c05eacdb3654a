"""Problems on one and two GPUs of one box: what `gl.mpi` takes, and what transfers cost.

    mpirun -n 1 python asv_bench/gpu/many_ranks.py sources apsp pagerank:24 bfs:24 bfs:26
    mpirun -n 2 python asv_bench/gpu/many_ranks.py sources apsp pagerank:24 bfs:24 peers:24 transfers graph500:28
    mpirun -n 4 python asv_bench/gpu/many_ranks.py communities:22 communities:24 communities:25:240

One line per case, of rank 0: median and least milliseconds until the last rank has finished, and a checksum that must
be the same for every number of ranks. On one rank `sources`, `apsp` and `bfs` time the methods of one GPU, too.
`sources`: 4,096 searches of Kronecker 20. `apsp`: blocked Floyd–Warshall, float32, 32,768 vertices. `transfers` writes
rows of a table that `python -m graphla.mpi.model` fits.
`communities:22:60:louvain` is Louvain of Kronecker 22, repeated while 60 seconds last; Leiden and 120 if not said.
"""

from __future__ import annotations

import statistics
import sys
import time
from functools import partial
from importlib import import_module

import cupy as cp
import numpy as np

import graphla as gl
from graphla.algorithms.bfs.ranks._peers import PeerLevels
from graphla.algorithms.bfs.ranks.levels import search
from graphla.engine import get_engine
from semirings import monoid

graph500 = import_module("graphla.mpi.graph500")
WORLD = gl.mpi.get_world()


def measure(work, repeats=5):
    """Milliseconds of each repetition, on the slowest rank, and the last result."""
    times, result = [], None
    for _ in range(repeats):
        result = None
        cp.cuda.Device().synchronize()
        WORLD.barrier()
        start = time.perf_counter()
        result = work()
        cp.cuda.Device().synchronize()
        times.append(1e3 * WORLD.all_reduce(time.perf_counter() - start, monoid.max))
    return times, result


def report(case, times, check, row=None):
    """Print a line, and a row of the table of measured work."""
    if WORLD.rank == 0:
        if row is not None:
            print(f"work,gpu,{row[0]},{WORLD.size},{row[1]},{1e3 * statistics.median(times):.1f}")
        middle, least = statistics.median(times), min(times)
        print(f"{WORLD.size} ranks  {case:<34} {middle:12.3f} ms  (least {least:.3f})  check {check}", flush=True)


def add_up(array):
    """The sum of an array over all ranks."""
    return WORLD.all_reduce(float(array.sum(dtype=np.float64)), monoid.plus)


def time_sources(scale="20", count="4096"):
    G = gl.generate.kronecker(int(scale), engine="cuda")
    sources = np.random.default_rng(1).integers(0, G.n, int(count))
    gl.mpi.bfs(G, sources)
    times, rows = measure(partial(gl.mpi.bfs, G, sources), 3)
    levels = rows.local._held.values
    report(f"{count} sources, kron{scale}", times, add_up(levels))


def time_apsp(n="32768"):
    n = int(n)
    rng = np.random.default_rng(1)
    ends = np.unique(rng.integers(0, n, 16 * n) * n + rng.integers(0, n, 16 * n))
    G = gl.Graph((ends // n, ends % n, rng.random(ends.size, np.float32)), n=n, engine="cuda")
    times, rows = measure(lambda: gl.mpi.apsp(G, method="blocked_floyd_warshall", dense=True), 3)
    report(f"Floyd–Warshall float32 {n}", times, f"{add_up(rows.local):.6g}", ("floyd_warshall", n**3))
    if WORLD.size == 1:
        del rows
        times, D = measure(lambda: gl.apsp(G, method="blocked_floyd_warshall", dense=True), 3)
        report(f"  gl.apsp {n}", times, f"{add_up(D):.6g}")


def time_searches(case, solve, sources, arcs):
    """Searches from each source: all times, and the sum of all levels."""
    solve(sources[0])
    all_times, total = [], 0
    for source in sources:
        times, (levels, _) = measure(partial(solve, source), 3)
        all_times += times
        total += add_up(levels)
    report(case, all_times, total, (case.split()[0], arcs))


def time_peers(scale="24"):
    """The search in one launch per GPU, which store into each other's memory."""
    rows, _, _ = graph500.build(WORLD, get_engine("cuda"), int(scale), 16, 1)
    sources, peers = graph500.choose_sources(rows, 8, 1), PeerLevels(rows)
    for parents in (False, True):
        name = "parents" if parents else "levels"
        solve = partial(lambda keep, source: peers.search(rows.to_place(source), keep), parents)
        time_searches(f"peers kron{scale}, {name}", solve, sources, rows.nvals)


def time_bfs(scale="24"):
    rows, _, construction = graph500.build(WORLD, get_engine("cuda"), int(scale), 16, 1)
    sources = graph500.choose_sources(rows, 8, 1)
    for parents in (False, True):
        name = "parents" if parents else "levels"
        solve = partial(lambda rows, keep, source: search(rows, source, keep), rows, parents)
        time_searches(f"bfs kron{scale}, {name}, built in {construction:.1f} s", solve, sources, rows.nvals)
    arcs = rows.nvals
    del rows, solve
    if WORLD.size == 1:
        G = gl.generate.kronecker(int(scale), engine="cuda")
        time_searches(f"  fused kron{scale}, levels", partial(gl.bfs.methods["fused"].run, G), sources, arcs)


def time_pagerank(scale="24", rounds="20"):
    """Rounds of gl.pagerank: on one rank by the methods of one GPU."""
    G = gl.generate.kronecker(int(scale), engine="cuda" if WORLD.size == 1 else "mpi")
    times, ranks = measure(partial(gl.pagerank, G, rounds=int(rounds)), 6)
    total, name = float(ranks.reduce().new("FP64")), gl.pagerank.choose(G, None, {}).name
    report(f"{name} kron{scale}, a round", [each / int(rounds) for each in times[1:]], f"{total:.6g}")


def time_communities(scale="22", limit="120", name="leiden"):
    """Louvain or Leiden of a Kronecker graph; repeated while the time limit, in seconds, lasts, once at least."""
    G = gl.generate.kronecker(int(scale), engine="cuda" if WORLD.size == 1 else "mpi")
    problem, times, began = getattr(gl, name), [], time.perf_counter()
    while not times or (len(times) < 4 and WORLD.all_reduce(time.perf_counter() - began, monoid.max) < float(limit)):
        (took,), labels = measure(partial(problem, G), 1)
        times.append(took)
    check = f"{gl.modularity(G, labels):.6f}, {int(labels.reduce(monoid.max).new()) + 1} communities"
    report(f"{name} kron{scale}, first {times[0]:.0f} ms", times[1:] or times, check)


def time_graph500(scale="28", count="8"):
    found = gl.mpi.graph500(int(scale), engine="cuda", sources=int(count))
    if WORLD.rank == 0:
        print(
            f"{WORLD.size} ranks  Graph500 scale {scale}, validated: construction {found.construction:.2f} s, "
            f"median {1e3 * np.median(found.seconds):.2f} ms, {found.harmonic_mean_teps:.4g} TEPS",
            flush=True,
        )


def repeat(work, times):
    for _ in range(times):
        work()


def time_transfers():
    """Microseconds of transfers by bytes: of NCCL as a program sees them, and of MPI on the host."""
    for xp, place in ((cp, "gpu"), (np, "host")):
        for size in (8, 1 << 12, 1 << 16, 1 << 20, 1 << 24, *([1 << 28] if xp is cp else [])):
            array, times = xp.ones(max(1, size // 8)), 200 if size < 1 << 20 else 20
            works = {
                "all_reduce": partial(WORLD.all_reduce, array, monoid.plus),
                "broadcast": partial(lambda array: WORLD.start_broadcast(array).wait(), array),
                "all_gather": partial(WORLD.all_gather, array),
            }
            for name, work in works.items():
                work()
                found, _ = measure(partial(repeat, work, times), 3)
                if WORLD.rank == 0:
                    print(f"transfer,{place},{name},{WORLD.size},{size},{min(found) / times * 1e3:.2f}", flush=True)


CASES = {"sources": time_sources, "apsp": time_apsp, "peers": time_peers, "bfs": time_bfs, "pagerank": time_pagerank,
         "communities": time_communities, "graph500": time_graph500, "transfers": time_transfers}  # fmt: skip

if __name__ == "__main__":
    for asked in sys.argv[1:]:
        name, *options = asked.split(":")
        CASES[name](*options)
        cp.get_default_memory_pool().free_all_blocks()
    if WORLD.rank == 0:
        print(WORLD.explain(), flush=True)
