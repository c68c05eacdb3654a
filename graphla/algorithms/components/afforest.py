"""Union-find in three steps: join along two arcs of each vertex, find the largest component, join what is not in it.

Two arcs per vertex already join most of a large component. Its vertices need not look at their other arcs: an arc
between it and another vertex is seen from that vertex. Of a directed graph the others look along both their leaving
and their entering arcs. Trees are joined at their roots by a compare-and-swap, the larger root below the smaller one,
so that the last root is the smallest vertex of its component. The first arc needs no swap: a vertex points to its
smallest neighbour, if that is smaller than itself.

Of a graph that equals its transpose these are the strong components, too.

Source: Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling", IPDPS 2018
(Afforest); the first pointers and the compression of Jaiganesh, Burtscher, "A High-Performance Connected Components
Implementation for GPUs", HPDC 2018 (ECL-CC); Dhulipala, Hong, Shun, "ConnectIt", PVLDB 14(4), 2020.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.components import Settings
from graphla.algorithms.components._device import launch_grid
from graphla.algorithms.components.ranks import refuse_on_ranks, run_on_ranks
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

THREADS = 512
SAMPLED_DEGREE = 8
"""Arcs per vertex from which on a GPU looks for the largest component first; roads and grids have fewer."""
KERNELS = Path(__file__).with_name("afforest.cuh")
AfforestParameters = read_struct(KERNELS, "AfforestParameters")


def run_on_cpu(G: Any, s: Settings) -> tuple[Any]:
    """The smallest vertex of each vertex's component."""
    from graphla.algorithms.components.afforest_cpu import find_components

    return (find_components(G.csr, G.csc),)


def begin(engine: Any, offset: str) -> None:
    """Begin to compile the kernel for row pointers of a type of C."""
    engine.begin(KERNELS, f"afforest<{offset}>", cooperative=True)


def run_on_cuda(G: Any, s: Settings) -> tuple[Any]:
    """The same in one launch; nothing comes back to the host."""
    xp = G.engine.xp
    parent = xp.empty(G.n, np.int32)
    sampled = G.nvals >= SAMPLED_DEGREE * G.n
    out, into = G.csr, G.csc if sampled or G.symmetric else G.csr
    parameters = AfforestParameters(
        n=G.n,
        out_indptr=out.indptr,
        out_indices=out.indices,
        in_indptr=into.indptr,
        in_indices=into.indices,
        parent=parent,
        barrier=G.engine.get_barrier(),
        largest=G.cached(f"components.largest.{G.engine.device.stream()}", lambda _: xp.zeros(1, np.int32)),
        symmetric=G.symmetric,
        sampled=sampled,
    )
    if G.n:
        launch_grid(G, "afforest", THREADS, parameters)
    return (parent,)


def _refuses(G: Any, request: Any) -> str | None:
    """Strong components of directed graphs, and graphs over ranks that share no memory."""
    if request.get("kind", "weak") == "strong" and not G.symmetric:
        other = {"cpu": "tarjan", "cuda": "forward_backward"}.get(G.engine.name, "algebraic")
        return f"union-find does not tell the directions of arcs apart; method={other!r} finds strong components"
    return refuse_on_ranks(G) if G.engine.name == "mpi" else None


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="union-find along two arcs per vertex, then along all arcs outside the largest component",
    source="Sutton, Ben-Nun, Barak, IPDPS 2018; Jaiganesh, Burtscher, HPDC 2018",
    refuses=_refuses,
    on_ranks=run_on_ranks,
    rank=100,
)
