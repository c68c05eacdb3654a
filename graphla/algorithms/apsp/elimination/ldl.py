"""A = L D Lᵀ of a sparse symmetric matrix by the fronts of its elimination tree, on the host.

A front holds the rows and columns of a supernode S and its boundary B. Eliminating S leaves in B what the parent takes
over, and in the panel of S, row by row, the columns of L:

    F[S, S] = L₁ D L₁ᵀ,    L₂ = F[B, S] L₁⁻ᵀ D⁻¹,    F[B, B] −= L₂ D L₂ᵀ

The same fronts close semirings in `apsp.elimination`; here addition has an inverse, so that one triangle is enough.

I. S. Duff, J. K. Reid, "The multifrontal solution of indefinite sparse symmetric linear equations", ACM Trans. Math.
Softw. 9(3), 1983; J. W. H. Liu, "The multifrontal method for sparse matrix solution: theory and practice", SIAM Review
34(1), 1992.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination import tree
from graphla.algorithms.apsp.elimination.fronts import Fronts
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.engine.cpu.blas import multiply
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.storage.convert import make_pointers

BLOCK = 48
"""Pivots that are eliminated together: the panel of a block stays in the first-level cache."""
STRIP = 4 * BLOCK
"""Columns of an update that are computed together, so that little above the diagonal is."""
SMALL = 4096
"""Multiplications of an update up to which a call of BLAS takes longer than plain loops."""


LOWER = np.tri(max(BLOCK, math.isqrt(SMALL)), dtype=bool)
"""Where the lower triangle of a block, or of a small update, is."""


class Tables(NamedTuple):
    """What the kernels read of a structure; ``panel[s]`` is where the m × w panel of supernode s begins."""

    first: Any
    start: Any
    rows: Any
    place: Any
    begin: Any
    arc: Any
    row: Any
    column: Any
    panel: Any


def measure(low, high, t):  # type: ignore[no-untyped-def]
    """The microseconds, about, that Python takes to eliminate supernodes `low` to ``high - 1``."""
    w, b = np.diff(t.first[low : high + 1]).astype(float), np.diff(t.start[low : high + 1])
    return (50 + 40 * w + 0.005 * w * w * (w + b) + 0.005 * w * b * b + 0.2 * b * b).sum()


@compile_late(0.2, lambda s, P, t, _: t.begin[s + 1] - t.begin[s])
def assemble(s, P, t, values):  # type: ignore[no-untyped-def]
    """Add the entries of A that front s takes, one triangle, to its panel, which is 0."""
    for k in range(t.begin[s], t.begin[s + 1]):
        if t.column[k] <= t.row[k]:
            P[t.row[k], t.column[k]] += values[t.arc[k]]


@compile_late(0.1, lambda P, U, C, place: 30 + 0.03 * C.size)
def add_update(P, U, C, place):  # type: ignore[no-untyped-def]
    """Add what a child leaves, the lower triangle C, at the places of its boundary in this front."""
    w = P.shape[1]
    for i in range(place.size):
        p, row = place[i], C[i]
        for j in range(i + 1):
            q = place[j]
            if q < w:
                P[p, q] += row[j]
            else:
                U[p - w, q - w] += row[j]


def add_at_once(P: Any, U: Any, C: Any, place: Any) -> None:
    """The same in Python, by operations on the whole update: places rise."""
    w, lower = P.shape[1], np.tri(place.size, dtype=bool)
    own = int(np.searchsorted(place, w))
    rows, columns, behind = place[:, None], place[:own], place[own:] - w
    part = P[rows, columns]
    P[rows, columns] = np.add(part, C[:, :own], out=part, where=lower[:, :own])
    part = U[behind[:, None], behind]
    U[behind[:, None], behind] = np.add(part, C[own:, own:], out=part, where=lower[own:, own:])


add_update.in_python = add_at_once


@inner()
def eliminate_block(P, low, high, d, least):  # type: ignore[no-untyped-def]
    """Factorize columns `low` to ``high - 1`` of a panel, less the earlier ones; return a bad pivot, or −1."""
    for k in range(low, high):
        pivot = P[k, k]
        if not abs(pivot) > least:
            return k
        d[k], P[k, k] = pivot, 1
        for i in range(k + 1, high):
            P[i, k] /= pivot
            a = P[i, k] * pivot
            for j in range(k + 1, i + 1):
                P[i, j] -= a * P[j, k]
    for i in range(high, P.shape[0]):
        row = P[i]
        for k in range(low, high):
            total = row[k]
            for j in range(low, k):
                total -= row[j] * P[k, j]
            row[k] = total
        for k in range(low, high):
            row[k] /= d[k]
    return -1


def subtract_lower(U: Any, x: Any, y: Any) -> None:
    """Take the lower triangle of x yᵀ from that of U."""
    np.subtract(U, x[:, None] * y, out=U, where=LOWER[: y.size, : y.size])


def eliminate_columns(P: Any, low: int, high: int, d: Any, least: Any) -> int:
    """The same in Python, a column at a time."""
    for k in range(low, high):
        pivot = P[k, k]
        if not abs(pivot) > least:
            return k
        d[k], P[k, k] = pivot, 1
        column = P[k + 1 : high, k]
        column /= pivot
        subtract_lower(P[k + 1 : high, k + 1 : high], column * pivot, column)
    below = P[high:]
    if below.size:
        for k in range(low, high - 1):
            below[:, k + 1 : high] -= below[:, k : k + 1] * P[k + 1 : high, k]
        below[:, low:high] /= d[low:high]
    return -1


eliminate_block.in_python = eliminate_columns  # type: ignore[attr-defined]


@inner()
def take_small_update(U, L, d):  # type: ignore[no-untyped-def]
    """Compute U −= L D Lᵀ, the lower triangle, by loops."""
    for i in range(U.shape[0]):
        for j in range(i + 1):
            total = U[i, j]
            for k in range(d.size):
                total -= L[i, k] * d[k] * L[j, k]
            U[i, j] = total


def take_columns(U: Any, L: Any, d: Any) -> None:
    """The same in Python, a column of L at a time."""
    for k in range(d.size):
        subtract_lower(U, L[:, k] * d[k], L[:, k])


take_small_update.in_python = take_columns  # type: ignore[attr-defined]


@inner()
def scale(P, row, low, d):  # type: ignore[no-untyped-def]
    """Columns of a panel from a row on, and the same times d."""
    L, D = np.empty((P.shape[0] - row, d.size), P.dtype), np.empty((P.shape[0] - row, d.size), P.dtype)
    for i in range(L.shape[0]):
        for k in range(d.size):
            L[i, k] = P[row + i, low + k]
            D[i, k] = L[i, k] * d[k]
    return L, D


def scale_at_once(P: Any, row: int, low: int, d: Any) -> tuple[Any, Any]:
    """The same in Python."""
    L = P[row:, low : low + d.size].copy()
    return L, L * d


scale.in_python = scale_at_once  # type: ignore[attr-defined]


@inner()
def subtract(U, row, column, D, L):  # type: ignore[no-untyped-def]
    """Take D Lᵀ from a part of U."""
    C = multiply(D, L)
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            U[row + i, column + j] -= C[i, j]


def subtract_at_once(U: Any, row: int, column: int, D: Any, L: Any) -> None:
    """The same in Python."""
    U[row : row + D.shape[0], column : column + L.shape[0]] -= multiply(D, L)


subtract.in_python = subtract_at_once  # type: ignore[attr-defined]


@compile_late(1.0, lambda P, U, *_: (40 + 0.005 * P.size) * P.shape[1] + 0.005 * P.shape[1] * U.size)
def eliminate(P, U, d, least):  # type: ignore[no-untyped-def]
    """Factorize a panel, and take its L₂ D L₂ᵀ from U; return a bad pivot, or −1."""
    m, w = P.shape
    for low in range(0, w, BLOCK):
        high = min(low + BLOCK, w)
        bad = eliminate_block(P, low, high, d, least)
        if bad >= 0:
            return bad
        if high < w:
            L, D = scale(P, high, low, d[low:high])
            subtract(P, high, high, D, L[: w - high])
    b = m - w
    if w * b * b <= SMALL:
        take_small_update(U, P[w:], d)
    else:
        L, D = scale(P, w, 0, d)
        for low in range(0, b, STRIP):
            subtract(U, low, low, D[low:], L[low : min(low + STRIP, b)])
    return -1


@compile_late(1.0, lambda low, high, t, *_: measure(low, high, t))
def eliminate_range(low, high, t, children, values, least, panels, d, stack):  # type: ignore[no-untyped-def]
    """Eliminate whole subtrees, supernodes `low` to ``high - 1``; return a position with a bad pivot, or −1.

    The updates of children lie at the top of the stack; that of the front is built above them, and replaces them.
    """
    top, waiting, count = 0, np.empty(high - low, np.int32), 0
    for s in range(low, high):
        w, b = t.first[s + 1] - t.first[s], t.start[s + 1] - t.start[s]
        P = panels[t.panel[s] : t.panel[s + 1]].reshape(w + b, w)
        U = stack[top : top + b * b].reshape(b, b)
        for k in range(b * b):
            stack[top + k] = 0
        assemble(s, P, t, values)
        bottom = top
        for _ in range(children[s]):
            count -= 1
            c = waiting[count]
            size = t.start[c + 1] - t.start[c]
            bottom -= size * size
            C = stack[bottom : bottom + size * size].reshape(size, size)
            add_update(P, U, C, t.place[t.start[c] : t.start[c + 1]])
        bad = eliminate(P, U, d[t.first[s] : t.first[s + 1]], least)
        if bad >= 0:
            return t.first[s] + bad
        for k in range(b * b):  # ascending: what is written has been read
            stack[bottom + k] = stack[top + k]
        top, waiting[count] = bottom + b * b, s
        count += 1
    return -1


@compile_late(0.3, lambda x, t, panels, d, zero: 0.2 * len(panels), views=True)
def solve_one(x, t, panels, d, zero):  # type: ignore[no-untyped-def]
    """Solve L D Lᵀ x = x in place, for one right-hand side by positions."""
    count, end = len(t.first) - 1, np.int64(0)
    for s in range(count):
        f, w, b = t.first[s], t.first[s + 1] - t.first[s], t.start[s]
        y = x[f : f + w]
        for i in range(w + t.start[s + 1] - b):
            total, row = zero, panels[end : end + w]
            for k in range(i if i < w else w):
                total += row[k] * y[k]
            x[f + i if i < w else t.rows[b + i - w]] -= total
            end += w
    for k in range(len(d)):
        x[k] /= d[k]
    for s in range(count - 1, -1, -1):
        f, w, b = t.first[s], t.first[s + 1] - t.first[s], t.start[s]
        y = x[f : f + w]
        for i in range(w + t.start[s + 1] - b - 1, -1, -1):
            end -= w
            a, row = x[f + i if i < w else t.rows[b + i - w]], panels[end : end + w]
            for k in range(i if i < w else w):
                y[k] -= row[k] * a


def measure_tile(X: Any, t: Tables, panels: Any, d: Any) -> float:
    """The microseconds, about, that Python takes to solve for some right-hand sides."""
    return 2 * (t.rows.size + 4 * d.size) + 0.004 * X.shape[1] * panels.size


@compile_late(0.3, measure_tile)
def solve_tile(X, t, panels, d):  # type: ignore[no-untyped-def]
    """Solve L D Lᵀ X = X in place, for a row of right-hand sides per position."""
    count, r, end = t.first.size - 1, X.shape[1], np.int64(0)
    for s in range(count):
        f, w, b = t.first[s], t.first[s + 1] - t.first[s], t.start[s]
        for i in range(w + t.start[s + 1] - b):
            x = X[f + i if i < w else t.rows[b + i - w]]
            for k in range(i if i < w else w):
                a, y = panels[end + k], X[f + k]
                for j in range(r):
                    x[j] -= a * y[j]
            end += w
    for p in range(d.size):
        for j in range(r):
            X[p, j] /= d[p]
    for s in range(count - 1, -1, -1):
        f, w, b = t.first[s], t.first[s + 1] - t.first[s], t.start[s]
        for i in range(w + t.start[s + 1] - b - 1, -1, -1):
            end -= w
            x = X[f + i if i < w else t.rows[b + i - w]]
            for k in range(i if i < w else w):
                a, y = panels[end + k], X[f + k]
                for j in range(r):
                    y[j] -= a * x[j]


def solve_at_once(X: Any, t: Tables, panels: Any, d: Any) -> None:
    """The same in Python, a column or row of a panel at a time."""
    fronts = list[Any]()
    for s in range(t.first.size - 1):
        f, w = t.first[s], t.first[s + 1] - t.first[s]
        here = np.concatenate((np.arange(f, f + w), t.rows[t.start[s] : t.start[s + 1]]))
        fronts.append((here, w, panels[t.panel[s] : t.panel[s + 1]].reshape(-1, w)))
    for here, w, P in fronts:
        x = X[here]
        for k in range(w):
            x[k + 1 :] -= P[k + 1 :, k : k + 1] * x[k]
        X[here] = x
    X /= d[:, None]
    for here, w, P in reversed(fronts):
        x = X[here]
        for i in range(here.size - 1, 0, -1):
            x[: min(i, w)] -= P[i, : min(i, w), None] * x[i]
        X[here] = x


solve_tile.in_python = solve_at_once


class Decomposition(Fronts):
    """L and D of a symmetric matrix; `run` fills them.

    Parameters
    ----------
    structure : Structure
        The fronts.
    values : ndarray
        The entries of the matrix in CSR order, FP32 or FP64.
    least : float
        The magnitude that a pivot must exceed.

    Attributes
    ----------
    panels : ndarray
        The columns of L, a panel of m × w per supernode.
    d : ndarray
        The diagonal of D, by positions.
    """

    def __init__(self, structure: Structure, values: Any, least: float) -> None:
        sizes = structure.boundaries**2
        panel = make_pointers(np, structure.widths * (structure.widths + structure.boundaries))
        tables = Tables(**{name: getattr(structure, name) for name in Tables._fields[:-1]}, panel=panel)
        super().__init__(structure, values.dtype, tables, tree.measure_stacks(structure.parent, sizes, sizes))
        self.values, self.least = values, values.dtype.type(least)
        self.panels, self.d = np.zeros(panel[-1], values.dtype), np.ones(structure.n, values.dtype)

    def eliminate_subtrees(self, low: int, high: int, stack: Any) -> int:
        facts = self.tables, self.children, self.values, self.least, self.panels, self.d, stack
        return eliminate_range(low, high, *facts)

    def eliminate_front(self, s: int, updates: dict[int, Any], pool: ThreadPoolExecutor) -> int:
        t, b = self.tables, int(self.structure.boundaries[s])
        P = self.panels[t.panel[s] : t.panel[s + 1]].reshape(-1, int(self.structure.widths[s]))
        U = np.zeros((b, b), self.dtype)
        assemble(s, P, t, self.values)
        for c in self.list_children(s):
            if c in updates:
                add_update(P, U, updates.pop(c), t.place[t.start[c] : t.start[c + 1]])
        bad = int(eliminate(P, U, self.d[t.first[s] : t.first[s + 1]], self.least))
        updates[s] = U
        return int(t.first[s]) + bad if bad >= 0 else -1
