"""Each walk for itself: a number by a counter, and the place in the row that it falls on; by bisection of the sums.

Steps of node2vec are drawn as if p = q = 1, and taken with the share that their factor has of the largest, else drawn
again. The numbers do not depend on who walks when, so both engines make the same walks.

Source: Grover, Leskovec, "node2vec: Scalable Feature Learning for Networks", KDD 2016; rejection as in Yang, Zhang et
al., "KnightKing: A Fast Distributed Graph Random Walk Engine", SOSP 2019; counters as in Salmon et al., "Parallel
Random Numbers: As Easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.random_walks.settings import Settings
from graphla.algorithms.shared.random_words import hash_seed
from graphla.algorithms.shared.weight_sums import add_up_weights
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method
from graphla.storage.convert import make_full

Array = Any
THREADS = 128
KERNELS = Path(__file__).with_suffix(".cuh")
WalkParameters = read_struct(KERNELS, "WalkParameters")


def run_cpu(G: Any, s: Settings) -> tuple[Array]:
    """The vertices of each walk: int32, -1 after its end."""
    from graphla.algorithms.random_walks._walkers_cpu import walk

    return (walk(G, s),)


def run_cuda(G: Any, s: Settings) -> tuple[Array]:
    """The vertices of each walk; a thread takes one. They are written step by step, and turned at the end."""
    xp, count = G.engine.xp, int(s.starts.size)
    walks = make_full(xp, (s.length + 1) * count, -1, "int32").reshape(s.length + 1, count)
    if count:
        flags = ", ".join("true" if flag else "false" for flag in (s.weighted, s.biased))
        name = f"walk<{G.engine.c_type(G.csr.indptr)}, {flags}>"
        kernel = G.engine.kernel(KERNELS, name, takes=WalkParameters)
        parameters = WalkParameters(
            count=count,
            length=s.length,
            indptr=G.csr.indptr,
            indices=G.csr.indices,
            sums=add_up_weights(G) if s.weighted else xp.zeros(1, np.uint64),
            seed=hash_seed(s.seed),
            numbers=s.numbers,
            starts=s.starts,
            thresholds=xp.asarray(np.array([s.back, s.near, s.far], np.uint64)),
            walks=walks,
        )
        kernel(-(-count // THREADS), THREADS, parameters)
    return (xp.ascontiguousarray(walks.T),)


method = Method(
    runs={"cpu": run_cpu, "cuda": run_cuda},
    idea="each walk for itself, by random numbers that are hashes of its number and its step",
    source="Grover, Leskovec, KDD 2016; Yang et al., SOSP 2019; Salmon et al., SC 2011",
    rank=100,
)
