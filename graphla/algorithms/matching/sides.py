"""The two sides of a bipartite graph: vertices an even and an odd number of arcs away from the first of their part."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.components import components
from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs
from graphla.algorithms.shared.undirected import find_neighbours
from graphla.common.errors import InvalidGraph
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.storage.convert import is_any
from semirings import any_pair

Array = Any


def find_sides(G: Graph) -> Array:
    """Whether each vertex is on the side of the smallest one of its component; refuse a cycle of odd length."""
    return G.cached("matching.sides", make_sides)


def make_sides(G: Graph) -> Array:
    """Searches from all components at once, level by level, and a look at each arc."""
    if G.engine.name == "cpu":
        from graphla.algorithms.matching._sides_cpu import split_sides

        left, seen = split_sides(G.csr)
    else:
        left = split_by_levels(G)
        seen = find_clash(G, left)
    if seen is not None:
        raise InvalidGraph(
            f"matching: kind='maximum' is of bipartite graphs, and the edge between {seen[0]} and {seen[1]} closes a "
            "cycle of odd length; kind='maximal' is of any graph"
        )
    return left


def split_by_levels(G: Graph) -> Array:
    """With q, the vertices of a level: q<!s, replace> = A any.pair q, and s<q> = whether the level is even."""
    xp, A = G.engine.xp, find_neighbours(G)
    roots = components(G).to_dense(-1) == xp.arange(G.n)
    q, s = Vector._from_sentinel(roots, False, G.engine), Vector("BOOL", G.n, engine=G.engine)
    even = True
    while q.nvals:
        s(q.S) << even
        q(~s.S, replace) << any_pair(A @ q)
        even = not even
    return s.to_dense(False)


def find_clash(G: Graph, left: Array) -> tuple[int, int] | None:
    """An arc between two vertices of one side that is no loop."""
    tails, heads = find_sources_of_arcs(G), G.csr.indices
    clash = (left[tails] == left[heads]) & (tails != heads)
    if not G.nvals or not is_any(clash):
        return None
    k = int(clash.argmax())
    return int(tails[k]), int(heads[k])
