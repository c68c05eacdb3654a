"""Two searches find the component of a pivot; the other vertices are coloured with the smallest vertices, both ways.

What the pivot reaches and what reaches it have the pivot's component in common, and in most graphs that is the largest
one. The pivot is the vertex with the largest product of leaving and entering arcs. The searches are those of
`bfs`, the second on the transpose. Every other component lies in one of three parts. In one more launch each vertex of
a part learns the smallest vertex that reaches it and the smallest that it reaches. Where they are the same, that names
its component; arcs between vertices that differ are dropped, and the rest goes on. The host reads one number.

Source: Fleischer, Hendrickson, Pınar, "On Identifying Strongly Connected Components in Parallel", IPDPS workshops 2000;
Alabandi, Sands, Biros, Burtscher, "A High-Performance Parallel Strongly Connected Components Algorithm for GPUs"
(ECL-SCC), SC 2023.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.bfs.fused import search
from graphla.algorithms.components import Settings
from graphla.algorithms.components._device import launch_grid
from graphla.algorithms.components.tarjan import refuses_weak
from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs
from graphla.containers.matrix import Matrix
from graphla.engine.cuda.blocks import launch_over
from graphla.engine.cuda.records import read_struct
from graphla.graphs.graph import Graph
from graphla.problem import Method
from graphla.storage.convert import make_range, match_pointers

THREADS = 512
LONG_ROW = 64
"""Arcs of a vertex that a lane does not take alone: all arcs are due instead."""
AHEAD = 4
"""Arcs that a lane loads before it looks at one."""
FEW = 16
"""Vertices are listed once less than one in so many learns anything in a pass."""
KERNELS = Path(__file__).with_suffix(".cuh")
PartsParameters = read_struct(KERNELS, "PartsParameters")
ColourParameters = read_struct(KERNELS, "ColourParameters")


def run(G: Any, s: Settings) -> tuple[Any]:
    """The smallest vertex of each vertex's strong component."""
    xp = G.engine.xp
    if not G.nvals:
        return (make_range(xp, range(G.n), "int32"),)
    G.engine.begin(KERNELS, f"begin_parts<{G.engine.c_type(G.csr.indptr)}>", cooperative=True)
    pivot = G.cached("components.pivot", choose_pivot)
    forward, _ = search(G, pivot)
    backward, _ = search(G.cached("components.reversed", reverse), pivot)
    label, state, left = xp.empty(G.n, np.int32), xp.empty(G.n, np.int32), xp.zeros(1, np.uint64)
    arcs = {
        "n": G.n,
        "arcs": G.csr.indptr.dtype.type(G.nvals),
        "tails": find_sources_of_arcs(G),
        "heads": G.csr.indices,
        "state": state,
        "label": label,
        "barrier": G.engine.get_barrier(),
    }
    smallest = G.engine.asarray(np.array([G.n], np.int32))
    parts = PartsParameters(**arcs, forward=forward, backward=backward, smallest=smallest, left=left)
    launch_grid(G, "begin_parts", THREADS, parts, "forward_backward")
    count = int(G.engine.to_host(left)[0])
    if count:
        colour(G, arcs, count)
    return (label,)


def colour(G: Any, arcs: dict[str, Any], count: int) -> None:
    """Label the remaining vertices, all arcs included."""
    xp, offset = G.engine.xp, G.csr.indptr.dtype
    out_indptr, in_indptr = match_pointers(G.csr.indptr, G.csc.indptr)
    parameters = ColourParameters(
        **arcs,
        out_indptr=out_indptr,
        in_indptr=in_indptr,
        in_indices=G.csc.indices,
        source=xp.empty(G.n, np.int32),
        towards=xp.empty(G.n, np.int32),
        other_source=xp.empty(G.n, np.int32),
        other_towards=xp.empty(G.n, np.int32),
        list=xp.empty(count, offset),
        other=xp.empty(count, offset),
        queue=xp.empty(G.n, np.int32),
        next=xp.empty(G.n, np.int32),
        counts=xp.zeros(2, np.uint64),
        learned=xp.zeros(3, np.int32),
        wide=xp.zeros(3, np.int32),
    )
    launch_grid(G, "forward_backward", THREADS, parameters)


def choose_pivot(G: Any) -> int:
    """A vertex that many paths lead through."""
    engine, ends = G.engine, match_pointers(G.csr.indptr, G.csc.indptr)
    products, most = engine.xp.empty(G.n, np.uint64), engine.xp.zeros(1, np.uint64)
    first = engine.asarray(np.array([G.n], np.int32))
    names = f"weigh_pivots<{engine.c_type(ends[0])}>", "find_pivot"
    weighing, finding = (engine.kernel(KERNELS, names[i], beside=(names[1 - i],)) for i in range(2))
    launch_over(weighing, G.n, (*ends, np.int32(G.n), products, most))
    launch_over(finding, G.n, (products, most, np.int32(G.n), first))
    return int(engine.to_host(first)[0])


def reverse(G: Any) -> Graph:
    """The graph with its arcs turned; it knows its transpose."""
    G.csc.cached("transposed", lambda _: G.csr)
    return Graph(Matrix._from_storage(G.csc, G.engine))


method = Method(
    runs={"cuda": run},
    idea="searches from a pivot, both ways; the rest by the smallest vertices, both ways",
    source="Fleischer, Hendrickson, Pınar, 2000; Alabandi et al., SC 2023",
    refuses=refuses_weak,
    rank=90,
)
