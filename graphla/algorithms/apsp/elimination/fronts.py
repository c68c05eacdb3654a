"""The numeric phase on the host: one dense front after another, subtrees side by side on the cores.

A front F has its supernode S and its boundary B. Floyd–Warshall with the pivots of S makes F[S, S] the closure, F[S, B]
and F[B, S] the shortest paths over S, and F[B, B] what the parent takes over:

    F[i, j] = min(F[i, j], F[i, k] + F[k, j])    for k in S

I. S. Duff, J. K. Reid, "The multifrontal solution of indefinite sparse symmetric linear equations", ACM Trans. Math.
Softw. 9(3), 1983; R. E. Tarjan, "A unified approach to path problems", J. ACM 28(3), 1981.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.blocked_cpu import BLOCK, close_pivot, list_other_rows, relax_rest
from graphla.algorithms.apsp.elimination import tree
from graphla.algorithms.apsp.elimination.arithmetic import Arithmetic, MaxMin, MaxTimes
from graphla.algorithms.apsp.elimination.rules import plus, plus_each, times, times_each
from graphla.algorithms.apsp.elimination.structure import LARGE_UPDATES, STEP, Structure, measure_stacks
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import count_workers

TASKS = 8
"""Subtrees per thread, so that the threads end together."""
LARGE = LARGE_UPDATES
"""Updates from which a front is shared out among the threads."""


class Tables(NamedTuple):
    """What the kernels read of a structure."""

    first: Any
    start: Any
    place: Any
    begin: Any
    arc: Any
    row: Any
    column: Any
    up: Any
    down: Any


def measure(low, high, t):  # type: ignore[no-untyped-def]
    """The microseconds, about, that Python takes to eliminate supernodes `low` to ``high - 1``."""
    w, b = np.diff(t.first[low : high + 1]).astype(float), np.diff(t.start[low : high + 1])
    return (60 + 30 * w + (0.01 * w + 0.2) * (w + b) ** 2 + 0.2 * b * b).sum()


@compile_late(0.2, lambda s, F, t, *_: F.shape[0] + t.begin[s + 1] - t.begin[s])
def assemble(s, F, t, weights, one, rule):  # type: ignore[no-untyped-def]
    """Write the arcs of front s into F, and the empty paths of its own vertices."""
    for k in range(t.first[s + 1] - t.first[s]):
        F[k, k] = one
    for k in range(t.begin[s], t.begin[s + 1]):
        i, j = t.row[k], t.column[k]
        F[i, j] = plus(F[i, j], weights[t.arc[k]], rule)


@compile_late(0.1, lambda F, U, *_: 20 + 0.02 * U.size)
def add_update(F, U, place, rule):  # type: ignore[no-untyped-def]
    """Take over what a child leaves: F[place[i], place[j]] = min(F[place[i], place[j]], U[i, j])."""
    for i in range(place.size):
        row, f = U[i], F[place[i]]
        for j in range(place.size):
            f[place[j]] = plus(f[place[j]], row[j], rule)


def add_at_once(F: Any, U: Any, place: Any, rule: Any) -> None:
    """The same in Python, by operations on the whole update."""
    rows = place[:, None]
    F[rows, place] = plus_each(F[rows, place], U, rule)


add_update.in_python = add_at_once


@njit(inline="always")
def relax_over(F, k, rule):  # type: ignore[no-untyped-def]
    """Take the paths over one pivot: F[i, j] = min(F[i, j], F[i, k] + F[k, j]) for all i but k."""
    T, m, row = F.dtype.type, F.shape[0], F[k]
    for i in range(m):
        if i != k:
            a, f = F[i, k], F[i]
            for j in range(m):
                f[j] = plus(f[j], T(times(a, row[j], rule)), rule)


def relax_at_once(F: Any, k: int, rule: Any) -> None:
    """The same in Python, by operations on the whole front."""
    row = F[k].copy()
    F[:] = plus_each(F, times_each(F[:, k : k + 1], row, rule), rule)
    F[k] = row


relax_over.in_python = relax_at_once  # type: ignore[attr-defined]


@compile_late(0.2, lambda F, pivots, *_: (20 + 0.01 * F.size) * pivots)
def eliminate(F, pivots, one, rule):  # type: ignore[no-untyped-def]
    """Run Floyd–Warshall with the first pivots; return one whose way to itself beats the empty path, or −1."""
    for k in range(pivots):
        if plus(F[k, k], one, rule) != one:
            return k
        relax_over(F, k, rule)
    return -1


@compile_late(0.2, lambda s, F, *_: 20 + 0.01 * F.size)
def store(s, F, t, up, down):  # type: ignore[no-untyped-def]
    """Store the panels of a front, transposed: F[S, S and B] for the way up, F[B, S] for the way down."""
    w, m = t.first[s + 1] - t.first[s], F.shape[0]
    wide, deep = -(-w // STEP) * STEP, -(-(m - w) // STEP) * STEP
    for k in range(w):
        for j in range(m):
            up[t.up[s] + j * wide + k] = F[k, j]
        for j in range(m - w):
            down[t.down[s] + k * deep + j] = F[w + j, k]


def store_at_once(s: int, F: Any, t: Any, up: Any, down: Any) -> None:
    """The same in Python, by transposed parts of the front."""
    w, m = t.first[s + 1] - t.first[s], F.shape[0]
    wide, deep = -(-w // STEP) * STEP, -(-(m - w) // STEP) * STEP
    up[t.up[s] : t.up[s] + m * wide].reshape(m, wide)[:, :w] = F[:w].T
    down[t.down[s] : t.down[s] + w * deep].reshape(w, deep)[:, : m - w] = F[w:, :w].T


store.in_python = store_at_once


@compile_late(0.6, lambda low, high, t, *_: measure(low, high, t))
def eliminate_range(low, high, t, children, weights, infinity, one, rule, up, down, stack):  # type: ignore[no-untyped-def]
    """Eliminate whole subtrees, supernodes `low` to ``high - 1``; return a position on a negative cycle, or −1.

    The updates of children lie at the top of the stack; the front is built above them, and its update replaces them.
    """
    top, waiting, count = 0, np.empty(high - low, np.int32), 0
    for s in range(low, high):
        w, b = t.first[s + 1] - t.first[s], t.start[s + 1] - t.start[s]
        m = w + b
        F = stack[top : top + m * m].reshape(m, m)
        for k in range(m * m):
            stack[top + k] = infinity
        assemble(s, F, t, weights, one, rule)
        bottom = top
        for _ in range(children[s]):
            count -= 1
            c = waiting[count]
            size = t.start[c + 1] - t.start[c]
            bottom -= size * size
            U = stack[bottom : bottom + size * size].reshape(size, size)
            add_update(F, U, t.place[t.start[c] : t.start[c + 1]], rule)
        found = eliminate(F, w, one, rule)
        if found >= 0:
            return t.first[s] + found
        store(s, F, t, up, down)
        for i in range(b):
            for j in range(b):  # ascending: what is written has been read
                stack[bottom + i * b + j] = F[w + i, w + j]
        top, waiting[count] = bottom + b * b, s
        count += 1
    return -1


class Fronts:
    """A numeric phase: subtrees side by side on the cores, then the fronts above them one by one.

    Parameters
    ----------
    structure : Structure
        The fronts.
    dtype : dtype
        That of their cells.
    tables : NamedTuple
        What the kernels read of the structure.
    stacks : ndarray
        The cells that each subtree needs for the updates, and the front, that it holds at once.
    """

    def __init__(self, structure: Structure, dtype: Any, tables: Any, stacks: Any) -> None:
        self.structure, self.dtype, self.tables, self.stacks = structure, dtype, tables, stacks
        self.children = np.bincount(structure.parent[structure.parent >= 0], minlength=structure.parent.size)
        self.by_parent = np.argsort(structure.parent, kind="stable")
        self.sorted_parents = structure.parent[self.by_parent]

    def eliminate_subtrees(self, low: int, high: int, stack: Any) -> int:
        """Eliminate whole subtrees, supernodes `low` to ``high - 1``; return a position that breaks it off, or −1."""
        raise NotImplementedError

    def eliminate_front(self, s: int, updates: dict[int, Any], pool: ThreadPoolExecutor) -> int:
        """Eliminate one front above the subtrees; return a position that breaks it off, or −1."""
        raise NotImplementedError

    def run(self) -> int:
        """Eliminate all; return a position that breaks it off, or −1."""
        s, updates = self.structure, dict[int, Any]()
        ranges, top = list_ranges(s), np.ones(s.parent.size, bool)
        with ThreadPoolExecutor(count_workers()) as pool:
            for task in [pool.submit(self._run_range, low, high) for low, high in ranges]:
                found, left = task.result()
                if found >= 0:
                    return found
                updates |= left
            for low, high in ranges:
                top[low:high] = False
            for front in np.flatnonzero(top):
                found = self.eliminate_front(int(front), updates, pool)
                if found >= 0:
                    return found
        return -1

    def _run_range(self, low: int, high: int) -> tuple[int, dict[int, Any]]:
        """Eliminate subtrees; return a position that breaks it off or −1, and what their roots leave."""
        parent = self.structure.parent[low:high]
        roots = low + np.flatnonzero((parent < 0) | (parent >= high))
        sizes = self.structure.boundaries[roots]
        begins = np.cumsum(sizes**2) - sizes**2
        stack = np.empty(int((begins + self.stacks[roots]).max()), self.dtype)
        found = int(self.eliminate_subtrees(low, high, stack))
        left = zip(roots.tolist(), begins.tolist(), sizes.tolist(), strict=True)
        return found, {
            root: stack[begin : begin + size * size].reshape(size, size).copy() for root, begin, size in left if size
        }

    def list_children(self, s: int) -> list[int]:
        """Return the children of a supernode."""
        begin = int(np.searchsorted(self.sorted_parents, s))
        return self.by_parent[begin : begin + int(self.children[s])].tolist()


class Elimination(Fronts):
    """The numeric phase over a closed semiring.

    Parameters
    ----------
    structure : Structure
        The fronts.
    weights : ndarray
        The weights of the arcs in CSR order, as the kernels add them.
    arithmetic : Arithmetic
        How the kernels add and multiply.
    """

    def __init__(self, structure: Structure, weights: Any, arithmetic: Arithmetic) -> None:
        tables = Tables(*(getattr(structure, name) for name in Tables._fields))
        super().__init__(structure, weights.dtype, tables, measure_stacks(structure))
        self.weights, self.zero, self.one, self.rule = weights, arithmetic.zero, arithmetic.one, arithmetic.rule
        self.up = np.full(structure.up[-1], self.zero, weights.dtype)
        self.down = np.full(structure.down[-1], self.zero, weights.dtype)

    def eliminate_subtrees(self, low: int, high: int, stack: Any) -> int:
        args = self.tables, self.children, self.weights, self.zero, self.one, self.rule, self.up, self.down, stack
        return eliminate_range(low, high, *args)

    def eliminate_front(self, s: int, updates: dict[int, Any], pool: ThreadPoolExecutor) -> int:
        structure, t = self.structure, self.tables
        w, m = int(structure.widths[s]), int(structure.widths[s] + structure.boundaries[s])
        F = np.full((m, m), self.zero, self.weights.dtype)
        assemble(s, F, t, self.weights, self.one, self.rule)
        for c in self.list_children(s):
            add_update(F, updates.pop(c), t.place[t.start[c] : t.start[c + 1]], self.rule)
        together = w * m * m >= LARGE and not isinstance(self.rule, MaxMin | MaxTimes)
        found = self._eliminate_together(F, w, pool) if together else eliminate(F, w, self.one, self.rule)
        store(s, F, t, self.up, self.down)
        updates[s] = F[w:, w:].copy()
        return int(t.first[s] + found) if found >= 0 else -1

    def _eliminate_together(self, F: Any, pivots: int, pool: ThreadPoolExecutor) -> int:
        """Eliminate a large front with all threads, a block of pivots at a time."""
        for low in range(0, pivots, BLOCK):
            high = min(low + BLOCK, pivots)
            B, found = close_pivot(F, low, high, self.zero, self.rule)
            if found >= 0:
                return int(found)
            shared = F, B, low, high, self.zero, self.rule
            tasks = [pool.submit(relax_rest, *part, *shared) for part in list_other_rows(F.shape[0], low, high)]
            for task in tasks:
                task.result()
        return -1


def list_ranges(structure: Structure) -> list[tuple[int, int]]:
    """Return ranges of supernodes that are whole subtrees, of a part of a thread's share of the work each."""
    widths, heights = structure.widths, structure.widths + structure.boundaries
    work = widths * heights * heights + 1
    share = int(work.sum()) // (TASKS * count_workers()) + 1
    return [(int(low), int(high)) for low, high in tree.find_ranges(structure.parent, work, share)]
