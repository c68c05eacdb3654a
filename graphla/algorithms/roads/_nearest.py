"""The nearest targets of sources: each vertex above the targets keeps the nearest of those below it.

A shortest path from u to a target leads over a vertex i above both, and only the k nearest targets of i can be among
the k nearest of u over i. So a source looks at the lists of the vertices above it.

S. Knopp, P. Sanders, D. Schultes, F. Schulz, D. Wagner, "Computing many-to-many shortest paths using highway
hierarchies", ALENEX 2007 (buckets); T. Abeywickrama, M. A. Cheema, "Efficient landmark-based candidate generation for
kNN queries on road networks", DASFAA 2017.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp.batches import CELLS
from graphla.algorithms.apsp.elimination.layout import mark_ancestors
from graphla.algorithms.apsp.elimination.pairs import clear, relax_down, relax_up
from graphla.algorithms.apsp.elimination.rules import plus, times
from graphla.algorithms.apsp.elimination.structure import STEP
from graphla.common.memory import require
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import count_workers, run_for_each

SOURCES_A_THREAD = 64
"""Sources below which a second thread costs more than it saves."""


@inner()
def insert(d, v, near, who):  # type: ignore[no-untyped-def]
    """Put a target into a list of the nearest, in order of distance and number; it stands there once."""
    k, place = who.size, 0
    while place < k and who[place] >= 0 and (near[place] < d or (near[place] == d and who[place] < v)):
        if who[place] == v:
            return
        place += 1
    if place == k or (who[place] == v and near[place] == d):
        return
    end = place
    while end < k - 1 and who[end] >= 0 and who[end] != v:
        end += 1
    for j in range(end, place, -1):
        near[j], who[j] = near[j - 1], who[j - 1]
    near[place], who[place] = d, v


@compile_late(0.6, lambda targets, vertices, slot, near, who, t, *_: 0.6 * targets.size * (t.down.size + near.size))
def fill_lists(targets, vertices, slot, near, who, t, X, Y, zero, one, rule):  # type: ignore[no-untyped-def]
    """Put each target, a position with its vertex, into the lists of the vertices above it."""
    for r in range(targets.size):
        v = targets[r]
        s, Y[v] = t.of[v], one
        while s >= 0:
            for i in range(t.first[s], t.first[s + 1]):
                if Y[i] != zero:
                    insert(Y[i], vertices[r], near[slot[i]], who[slot[i]])
            relax_down(s, Y, t, zero, rule)
            s = t.parent[s]
        clear(t.of[v], Y, t, zero)


@inner()
def merge(s, X, slot, near, who, t, zero, rule, d, found):  # type: ignore[no-untyped-def]
    """Put the targets of the lists of a front into those of a source."""
    T, low, w = X.dtype.type, t.first[s], t.first[s + 1] - t.first[s]
    wide = -(-w // STEP) * STEP
    for i in range(w):
        at, here = slot[low + i], zero
        if at < 0:
            continue
        row = t.up[t.ups[s] + i * wide : t.ups[s] + i * wide + w]
        for k in range(w):
            here = plus(here, T(times(row[k], X[low + k], rule)), rule)
        for r in range(who.shape[1]):
            if here == zero or who[at, r] < 0:
                break
            insert(T(times(near[at, r], here, rule)), who[at, r], d, found)


@compile_late(0.7, lambda sources, which, slot, near, who, t, *_: which.size * (1.2 * t.up.size + near.size))
def look_up(sources, which, slot, near, who, t, X, Y, zero, one, rule, d, found):  # type: ignore[no-untyped-def]
    """Write the nearest targets of the sources, positions, that `which` numbers."""
    for r in which:
        u = sources[r]
        s, X[u] = t.of[u], one
        while s >= 0:
            merge(s, X, slot, near, who, t, zero, rule, d[r], found[r])
            relax_up(s, X, t, zero, rule)
            s = t.parent[s]
        clear(t.of[u], X, t, zero)


def sort_targets(factor: Any, sources: Any, targets: Any, k: int) -> tuple[Any, Any]:
    """Return what `find_nearest` does, from the distances to all targets on a device."""
    targets, engine, far = np.unique(targets), factor._graph.engine, factor._panels.arithmetic.absent
    d, found = np.full((sources.size, k), far), np.full((sources.size, k), -1, np.int64)
    step, some = max(1, CELLS // max(1, targets.size)), min(k, targets.size)
    for low in range(0, sources.size, step):
        D = factor._compute(sources[low : low + step], targets)
        order = engine.xp.argsort(D, axis=1, kind="stable")[:, :some]
        d[low : low + step, :some] = engine.to_host(engine.xp.take_along_axis(D, order, axis=1))
        found[low : low + step, :some] = targets[engine.to_host(order)]
    found[d == far] = -1
    return d, found


def find_nearest(factor: Any, sources: Any, targets: Any, k: int) -> tuple[Any, Any]:
    """Return distances and vertices of the k nearest targets of each source, in order; −1 where there are fewer."""
    climber = factor._climber
    a, s, t = climber.arithmetic, climber.structure, climber.tree
    targets = np.unique(targets)
    goals = s.rank[targets]
    fronts = mark_ancestors(goals, t.of, s.parent)
    slot = np.full(s.n, -1, np.int32)
    above = np.flatnonzero(np.isin(t.of, fronts))
    slot[above] = np.arange(above.size, dtype=np.int32)
    require((above.size + sources.size) * k * (a.view.itemsize + 4), f"lists of the {k} nearest", np)
    near, who = np.full((above.size, k), a.zero, a.view), np.full((above.size, k), -1, np.int32)
    climber.use(lambda *held: fill_lists(goals, targets, slot, near, who, *held, a.zero, a.one, a.rule))
    d, found = np.full((sources.size, k), a.zero, a.view), np.full((sources.size, k), -1, np.int32)
    starts, lists = s.rank[sources], (slot, near, who)
    pieces = np.array_split(np.argsort(starts), max(1, min(4 * count_workers(), sources.size // SOURCES_A_THREAD)))

    def run(which: Any) -> None:
        climber.use(lambda *held: look_up(starts, which, *lists, *held, a.zero, a.one, a.rule, d, found))

    run_for_each(run, pieces)
    lost = d > a.last
    found[lost], d[lost | (found < 0)] = -1, a.far
    return d.view(a.dtype), found.astype(np.int64)
