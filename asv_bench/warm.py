"""Centralities after a change of the graph, from the last answer on and from nothing.

    python asv_bench/warm.py GRAPH [GRAPH …] [--problems pagerank katz eigenvector] [--share 0.01] [--tolerance 1e-6]
        [--method NAME]

Of each graph a share of the arcs is deleted and as many random ones are inserted. For both beginnings it prints the
fewest rounds that reach the tolerance, and the milliseconds of so many calls that alternate: the median of 9.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import graphla as gl
from graphla.common.errors import NotConverged

CALLS = 9
PROBLEMS = "pagerank", "katz", "eigenvector"


def change(G: gl.Graph, share: float) -> gl.Graph:
    """The graph with some arcs deleted, and as many inserted; both ways if it is undirected."""
    rng, both = np.random.default_rng(1), bool(G.symmetric)
    count = int(share * G.nvals) // (2 if both else 1)
    tails, heads, weights = G.to("cpu").A.to_coo()
    some = rng.choice(tails.size, count, replace=False)
    fresh = (*rng.integers(0, G.n, (2, count)), weights[some])
    gone = tails[some], heads[some]
    return G.update(delete=gone, insert=fresh, undirected=both, dup="first", missing="ignore")


def count_rounds(solve: Any) -> int:
    """The fewest rounds after which it ends."""
    low, high = 0, 1000
    while high - low > 1:
        middle = (low + high) // 2
        try:
            solve(max_rounds=middle)
            high = middle
        except NotConverged:
            low = middle
    return high


def measure(*calls: Any) -> list[float]:
    """Median milliseconds of each call, which take turns."""
    took: list[list[float]] = [[] for _ in calls]
    for _ in range(CALLS):
        for call, times in zip(calls, took, strict=True):
            begun = time.perf_counter()
            call()
            times.append(1e3 * (time.perf_counter() - begun))
    return [float(np.median(times)) for times in took]


def compare(name: str, problem: str, G: gl.Graph, H: gl.Graph, tolerance: float, method: str | None) -> None:
    """Print the rounds and the times of one problem on a graph that has become another one."""
    options: dict[str, Any] = {"tolerance": tolerance, "method": method}
    if problem == "katz":
        options["alpha"] = 0.5 / float(np.sqrt(G.max_degree * G.nvals / G.n))
    solve: Any = partial(getattr(gl, problem), **options)
    warm = partial(solve, H, start=solve(G))
    cold = partial(solve, H)
    rounds = [count_rounds(each) for each in (cold, warm)]
    times = measure(cold, warm)
    ratios = [f"{numbers[0]:9.4g} {numbers[1]:9.4g} {numbers[1] / numbers[0]:5.2f}" for numbers in (rounds, times)]
    print(f"{name:24} {problem:12} rounds {ratios[0]}   ms {ratios[1]}", flush=True)


def main() -> None:
    """Measure all problems on all graphs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--problems", nargs="+", default=PROBLEMS, choices=PROBLEMS)
    parser.add_argument("--share", type=float, default=0.01)
    parser.add_argument("--tolerance", type=float, default=1e-6)
    parser.add_argument("--method")
    given = parser.parse_args()
    for name in given.graphs:
        G = gl.read(name, undirected=True) if Path(name).exists() else gl.generate.from_spec(name)
        H = change(G, given.share)
        for problem in given.problems:
            try:
                compare(Path(name).name, problem, G, H, given.tolerance, given.method)
            except NotConverged as error:
                print(f"{name:24} {problem:12} {error}", flush=True)


if __name__ == "__main__":
    main()
