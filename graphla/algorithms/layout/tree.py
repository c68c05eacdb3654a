"""Repulsion of bodies by a tree: points along Morton's curve, cut into leaves, which are joined in pairs.

Leaf k holds the bodies k LEAF … (k + 1) LEAF − 1 of that order. Node j is the union of the nodes 2j and 2j + 1, leaf k
is node leaves + k, and the root is node 1: what follows a subtree in preorder is j + 1 without its trailing zeros. A
leaf walks the tree for all its bodies. A node is one body to it where its radius, from its centre to the farthest
corner of its box, is less than θ times the distance from its centre to the leaf's box. Sums have one order.

Source: J. Barnes, P. Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324, 1986; the order by codes
as in M. Warren, J. Salmon, "A parallel hashed oct-tree N-body algorithm", SC 1993, which bounds nodes by this radius in
"Skeletons from the treecode closet", Journal of Computational Physics 111, 1994; walks of groups as in J. Barnes, "A
modified tree code: don't laugh; it runs", Journal of Computational Physics 87, 1990.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Array = Any
LEAF = 32
"""Bodies of a leaf: a warp on a GPU, four vectors of eight on a CPU."""
CODE_BITS, NUMBER_BITS = 32, 31
"""Of a key: the place along the curve, and the number of the vertex."""
NUMBER_MASK = (1 << NUMBER_BITS) - 1
SOFT = 1e-6
"""Added to squares of distances: bodies at one place do not repel each other."""


class Physics(NamedTuple):
    """How strong forces are, and how exact.

    Parameters
    ----------
    theta : float
        Above 0, at most 1: the radius of what counts as one body, over its distance.
    scaling, gravity : float
        The factors of the repulsion and of the pull to the origin.
    """

    theta: float
    scaling: float
    gravity: float


def repel(engine: Any, X: Array, masses: Array, physics: Physics) -> Array:
    """F[v] = k m[v] Σ m[u] (x[v] − x[u]) / |x[v] − x[u]|² − γ m[v] x[v] for n ≥ 1 points: float32[n, dims]."""
    if engine.name == "cpu":
        from graphla.algorithms.layout import _tree_cpu as kernels
    else:
        from graphla.algorithms.layout import _tree_cuda as kernels
    xp, (n, dims) = engine.xp, X.shape
    columns = xp.ascontiguousarray(X.T)
    low = columns.min(axis=1)
    cells = 1 << CODE_BITS // dims
    keys = kernels.encode(engine, X, low, cells / xp.maximum((columns.max(axis=1) - low).max(), SOFT))
    keys.sort()
    leaves = 1 << (-(-n // LEAF) - 1).bit_length()
    bodies = xp.empty((leaves * LEAF, dims + 1), "float32")
    nodes = xp.empty((2 * leaves, 3 * dims + 2), "float32")
    kernels.plant(engine, keys, X, masses, bodies, nodes, physics)
    kernels.join(engine, nodes, physics, dims)
    return kernels.walk(engine, keys, bodies, nodes, physics)
