"""Sort a part of an array inside a kernel: as fast as Numba's `sort`, which takes twice as long to compile."""

from __future__ import annotations

from graphla.engine.cpu.jit import inner

FEW = 24
"""Keys up to which insertion sorts faster than quicksort."""


@inner()
def insert_sorted(keys, begin, end):  # type: ignore[no-untyped-def]
    """Sort ``keys[begin:end]`` in place by insertion, which is the fastest for a few."""
    for i in range(begin + 1, end):
        key, j = keys[i], i
        while j > begin and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key


@inner()
def split_part(keys, begin, end):  # type: ignore[no-untyped-def]
    """Part ``keys[begin:end]`` in two by the median of three of them; return where the second part begins."""
    pivot, other, last = keys[begin], keys[(begin + end) // 2], keys[end - 1]
    if other < pivot:
        pivot, other = other, pivot
    if last > pivot:
        pivot = last if last < other else other
    i, j = begin, end - 1
    while True:
        while keys[i] < pivot:
            i += 1
        while keys[j] > pivot:
            j -= 1
        if i >= j:
            return j + 1
        keys[i], keys[j] = keys[j], keys[i]
        i += 1
        j -= 1


@inner()
def sort_part(keys, begin, end):  # type: ignore[no-untyped-def]
    """Sort ``keys[begin:end]`` in place: Hoare's quicksort, which calls itself for the shorter part alone."""
    while end - begin > FEW:
        middle = split_part(keys, begin, end)
        if middle - begin < end - middle:
            sort_part(keys, begin, middle)
            begin = middle
        else:
            sort_part(keys, middle, end)
            end = middle
    insert_sorted(keys, begin, end)
