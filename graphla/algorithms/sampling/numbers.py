"""The vertices of a sample, numbered in the order in which they are found."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.sampling._draw_cpu import Frontier, number_neighbours
from graphla.algorithms.sampling.rows import Rows
from graphla.storage.convert import order_stably

Array = Any


class Vertices:
    """The vertices of one kind that a sample has so far.

    Parameters
    ----------
    seeds : array
        int64: the first ones.
    trees : array or None
        int64: the tree of each, if trees share none.
    rows : Rows or None
        Rows whose neighbours are of this kind; None if there are none.
    """

    def __init__(self, seeds: Array, trees: Array | None, rows: Rows | None) -> None:
        self.trees: Any = trees
        self.rows = rows
        self.nodes = seeds
        self.counts = [int(seeds.size)]
        self._fresh: list[tuple[Array, Any]] = []
        self._slots = None
        if rows is not None and trees is None:
            try:
                self._slots = rows.spare.pop()
            except IndexError:
                self._slots = np.full(rows.size, -1, np.int32)
            self._slots[seeds] = np.arange(seeds.size, dtype=np.int32)

    def add(self, tails: Array, heads: Array, arcs: Array, trees: Array | None) -> tuple[Array, Array, Array]:
        """Number the neighbours that are drawn, and keep those that are new; arcs without one go."""
        known = self.count
        if self._slots is not None:
            tails, heads, arcs, nodes = number_neighbours(heads, tails, arcs, self._slots, known)
            self._fresh.append((nodes, None))
            return tails, heads, arcs
        there = heads >= 0
        if not there.all():
            tails, heads, arcs = tails[there], heads[there], arcs[there]
            trees = None if trees is None else trees[there]
        size = 1 if self.rows is None else max(1, self.rows.size)
        numbers, first = number_in_order(self._list_keys(size), heads if trees is None else trees * size + heads)
        self._fresh.append((heads[first], None if trees is None else trees[first]))
        return tails, numbers, arcs

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.nodes.size) + sum(int(nodes.size) for nodes, _ in self._fresh)

    def _list_keys(self, size: int) -> Array:
        nodes = np.concatenate([self.nodes, *[nodes for nodes, _ in self._fresh]])
        if self.trees is None:
            return nodes
        return np.concatenate([self.trees, *[trees for _, trees in self._fresh]]) * size + nodes

    def close_hop(self) -> None:
        """Add what is new to the others: it is what draws next."""
        self.counts.append(self.count - int(self.nodes.size))
        fresh, self._fresh = self._fresh, []
        self.nodes = np.concatenate([self.nodes, *[nodes for nodes, _ in fresh]])
        if self.trees is not None:
            self.trees = np.concatenate([self.trees, *[trees for _, trees in fresh]])

    def get_frontier(self, roots: Array, times: Array | None) -> Frontier:
        """The vertices of the last hop."""
        base = int(self.nodes.size) - self.counts[-1]
        trees = np.zeros(0, "int64") if self.trees is None else self.trees[base:]
        limits = np.zeros(0, "int64") if times is None else times[trees]
        return Frontier(self.nodes[base:], base, trees, roots, limits)

    def release(self) -> None:
        """Put back what numbered them."""
        if self._slots is not None and self.rows is not None:
            self._slots[self.nodes] = -1
            self.rows.spare.append(self._slots)


def number_in_order(known: Array, keys: Array) -> tuple[Array, Array]:
    """The number of each key, in the order in which they first come after those known; and where new ones come first.

    Equal keys stand together in a stable order of all, the first of them in front; its rank among such is the number.
    """
    both = np.concatenate([known, keys])
    order = order_stably(both)
    ordered = both[order]
    leads = np.ones(both.size, bool)
    leads[1:] = ordered[1:] != ordered[:-1]
    leaders = order[leads]
    ranks = np.empty(leaders.size, "int64")
    ranks[order_stably(leaders)] = np.arange(leaders.size, dtype="int64")
    numbers = np.empty(both.size, "int64")
    numbers[order] = ranks[np.cumsum(leads) - 1]
    return numbers[known.size :], np.sort(leaders)[known.size :] - known.size
