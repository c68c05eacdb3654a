"""A certificate of components on the host: ears show that each holds together, and a count that they make no cycle.

The parts of a partition of the edges are the biconnected components if and only if

- each part is one edge, or a cycle and ears that are added to it, one after the other: paths between two different
  vertices that are there already. Then no vertex cuts it in two;
- the graph of parts and the vertices on them is a forest: then no cycle passes through two parts. It is one if it has
  as many vertices as edges and trees; SciPy counts the trees.

Ears are found as Schmidt does: from each vertex, in the order of a depth-first search, along each edge to a vertex
below it, and from there upwards to the first vertex that a path has met. What they are is checked, however they were
found.

Source: Schmidt, "A Simple Test on 2-Vertex- and 2-Edge-Connectivity", Information Processing Letters 113(7), 2013.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any


def verify(csr: Any, numbers: Array) -> None:
    """Assert that the numbers of the arcs of a symmetric matrix without diagonal are those of their components."""
    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    count = verify_numbers(csr, tails, numbers)
    verify_forest(csr.nrows, tails, numbers, count)
    verify_ears(csr, tails, numbers, count)


def refuse_first(tails: Array, heads: Array, wrong: Array, what: str) -> None:
    """Raise for the first arc where `wrong` holds."""
    at = np.flatnonzero(wrong)
    if at.size:
        raise VerificationError(
            f"biconnected_components: the edge {tails[at[0]]} – {heads[at[0]]} {what} ({at.size} such arcs)"
        )


def verify_numbers(csr: Any, tails: Array, numbers: Array) -> int:
    """Assert that both arcs of an edge have its number, and that numbers rise with first arcs; return how many."""
    upper, lower = tails < csr.indices, tails > csr.indices
    order = np.argsort(csr.indices[lower], kind="stable")
    both = np.flatnonzero(upper)
    differ = numbers[both] != numbers[np.flatnonzero(lower)[order]]
    refuse_first(tails[both], csr.indices[both], differ, "has different numbers at both arcs")
    most = np.maximum.accumulate(np.append(np.int32(-1), numbers))
    odd = (numbers < 0) | (numbers > most[:-1] + 1)
    refuse_first(tails, csr.indices, odd, "has a number that is not the next one")
    return int(most[-1]) + 1


def verify_forest(n: int, tails: Array, numbers: Array, count: int) -> None:
    """Assert that no cycle passes through two parts."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if not count:
        return
    pairs = np.unique(tails * count + numbers)
    vertices, parts = pairs // count, n + pairs % count
    B = csr_array((np.ones(pairs.size, np.int8), (vertices, parts)), shape=(n + count, n + count))
    trees = connected_components(B, directed=False)[0]
    if n + count != pairs.size + trees:
        raise VerificationError(
            f"biconnected_components: {pairs.size + trees - n - count} cycles pass through several components"
        )


def verify_ears(csr: Any, tails: Array, numbers: Array, count: int) -> None:
    """Assert that each part is an edge, or a cycle with ears."""
    rows = [row.tolist() for row in np.split(csr.indices, csr.indptr[1:-1])] if csr.nrows else []
    parts = [row.tolist() for row in np.split(numbers, csr.indptr[1:-1])] if csr.nrows else []
    edges = (np.bincount(numbers, minlength=count) // 2).tolist()
    order, parent, above = search(rows, parts)
    time = {v: k for k, v in enumerate(order)}
    ears = Ears(parent, above, edges)
    for v in order:
        ears.met.add(v)
        for u, part in zip(rows[v], parts[v], strict=True):
            if time[u] > time[v] and parent[u] != v:
                ears.add(v, u, part)
    for part, left in enumerate(ears.left):
        if left != 0 and not (edges[part] == 1 and part not in ears.begun):
            first = int(np.flatnonzero(numbers == part)[0])
            raise VerificationError(
                f"biconnected_components: the component {part} of the edge {tails[first]} – {csr.indices[first]} falls "
                f"apart: {left} of its {edges[part]} edges are on none of its ears"
            )


class Ears:
    """The ears so far: the vertices that are met, the edges that are left, and the vertices of each part."""

    def __init__(self, parent: list[int], above: list[int], edges: list[int]) -> None:
        self.parent, self.above, self.left = parent, above, list(edges)
        self.met, self.begun = set[int](), set[int]()
        self.inside = set[tuple[int, int]]()

    def add(self, first: int, u: int, part: int) -> None:
        """Add the path from `first` over the edge to u and upwards: the cycle of its part, or an ear."""
        path = [first]
        while u not in self.met:
            path.append(u)
            self.met.add(u)
            if self.above[u] != part:
                self.refuse(u, self.parent[u], part, self.above[u])
            u = self.parent[u]
        self.left[part] -= len(path)
        if part in self.begun:
            if u == first or (part, u) not in self.inside or (part, first) not in self.inside:
                self.refuse(first, path[-1], part, part)
        elif u != first:
            self.refuse(first, path[-1], part, part)
        self.begun.add(part)
        self.inside.update((part, v) for v in path)

    def refuse(self, u: int, v: int, part: int, other: int) -> None:
        """Raise because of an edge."""
        what = "is on no ear of its component" if part == other else f"is on a cycle with edges of component {part}"
        raise VerificationError(f"biconnected_components: the edge {u} – {v} of component {other} {what}")


def search(rows: list[list[int]], parts: list[list[int]]) -> tuple[list[int], list[int], list[int]]:
    """The vertices in the order of a depth-first search, their parents, and the parts of the edges to these."""
    order, parent, above = list[int](), [-2] * len(rows), [-1] * len(rows)
    for root in range(len(rows)):
        if parent[root] != -2:
            continue
        parent[root] = -1
        order.append(root)
        stack = [(root, iter(zip(rows[root], parts[root], strict=True)))]
        while stack:
            v, rest = stack[-1]
            for u, part in rest:
                if parent[u] == -2:
                    parent[u], above[u] = v, part
                    order.append(u)
                    stack.append((u, iter(zip(rows[u], parts[u], strict=True))))
                    break
            else:
                stack.pop()
    return order, parent, above
