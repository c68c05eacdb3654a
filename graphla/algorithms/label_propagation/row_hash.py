"""Each vertex counts the labels around it in a hash table of its own, as large as its row needs.

The count that an addition returns, and the label below it, decide at once which label is ahead: no second pass looks
for the largest count. Before the table the label of one neighbour is tried on the CPU: in later rounds it is most often
the one of more than half of them. Once few vertices have changed, they wake their neighbours, and only those count in
the next round.

On a GPU rows are sorted by their lengths: a thread compares up to 8 labels in registers, a warp matches up to 32, a
warp or a block counts in shared memory, and of hubs many blocks count a piece each and add the counts up in a table
in global memory. Nothing comes back to the host, but for a look every 16 rounds whether labels still change.

Source: Iosup et al., "The LDBC Graphalytics Benchmark", 2020 (CDLP); hash tables per vertex as in Sahu, "GVE-LPA: Fast
Label Propagation Algorithm for Shared-Memory Systems", 2023; classes of rows as in Ye et al., "GPU-accelerated graph
label propagation", 2023 (GLP).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from graphla.algorithms.label_propagation import Settings
from graphla.algorithms.label_propagation._neighbours import get_neighbours, take_first
from graphla.algorithms.label_propagation._ties import order_vertices
from graphla.problem import Method
from graphla.storage.convert import copy_array, gather


def run_on_cpu(G: Any, s: Settings) -> tuple[Any]:
    """The label of each vertex after some rounds."""
    from graphla.algorithms.label_propagation._row_hash_cpu import propagate

    label, rounds, vertices = run_first(G, s, take_first)
    return (vertices[propagate(*get_neighbours(G), label, rounds)],)


def run_on_cuda(G: Any, s: Settings) -> tuple[Any]:
    """The same; the labels stay on the device."""
    from graphla.algorithms.label_propagation._row_hash_cuda import propagate, take_smallest

    label, rounds, vertices = run_first(G, s, partial(take_smallest, G.engine))
    return (gather(vertices, propagate(G, label, rounds)),)


def run_first(G: Any, s: Settings, first: Callable[[Any, Any], Any]) -> tuple[Any, int, Any]:
    """Labels, the rounds that are left, and the vertices that labels stand for.

    The first round of a graph that equals its transpose needs no counts where the smallest label wins.
    """
    xp, (indptr, indices) = G.engine.xp, get_neighbours(G)
    labels, vertices = order_vertices(xp, G.n, s.seed)
    if not indices.size:
        return labels, 0, vertices
    if s.rounds and G.symmetric and s.seed is None:
        return first(indptr, indices), s.rounds - 1, vertices
    return copy_array(labels), s.rounds, vertices


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="a hash table of counts per row, by length classes; once few labels change, only their neighbours count again",
    source="LDBC Graphalytics; Sahu, 2023; Ye et al., 2023",
    rank=100,
)
