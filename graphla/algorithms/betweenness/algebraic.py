"""F<¬P, replace> = F plus.first A counts paths; W<F, replace> = W plus.first Aᵀ sums dependencies on the way back.

Row s of the k × n matrices belongs to source s. P holds the number of shortest paths from it to each vertex, and the
frontier F those of the vertices that a level has found. On the way back W holds (1 + D) / P of a level, where D is the
dependency, and becomes D / P of the level before. O(E) per level.

With weights, and for edges, a source at a time: B has the arcs on its shortest paths, those with d[u] + w = d[v].
Paths are counted by their number of arcs: σ = Σ xₕ with xₕ₊₁ = xₕ plus.first B. With z = Σ tₕ, t₀ = 1 / σ and
tₕ₊₁ = tₕ plus.first Bᵀ, the dependency is δ = σ z − 1, and that of the arc u → v is σ(u) z(v).

Source: Brandes, J. Math. Sociol. 25(2), 2001, as in LAGraph (LAGr_Betweenness.c); Kepner, Gilbert, "Graph Algorithms in
the Language of Linear Algebra", 2011, ch. 6.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.betweenness.settings import Settings
from graphla.algorithms.bfs.algebraic import search_many
from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp.path_lengths import measure
from graphla.algorithms.sssp.tight import find_tight_arcs
from graphla.common.errors import NotSupported
from graphla.containers.aggregators import agg
from graphla.containers.loop import loop
from graphla.containers.matrix import Matrix
from graphla.containers.scalar import Scalar
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from semirings import binary, monoid, plus_first, plus_times, unary

BATCH = 32
"""Sources whose rows are computed together."""
MOST_PATHS = 1e290


def run(G: Graph, s: Settings) -> tuple[Any]:
    """Sums over the sources: a number per vertex, or per arc if edges are asked for."""
    accumulate = accumulate_arcs if s.edges or s.weighted else accumulate_rows
    total = G.engine.xp.zeros(G.nvals if s.edges else G.n)
    for first in range(0, s.sources.size, BATCH) if G.nvals else ():
        total += accumulate(G, s.sources[first : first + BATCH].tolist(), s)
    return (total,)


def accumulate_rows(G: Graph, sources: list[int], s: Settings) -> Any:
    """Brandes's sums of some sources, all rows at once."""
    k = len(sources)
    P = Matrix.from_coo(range(k), sources, 1.0, "FP64", nrows=k, ncols=G.n, engine=G.engine)
    sum_shares = sum_shares_by_level if G.engine.name == "cuda" else sum_shares_by_frontier
    roots = P.dup("BOOL")
    D = sum_shares(G, P)
    D(~roots.S, replace) << (D if s.endpoints else binary.minus(D, 1))
    total = D.reduce_columnwise(monoid.plus).new("FP64").to_dense(0)
    return total + count_ends(G, sources, P.reduce_rowwise(agg.count).new("FP64")) if s.endpoints else total


def sum_shares_by_level(G: Graph, P: Matrix) -> Matrix:
    """1 + D by two loops without a host, in which each entry has the number of its level.

    A level costs O(V) for each source beside its arcs, which a GPU hardly notices.
    """
    A, F, level = G.A, P.dup(), Matrix("INT32", *P.shape, engine=G.engine)

    def count(depth: Any) -> None:
        level(F.S) << depth
        F(~P.S, replace) << plus_first(F @ A)
        P(F.S) << F

    rounds = loop(count, while_entries=F).rounds
    require_counts(P.reduce_scalar(monoid.max).new().value)
    D, W, depth = unary.one(P).new("FP64"), F, Scalar("INT64", rounds - 1)

    def share(_: Any) -> None:
        W((level == depth).V, replace) << binary.truediv(D & P)
        depth << depth - 1
        W((level == depth).V, replace) << plus_first(W @ A.T)
        D(binary.plus) << binary.times(W & P)

    loop(share, times=max(0, rounds - 1))
    return D


def sum_shares_by_frontier(G: Graph, P: Matrix) -> Matrix:
    """1 + D, level by level, with the frontiers of all levels."""
    A, F, levels = G.A, P.dup(), [P.dup()]
    F(~P.S, replace) << plus_first(F @ A)
    while F.nvals:
        levels.append(F.dup())
        P(binary.plus) << F
        F(~P.S, replace) << plus_first(F @ A)
    require_counts(P.reduce_scalar(monoid.max).new().value)
    D, W = unary.one(P).new("FP64"), F
    for at in range(len(levels) - 1, 0, -1):
        W(levels[at].S, replace) << binary.truediv(D & P)
        W(levels[at - 1].S, replace) << plus_first(W @ A.T)
        D(binary.plus) << binary.times(W & P)
    return D


def count_ends(G: Graph, sources: list[int], reached: Vector) -> Any:
    """The number of vertices that each source reaches, itself left out, at the source."""
    counts = (reached - 1).new("FP64").to_dense(0)
    return Vector.from_coo(sources, counts, size=G.n, dup_op=binary.plus, engine=G.engine).to_dense(0)


def accumulate_arcs(G: Graph, sources: list[int], s: Settings) -> Any:
    """The same by the arcs on shortest paths, a source at a time."""
    L, distances = measure_lengths(G, sources, s)
    E, total = (unary.one(G.A).new("FP64") * 0).new("FP64"), Vector.from_scalar(0.0, G.n, "FP64", engine=G.engine)
    for source, d in zip(sources, distances, strict=True):
        B = find_tight_arcs(L, d)
        paths = sum_rounds(Vector.from_coo([source], 1.0, "FP64", size=G.n, engine=G.engine), lambda x, B=B: x @ B)
        require_counts(paths.reduce(monoid.max).new().value)
        shares = sum_rounds((1 / paths).new("FP64"), lambda t, B=B: t @ B.T)
        E(binary.plus) << plus_times(plus_first(paths.diag() @ B).new("FP64") @ shares.diag())
        D = binary.times(paths & shares).new("FP64")
        D << (D if s.endpoints else binary.minus(D, 1))
        D[source] = float(paths.nvals - 1) if s.endpoints else 0.0
        total(binary.plus) << D
    return E._to_compressed().values if s.edges else total.to_dense(0)


def sum_rounds(x: Vector, step: Any) -> Vector:
    """x + step(x) + step(step(x)) … until nothing is left."""
    total = x.dup()
    while x.nvals:
        x << plus_first(step(x))
        total(binary.plus) << x
    return total


def measure_lengths(G: Graph, sources: list[int], s: Settings) -> tuple[Matrix, list[Vector]]:
    """The matrix of lengths, and the distances from each source."""
    if not s.weighted:
        rows = search_many(G, sources)
        return unary.one(G.A).new("INT32"), [rows[i, :].new() for i in range(len(sources))]
    L, distances = measure(G, sources, "algebraic")
    none = infinity(distances.dtype)
    return L.A, [Vector._from_sentinel(row, none, G.engine) for row in distances]


def require_counts(largest: float) -> None:
    """Refuse numbers of paths that FP64 does not hold."""
    if not largest < MOST_PATHS:
        raise NotSupported(f"a vertex has more than {MOST_PATHS:g} shortest paths; method 'brandes' counts them")


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="F<¬P, replace> = F plus.first A counts paths, W<F, replace> = W plus.first Aᵀ sums on the way back",
    source="Brandes, 2001; LAGraph",
)
