"""A warp takes a pair: its lanes take the entries of the shorter row, and search them in the longer one.

Source: binary search by warps as in Hu, Liu, Huang, "TriCore: Parallel Triangle Counting on GPUs", SC 2018.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.undirected import find_neighbours
from graphla.algorithms.similarity.formulas import WEIGHTED
from graphla.algorithms.similarity.settings import Settings
from graphla.engine.cuda.blocks import launch_over
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
    xp, csr, pairs, count = G.engine.xp, Graph(find_neighbours(G)).csr, s.pairs, int(s.pairs.tails.size)
    scores = xp.empty(count, np.float64)
    if not count:
        return (scores,)
    weighing, scoring = name_kernels(G.engine.c_type(csr.indptr), s.kind)
    worth = G.engine.get_unread("float64")
    if s.kind in WEIGHTED:
        worth = xp.empty(G.n, np.float64)
        launch_over(G.engine.kernel(KERNELS, weighing, beside=(scoring,)), G.n, (csr.indptr, np.int32(G.n), worth))
    beside = (weighing,) if s.kind in WEIGHTED else ()
    kernel = G.engine.kernel(KERNELS, scoring, takes=PairParameters, beside=beside)
    parameters = PairParameters(
        count=count,
        tails=pairs.tails,
        heads=pairs.heads,
        indptr=csr.indptr,
        indices=csr.indices,
        worth=worth,
        scores=scores,
    )
    kernel(min(MOST_BLOCKS, -(-count * 32 // THREADS)), THREADS, parameters)
    return (scores,)


def name_kernels(pointer: str, kind: str) -> tuple[str, str]:
    """The kernels that weigh vertices and that score pairs, by the type of the kind."""
    held = "".join(map(str.capitalize, kind.split("_")))
    return f"weigh_vertices<{pointer}, {held}>", f"add_up_pairs<{pointer}, {held}>"


method = Method(
    runs={"cuda": run},
    idea="a warp takes a pair; its lanes search the entries of the shorter row in the longer one",
    source="Hu, Liu, Huang, SC 2018",
    rank=100,
)
