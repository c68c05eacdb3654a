"""Twice the triangles of each vertex, as `triangles` counts them by merging rows: of an undirected graph."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.clustering import Settings
from graphla.algorithms.clustering._shares import double_counts
from graphla.algorithms.shared.undirected import is_undirected
from graphla.algorithms.triangles import EACH, merge
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any]:
    """The arcs between the neighbours of each vertex: twice its triangles."""
    return (double_counts(G.engine, merge.method.runs[G.engine.name](G, EACH)[0]),)


def _refuses(G: Any, request: Any) -> str | None:
    return None if is_undirected(G) else "the graph is directed; method='bitmap' counts arcs, and so does 'algebraic'"


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="twice the triangles of each vertex, by merging the sorted rows of the ends of each arc",
    source=merge.method.source,
    refuses=_refuses,
    rank=50,
)
