"""Reductions of rows and parts of vectors in the body of `gl.loop`, beside the same statements from Python.

    python asv_bench/gpu/loop_statements.py kron:16 kron:20

Microseconds of wall time of a round: the difference of loops of 60 rounds and of 10, and of as many statements.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np
from bfs import read

import graphla as gl
from graphla import Matrix, Vector, binary, monoid

FEW, MANY = 10, 60


def list_bodies(G: gl.Graph) -> dict[str, Callable[[Any], Any]]:
    """Statements, each with what it reads and writes."""
    random, n, engine = np.random.default_rng(3), G.n, {"engine": G.engine}
    x, y, r = (Vector.from_dense(cp.asarray(random.random(n, dtype="float32")), **engine) for _ in range(3))
    p, k = cp.asarray(random.permutation(n)), Vector("FP32", 4, **engine)
    F = Matrix.from_dense(cp.asarray(random.random((4, n), dtype="float32")), **engine)
    few = x.select(">", 0.5).new()
    return {
        "A.reduce_rowwise": lambda _: r << G.A.reduce_rowwise("plus"),
        "4 x n, reduce_columnwise": lambda _: r << F.reduce_columnwise("plus"),
        "4 x n, reduce_rowwise plus": lambda _: k << F.reduce_rowwise("plus"),
        "4 x n, reduce_rowwise max": lambda _: k << F.reduce_rowwise(monoid.max),
        "x[p] << y": lambda _: x[p] << y,
        "x(min)[p] << y": lambda _: x(binary.min)[p] << y,
        "few[p] << y": lambda _: few[p] << y,
        "x << y[::-1]": lambda _: x << y[::-1],
        "x[10:20] << 1": lambda _: x[10:20] << 1,
    }


def measure(run: Callable[[int], Any]) -> float:
    """Microseconds of a round."""
    times: dict[int, list[float]] = {FEW: [], MANY: []}
    for _ in range(4):
        for rounds, found in times.items():
            cp.cuda.Device().synchronize()
            begin = time.perf_counter()
            run(rounds)
            cp.cuda.Device().synchronize()
            found.append(time.perf_counter() - begin)
    return 1e6 * (min(times[MANY][1:]) - min(times[FEW][1:])) / (MANY - FEW)


def run_in_python(body: Callable[[Any], Any], rounds: int) -> None:
    for turn in range(rounds):
        body(turn)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    for name in parser.parse_args().graphs:
        G = read(name)
        print(f"{name}: {G.n:,} vertices, {G.nvals:,} arcs", flush=True)
        for title, body in list_bodies(G).items():
            plan = gl.loop(body, times=FEW).plan
            loop = measure(lambda rounds, body=body: gl.loop(body, times=rounds))
            statements = measure(lambda rounds, body=body: run_in_python(body, rounds))
            print(f"  {title:28} {loop:9.1f} us a round, by statements {statements:9.1f}; {plan}", flush=True)


if __name__ == "__main__":
    main()
