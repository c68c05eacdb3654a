"""Delta-stepping as matrix expressions: a bucket is a selection of vertices, which relax until the bucket is empty.

q = d⟨first ≤ d < end⟩; then t = Lᵀ min.plus q while a distance in the bucket decreases, where L has the light arcs, of
weight at most delta; then once t = Hᵀ min.plus s for the heavy arcs, where s has all vertices that the bucket settled.
The inner rounds are a compiled loop. If few arcs are heavy, the arcs are not split. A bucket that starts with few
vertices and takes few rounds doubles the step; from then on the arcs are not split.

U. Sridhar et al., "Delta-stepping SSSP: from vertices and edges to GraphBLAS implementations", IPDPS workshops (2019).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphla.algorithms.shared.search_settings import Settings
from graphla.algorithms.shared.sorted_rows import as_step
from graphla.algorithms.shared.weights import (
    STEP,
    compute_bucket_end,
    distance_dtype,
    estimate_quantile,
    estimate_typical_weight,
    find_heaviest,
    infinity,
    refuses_negative,
)
from graphla.algorithms.sssp import tight
from graphla.containers.loop import loop
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from semirings import binary, min_plus, monoid
from semirings.dtypes import lookup

WIDTH = 16.0
"""The step is (WIDTH / degree)² times a typical weight: factor 33 on roads, a third on Kronecker graphs (measured)."""
HEAVY = 0.5
"""Arcs are split by the step if more than this share of them is heavier, because a second pass costs time."""
FEW, SOON = 4096, 2
"""A bucket that starts with fewer vertices and takes at most so many rounds is mostly overhead: it doubles the step."""


def run(G: Graph, source: int, s: Settings, *, delta: float | None = None) -> tuple[Vector, Vector | None]:
    """Compute distances, and parents if requested."""
    d = compute_distances(G, source, choose_step(G) if delta is None else delta)
    return d, tight.find_parents(G.A, d, source) if s.parents else None


def choose_step(G: Graph) -> float:
    """Choose the bucket width; it is larger for sparser graphs, which have longer paths."""
    return (WIDTH / max(G.nvals / G.n, 1.0)) ** 2 * estimate_typical_weight(G)


@dataclass
class Arcs:
    """The arcs to relax within a bucket, the arcs to relax after it, and the step."""

    light: Matrix
    heavy: Matrix | None
    step: Any


def split_arcs(G: Graph, width: float) -> Arcs:
    """Split the arcs by the step, unless too few are heavier."""
    step = as_step(distance_dtype(G.csr.values.dtype), width)
    if find_heaviest(G) <= step or estimate_quantile(G, 1 - HEAVY) <= step:
        return Arcs(G.A, None, step)
    ends = step.item()
    return G.cached(
        f"arcs_up_to_{ends}",
        lambda g: Arcs(g.A.select("valuele", ends).new(), g.A.select("valuegt", ends).new(), step),
    )


def compute_distances(G: Graph, source: int, width: float) -> Vector:
    """Settle the buckets in order."""
    engine, inf, arcs = G.A.engine, float("inf"), split_arcs(G, width)
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
        first, end = end, compute_bucket_end(step.dtype.type(find_least(waiting)), step, infinity(step.dtype)).item()
        q << waiting.select("valuelt", end)
        begun, rounds = q.nvals, 0
        while q.nvals:
            rounds += loop(make_bucket_round(relax, light, q, t, end), while_entries=q).rounds
            if heavy is not None:
                q << d.select("valuege", first)
                q << q.select("valuelt", end)
                relax(heavy, q)
                q << t.select("valuelt", end)  # empty, unless the end of the bucket was rounded
        if begun < FEW and rounds <= SOON:
            light, heavy, step = G.A, None, as_step(step.dtype, 2 * float(step))
        waiting << d.select("valuege", end)
    return d


def find_least(v: Vector) -> Any:
    """Return the smallest value."""
    return v.reduce(monoid.min).new().value


def make_bucket_round(
    relax: Callable[[Any, Vector], None], light: Matrix, q: Vector, t: Vector, end: Any
) -> Callable[[Any], None]:
    """Return a round of a bucket: relax, and continue with the vertices that improved and are still in the bucket."""

    def run_round(_: Any) -> None:
        relax(light, q)
        q << t.select("valuelt", end)

    return run_round


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="a bucket is a selection: d⟨first ≤ d < end⟩, light arcs until none falls, heavy arcs once",
    source="Sridhar et al., IPDPS workshops (2019)",
    options={"delta": STEP},
    refuses=refuses_negative,
    also=("parents",),
)
