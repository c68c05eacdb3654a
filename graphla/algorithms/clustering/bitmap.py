"""Twice the triangles of each vertex, as `triangles` counts them: of an undirected graph."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.triangles import bitmap
from graphla.algorithms.triangles._undirected import is_undirected
from graphla.problem import Method


def count_closed(count: Any) -> Any:
    """A function that counts the arcs between the neighbours of each vertex by one that counts triangles."""
    return lambda G: 2 * count(G, per_vertex=True)


def refuses_directed(G: Any, request: Any) -> str | None:
    """Triangles do not tell the directions of arcs apart."""
    return None if is_undirected(G) else "the graph is directed; method='algebraic' counts arcs"


method = Method(
    runs={engine: count_closed(count) for engine, count in bitmap.method.runs.items()},
    idea="twice the triangles of each vertex, by rows of bits and hash tables",
    source=bitmap.method.source,
    refuses=refuses_directed,
    rank=100,
)
