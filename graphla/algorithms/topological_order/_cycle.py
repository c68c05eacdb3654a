"""A cycle among the vertices that are left when no more can be removed: each has a predecessor among them.

p⟨r⟩ = Aᵀ min.secondi r is the smallest such predecessor of each vertex. Following p from any of them, one comes to a
cycle, backward.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from semirings import min_secondi


def trace_cycle(G: Graph, levels: Any) -> tuple[int, ...]:
    """The vertices of a cycle in the order of its arcs, the smallest first; a level of -1 marks those that are left."""
    A: Any = G.A
    left = Vector._from_sentinel(G.engine.xp.where(levels < 0, 1, 0).astype("int32"), 0, G.engine)
    p = Vector("INT32", G.n, engine=G.engine)
    p(left.S, replace) << min_secondi(A.T @ left)
    before = p.to_numpy(-1)
    cycle = follow(before.tolist(), int(np.flatnonzero(before >= 0)[0]))
    first = cycle.index(min(cycle))
    return (*cycle[first:], *cycle[:first])


def follow(before: list[int], start: int) -> list[int]:
    """The cycle to which predecessors lead from a vertex, in the order of its arcs."""
    place, path, v = dict[int, int](), list[int](), start
    while v not in place:
        place[v] = len(path)
        path.append(v)
        v = before[v]
    return path[place[v] :][::-1]
