"""The rows of some sources from a factor: up the tree from the sources, then down to all vertices, on the host.

X[i, r] is the distance from source r to position i, for a tile of sources together. Up, supernodes in ascending order:

    X[S and B, r] = min(X[S and B, r], F[S, S and B]ᵀ min.plus X[S, r])

which finds the paths whose last vertex is their highest so far. Down, in descending order, with X[B] known:

    X[S, r] = min(X[S, r], F[B, S]ᵀ min.plus X[B, r])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination.layout import mark_ancestors
from graphla.algorithms.apsp.elimination.rules import plus, times
from graphla.algorithms.apsp.elimination.structure import STEP, Structure
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import run_for_each
from graphla.storage.convert import make_pointers

TILE = 64
"""Sources of a tile: a row of X is then some cache lines, and the rows of a subtree stay in the second-level cache."""
TILES = 16
"""Tiles between two reports of the progress."""
STRIP = 512
"""Positions of X that are transposed together."""


@inner()
def combine(x, a, Y, rule):  # type: ignore[no-untyped-def]
    """Compute x = min(x, a min.plus Y), four rows of Y at a time."""
    T = x.dtype.type
    for k in range(0, a.size, STEP):
        p, q, r, s = a[k], a[k + 1], a[k + 2], a[k + 3]
        e, f, g, h = Y[k], Y[k + 1], Y[k + 2], Y[k + 3]
        for j in range(x.size):
            near = plus(T(times(p, e[j], rule)), T(times(q, f[j], rule)), rule)
            far = plus(T(times(r, g[j], rule)), T(times(s, h[j], rule)), rule)
            x[j] = plus(x[j], plus(near, far, rule), rule)


@inner()
def fill(Y, low, high, infinity):  # type: ignore[no-untyped-def]
    """Write infinity into rows of Y. (Numba takes a second to compile an assignment to a slice.)"""
    for k in range(low, high):
        for j in range(Y.shape[1]):
            Y[k, j] = infinity


@inner()
def copy_row(Y, k, X, position):  # type: ignore[no-untyped-def]
    """Copy a row of X to row k of Y."""
    for j in range(Y.shape[1]):
        Y[k, j] = X[position, j]


def measure(X, begin, marked):  # type: ignore[no-untyped-def]
    """The microseconds, about, that Python takes to combine the panels of marked supernodes with rows of X."""
    return 0.8 * X.shape[1] * (begin[marked + 1] - begin[marked]).sum()


@compile_late(0.6, lambda X, Y, marked, first, start, rows, ups, *_: 20 * marked.size + measure(X, ups, marked))
def sweep_up(X, Y, marked, first, start, rows, ups, up, infinity, rule):  # type: ignore[no-untyped-def]
    """Visit the marked supernodes in ascending order."""
    for s in marked:
        w, b = first[s + 1] - first[s], start[s + 1] - start[s]
        wide = -(-w // STEP) * STEP
        A = up[ups[s] : ups[s + 1]].reshape(w + b, wide)
        fill(Y, w, wide, infinity)
        for j in range(w):
            copy_row(Y, j, X, first[s] + j)
        for j in range(w):
            combine(X[first[s] + j], A[j], Y[:wide], rule)
        for j in range(b):
            combine(X[rows[start[s] + j]], A[w + j], Y[:wide], rule)


@compile_late(0.6, lambda X, Y, marked, first, start, rows, downs, *_: 20 * marked.size + measure(X, downs, marked))
def sweep_down(X, Y, marked, first, start, rows, downs, down, infinity, rule):  # type: ignore[no-untyped-def]
    """Visit the marked supernodes in descending order."""
    for s in marked[::-1]:
        w, b = first[s + 1] - first[s], start[s + 1] - start[s]
        deep = -(-b // STEP) * STEP
        A = down[downs[s] : downs[s + 1]].reshape(w, deep)
        fill(Y, b, deep, infinity)
        for j in range(b):
            copy_row(Y, j, X, rows[start[s] + j])
        for k in range(w):
            combine(X[first[s] + k], A[k], Y[:deep], rule)


@compile_late(0.1, lambda X, positions, out, to, *_: 0.3 * positions.size * to.size)
def write_rows(X, positions, out, to, last, far):  # type: ignore[no-untyped-def]
    """Write out[to[r], j] = X[positions[j], r]; numbers beyond `last` become `far`."""
    for low in range(0, positions.size, STRIP):
        high = min(low + STRIP, positions.size)
        for r in range(to.size):
            row = out[to[r]]
            for j in range(low, high):
                d = X[positions[j], r]
                row[j] = far if d > last else d


class Part(NamedTuple):
    """The supernodes on the way down, and a structure whose positions are those alone that are visited.

    Parameters
    ----------
    below : ndarray
        The supernodes that are visited on the way down, in ascending order.
    first, rows : ndarray
        As in `Structure`, in the positions of the part; supernodes that are not in it have none.
    shift : ndarray
        Of each supernode, how much less its positions are in the part.
    """

    below: Any
    first: Any
    rows: Any
    shift: Any


class Sweeps:
    """Rows of distances from the panels of a factor.

    Parameters
    ----------
    structure : Structure
        The fronts.
    up, down : ndarray
        The panels.
    arithmetic : Arithmetic
        Infinity and limits of the kernels, and the last number that is a distance.
    """

    def __init__(self, structure: Structure, up: Any, down: Any, arithmetic: Any) -> None:
        self.structure, self.up, self.down, self.arithmetic = structure, up, down, arithmetic
        self.of = np.repeat(np.arange(structure.parent.size, dtype=np.int32), structure.widths)
        fronts = np.arange(structure.parent.size)
        self.whole = Part(fronts, structure.first, structure.rows, np.zeros_like(structure.first[:-1]))
        self.deepest = int(max(structure.boundaries.max(initial=0), structure.widths.max(initial=0))) + STEP

    def compute(self, sources: Any, targets: Any, out: Any, done: Callable[[int], None] | None = None) -> None:
        """Fill ``out[r, j]``, the distance from vertex ``sources[r]`` to ``targets[j]``; None means every vertex."""
        at = self.structure.rank[sources]
        near = np.argsort(at, kind="stable")  # sources beside each other share their ways up
        goals = self.structure.rank if targets is None else self.structure.rank[targets]
        part = self.whole if targets is None else self._choose(at, goals)
        goals = goals - part.shift[self.of[goals]]
        for low in range(0, near.size, TILE * TILES):
            some = near[low : low + TILE * TILES]
            tiles = [some[k : k + TILE] for k in range(0, some.size, TILE)]
            run_for_each(lambda tile: self._compute_tile(at[tile], tile, goals, part, out), tiles)
            if done is not None:
                done(low + some.size)

    def _choose(self, at: Any, goals: Any) -> Part:
        """Return what rows from some positions to others need: their supernodes and the ancestors of these."""
        t, below = self.structure, self.mark(goals)
        held = np.zeros(t.parent.size, bool)
        held[below], held[self.mark(at)] = True, True
        first = make_pointers(np, np.where(held, t.widths, 0)).astype(np.int32)
        shift = t.first[:-1] - first[:-1]
        return Part(below, first, (t.rows - shift[self.of[t.rows]]).astype(np.int32), shift)

    def stream(self, rows: int, begin: int = 0) -> Iterator[tuple[int, Any]]:
        """Yield the rows from `begin` on, so many at a time, with the first vertex of each block."""
        n = self.structure.n
        for first in range(begin, n, rows):
            out = np.empty((min(rows, n - first), n), self.arithmetic.dtype)
            self.compute(np.arange(first, first + out.shape[0]), None, out)
            yield first, out

    def mark(self, positions: Any) -> Any:
        """Return the supernodes of some positions and their ancestors, in ascending order."""
        return mark_ancestors(np.asarray(positions), self.of, self.structure.parent)

    def _compute_tile(self, at: Any, tile: Any, goals: Any, part: Part, out: Any) -> None:
        t, a = self.structure, self.arithmetic
        X = np.full((part.first[-1], at.size), a.zero, self.up.dtype)
        Y = np.empty((self.deepest, at.size), self.up.dtype)
        X[at - part.shift[self.of[at]], np.arange(at.size)] = a.one
        fronts = part.first, t.start, part.rows
        sweep_up(X, Y, self.mark(at), *fronts, t.up, self.up, a.zero, a.rule)
        sweep_down(X, Y, part.below, *fronts, t.down, self.down, a.zero, a.rule)
        write_rows(X, goals, out.view(self.up.dtype), tile, a.last, a.far)
