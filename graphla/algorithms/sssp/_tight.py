"""Parents from known distances: those of a breadth-first search over the tight arcs, where d[u] + w = d[v].

The tight arcs are B = D ⊕.⊗ A, D the diagonal of the distances, where B[u, v] = d[v]. A breadth-first tree of them
has no cycle even where arcs weigh nothing.
"""

from __future__ import annotations

from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from semirings import any_second, any_secondi, binary, min_plus


def tight_arcs(A: Matrix, d: Vector) -> Matrix:
    """BOOL matrix of the arcs u → v with d[u] + A[u, v] = d[v]."""
    places, values = d.to_coo()
    D = Matrix.from_coo(places, places, values, nrows=A.nrows, ncols=A.nrows, engine=A.engine)
    reached = min_plus(D @ A).new(d.dtype)
    there = any_second(A @ D).new(d.dtype)
    same = binary.eq(reached & there).new()
    return same.select("valueeq", True).new()


def find_parents(A: Matrix, d: Vector, source: int) -> Vector:
    """The vertex before each on a shortest path; the source is its own."""
    T = tight_arcs(A, d)
    q = Vector.from_coo([source], [source], "INT32", size=A.nrows, engine=A.engine)
    parent = q.dup()
    while q.nvals:
        q(~parent.S, replace=True) << any_secondi(T.T @ q)
        parent(q.S) << q
    return parent
