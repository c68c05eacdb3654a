"""Union-find on every core: each vertex points to a smaller one, until all point to the smallest of their component.

A thread owns the vertices of a range. Trees are joined by a compare-and-swap at a root; everything else is plain loads
and stores, and a thread that reads an old pointer climbs one step more.
"""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.atomic import compare_and_swap
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import run_over_rows

CHUNK = 512  # rows that are searched at once for arcs that leave the largest component
HUB = 64  # a vertex with a share of arcs to 1 / HUB of all vertices is where the search for a large component begins
SAMPLES = 1024  # vertices that are asked for their component, to find the largest (Sutton et al.: 1024)


def measure(vertex: float, arc: float) -> Any:
    """How long Python takes for some rows, in the microseconds that a vertex and an arc take."""
    return lambda first, last, indptr, *_: vertex * (last - first) + arc * int(indptr[last] - indptr[first])


@njit(inline="always")
def _join(u, v, parent):  # type: ignore[no-untyped-def]
    """Join the trees of u and v: the larger of their roots gets the smaller for its parent."""
    a, b = parent[u], parent[v]
    while a != b:
        high, low = (a, b) if a > b else (b, a)
        above = parent[high]
        if above == low or (above == high and compare_and_swap(parent, high, high, low)):
            return
        a, b = parent[above], parent[low]


@compile_late(0.07, measure(0.3, 0), views=True)
def _point_to_first(first, last, indptr, indices, parent):  # type: ignore[no-untyped-def]
    """A vertex points to its smallest neighbour, or to itself if no neighbour is smaller."""
    for v in range(first, last):
        parent[v] = indices[indptr[v]] if indptr[v] < indptr[v + 1] and indices[indptr[v]] < v else v


@compile_late(0.1, measure(0.4, 0), views=True)
def _join_second(first, last, indptr, indices, parent):  # type: ignore[no-untyped-def]
    """Join each vertex with its second neighbour."""
    for v in range(first, last):
        if indptr[v] + 1 < indptr[v + 1]:
            _join(v, indices[indptr[v] + 1], parent)


@compile_late(0.08, measure(0.2, 0.1), views=True)
def _flood(first, last, indptr, indices, inside):  # type: ignore[no-untyped-def]
    """A vertex is inside if a neighbour is."""
    for v in range(first, last):
        if not inside[v]:
            for k in range(indptr[v], indptr[v + 1]):
                if inside[np.uint32(indices[k])]:
                    inside[v] = True
                    break


@compile_late(0.07, measure(0.2, 0), views=True)
def _point_to_root(first, last, indptr, indices, inside, root, parent):  # type: ignore[no-untyped-def]
    """A vertex inside points to the root, and another to its smallest neighbour or to itself."""
    for v in range(first, last):
        if inside[v]:
            parent[v] = root
        else:
            parent[v] = indices[indptr[v]] if indptr[v] < indptr[v + 1] and indices[indptr[v]] < v else v


@compile_late(0.1, measure(0.2, 0.3), views=True)
def _join_all(first, last, indptr, indices, parent, largest):  # type: ignore[no-untyped-def]
    """Join each vertex with all its neighbours, but for the vertices whose parent is `largest`."""
    for v in range(first, last):
        if parent[v] != largest:
            for k in range(indptr[v], indptr[v + 1]):
                _join(v, indices[k], parent)


@compile_late(0.2, measure(0.3, 0.3), views=True)
def _join_crossing(first, last, indptr, indices, parent, inside):  # type: ignore[no-untyped-def]
    """Join along the arcs from the largest component to others; `inside` is int32, 1 for its vertices.

    All arcs of vertices outside the component have been joined, and so lead outside. If as many arcs of a chunk of rows
    lead inside as its vertices inside have, none of them crosses.
    """
    for low in range(first, last, CHUNK):
        high, owned, reached = low + CHUNK if low + CHUNK < last else last, 0, np.int32(0)
        for k in range(indptr[low], indptr[high]):
            reached = np.int32(reached + inside[np.uint32(indices[k])])
        for v in range(low, high):
            owned += np.int64(inside[v]) * (indptr[v + 1] - indptr[v])
        if reached != np.int32(owned):
            _join_all(low, high, indptr, indices, parent, -1)


