"""A search and PageRank on ranks of one thread beside one process of as many threads: Kronecker 18.

    python asv_bench/ranks_against_threads.py cpu
    GRAPHLA_THREADS=1 mpiexec -n 2 python asv_bench/ranks_against_threads.py mpi

A line per problem: engine, ranks, least and median milliseconds of nine calls between two barriers.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import graphla as gl

SCALE, SOURCE, ROUNDS, REPEATS = 18, 12345, 20, 9
WORLD = gl.mpi.get_world()


def measure(work: Callable[[], Any]) -> list[float]:
    """Milliseconds of calls, the first left out."""
    work()
    times = []
    for _ in range(REPEATS):
        WORLD.barrier()
        begin = time.perf_counter()
        work()
        WORLD.barrier()
        times.append(1e3 * (time.perf_counter() - begin))
    return times


def main() -> None:
    engine = sys.argv[1]
    G = gl.generate.kronecker(SCALE, engine=engine)
    problems = {"bfs": lambda: gl.bfs(G, SOURCE), "pagerank": lambda: gl.pagerank(G, rounds=ROUNDS)}
    for name, work in problems.items():
        times = measure(work)
        if WORLD.rank == 0:
            print(f"{engine} x{WORLD.size} {name}: {min(times):.2f} ms, median {median(times):.2f}", flush=True)


if __name__ == "__main__":
    main()
