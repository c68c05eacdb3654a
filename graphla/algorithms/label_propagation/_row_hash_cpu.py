"""Rounds of label propagation on every core: a thread owns the vertices of a range, and a hash table."""

# pyright: reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import run_over_rows

Array = Any
FEW = 4
"""Vertices wake their neighbours if those that changed have at most a quarter of the arcs; else all count again."""


@njit(inline="always")
def _try_label(labels, count, label):  # type: ignore[no-untyped-def]
    """Whether more than half of the labels are this one."""
    same = 0
    for k in range(count):
        same += labels[k] == label
    return 2 * same > count


@njit(inline="always")
def _forget(keys, slots):  # type: ignore[no-untyped-def]
    """Make the keys -1 again, all at once: a loop takes longer."""
    keys[:slots] = -1


def _forget_each(keys: Any, slots: int) -> None:
    """The same for keys that Python sees through a view."""
    for slot in range(slots):
        keys[slot] = -1


_forget.in_python = _forget_each  # type: ignore[attr-defined]


@njit(inline="always")
def _count(labels, count, keys, totals):  # type: ignore[no-untyped-def]
    """The most frequent label, the smallest of equally frequent ones; keys are -1 before and after."""
    slots, shift = 1, 32
    while slots < 2 * count:
        slots *= 2
        shift -= 1
    best, most = np.int32(-1), 0
    for k in range(count):
        label = labels[k]
        slot = ((label * 0x9E3779B1) & 0xFFFFFFFF) >> shift
        while keys[slot] != label and keys[slot] != -1:
            slot = (slot + 1) & (slots - 1)
        total = totals[slot] + 1 if keys[slot] == label else 1
        keys[slot], totals[slot] = label, total
        if total > most or (total == most and label < best):
            best, most = label, total
    _forget(keys, slots)
    return best


@compile_late(
    0.5, lambda first, last, *given: 2 * (last - first) + 0.25 * int(given[0][last] - given[0][first]), views=True
)
def _take_labels(first, last, indptr, indices, label, following, awake, everyone):  # type: ignore[no-untyped-def]
    """One round over a range of vertices; return how many neighbours those have whose labels change."""
    longest = 0
    for v in range(first, last):
        longest = max(longest, indptr[v + 1] - indptr[v])
    slots = 1
    while slots < 2 * longest:
        slots *= 2
    around, keys, totals = np.empty(longest, np.int32), np.full(slots, -1, np.int32), np.empty(slots, np.int64)
    changed = 0
    for v in range(first, last):
        begin, count = indptr[v], indptr[v + 1] - indptr[v]
        following[v] = label[v]
        if count == 0 or not (everyone or awake[v]):
            continue
        awake[v] = False
        for k in range(count):
            around[k] = label[indices[begin + k]]
        guess = around[count // 2]
        following[v] = guess if _try_label(around, count, guess) else _count(around, count, keys, totals)
        changed += count if following[v] != label[v] else 0
    return changed


@compile_late(0.1, lambda first, last, *given: last - first + 0.1 * int(given[0][last] - given[0][first]), views=True)
def _wake_neighbours(first, last, indptr, indices, label, following, awake):  # type: ignore[no-untyped-def]
    """Wake the neighbours of the vertices whose labels change."""
    for v in range(first, last):
        if following[v] != label[v]:
            for k in range(indptr[v], indptr[v + 1]):
                awake[indices[k]] = True


def propagate(indptr: Array, indices: Array, label: Array, rounds: int) -> Array:
    """The labels after some rounds, or once they stay as they are."""
    n, entries = indptr.size - 1, indices.size + indptr.size
    following, awake, everyone = np.empty(n, np.int32), np.zeros(n, bool), True
    for _ in range(rounds):
        changed = sum(run_over_rows(_take_labels, indptr, entries, indptr, indices, label, following, awake, everyone))
        if not changed:
            break
        everyone = FEW * changed > indices.size
        if not everyone:
            run_over_rows(_wake_neighbours, indptr, entries, indptr, indices, label, following, awake)
        label, following = following, label
    return label
