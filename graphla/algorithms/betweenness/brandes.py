"""Brandes's algorithm, source by source: count the shortest paths on the way out, sum dependencies on the way back.

With σ(v) paths from the source to v, the dependency of v is δ(v) = Σ σ(v) / σ(w) · (1 + δ(w)) over the arcs v → w on
shortest paths. Vertices are taken in the order of their distance for σ and against it for δ. Both are sums over the
arcs of the vertex itself, so that no two threads write the same number. On the CPU each core takes a source; sums are
in float64, whatever the dtype of the answer.

Source: Brandes, "A Faster Algorithm for Betweenness Centrality", J. Math. Sociol. 25(2), 2001; Brandes, "On Variants of
Shortest-Path Betweenness Centrality and their Generic Computation", Social Networks 30(2), 2008 (edges, endpoints);
Beamer, Asanović, Patterson, "The GAP Benchmark Suite", 2015.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.betweenness.settings import Settings
from graphla.problem import Method


def run_on_cpu(G: Any, s: Settings) -> tuple[Any]:
    """Sums over the sources: a number per vertex, or per arc if edges are asked for."""
    from graphla.algorithms.betweenness._brandes_cpu import accumulate

    return (accumulate(G, s),)


def run_on_cuda(G: Any, s: Settings) -> tuple[Any]:
    """The same; the sums stay on the device."""
    from graphla.algorithms.betweenness._brandes_cuda import accumulate

    return (accumulate(G, s),)


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="a source at a time: count paths in the order of distance, sum dependencies against it",
    source="Brandes, J. Math. Sociol. 2001; Social Networks 2008",
    rank=90,
)
