"""A maximum matching of a bipartite graph by rounds of searches: the frontier is a vector, its trees do not meet.

With f, the vertices on the left that are new, and p, the parents of those on the right that were met, a step is

    p<!p> = A min.secondi f

A new vertex on the right that is free ends a path from the root of its tree; the mates of the others are the next
frontier, unless the root has such a path already. Then all paths are walked backwards together, and their edges change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.language.masks import replace
from semirings import binary, min_secondi

Array = Any


def maximize(A: Matrix, left: Array, mates: Array) -> Array:
    """Lengthen a matching, given as the mate of each vertex or -1, until it is of the greatest size."""
    while True:
        parents, ends = search(A, left, mates)
        if not ends.size:
            return mates
        flip_paths(parents, ends, mates)


def search(A: Matrix, left: Array, mates: Array) -> tuple[Array, Array]:
    """The parents of the vertices on the right, or -1, and one free vertex of each tree that has one."""
    xp, n = A.engine.xp, left.size
    vertices = xp.arange(n, dtype=np.int32)
    roots, ends = xp.where(left & (mates < 0), vertices, -1), xp.full(n, -1, np.int32)
    parents, p = Vector("INT32", n, engine=A.engine), Vector("INT32", n, engine=A.engine)
    f = Vector._from_sentinel(roots, -1, A.engine)
    while f.nvals:
        p(~parents.S, replace) << min_secondi["INT32"](A @ f)
        parents(p.S) << p
        met, before = p.to_coo()
        roots[met] = roots[before]
        onward = mates[met] >= 0
        end_trees(roots[met[~onward]], met[~onward], ends, A.engine)
        met = met[onward]
        met = met[ends[roots[met]] < 0]
        new = mates[met]
        roots[new] = roots[met]
        f = Vector.from_coo(new, roots[new], dtype="INT32", size=n, engine=A.engine)
    return parents.to_dense(-1), ends[ends >= 0]


def end_trees(roots: Array, free: Array, ends: Array, engine: Any) -> None:
    """Note the smallest free vertex that was met in each tree."""
    least = Vector.from_coo(roots, free, dtype="INT32", size=ends.size, dup_op=binary.min, engine=engine)
    trees, vertices = least.to_coo()
    ends[trees] = vertices


def flip_paths(parents: Array, ends: Array, mates: Array) -> None:
    """Along each path, match every vertex on the right with its parent; the trees have no vertex in common."""
    v = ends
    while v.size:
        u = parents[v]
        onward = mates[u]
        mates[v], mates[u] = u, v
        v = onward[onward >= 0]
