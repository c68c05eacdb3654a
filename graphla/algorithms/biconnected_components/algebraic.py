"""Paths of a forest sum up to (I − P)⁻¹ = … (I + P⁴)(I + P²)(I + P), and one such product gives each subtree's ends.

P[u, v] is true if u is the parent of v in a forest of breadth-first searches. Then s = (I − P)⁻¹ 1 are the sizes of the
subtrees, and down the other way, with o[v] the place of v's subtree below its parent, a = (I − Pᵀ)⁻¹ o numbers vertices
so that the subtree of v has the numbers a[v] to b[v] = a[v] + s[v] − 1. The least and the greatest number beside it are

    l = (I − P)⁻¹ min.second (a ∨ A min.second a)        h = (I − P)⁻¹ max.second (a ∨ A max.second a)

The edge above v is a fence if nothing leaves the parent's subtree: a[p] ≤ l[v] and h[v] ≤ b[p]. What A without its
fences connects is one component each, together with the fence above it. A product (I + P)(I + P²)… takes a logarithm of
the depth as many rounds, O(V) work each; the searches take a round per level, and O(E) together.

Source: Tarjan, Vishkin, "An Efficient Parallel Biconnectivity Algorithm", SIAM J. Comput. 14(4), 1985; fences as in
Dong, Wang, Gu, Sun, "Provably Fast and Space-Efficient Parallel Biconnectivity", PPoPP 2023.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.biconnected_components._number import number_arcs
from graphla.algorithms.components.algebraic import find_weak, number_vertices
from graphla.algorithms.shared.undirected import get_simple
from graphla.containers.loop import loop
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from semirings import any_pair, any_second, any_secondi, binary, max_second, min_second, plus_second

Array = Any


def run(G: Graph) -> tuple[Array]:
    """The number of each arc but loops."""
    G = get_simple(G)
    A = G.A.apply("one").new("BOOL")
    children, parents = search_all(A, find_roots(G)).to_coo()
    P = Matrix.from_coo(parents, children, True, nrows=G.n, ncols=G.n, engine=G.engine)
    a, b = number_subtrees(P)
    F = find_fences(A, P, a, b)
    fences = binary.any(F | F.T).new()
    label = find_weak(Graph(A.dup(mask=~fences.S)))
    return (number_arcs(G, label.to_dense(), a.to_dense()),)


def find_roots(G: Graph) -> Vector:
    """The smallest vertex of each component, at itself."""
    label, ids = find_weak(G), number_vertices(G)
    return ids.dup(mask=label.ewise_mult(ids, binary.eq).new().V)


def search_all(A: Matrix, roots: Vector) -> Vector:
    """The parents in breadth-first searches from all roots at once; a root has none."""
    q, seen = roots.dup(), Vector("BOOL", A.nrows, engine=A.engine)
    parent = Vector("INT32", A.nrows, engine=A.engine)

    def search(_: Any) -> None:
        seen(q.S) << True
        q(~seen.S, replace) << any_secondi(A.T @ q)
        parent(q.S) << q

    loop(search, while_entries=q)
    return parent


def number_subtrees(P: Matrix) -> tuple[Vector, Vector]:
    """The first and the last number of each subtree, 0 being that of a root."""
    s = Vector.from_scalar(1, P.nrows, "INT32", engine=P.engine)
    sum_paths(P, s, binary.plus, plus_second)
    a = place_children(P, s)
    sum_paths(P.T.new(), a, binary.plus, plus_second)
    return a, a.ewise_add(s, binary.plus).new().apply(binary.minus, right=1).new()


def place_children(P: Matrix, s: Vector) -> Vector:
    """Where each subtree begins below its parent: 1, or behind that of the sibling before it; 0 of a root."""
    xp, sizes = P.engine.xp, s.to_dense()
    parents, children, _ = P.to_coo()
    before = xp.cumsum(sizes[children]) - sizes[children]
    offsets = xp.zeros(P.nrows, np.int32)
    offsets[children] = 1 + before - before[xp.searchsorted(parents, parents)]
    return Vector.from_dense(offsets, engine=P.engine)


def sum_paths(P: Matrix, x: Vector, add: Any, semiring: Any) -> None:
    """x becomes (I - P)⁻¹ x: what is at the ends of all paths of a forest, added up, by doubling their length."""
    while P.nvals:
        x(add) << semiring(P @ x)
        P = any_pair(P @ P).new()


def find_fences(A: Matrix, P: Matrix, a: Vector, b: Vector) -> Matrix:
    """The entries of P whose lower end has a subtree that nothing leaves but to the parent's."""
    low, high = a.dup(), a.dup()
    low(binary.min) << min_second(A @ a)
    high(binary.max) << max_second(A @ a)
    sum_paths(P, low, binary.min, min_second)
    sum_paths(P, high, binary.max, max_second)
    begins = any_second(P.T @ a).new().ewise_mult(low, binary.le).new()
    ends = any_second(P.T @ b).new().ewise_mult(high, binary.ge).new()
    inside = begins.ewise_mult(ends, binary.land).new()
    return any_pair(P @ inside.dup(mask=inside.V).diag()).new()


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="subtrees of a forest by (I - P)⁻¹ = …(I + P⁴)(I + P²)(I + P); components of the graph without its fences",
    source="Tarjan, Vishkin, SIAM J. Comput. 1985; Dong, Wang, Gu, Sun, PPoPP 2023",
)
