"""Sort a part of an array inside a kernel: as fast as Numba's `sort`, which takes twice as long to compile."""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.jit import inner

FEW = np.uint64(24)
"""Keys up to which insertion sorts faster than quicksort."""


@inner()
def sort_part(keys, begin, end):  # type: ignore[no-untyped-def]
    """Sort ``keys[begin:end]`` in place: Hoare's quicksort, which calls itself for the shorter part alone."""
    one, low, high = np.uint64(1), np.uint64(begin), np.uint64(end)  # of signed places Numba tests the sign
    while high - low > FEW:
        pivot, other, last = keys[low], keys[(low + high) >> one], keys[high - one]
        if other < pivot:
            pivot, other = other, pivot
        if last > pivot:
            pivot = last if last < other else other
        i, j = low, high - one
        while True:
            while keys[i] < pivot:
                i += one
            while keys[j] > pivot:
                j -= one
            if i >= j:
                break
            keys[i], keys[j] = keys[j], keys[i]
            i += one
            j -= one
        middle = j + one
        if middle - low < high - middle:
            sort_part(keys, np.int64(low), np.int64(middle))
            low = middle
        else:
            sort_part(keys, np.int64(middle), np.int64(high))
            high = middle
    i = low + one
    while i < high:
        key, j = keys[i], i
        while j > low and keys[j - one] > key:
            keys[j] = keys[j - one]
            j -= one
        keys[j] = key
        i += one
