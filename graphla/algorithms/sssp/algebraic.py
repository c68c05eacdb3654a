"""t = Aᵀ min.plus q: each round relaxes the arcs that leave the vertices whose distance decreased (Bellman–Ford).

The plan chooses push or pull. Weights may be negative: a graph that still improves after some rounds is searched for a
negative cycle. Common in GraphBLAS. O(V · E) in the worst case; on road and social graphs some multiples of E.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.limits import WHOLE, Limits
from graphla.algorithms.shared.weights import distance_dtype
from graphla.algorithms.sssp import tight
from graphla.common.errors import NegativeCycle, NotSupported
from graphla.common.typing import Direction
from graphla.containers.loop import loop
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Choice, Method
from graphla.storage import Distributed
from semirings import binary, min_plus
from semirings.dtypes import lookup

PATIENCE = 32
"""After so many rounds with negative weights a negative cycle is searched for, once."""


def run(G: Graph, source: int, s: Limits, *, direction: Direction | None = None) -> tuple[Vector, Vector | None]:
    """Compute distances, and parents if requested."""
    if not isinstance(G.A._storage, Distributed):
        _ = G.csc  # builds the transpose, so that a round can push or pull
    d = compute_distances(G, source, direction, s)
    return d, tight.find_parents(G.A, d, source) if s.parents else None


def compute_distances(G: Graph, source: int, direction: Direction | None, s: Limits = WHOLE) -> Vector:
    """Relax until no distance decreases."""
    A, inf = G.A, float("inf")
    dtype = lookup(distance_dtype(G.dtype.numpy))
    last = s.find_last(dtype.numpy)
    d, q = (Vector.from_coo([source], [0], dtype, size=G.n, engine=A.engine) for _ in "dq")
    t, falls = Vector(dtype, G.n, engine=A.engine), Vector("BOOL", G.n, engine=A.engine)

    def relax(_: Any) -> None:
        t(direction=direction) << min_plus(A.T @ q)
        falls(t.S, replace) << t.ewise_union(d, binary.lt, inf, inf)
        q(falls.V, replace) << t
        if s.limit is not None:
            q << q.select("valuele", last)
        d(q.S) << q

    if G.min_weight is not None and G.min_weight < 0 and loop(relax, while_entries=q, times=PATIENCE) and q.nvals:
        refuse_negative_cycle(G, source)
    loop(relax, while_entries=q)
    return d


def search_many(G: Graph, sources: list[int], s: Limits = WHOLE) -> Matrix:
    """Compute T = F min.plus A, with one row per source: each round of all sources is one product."""
    A, k, inf = G.A, len(sources), float("inf")
    dtype = lookup(distance_dtype(G.dtype.numpy))
    D = Matrix.from_coo(range(k), sources, 0, dtype, nrows=k, ncols=G.n, engine=A.engine)
    F, falls, rounds = D.dup(), Matrix("BOOL", k, G.n, engine=A.engine), 0
    while F.nvals:
        T = min_plus(F @ A).new(dtype)
        falls(T.S, replace) << T.ewise_union(D, binary.lt, inf, inf)
        F(falls.V, replace) << T
        if s.limit is not None:
            F << F.select("valuele", s.find_last(dtype.numpy))
        D(binary.min) << F
        rounds += 1
        if rounds == PATIENCE and G.min_weight < 0:
            for source in sources:
                refuse_negative_cycle(G, source)
    return D


def refuse_negative_cycle(G: Graph, source: int) -> None:
    """Raise an error with the vertices of a negative cycle if `source` reaches one."""
    from graphla.algorithms.sssp.negative_cycle import find_negative_cycle

    if isinstance(G.A._storage, Distributed):
        raise NotSupported(
            f"sssp: distances still fall after {PATIENCE} rounds with negative weights, and a cycle of negative weight "
            "is looked for in the whole graph: G.to('cpu') collects it on each rank, if it fits there"
        )
    indptr, indices, weights = (G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values))
    cycle = find_negative_cycle(indptr, indices, weights, source)
    if cycle is not None:
        raise NegativeCycle(cycle)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="relax from the vertices whose distance fell: t = Aᵀ min.plus q",
    source="Bellman (1958), Ford (1956), as in GraphBLAS",
    options={"direction": Choice(None, "push", "pull", text="direction of every product; None lets the plan decide")},
    also=("parents",),
)
