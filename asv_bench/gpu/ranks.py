"""Products and PageRank by the language on one GPU and on several: ``mpirun -n 2 python asv_bench/gpu/ranks.py 24``.

Without mpirun, or with --engine cuda, one process with one GPU. A line per case: engine, ranks, milliseconds, a sum of
the result, which must not depend on the number of ranks.
"""

from __future__ import annotations

import argparse
from functools import partial
from time import perf_counter

import graphla as gl
from graphla import Vector, agg, binary
from graphla.engine import get_engine
from semirings import min_plus, plus_second

DAMPING = 0.85


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scale", type=int)
    parser.add_argument("--engine", default="mpi", choices=["mpi", "cuda", "cpu"])
    parser.add_argument("--rounds", type=int, default=10)
    asked = parser.parse_args()
    world = gl.mpi.get_world()
    engine = get_engine(asked.engine)
    show = print if world.rank == 0 else lambda *_, **__: None
    started = perf_counter()
    G = gl.generate.kronecker(asked.scale, weights=(1, 255), engine=asked.engine)
    wait(engine, world)
    where = engine.explain() if asked.engine == "mpi" else engine.name
    show(f"{where}: kron{asked.scale}, {G.nvals:,} arcs made in {perf_counter() - started:.2f} s", flush=True)
    cases = ("min_plus(A.T @ d)", make_relaxation), ("min_plus(A @ d)", make_pull), ("pagerank", make_rank)
    cases = (*cases, ("pagerank with A in the place of A.T", partial(make_rank, transposed=False)))
    for name, make in (*cases, ("10 rounds of pagerank in gl.loop", make_loop)):
        step, total = make(G)
        milliseconds = measure(step, asked.rounds, engine, world)
        show(f"{asked.engine} x{world.size} {name}: {milliseconds:.3f} ms a round, sum {total():.7g}", flush=True)


def make_relaxation(G):
    """Distances of one round from vertices that are reached already, along the arcs."""
    d = Vector.from_scalar(0, G.n, "INT32", engine=G.engine)
    out = Vector("INT32", G.n, engine=G.engine)

    def step():
        out << min_plus(G.A.T @ d)

    return step, lambda: float(out.reduce().new("FP64"))


def make_pull(G):
    """The same against the arcs."""
    d = Vector.from_scalar(0, G.n, "INT32", engine=G.engine)
    out = Vector("INT32", G.n, engine=G.engine)

    def step():
        out << min_plus(G.A @ d)

    return step, lambda: float(out.reduce().new("FP64"))


def make_rank(G, transposed=True):
    """A round of PageRank; vertices without arcs pass nothing on. The graph is symmetric: A may stand for A.T."""
    n, engine = G.n, G.engine
    share, rank = Vector.from_scalar(0, n, "FP32", engine=engine), Vector.from_scalar(1 / n, n, "FP32", engine=engine)
    factor = Vector.from_scalar(0, n, "FP32", engine=engine)
    factor(binary.plus) << binary.truediv(DAMPING, G.A.reduce_rowwise(agg.count).new("FP32"))

    def step(_=0):
        share << binary.times(rank & factor)
        rank << (1 - DAMPING) / n
        rank(binary.plus) << plus_second((G.A.T if transposed else G.A) @ share)

    return step, lambda: float(rank.reduce().new())


def make_loop(G):
    """Ten of these rounds as the body of a loop: on one GPU a CUDA graph."""
    step, total = make_rank(G)
    return lambda: gl.loop(step, times=10), total


def measure(step, rounds, engine, world):
    """Milliseconds of a round, of the slowest rank."""
    for _ in range(3):
        step()
    wait(engine, world)
    started = perf_counter()
    for _ in range(rounds):
        step()
    wait(engine, world)
    return (perf_counter() - started) / rounds * 1e3


def wait(engine, world):
    """Wait for the GPU and for all ranks."""
    if engine.xp.__name__ == "cupy":
        engine.xp.cuda.Device().synchronize()
    world.barrier()


if __name__ == "__main__":
    main()