@compile_late(0.06, measure(0.3, 0), views=True)
def _compress(first, last, indptr, parent):  # type: ignore[no-untyped-def]
    """Every vertex points to its root."""
    for v in range(first, last):
        root = parent[v]
        while parent[root] != root:
            root = parent[root]
        parent[v] = root


BRIEF = _point_to_first, _join_second, _point_to_root, _compress
"""Kernels that look at a few entries of each row."""


class Alone:
    """The one process that finds components, on its cores; `first` to `last` are the vertices whose rows it has."""

    def __init__(self, n: int) -> None:
        self.n, self.first, self.last = n, 0, n

    def share(self) -> tuple[Any, Any]:
        """The parents of the vertices, and a number of each: arrays that all may read and write."""
        return np.empty(self.n, np.int32), np.empty(self.n, np.int32)

    def meet(self) -> None:
        """Wait for all others."""

    def find_largest(self, value: int, where: int) -> tuple[int, int]:
        """The largest value of all, and where it is."""
        return value, where

    def over(self, kernel: Any, rows: Any, *arguments: Any) -> None:
        """Run a kernel on the rows."""
        entries = rows.nrows if kernel in BRIEF else rows.nvals + rows.nrows
        run_over_rows(kernel, rows.indptr, entries, rows.indptr, *arguments)


def find_components(csr: Any, csc: Any = None, team: Any = None) -> Any:
    """The smallest vertex of each vertex's weak component.

    `csc` is `csr` if the graph is symmetric. Without it the arcs that enter vertices outside the largest component are
    looked for in the rows of that component, which is faster than to transpose. `team` says who works on it: by default
    this process. Of a team each member has the rows of its own vertices, and all share the array that is returned.
    """
    team = Alone(csr.nrows) if team is None else team
    parent, inside = team.share()
    if parent.size == 0:
        return parent
    hub, reach = team.find_largest(*find_hub(csr)[::-1])[::-1]
    largest = flood(csr, hub, parent, inside, team) if reach * HUB >= csr.nrows else join_two(csr, parent, team)
    for rows in (csr,) if csc is csr or csc is None else (csr, csc):
        team.over(_join_all, rows, rows.indices, parent, largest)
    team.over(_compress, csr, parent)
    if csc is None:
        own = slice(team.first, team.last)
        inside[own] = parent[own] == parent[largest]
        team.meet()
        team.over(_join_crossing, csr, csr.indices, parent, inside)
        team.over(_compress, csr, parent)
    return parent


def find_hub(csr: Any) -> tuple[int, int]:
    """The vertex with the most arcs, and their number."""
    degrees = np.diff(csr.indptr)
    hub = int(degrees.argmax())
    return hub, int(degrees[hub])


def flood(csr: Any, hub: int, parent: Any, numbers: Any, team: Any) -> Any:
    """Point the vertices near a hub to the smallest of them, and others to a neighbour; return that smallest one.

    In one pass a vertex is near if a neighbour is. Rows are read until the first such neighbour, and nothing is atomic.
    """
    inside = numbers.view(bool)[: csr.nrows]
    inside[team.first : team.last] = False
    team.meet()
    if team.first <= hub < team.last:
        inside[hub] = inside[csr.indices[csr.indptr[hub] : csr.indptr[hub + 1]]] = True
    team.meet()
    team.over(_flood, csr, csr.indices, inside)
    root = np.int32(inside.argmax())
    team.over(_point_to_root, csr, csr.indices, inside, root, parent)
    team.over(_compress, csr, parent)
    return root


def join_two(csr: Any, parent: Any, team: Any) -> Any:
    """Join along two arcs of each vertex; return the root of the largest tree."""
    team.over(_point_to_first, csr, csr.indices, parent)
    team.over(_compress, csr, parent)
    team.over(_join_second, csr, csr.indices, parent)
    team.over(_compress, csr, parent)
    largest = find_largest(parent)
    team.meet()
    return largest


def find_largest(parent: Any) -> Any:
    """The root that most of some vertices point to; all their trees have been compressed."""
    chosen = np.random.default_rng(1).integers(0, parent.size, SAMPLES)
    roots, counts = np.unique(parent[chosen], return_counts=True)
    return roots[counts.argmax()]
