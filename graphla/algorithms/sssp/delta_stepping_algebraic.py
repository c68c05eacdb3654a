"""Delta-stepping as matrix expressions: the vertices of a bucket are a selection, and relax until none is left in it.

q = d⟨first ≤ d < end⟩; t = Lᵀ min.plus q as long as a distance in the bucket falls, with L the light arcs, those of at
most delta; then once t = Hᵀ min.plus s for the heavy ones, with s all that the bucket settled. The inner rounds are a
loop that runs compiled. Where few arcs are heavy they are not set apart. A bucket that begins with few vertices and is
over at once doubles the step, after which the arcs are whole again.

U. Sridhar et al., "Delta-stepping SSSP: from vertices and edges to GraphBLAS implementations", IPDPS workshops (2019).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphla.algorithms.sssp import _tight
from graphla.algorithms.sssp._rows import as_step
from graphla.algorithms.sssp._weights import (
    STEP,
    distance_dtype,
    end_of_bucket,
    heaviest,
    infinity,
    middle,
    quantile,
    refuses_negative,
)
from graphla.containers.loop import loop
from graphla.containers.masks import replace
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graph import Graph
from graphla.problem import Method
from semirings import binary, min_plus, monoid
from semirings.dtypes import lookup

WIDTH = 16.0
"""The step is (WIDTH / degree)² times what weights are like: 33 on roads, a third on Kronecker graphs (measured)."""
HEAVY = 0.5
"""Arcs are set apart by the step if more than this share is heavier: the second pass of a bucket has its price."""
FEW, SOON = 4096, 2
"""A bucket that begins with fewer vertices and takes no more rounds costs more than its work, and doubles the step."""


def run(G: Graph, source: int, *, parents: bool = False, delta: float | None = None) -> tuple[Vector, Vector | None]:
    """Distances, and parents if asked."""
    d = distances(G, source, default_step(G) if delta is None else delta)
    return d, _tight.find_parents(G.A, d, source) if parents else None


def default_step(G: Graph) -> float:
    """The width of a bucket: the sparser the graph, the longer its paths."""
    return (WIDTH / max(G.nvals / G.n, 1.0)) ** 2 * middle(G)


@dataclass
class Arcs:
    """The arcs to relax within a bucket, those to relax after it, and the step."""

    light: Matrix
    heavy: Matrix | None
    step: Any


def parted(G: Graph, width: float) -> Arcs:
    """The arcs by the step; whole where too few are heavier."""
    step = as_step(distance_dtype(G.csr.values.dtype), width)
    if heaviest(G) <= step or quantile(G, 1 - HEAVY) <= step:
        return Arcs(G.A, None, step)
    ends = step.item()
    return G.cached(
        f"arcs_up_to_{ends}",
        lambda g: Arcs(g.A.select("valuele", ends).new(), g.A.select("valuegt", ends).new(), step),
    )


def distances(G: Graph, source: int, width: float) -> Vector:
    """Settle the buckets, one after the other."""
    engine, inf, arcs = G.A.engine, float("inf"), parted(G, width)
    light, heavy, step = arcs.light, arcs.heavy, arcs.step
    dtype = lookup(distance_dtype(G.csr.values.dtype))
    d = Vector.from_coo([source], [0], dtype, size=G.n, engine=engine)
    q, waiting = (d.dup() for _ in "qw")
    t, falls = Vector(dtype, G.n, engine=engine), Vector("BOOL", G.n, engine=engine)

    def relax(arcs: Any, v: Vector) -> None:
        t(direction="push") << min_plus(arcs.T @ v)
        falls(t.S, replace) << t.ewise_union(d, binary.lt, inf, inf)
        t(falls.V, replace) << t
        d(t.S) << t

    first = end = 0
    while waiting.nvals:
        first, end = end, end_of_bucket(step.dtype.type(least(waiting)), step, infinity(step.dtype)).item()
        q << waiting.select("valuelt", end)
        begun, rounds = q.nvals, 0
        while q.nvals:
            rounds += loop(bucket(relax, light, q, t, end), while_entries=q).rounds
            if heavy is not None:
                q << d.select("valuege", first)
                q << q.select("valuelt", end)
                relax(heavy, q)
                q << t.select("valuelt", end)  # none, but for ends of buckets that were rounded
        if begun < FEW and rounds <= SOON:
            light, heavy, step = G.A, None, as_step(step.dtype, 2 * float(step))
        waiting << d.select("valuege", end)
    return d


def least(v: Vector) -> Any:
    """The smallest value."""
    return v.reduce(monoid.min).new().value


def bucket(
    relax: Callable[[Any, Vector], None], light: Matrix, q: Vector, t: Vector, end: Any
) -> Callable[[Any], None]:
    """A round of a bucket: relax, and go on with what fell and stays in it."""

    def body(_: Any) -> None:
        relax(light, q)
        q << t.select("valuelt", end)

    return body


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="a bucket is a selection: d⟨first ≤ d < end⟩, light arcs until none falls, heavy arcs once",
    source="Sridhar et al., IPDPS workshops (2019)",
    options={"delta": STEP},
    refuses=refuses_negative,
    also=("parents",),
)
