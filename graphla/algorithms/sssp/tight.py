"""Find parents from distances by a breadth-first search over the tight arcs, which have d[u] + w = d[v].

With the distances on the diagonal of D, an arc of B = D ⊕.⊗ A is tight if B[u, v] = d[v]. A breadth-first tree of tight
arcs has no cycle, even if arcs have weight zero.
"""

from __future__ import annotations

from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from semirings import any_second, any_secondi, binary, min_plus


def find_tight_arcs(A: Matrix, d: Vector) -> Matrix:
    """Return a BOOL matrix of the arcs u → v with d[u] + A[u, v] = d[v]."""
    indices, values = d.to_coo()
    D = Matrix.from_coo(indices, indices, values, nrows=A.nrows, ncols=A.nrows, engine=A.engine)
    reached = min_plus(D @ A).new(d.dtype)
    distances_at_heads = any_second(A @ D).new(d.dtype)
    same = binary.eq(reached & distances_at_heads).new()
    return same.select("valueeq", True).new()


def find_parents(A: Matrix, d: Vector, source: int) -> Vector:
    """Find the parent of each vertex on a shortest path; the source is its own parent."""
    T = find_tight_arcs(A, d)
    q = Vector.from_coo([source], [source], "INT32", size=A.nrows, engine=A.engine)
    parent = q.dup()
    while q.nvals:
        q(~parent.S, replace=True) << any_secondi(T.T @ q)
        parent(q.S) << q
    return parent
