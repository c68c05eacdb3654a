"""Distances of many pairs from a factor, on the host: only the ancestors of both ends are visited.

A shortest path goes up in the order of elimination and down again. From its source every vertex above is reached along
the boundaries of the ancestors, X; likewise its target backwards, Y; the highest vertex of the path is in a front that
both have above them:

    d = min over fronts S above both, i and k in S: (X[k] + F[k, i]) + Y[i]

The panels of a front are closed, so that X and Y of the next fronts follow from those of its own vertices alone:

    X[B] = min(X[B], X[S] min.plus F[S, B])        Y[B] = min(Y[B], F[B, S] min.plus Y[S])

J. Dibbelt, B. Strasser, D. Wagner, "Customizable contraction hierarchies", ACM J. Exp. Algorithmics 21, 2016 (queries
along the elimination tree).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination.eliminate import Panels
from graphla.algorithms.apsp.elimination.rules import plus, times
from graphla.algorithms.apsp.elimination.structure import STEP
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import count_workers, run_for_each

PAIRS_A_THREAD = 64
"""Pairs below which a second thread costs more than it saves."""


class Tree(NamedTuple):
    """What the kernels read of a factor; the members are those of `Structure` and `Panels`, and the front of each."""

    of: Any
    parent: Any
    first: Any
    start: Any
    rows: Any
    ups: Any
    downs: Any
    up: Any
    down: Any


def make_tree(panels: Panels) -> Tree:
    """Return the parts of a factor that the kernels read."""
    s = panels.structure
    of = np.repeat(np.arange(s.parent.size, dtype=np.int32), s.widths)
    return Tree(of, s.parent, s.first, s.start, s.rows, s.up, s.down, panels.up, panels.down)


@inner()
def relax_up(s, X, t, zero, rule):  # type: ignore[no-untyped-def]
    """X[B] = min(X[B], X[S] min.plus F[S, B]) for the boundary of front s."""
    T, low, w = X.dtype.type, t.first[s], t.first[s + 1] - t.first[s]
    wide = -(-w // STEP) * STEP
    x = X[low : low + w]
    for j in range(t.start[s + 1] - t.start[s]):
        begin, best = t.ups[s] + (w + j) * wide, zero
        row = t.up[begin : begin + w]
        for k in range(w):
            best = plus(best, T(times(row[k], x[k], rule)), rule)
        i = t.rows[t.start[s] + j]
        X[i] = plus(X[i], best, rule)


@inner()
def relax_down(s, Y, t, zero, rule):  # type: ignore[no-untyped-def]
    """Y[B] = min(Y[B], F[B, S] min.plus Y[S]) for the boundary of front s."""
    T, low, w = Y.dtype.type, t.first[s], t.first[s + 1] - t.first[s]
    b = t.start[s + 1] - t.start[s]
    deep = -(-b // STEP) * STEP
    for k in range(w):
        y, begin = Y[low + k], t.downs[s] + k * deep
        if y == zero:
            continue
        for j in range(b):
            i = t.rows[t.start[s] + j]
            Y[i] = plus(Y[i], T(times(t.down[begin + j], y, rule)), rule)


@inner()
def meet(s, X, Y, t, zero, rule, best, where):  # type: ignore[no-untyped-def]
    """Return the distance over the own vertices of a front above both ends, if it is better, and the meeting vertex."""
    T, low, w = X.dtype.type, t.first[s], t.first[s + 1] - t.first[s]
    wide = -(-w // STEP) * STEP
    x = X[low : low + w]
    for i in range(w):
        y, near = Y[low + i], zero
        if y == zero:
            continue
        row = t.up[t.ups[s] + i * wide : t.ups[s] + i * wide + w]
        for k in range(w):
            near = plus(near, T(times(row[k], x[k], rule)), rule)
        d = T(times(near, y, rule))
        if plus(d, best, rule) != best:
            best, where = d, low + i
    return best, where


@inner()
def clear(s, X, t, zero):  # type: ignore[no-untyped-def]
    """Reset the own vertices of a front and of all above it."""
    while s >= 0:
        for i in range(t.first[s], t.first[s + 1]):
            X[i] = zero
        s = t.parent[s]


@inner()
def climb(u, v, X, Y, t, zero, one, rule):  # type: ignore[no-untyped-def]
    """Fill X above position u and Y above position v; return the distance and the meeting position, or −1."""
    a, b, best, where = t.of[u], t.of[v], zero, -1
    X[u], Y[v] = one, one
    while a != b and a >= 0 and b >= 0:
        if a < b:
            relax_up(a, X, t, zero, rule)
            a = t.parent[a]
        else:
            relax_down(b, Y, t, zero, rule)
            b = t.parent[b]
    while a >= 0 and b >= 0:
        best, where = meet(a, X, Y, t, zero, rule, best, where)
        relax_up(a, X, t, zero, rule)
        relax_down(a, Y, t, zero, rule)
        a = b = t.parent[a]
    return best, where


def measure(pairs, t):  # type: ignore[no-untyped-def]
    """The microseconds that Python takes at most to climb for so many pairs."""
    return 0.6 * pairs * (t.up.size + t.down.size)


@compile_late(0.8, lambda sources, targets, which, t, *_: measure(which.size, t))
def measure_pairs(sources, targets, which, t, X, Y, zero, one, last, far, rule, out):  # type: ignore[no-untyped-def]
    """Write the distance of each pair of positions that `which` numbers; numbers beyond `last` become `far`."""
    for k in which:
        u, v = sources[k], targets[k]
        d, _ = climb(u, v, X, Y, t, zero, one, rule)
        out[k] = far if d > last else d
        clear(t.of[u], X, t, zero)
        clear(t.of[v], Y, t, zero)


class Climber:
    """The tree of a factor, and arrays in which its ancestors are reached; each is clean between two uses.

    Parameters
    ----------
    panels : Panels
        The factor, on the host.
    """

    def __init__(self, panels: Panels) -> None:
        self.structure, self.arithmetic, self.tree = panels.structure, panels.arithmetic, make_tree(panels)
        self._free: list[tuple[Any, Any]] = []

    def use(self, kernel: Callable[..., Any], *args: Any) -> Any:
        """Call ``kernel(*args, tree, X, Y)``; the arrays of a call that is left by an error are not used again."""
        try:
            held = self._free.pop()
        except IndexError:
            held = (self._make(), self._make())
        found = kernel(*args, self.tree, *held)
        self._free.append(held)
        return found

    def _make(self) -> Any:
        return np.full(self.structure.n, self.arithmetic.zero, self.arithmetic.view)

    def measure(self, sources: Any, targets: Any) -> Any:
        """Return the distances of pairs of vertices, int arrays of one length, in the dtype of the factor."""
        rank, a = self.structure.rank, self.arithmetic
        starts, ends = rank[sources], rank[targets]
        out = np.empty(starts.size, a.dtype)
        how = a.zero, a.one, a.last, a.far, a.rule, out.view(a.view)
        near = np.lexsort((ends, starts))  # sources beside each other have fronts in common, which the cache then holds
        pieces = np.array_split(near, max(1, min(4 * count_workers(), starts.size // PAIRS_A_THREAD)))

        def run(which: Any) -> None:
            self.use(lambda *held: measure_pairs(starts, ends, which, *held, *how))

        run_for_each(run, pieces)
        return out
