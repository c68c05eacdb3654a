"""The symbolic phase: what an elimination will touch, from the pattern alone, and what it will cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.order import compute_order
from graphla.storage.convert import make_pointers

Array = Any
STEP = 4
"""Panels are padded to a multiple of so many k, which the kernels combine in one pass."""
LARGE_UPDATES = 1 << 26
"""Updates of a front from which all cores share it."""


@dataclass(frozen=True, eq=False)
class Structure:
    """The supernodes of an elimination in postorder, with their fronts.

    Front s has the own vertices of supernode s, positions ``first[s]`` to ``first[s + 1] - 1``, and then its boundary,
    ``rows[start[s] : start[s + 1]]``: the later positions that it reaches over vertices eliminated before.

    Parameters
    ----------
    order, rank : ndarray
        int32[n]: the vertex at each position, and the position of each vertex.
    first : ndarray
        int32[supernodes + 1].
    start, rows : ndarray
        The boundaries: int64[supernodes + 1] and positions, in ascending order.
    parent : ndarray
        int32[supernodes]: the parent in the tree, −1 of a root.
    place : ndarray
        The index of each of `rows` in the front of the parent.
    begin, arc, row, column : ndarray
        ``begin[s]`` to ``begin[s + 1] - 1`` are the arcs that front s takes: their numbers in CSR order, and where they
        stand in the front.
    up, down : ndarray
        int64[supernodes + 1]: where the panels of a front begin in the arrays of a factor.
    """

    order: Array
    rank: Array
    first: Array
    start: Array
    rows: Array
    parent: Array
    place: Array
    begin: Array
    arc: Array
    row: Array
    column: Array
    up: Array
    down: Array

    @property
    def n(self) -> int:
        """The number of vertices."""
        return int(self.order.size)

    @property
    def widths(self) -> Array:
        """The number of own vertices of each supernode."""
        return np.diff(self.first).astype(np.int64)

    @property
    def boundaries(self) -> Array:
        """The number of boundary vertices of each supernode."""
        return np.diff(self.start)

    @property
    def cells(self) -> int:
        """The values of a factor."""
        return int(self.up[-1] + self.down[-1])

    @property
    def updates(self) -> int:
        """Updates (a sum and a minimum) of the elimination."""
        widths, heights = self.widths, self.widths + self.boundaries
        return int((widths * heights * heights).sum())

    @property
    def updates_per_row(self) -> int:
        """Updates of the way down for one source."""
        return int((self.widths * self.boundaries).sum())


def analyze(indptr: Array, indices: Array) -> Structure:
    """Run the symbolic phase over the pattern of a graph, int arrays on the host, arcs in CSR order."""
    from graphla.algorithms.apsp.elimination import tree

    n = indptr.size - 1
    start, heads = make_symmetric(indptr, indices)
    order = compute_order(start, heads)
    order, parent = order_by_tree(start, heads, order)
    rank = invert(order)
    count = tree.count_columns(start, heads, order, rank, parent)
    owner = tree.find_supernodes(parent, count)
    limit = int((count - 1)[owner == np.arange(n)].sum())
    of, above = connect_supernodes(owner, parent)
    order = order[np.argsort(of, kind="stable")]
    first = make_pointers(np, np.bincount(of, minlength=above.size)).astype(np.int32)
    return make_structure((start, heads), (indptr, indices), order, first, above, limit)


def make_symmetric(indptr: Array, indices: Array) -> tuple[Array, Array]:
    """Return the pattern with the arcs in both directions and no loops, compressed by rows."""
    from scipy.sparse import csr_array

    n = indptr.size - 1
    A = csr_array((np.ones(indices.size, bool), indices, indptr), shape=(n, n))
    S = (A + A.T).tocsr()
    tails = np.repeat(np.arange(n, dtype=np.int32), np.diff(S.indptr))
    off = S.indices != tails
    start = make_pointers(np, np.bincount(tails[off], minlength=n))
    return start, S.indices[off].astype(np.int32)


def order_by_tree(start: Array, heads: Array, order: Array) -> tuple[Array, Array]:
    """Sort an order into a postorder of its elimination tree; return it with the parents."""
    from graphla.algorithms.apsp.elimination import tree

    post, parent = sort_forest(tree.find_parents(start, heads, order, invert(order)))
    return order[post], parent


def connect_supernodes(owner: Array, parent: Array) -> tuple[Array, Array]:
    """Number the supernodes in postorder; return the number of each position's, and the parents."""
    last = np.flatnonzero(owner == np.arange(owner.size))
    dense = np.full(owner.size, -1, np.int32)
    dense[last] = np.arange(last.size)
    post, above = sort_forest(np.where(parent[last] >= 0, dense[owner[parent[last]]], np.int32(-1)))
    return invert(post)[dense[owner]], above


def sort_forest(parent: Array) -> tuple[Array, Array]:
    """Return the nodes of a forest in postorder, and the parents by their places in it."""
    from graphla.algorithms.apsp.elimination import tree

    post = tree.order_children_first(parent)
    return post, np.where(parent[post] >= 0, invert(post)[parent[post]], np.int32(-1))


def invert(order: Array) -> Array:
    """Return the inverse of a permutation."""
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size, dtype=np.int32)
    return rank


def make_structure(
    pattern: tuple[Array, Array], arcs: tuple[Array, Array], order: Array, first: Array, above: Array, limit: int
) -> Structure:
    """Find the fronts of supernodes that are given by their order, first positions and parents."""
    from graphla.algorithms.apsp.elimination import tree

    rank = invert(order)
    start, rows = tree.find_boundaries(*pattern, order, rank, first, above, limit)
    place = tree.locate_boundaries(first, start, rows, above)
    of = np.repeat(np.arange(above.size, dtype=np.int32), np.diff(first))
    indptr, indices = arcs
    begin, arc, row, column = tree.locate_arcs(indptr, indices, order, rank, of, first, start, rows)
    widths, boundaries = np.diff(first).astype(np.int64), np.diff(start)
    up, down = (widths + boundaries) * pad(widths), widths * pad(boundaries)
    sweeps = make_pointers(np, up), make_pointers(np, down)
    return Structure(order, rank, first, start, rows, above, place, begin, arc, row, column, *sweeps)


def pad(count: Array) -> Array:
    """Round up to a multiple of `STEP`."""
    return -(-count // STEP) * STEP


def measure_stacks(structure: Structure) -> Array:
    """Return for each subtree how many cells the stack of its fronts takes."""
    from graphla.algorithms.apsp.elimination import tree

    heights, sizes = structure.widths + structure.boundaries, structure.boundaries
    return tree.measure_stacks(structure.parent, heights**2, sizes**2)


def count_depths(structure: Structure) -> int:
    """Return how many depths the tree of supernodes has."""
    from graphla.algorithms.apsp.elimination import tree

    return int(tree.measure_depths(structure.parent).max(initial=-1)) + 1
