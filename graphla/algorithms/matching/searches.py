"""Searches from all free vertices of one side at once, phase after phase, in one launch.

It begins with the maximal matching of `suitor`. The trees of a search do not meet, so each may end a path of its own,
and a level costs one barrier. Which vertex meets another first depends on the order of threads, and so does the
matching; its size does not.

Source: Azad, Buluç, Pothen, "Computing Maximum Cardinality Matchings in Parallel on Bipartite Graphs via
Tree-Grafting", IEEE TPDS 28(1), 2017 (searches from many sources: MS-BFS).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.matching import suitor
from graphla.algorithms.matching._refuse import refuse_maximal
from graphla.algorithms.matching.settings import Settings
from graphla.algorithms.matching.sides import find_sides
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

Array = Any
THREADS = 256
LONG_ROW = 32
"""Arcs beyond which a warp reads a row together."""
KERNELS = Path(__file__).with_suffix(".cuh")
SearchParameters = read_struct(KERNELS, "SearchParameters")


def run(G: Any, s: Settings) -> tuple[Any]:
    """The mate of each vertex, or -1."""
    return (match_sides(G, find_sides(G)),)


def match_sides(G: Any, left: Array) -> Array:
    """The mate of each vertex, or -1, of as many pairs as there can be between both sides."""
    xp, mates = G.engine.xp, suitor.run_on_cuda(G, Settings())[0]
    if not G.nvals:
        return xp.full(G.n, -1, np.int32)
    name = f"searches<{G.engine.c_type(G.csr.indptr)}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=SearchParameters)
    parents, roots, ends, queue, following = (xp.empty(G.n, np.int32) for _ in range(5))
    counts, barrier = xp.zeros(6, np.int32), G.engine.get_barrier()
    blocks = G.cached("matching.search_grid", lambda _: kernel.resident_blocks(THREADS))
    parameters = SearchParameters(
        n=G.n,
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        left=left,
        mates=mates,
        parents=parents,
        roots=roots,
        ends=ends,
        queue=queue,
        next=following,
        counts=counts,
        barrier=barrier,
    )
    kernel(blocks, THREADS, parameters)
    return mates


method = Method(
    runs={"cuda": run},
    idea="searches from all free vertices of one side at once; each tree that meets a free vertex changes its path",
    source="Azad, Buluç, Pothen, IEEE TPDS 2017",
    refuses=refuse_maximal,
    rank=100,
)
