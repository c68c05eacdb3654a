"""What a call of `gl.loop` costs beside its rounds: the first call, the second, and later ones.

    python asv_bench/gpu/loop_calls.py kron:16

Milliseconds of wall time of calls with 10 rounds and with 40 of ranks, by number and by residual, of 4 searches and of
a search with two products. What is left of a call without its rounds is its fixed cost. Later calls start from other
contents, and their answers are compared with those of a first call. With ``--split`` each line is followed by the
microseconds of the host in the parts of a call: recording the body, its key, the contents, and the run, of which the
launch and what waits for the device are parts.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import cupy as cp
import numpy as np
from bfs import read
from flag_loops import make_both_ends, make_searches
from loops import Ranks

import graphla as gl
from graphla.containers import loop
from graphla.engine.cuda.graphs import LoopGraph
from graphla.engine.cuda.loop.rounds import RoundsRun
from graphla.planning.loops.plans import PlannedLoop

PARTS = (
    (loop, "record_body"),
    (loop, "record_condition"),
    (loop, "make_loop_key"),
    (loop, "plan_loop"),
    (PlannedLoop, "fill"),
    (loop, "run"),
    (RoundsRun, "refill"),
    (RoundsRun, "run_again"),
    (LoopGraph, "run"),
    (RoundsRun, "read_state"),
    (RoundsRun, "make_answer"),
)
"""The functions that a split times."""


class Split:
    """Microseconds that functions take in each call."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}
        for owner, name in PARTS:
            setattr(owner, name, self.wrap(getattr(owner, name), f"{owner.__name__.split('.')[-1]}.{name}"))

    def wrap(self, function: Any, name: str) -> Any:
        def run_timed(*arguments: Any, **how: Any) -> Any:
            begin = time.perf_counter()
            try:
                return function(*arguments, **how)
            finally:
                self.times.setdefault(name, []).append(1e6 * (time.perf_counter() - begin))

        return run_timed

    def report(self) -> None:
        """Print the medians since the last report."""
        print(
            "    us: " + ", ".join(f"{name} {np.median(times):.1f}" for name, times in self.times.items()), flush=True
        )
        self.times.clear()


split: list[Split] = []


def report_split() -> None:
    for each in split:
        each.report()


def measure(solve: Any) -> float:
    cp.cuda.Device().synchronize()
    begin = time.perf_counter()
    solve()
    cp.cuda.Device().synchronize()
    return 1e3 * (time.perf_counter() - begin)


def report(name: str, solve: Any) -> None:
    """Time calls of two lengths."""
    first, second = measure(lambda: solve(10)), measure(lambda: solve(10))
    for each in split:
        each.times.clear()
    few = [measure(lambda: solve(10)) for _ in range(9)]
    many = [measure(lambda: solve(40)) for _ in range(9)]
    each = (np.median(many) - np.median(few)) / 30
    fixed = np.median(few) - 10 * each
    print(
        f"  {name:24} first {first:9.2f} ms, second {second:7.3f}, later {np.median(few):7.3f} of 10 rounds, "
        f"{each:.4f} a round, {fixed:.3f} beside them",
        flush=True,
    )
    report_split()


class FreshRanks(Ranks):
    """Ranks with other shares in each call."""

    def run(self, rounds: int) -> Any:
        self.inverse = self.inverse.apply("times", right=1).new()
        return super().run(rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--split", action="store_true")
    asked = parser.parse_args()
    split.extend([Split()] if asked.split else [])
    for name in asked.graphs:
        G = read(name)
        print(f"{name}: {G.n:,} vertices, {G.nvals:,} arcs", flush=True)
        ranks = Ranks(G, "FP32")
        report("ranks", ranks.run)
        report("ranks by residual", ranks.run_by_residual)
        print(f"  {ranks.check()}")
        fresh = FreshRanks(G, "FP32")
        report("ranks, other shares", fresh.run)
        print(f"  {fresh.check()}")
        report_search(G, "4 searches", lambda G=G: make_searches(G, 4))
        report_search(G, "both ends", lambda G=G: make_both_ends(G, 1))


def report_search(G: gl.Graph, name: str, make: Any) -> None:
    """Time whole searches, and compare the last one with the first."""
    kept = []
    times = []
    for _ in range(8):
        case = make()
        times.append(measure(case.run))
        kept.append(case.kept[0])
        if len(times) == 3:
            for each in split:
                each.times.clear()
    same = all(kept[0].isequal(other) for other in kept[1:])
    print(f"  {name:24} calls of {', '.join(f'{t:.3f}' for t in times)} ms; {'right' if same else 'WRONG'}", flush=True)
    report_split()


if __name__ == "__main__":
    main()
