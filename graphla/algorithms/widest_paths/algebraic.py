"""t = Aᵀ max.min q: each round offers widths along the arcs that leave the vertices whose width grew (Bellman–Ford).

    t = Aᵀ max.min q        q = t where it exceeds w, or w has none        w<q> = q

O(V · E) in the worst case; on road and social graphs some multiples of E.

Source: the semiring max.min as in Gondran, Minoux, "Graphs, Dioids and Semirings", 2008; the problem is that of
Pollack, "The Maximum Capacity through a Network", Operations Research 8(5), 1960.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.search_settings import Settings
from graphla.algorithms.widest_paths.values import find_whole
from graphla.containers.loop import loop
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from graphla.storage import Distributed
from semirings import binary, lor_land, max_min


def run(G: Graph, source: int, s: Settings) -> tuple[Vector]:
    """The width of each vertex that is reached."""
    if not isinstance(G.A._storage, Distributed):
        _ = G.csc  # builds the transpose, so that a round can push or pull
    A, whole = G.A, find_whole(G.dtype.numpy)
    product = lor_land if G.dtype.name == "BOOL" else max_min
    w, q = (Vector.from_coo([source], [whole], G.dtype, size=G.n, engine=A.engine) for _ in "wq")
    t, stale = Vector(G.dtype, G.n, engine=A.engine), Vector("BOOL", G.n, engine=A.engine)

    def relax(_: Any) -> None:
        t << product(A.T @ q)
        stale << t.ewise_mult(w, binary.le)
        q(~stale.V, replace) << t
        w(q.S) << q

    loop(relax, while_entries=q)
    return (w,)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="t = Aᵀ max.min q, and the vertices whose width grew go on",
    source="Pollack, Operations Research 1960; Gondran, Minoux, 2008",
    also=("parents",),
)
