"""A warp takes a pair: its lanes take the entries of the shorter row, and search them in the longer one.

Source: binary search by warps as in Hu, Liu, Huang, "TriCore: Parallel Triangle Counting on GPUs", SC 2018.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.undirected import find_degrees, find_neighbours
from graphla.algorithms.similarity.formulas import score, weigh
from graphla.algorithms.similarity.settings import Pairs, Settings
from graphla.engine.cuda.records import read_struct
from graphla.graphs.graph import Graph
from graphla.problem import Method

Array = Any
THREADS = 256
MOST_BLOCKS = 1 << 16
KERNELS = Path(__file__).with_suffix(".cuh")
PairParameters = read_struct(KERNELS, "PairParameters")


def run(G: Any, s: Settings) -> tuple[Array]:
    """The score of each pair: float64; nothing comes back to the host."""
    pairs, kind = s.pairs, s.kind
    xp, degrees = G.engine.xp, find_degrees(G)
    common = add_up(G, pairs, weigh(xp, kind, degrees))
    return (score(xp, kind, common, degrees, pairs.tails, pairs.heads),)


def add_up(G: Any, pairs: Pairs, weights: Array | None) -> Array:
    """The sum over the common neighbours of each pair."""
    xp, csr, count = G.engine.xp, Graph(find_neighbours(G)).csr, int(pairs.tails.size)
    sums = xp.empty(count, np.float64)
    if not count:
        return sums
    weighted = "true" if weights is not None else "false"
    name = f"add_up_pairs<{G.engine.c_type(csr.indptr)}, {weighted}>"
    kernel = G.engine.kernel(KERNELS, name, takes=PairParameters)
    held = xp.zeros(1, np.float64) if weights is None else weights
    blocks = min(MOST_BLOCKS, -(-count * 32 // THREADS))
    parameters = PairParameters(
        count=count,
        tails=pairs.tails,
        heads=pairs.heads,
        indptr=csr.indptr,
        indices=csr.indices,
        worth=held,
        sums=sums,
    )
    kernel(blocks, THREADS, parameters)
    return sums


method = Method(
    runs={"cuda": run},
    idea="a warp takes a pair; its lanes search the entries of the shorter row in the longer one",
    source="Hu, Liu, Huang, SC 2018",
    rank=100,
)
