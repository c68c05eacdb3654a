"""Shortest paths as a walk over a factor: the way up and the way down, whose hops are unpacked into arcs.

A hop a → b is a cell of a front. It is an arc, or leads over a vertex that both have in a front below, or over another
own vertex of the same front, where the cells a → k and k → b add up to it. Where only hops of length zero would
do so, which may lead in a circle, the hop is left to a search.

J. Dibbelt, B. Strasser, D. Wagner, "Customizable contraction hierarchies", ACM J. Exp. Algorithmics 21, 2016.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination.pairs import Climber, clear, climb, measure
from graphla.algorithms.apsp.elimination.rules import times
from graphla.algorithms.apsp.elimination.structure import STEP
from graphla.algorithms.apsp.initial import cast
from graphla.algorithms.shared.limits import Limits
from graphla.algorithms.shared.nearby import search_in
from graphla.algorithms.shared.nearby_cpu import extend
from graphla.algorithms.shared.weights import infinity
from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import count_workers, run_for_each

PATHS_A_THREAD = 8
"""Paths below which a second thread costs more than it saves."""
ROOM = 256
"""Vertices and hops for which there is room at first."""


class Arcs(NamedTuple):
    """The arcs of a graph with their weights as cells, and the children of each front."""

    order: Any
    indptr: Any
    indices: Any
    weights: Any
    child: Any
    sibling: Any


@compile_late(0.1, lambda parent: parent.size)
def list_children(parent):  # type: ignore[no-untyped-def]
    """Return the first child of each front, and the next child of its parent; −1 for none."""
    child, sibling = np.full(parent.size, -1, np.int32), np.full(parent.size, -1, np.int32)
    for s in range(parent.size):
        if parent[s] >= 0:
            sibling[s], child[parent[s]] = child[parent[s]], s
    return child, sibling


@inner()
def find_row(i, s, t):  # type: ignore[no-untyped-def]
    """Return the index of a position in the boundary of front s, or −1."""
    low, high = t.start[s], t.start[s + 1]
    while low < high:
        middle = (low + high) // 2
        if t.rows[middle] < i:
            low = middle + 1
        else:
            high = middle
    return low - t.start[s] if low < t.start[s + 1] and t.rows[low] == i else -1


@inner()
def read_up(k, j, s, t):  # type: ignore[no-untyped-def]
    """Return the cell from the k-th own vertex of front s to its j-th vertex, own or of its boundary."""
    w = t.first[s + 1] - t.first[s]
    return t.up[t.ups[s] + j * (-(-w // STEP) * STEP) + k]


@inner()
def read_down(j, k, s, t):  # type: ignore[no-untyped-def]
    """Return the cell from the j-th vertex of the boundary of front s to its k-th own vertex."""
    b = t.start[s + 1] - t.start[s]
    return t.down[t.downs[s] + k * (-(-b // STEP) * STEP) + j]


@inner()
def read_into(k, b, s, t):  # type: ignore[no-untyped-def]
    """Return the cell from the k-th own vertex of front s to a position of the front."""
    low, high = t.first[s], t.first[s + 1]
    return read_up(k, b - low if b < high else high - low + find_row(b, s, t), s, t)


@inner()
def read_from(a, k, s, t):  # type: ignore[no-untyped-def]
    """Return the cell from a position of front s to its k-th own vertex."""
    low, high = t.first[s], t.first[s + 1]
    return read_up(a - low, k, s, t) if a < high else read_down(find_row(a, s, t), k, s, t)


@inner()
def read_hop(a, b, t):  # type: ignore[no-untyped-def]
    """Return the cell of a hop."""
    s = t.of[min(a, b)]
    return read_into(a - t.first[s], b, s, t) if a < t.first[s + 1] else read_from(a, b - t.first[s], s, t)


@inner()
def find_before(u, i, X, t, zero, rule):  # type: ignore[no-untyped-def]
    """Return the position in a front below from which the way up from u has reached position i."""
    best, before, s = zero, -1, t.of[u]
    while s != t.of[i]:
        j, w = find_row(i, s, t), t.first[s + 1] - t.first[s]
        for k in range(w if j >= 0 else 0):
            d = times(read_up(k, w + j, s, t), X[t.first[s] + k], rule)
            if before < 0 or d < best:
                best, before = d, t.first[s] + k
        s = t.parent[s]
    return before


@inner()
def find_after(v, i, Y, t, zero, rule):  # type: ignore[no-untyped-def]
    """Return the position in a front below to which the way down to v leads from position i."""
    best, after, s = zero, -1, t.of[v]
    while s != t.of[i]:
        j = find_row(i, s, t)
        for k in range(t.first[s + 1] - t.first[s] if j >= 0 else 0):
            d = times(read_down(j, k, s, t), Y[t.first[s] + k], rule)
            if after < 0 or d < best:
                best, after = d, t.first[s] + k
        s = t.parent[s]
    return after


@inner()
def find_entry(i, X, t, zero, rule):  # type: ignore[no-untyped-def]
    """Return the own vertex of the front of i from which X reaches it over the front."""
    s, best, entry = t.of[i], zero, i
    for k in range(t.first[s + 1] - t.first[s]):
        d = times(read_up(k, i - t.first[s], s, t), X[t.first[s] + k], rule)
        if d < best:
            best, entry = d, t.first[s] + k
    return entry


@inner()
def list_hops(u, v, top, X, Y, t, zero, rule, hops):  # type: ignore[no-untyped-def]
    """List the positions of the way up from u to the meeting position and down to v; return array and count."""
    at, count = find_entry(top, X, t, zero, rule), 0
    if at != top:
        hops[0], count = top, 1
    while True:
        hops[count] = at
        count += 1
        if at == u:
            break
        at = find_before(u, at, X, t, zero, rule)
    for k in range(count // 2):
        hops[k], hops[count - 1 - k] = hops[count - 1 - k], hops[k]
    at = top
    while at != v:
        at = find_after(v, at, Y, t, zero, rule)
        hops[count] = at
        count += 1
    return count


@inner()
def is_arc(a, b, d, A):  # type: ignore[no-untyped-def]
    """Whether a hop is an arc of the graph."""
    v, head = A.order[a], A.order[b]
    found = False
    for e in range(A.indptr[v], A.indptr[v + 1]):
        found |= A.indices[e] == head and A.weights[e] <= d
    return found


@inner()
def find_below(a, b, most, t, A, waiting, rule):  # type: ignore[no-untyped-def]
    """Return a vertex of a front below over which a hop leads within `most`, or −1; `waiting` has room for fronts."""
    s, left = A.child[t.of[min(a, b)]], 0
    while s >= 0 or left:
        if s < 0:
            left -= 1
            s = waiting[left]
        i = find_row(a, s, t)
        j = find_row(b, s, t) if i >= 0 else -1
        if j >= 0:
            w = t.first[s + 1] - t.first[s]
            for k in range(w):
                if times(read_down(i, k, s, t), read_up(k, w + j, s, t), rule) <= most:
                    return t.first[s] + k
        following = A.sibling[s]
        if j >= 0 and A.child[s] >= 0:
            if following >= 0:
                waiting[left] = following
                left += 1
            following = A.child[s]
        s = following
    return -1


@inner()
def find_within(a, b, most, slack, t, rule):  # type: ignore[no-untyped-def]
    """Return an own vertex of the same front over which a hop leads within `most`, if both parts are longer than zero.

    −1 if there is none.
    """
    s = t.of[min(a, b)]
    for k in range(t.first[s + 1] - t.first[s]):
        p, q = read_from(a, k, s, t), read_into(k, b, s, t)
        if p > slack and q > slack and times(p, q, rule) <= most:
            return t.first[s] + k
    return -1


@inner()
def unpack_hop(a, b, t, A, share, rule, work, out, used):  # type: ignore[no-untyped-def]
    """Append the vertices after a up to b; ~b where a search has to find those between. Return list and count."""
    T = t.up.dtype.type
    waiting, stack = work
    stack[0], left = b, 1
    while left:
        b = stack[left - 1]
        d = read_hop(a, b, t)
        slack = T(d * share)
        over = -1
        direct = is_arc(a, b, T(d + slack), A)
        if not direct:
            over = find_below(a, b, T(d + slack), t, A, waiting, rule)
            if over < 0:
                over = find_within(a, b, T(d + slack), slack, t, rule)
        if over >= 0:
            stack[left] = over
            left += 1
            continue
        if used == out.size:
            out = extend(out, used, 1)
        out[used] = A.order[b] if direct else ~A.order[b]
        a, left, used = b, left - 1, used + 1
    return out, used


@compile_late(2.0, lambda sources, targets, t, *_: 2 * measure(sources.size, t))
def find_paths(sources, targets, t, X, Y, A, zero, one, last, share, rule):  # type: ignore[no-untyped-def]
    """Return the vertices of the paths between pairs of positions, and where each ends; none without a path."""
    out, used, ends = np.empty(ROOM, np.int32), 0, np.empty(sources.size, np.int64)
    hops = np.empty(2 * t.parent.size + 2, np.int32)
    work = np.empty(t.parent.size, np.int32), np.empty(t.of.size + 1, np.int32)
    for k in range(sources.size):
        u, v = sources[k], targets[k]
        d, top = climb(u, v, X, Y, t, zero, one, rule)
        if top >= 0 and d <= last:
            if used == out.size:
                out = extend(out, used, 1)
            out[used] = A.order[u]
            used += 1
            count = list_hops(u, v, top, X, Y, t, zero, rule, hops)
            for h in range(count - 1):
                out, used = unpack_hop(hops[h], hops[h + 1], t, A, share, rule, work, out, used)
        ends[k] = used
        clear(t.of[u], X, t, zero)
        clear(t.of[v], Y, t, zero)
    return out[:used].copy(), ends


@njit()
def erase_circles(vertices, indptr, place):  # type: ignore[no-untyped-def]
    """Return the paths, and pointers, without the ways from a vertex to itself, which are of length zero.

    `place` is −1 for each vertex.
    """
    out, used, ends = np.empty_like(vertices), 0, np.zeros_like(indptr)
    for p in range(indptr.size - 1):
        for v in vertices[indptr[p] : indptr[p + 1]]:
            if place[v] >= 0:
                place[out[place[v] + 1 : used]] = -1
                used = place[v]
            place[v], out[used] = used, v
            used += 1
        place[out[ends[p] : used]] = -1
        ends[p + 1] = used
    return out[:used], ends


class Unpacker:
    """Shortest paths from the factor of a graph whose weights are zero or more.

    Parameters
    ----------
    G : Graph
        The graph, on the CPU.
    climber : Climber
        The ways up its factor.
    """

    def __init__(self, G: Any, climber: Climber) -> None:
        self.graph, self.climber, a = G, climber, climber.arithmetic
        csr, structure = G.csr, climber.structure
        children = list_children(structure.parent)
        self.arcs = Arcs(structure.order, csr.indptr, csr.indices, a.convert(csr.values), *children)
        self.share = 16 * float(np.finfo(a.dtype).eps) if a.dtype.kind == "f" else 0.0

    def find(self, sources: Any, targets: Any) -> tuple[Any, Any]:
        """Return the vertices of all paths, one path behind another, and pointers; a path is empty if there is none."""
        rank, a = self.climber.structure.rank, self.climber.arithmetic
        how = self.arcs, a.zero, a.one, a.last, self.share, a.rule
        pieces = max(1, min(4 * count_workers(), sources.size // PATHS_A_THREAD))
        parts = [np.array_split(rank[ends], pieces) for ends in (sources, targets)]

        def run(part: Any) -> Any:
            return self.climber.use(lambda *held: find_paths(*part, *held, *how))

        found = run_for_each(run, list(zip(*parts, strict=True)))
        lengths = np.concatenate([np.diff(ends, prepend=0) for _, ends in found])
        paths = self._close_gaps(np.concatenate([vertices for vertices, _ in found]), lengths)
        if self.graph.min_weight is None or self.graph.min_weight > 0:
            return paths
        return erase_circles(*paths, np.full(self.graph.n, -1, np.int64))

    def _close_gaps(self, vertices: Any, lengths: Any) -> tuple[Any, Any]:
        """Put in what lies before each negative number ~v; return the vertices and pointers."""
        gaps = np.flatnonzero(vertices < 0)
        vertices = np.where(vertices < 0, ~vertices, vertices)
        between = [self._search(*vertices[gap - 1 : gap + 1].tolist()) for gap in gaps]
        owner = np.repeat(np.arange(lengths.size), lengths)[gaps]
        np.add.at(lengths, owner, [len(each) for each in between])
        pieces = np.split(vertices, gaps)
        filled = [part for pair in zip(pieces[1:], between, strict=True) for part in (pair[1], pair[0])]
        return np.concatenate([pieces[0], *filled]), np.concatenate([[0], np.cumsum(lengths)])

    def _search(self, a: int, b: int) -> list[int]:
        """Return the vertices between two on a shortest path."""
        far = infinity(self.climber.arithmetic.dtype)
        weights = cast(self.graph.csr.values, far.dtype)
        found = search_in(self.graph, weights, [a], Limits(targets=(b,)), far, self.graph.n)
        parents, path = dict(zip(found.vertices.tolist(), found.parents.tolist(), strict=True)), [b]
        while path[-1] != a:
            path.append(parents[path[-1]])
        return path[-2:0:-1]
