"""q<¬level, replace> = Aᵀ any.pair q: a level of the search is a product of the adjacency matrix and the frontier.

Parents come from ``any.secondi``, whose product is the row of the frontier's entry. Push scatters the frontier's
rows, pull probes the rows not reached yet; the plan chooses for each level (Beamer, Asanović, Patterson, SC'12), as in
Hwu, Kirk and El Hajj, *Programming Massively Parallel Processors*, chapter 15. O(V + E) with pushes alone.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.limits import Limits
from graphla.common.typing import Direction
from graphla.containers.loop import loop
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Choice, Method
from graphla.storage import Distributed
from semirings import any_pair, any_secondi


def run(G: Graph, source: int, s: Limits, *, direction: Direction | None = None) -> tuple[Vector, Any]:
    """Levels, and parents if asked."""
    A, times = prepare_transpose(G).A, None if s.limit is None else int(s.limit) + 1
    if s.parents:
        return compute_levels_and_parents(A, source, direction, times)
    return compute_levels(A, [source], direction, times), None


def compute_levels(A: Any, sources: list[int], direction: Direction | None, times: int | None = None) -> Vector:
    """Compute one product per level from the nearest source, over the structure of the matrix."""
    q = Vector.from_coo(sources, True, "BOOL", size=A.nrows, engine=A.engine)
    level = Vector("INT32", A.nrows, engine=A.engine)

    def search(depth: Any) -> None:
        level(q.S) << depth
        q(~level.S, replace, direction=direction) << any_pair(A.T @ q)

    loop(search, while_entries=q, times=times)
    return level


def compute_levels_and_parents(
    A: Any, source: int, direction: Direction | None, times: int | None = None
) -> tuple[Vector, Vector]:
    """The frontier carries the vertices from which it was reached."""
    q = Vector.from_coo([source], [source], "INT32", size=A.nrows, engine=A.engine)
    level = Vector("INT32", A.nrows, engine=A.engine)
    parent = Vector.from_coo([source], [source], "INT32", size=A.nrows, engine=A.engine)

    def search(depth: Any) -> None:
        level(q.S) << depth
        q(~level.S, replace, direction=direction) << any_secondi(A.T @ q)
        parent(q.S) << q

    loop(search, while_entries=q, times=times)
    return level, parent


def search_many(G: Graph, sources: list[int], limit: int | None = None) -> Matrix:
    """F<¬L, replace> = F any.pair A: each row is a frontier, and one product computes one level of all searches."""
    A, k = G.A, len(sources)
    F = Matrix.from_coo(range(k), sources, True, nrows=k, ncols=G.n, engine=A.engine)
    L, depth = Matrix("INT32", k, G.n, engine=A.engine), 0
    while F.nvals and (limit is None or depth <= limit):
        L(F.S) << depth
        F(~L.S, replace) << any_pair(F @ A)
        depth += 1
    return L


def prepare_transpose(G: Graph) -> Graph:
    """The graph with its symmetry found and its transpose kept, so that both directions are open."""
    if not isinstance(G.A._storage, Distributed):
        _ = G.csc
    return G


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="q<¬level, replace> = Aᵀ any.pair q, push or pull by the plan",
    source="Hwu, Kirk, El Hajj, ch. 15; Beamer et al., SC'12",
    options={"direction": Choice(None, "push", "pull", text="direction of every product; None lets the plan decide")},
    also=("parents",),
)
