"""Many searches as one masked product a level, by words, beside `gl.bfs` with the same sources.

    python asv_bench/gpu/word_searches.py kron:20 --sources 64 32 --bytes

For each graph and number of sources: the loop of statements as a whole (host's clock, median, least and most), the
named method, the milliseconds of each statement of each level by CUDA events, and what the plan chose. With --push and
--pull one direction is requested at all levels. With --bytes the same loop without words, once. Answers are compared.
"""

from __future__ import annotations

import argparse
import math
import time
from itertools import pairwise
from typing import Any

import cupy as cp
import numpy as np
from bfs import draw_sources, read

import graphla as gl
from graphla import Matrix, replace
from graphla.planning import words as planned
from semirings import any_pair


class Search:
    """LAGraph's search from several sources: levels, and the frontier."""

    def __init__(self, G: Any, sources: list[int], direction: Any = None) -> None:
        self.A, k, n = G.A, len(sources), G.n
        self.F = Matrix.from_coo(range(k), sources, True, nrows=k, ncols=n, engine=G.engine)
        self.level = Matrix("INT32", k, n, engine=G.engine)
        self.direction = direction

    def write(self, depth: int) -> None:
        self.level(self.F.S) << depth

    def move(self) -> None:
        self.F(~self.level.S, replace, direction=self.direction) << any_pair(self.F @ self.A)

    def run(self) -> int:
        depth = 0
        while self.F.nvals:
            self.write(depth)
            self.move()
            depth += 1
        return depth

    def run_timed(self) -> list[tuple[float, float, float, str]]:
        """Milliseconds of both statements and of the count of each level, by events, and the plan."""
        rows = []
        while True:
            events = [cp.cuda.Event() for _ in range(4)]
            events[0].record()
            many = self.F.nvals
            events[1].record()
            if not many:
                return rows
            self.write(len(rows))
            events[2].record()
            self.move()
            events[3].record()
            events[3].synchronize()
            times = [cp.cuda.get_elapsed_time(a, b) for a, b in pairwise(events)]
            rows.append((*times, "; ".join(self.F.plan.why)))


def time_whole(make: Any, repeats: int) -> tuple[list[float], Any]:
    times, search = [], None
    for _ in range(repeats):
        search = make()
        cp.cuda.Device().synchronize()
        begin = time.perf_counter()
        search.run()
        cp.cuda.Device().synchronize()
        times.append(1e3 * (time.perf_counter() - begin))
    return times, search


def format_times(times: list[float]) -> str:
    return f"{np.median(times):.3f} ({min(times):.3f} to {max(times):.3f}) ms"


def report(G: Any, sources: list[int], asked: Any) -> None:
    k = len(sources)
    found = gl.bfs(G, sources=sources)
    wanted = cp.asnumpy(cp.asarray(found.to_dense(-1)))
    cells = asked.least
    planned.LEAST_WORD_CELLS = cells
    for direction in [None, *(["push"] if asked.push else []), *(["pull"] if asked.pull else [])]:
        time_whole(lambda direction=direction: Search(G, sources, direction), 2)
        times, search = time_whole(lambda direction=direction: Search(G, sources, direction), asked.repeats)
        same = (cp.asnumpy(cp.asarray(search.level.to_dense(-1))) == wanted).all()
        print(f"  {k} searches, {direction or 'by the plan'}: {format_times(times)}, {'right' if same else 'WRONG'}")
        Search(G, sources, direction).run_timed()
        for depth, (count, write, move, why) in enumerate(Search(G, sources, direction).run_timed()):
            print(
                f"    level {depth}: count {count:.3f}, level(F.S) {write:.3f}, product {move:.3f}; {why}", flush=True
            )
    begun = []
    for _ in range(asked.repeats):
        cp.cuda.Device().synchronize()
        begin = time.perf_counter()
        gl.bfs(G, sources=sources)
        cp.cuda.Device().synchronize()
        begun.append(1e3 * (time.perf_counter() - begin))
    print(f"  {k} searches by name: {format_times(begun)}", flush=True)
    if asked.bytes:
        planned.LEAST_WORD_CELLS = math.inf
        times, _ = time_whole(lambda: Search(G, sources), 2)
        print(f"  {k} searches without words: {min(times):.3f} ms", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--sources", type=int, nargs="+", default=[64])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--least", type=float, default=0, help="Cells from which a product is computed by words.")
    for option in ("--push", "--pull", "--bytes"):
        parser.add_argument(option, action="store_true")
    asked = parser.parse_args()
    for graph in asked.graphs:
        G = read(graph)
        print(f"{graph}: {G.n:,} vertices, {G.nvals:,} arcs", flush=True)
        for k in asked.sources:
            report(G, draw_sources(G, k), asked)


if __name__ == "__main__":
    main()
