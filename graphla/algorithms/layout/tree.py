"""Repulsion of bodies by a tree: points along Hilbert's curve, cut into leaves, which are joined in pairs.

Neighbours along that curve are near to each other, so that the box of a leaf is small. Morton's curve jumps: some boxes
are as wide as the picture then, and their leaves walk most of the tree.

Leaf k holds the bodies k LEAF … (k + 1) LEAF − 1 of that order. Node j is the union of the nodes 2j and 2j + 1, leaf k
is node leaves + k, and the root is node 1: what follows a subtree in preorder is j + 1 without its trailing zeros. A
leaf walks the tree for all its bodies. A node is one body to it where its radius, from its centre to the farthest
corner of its box, is less than θ times the distance from its centre to the leaf's box. Sums have one order.

Source: J. Barnes, P. Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324, 1986; the order by codes
as in M. Warren, J. Salmon, "A parallel hashed oct-tree N-body algorithm", SC 1993, which bounds nodes by this radius in
"Skeletons from the treecode closet", Journal of Computational Physics 111, 1994; the curve as in J. Skilling,
"Programming the Hilbert curve", AIP Conference Proceedings 707, 2004; walks of groups as in J. Barnes, "A modified tree
code: don't laugh; it runs", Journal of Computational Physics 87, 1990.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.layout.physics import LEAF, Physics

Array = Any


def repel(engine: Any, X: Array, masses: Array, physics: Physics) -> Array:
    """F[v] = k m[v] Σ m[u] (x[v] − x[u]) / |x[v] − x[u]|² − γ m[v] x[v] for n ≥ 1 points: float32[n, dims]."""
    if engine.name == "cpu":
        from graphla.algorithms.layout import _tree_cpu as kernels
    else:
        from graphla.algorithms.layout import _tree_cuda as kernels
    xp, (n, dims) = engine.xp, X.shape
    keys = kernels.encode(engine, X)
    keys.sort()
    leaves = 1 << (-(-n // LEAF) - 1).bit_length()
    bodies = xp.empty((leaves * LEAF, dims + 1), "float32")
    nodes = xp.empty((2 * leaves, 3 * dims + 2), "float32")
    kernels.plant(engine, keys, X, masses, bodies, nodes, physics)
    kernels.join(engine, nodes, physics, dims)
    return kernels.walk(engine, keys, bodies, nodes, physics)
