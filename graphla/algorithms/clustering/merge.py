"""Twice the triangles of each vertex, as `triangles` counts them by merging rows: of an undirected graph."""

from __future__ import annotations

from graphla.algorithms.clustering.bitmap import count_closed, refuses_directed
from graphla.algorithms.triangles import merge
from graphla.problem import Method

method = Method(
    runs={engine: count_closed(count) for engine, count in merge.method.runs.items()},
    idea="twice the triangles of each vertex, by merging the sorted rows of the ends of each arc",
    source=merge.method.source,
    refuses=refuses_directed,
    rank=50,
)
