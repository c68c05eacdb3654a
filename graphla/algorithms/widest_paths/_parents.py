"""The parents on widest paths: a breadth-first tree of the arcs that give their heads exactly the width they have."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs import bfs
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph


def find_parents(G: Graph, widths: Vector, source: int) -> Vector:
    """The parent of each vertex that is reached; a path of the tree has as few arcs as any of such arcs has."""
    xp, (tails, heads, weights) = G.engine.xp, G.A.to_coo()
    there, values = widths.to_coo()
    width, reached = xp.zeros(G.n, values.dtype), xp.zeros(G.n, bool)
    width[there], reached[there] = values, True
    tight: Any = reached[tails] & (xp.minimum(width[tails], weights) == width[heads])
    return bfs(Graph((tails[tight], heads[tight]), n=G.n, engine=G.engine), source, parents=True)[1]
