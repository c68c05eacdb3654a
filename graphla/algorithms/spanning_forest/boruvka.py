"""Borůvka in one launch: edges offer themselves to the trees at their ends, the first of each tree joins it to another.

Trees are those of union-find. Where there are many edges per vertex, a sample of the weights says below which one lie
about one edge per vertex; these go first. Most others are then within one tree, and are read once. An edge is a word
of 64 bits, its weight in order above its number, so that a minimum of words is the first edge.

Source: Borůvka, 1926; Fallin, Gonzalez, Seo, Burtscher, "A High-Performance MST Implementation for GPUs" (ECL-MST),
SC 2023; Osipov, Sanders, Singler, "The Filter-Kruskal Minimum Spanning Tree Algorithm", ALENEX 2009.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.edge_order import rank_weights
from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs
from graphla.algorithms.spanning_forest import Settings
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

Array = Any
THREADS = 512
SAMPLES = 1024
LIGHT = 1
"""Edges per vertex among the lightest, which go first."""
FILTERED = 4 * LIGHT
"""Arcs per vertex from which on the lightest edges go first."""
MOST_ARCS = 1 << 32
KERNELS = Path(__file__).with_suffix(".cuh")
ForestParameters = read_struct(KERNELS, "ForestParameters")


def run(G: Any, s: Settings) -> tuple[Array]:
    """The arcs of the forest: positions in ``G.csr``, in order; the host reads their number."""
    xp, offset = G.engine.xp, G.csr.indptr.dtype
    if not G.nvals:
        return (xp.zeros(0, np.int64),)
    G.engine.lists.begin("transpose", "scan")
    name = f"boruvka<{G.engine.c_type(G.csr.indptr)}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=ForestParameters)
    blocks = G.cached("spanning_forest.grid", lambda _: kernel.resident_blocks(THREADS))
    counts, found = xp.zeros(4, np.uint32), xp.empty(2 * G.n, offset)
    parameters = ForestParameters(
        n=G.n,
        arcs=offset.type(G.nvals),
        indptr=G.csr.indptr,
        tails=find_sources_of_arcs(G),
        heads=G.csr.indices,
        order=rank_weights(G),
        flip=np.uint32(0xFFFFFFFF if s.kind == "maximum" else 0),
        light=count_light(G),
        parent=xp.empty(G.n, np.int32),
        best=xp.empty(G.n, np.uint64),
        list=xp.empty(G.nvals // 2 + 1, np.uint32),
        other=xp.empty(G.nvals // 2 + 1, np.uint32),
        counts=counts,
        taken=xp.zeros(-(-G.nvals // 32), np.uint32),
        found=found,
        found_of_block=xp.empty(blocks, np.uint32),
        barrier=G.engine.get_barrier(),
    )
    kernel(blocks, THREADS, parameters)
    return (found[: int(G.engine.to_host(counts)[3])],)


def count_light(G: Any) -> int:
    """How many of a sample of the edges go first; none if all go at once."""
    return 0 if G.nvals < max(SAMPLES, FILTERED * G.n) else max(1, 2 * LIGHT * G.n * SAMPLES // G.nvals)


def _refuses(G: Any, request: Any) -> str | None:
    if G.nvals >= MOST_ARCS:
        return f"it numbers arcs by 32 bits, and there are {G.nvals:,}; method='algebraic' numbers them by 64"
    return None


method = Method(
    runs={"cuda": run},
    idea="each tree takes the first edge that leaves it, the lightest edges first; union-find, in one launch",
    source="Fallin, Gonzalez, Seo, Burtscher, SC 2023; Osipov, Sanders, Singler, ALENEX 2009",
    refuses=_refuses,
    rank=100,
)
