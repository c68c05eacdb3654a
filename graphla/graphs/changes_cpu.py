"""Kernels of a change to a CSR matrix on a CPU: bisection in rows, and copies of what stays between what changes."""

from __future__ import annotations

from graphla.engine.cpu.jit import njit


@njit()
def locate(indptr, indices, rows, cols, places, there):  # type: ignore[no-untyped-def]
    """Where each arc stands, or would, among the entries; and whether it is there."""
    for i in range(rows.size):
        row, col = rows[i], cols[i]
        low = high = end = indices.size
        if row < indptr.size - 1:
            low, high, end = indptr[row], indptr[row + 1], indptr[row + 1]
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < col:
                low = middle + 1
            else:
                high = middle
        places[i], there[i] = low, low < end and indices[low] == col


@njit()
def splice(held, out, into, fresh, made):  # type: ignore[no-untyped-def]
    """Leave out the entries at some places, and put new ones where they belong in what is made; both in order."""
    old, new, gone, came = 0, 0, 0, 0
    while new < made.size:
        run = made.size - new if came == into.size else into[came] - new
        if gone < out.size:
            run = min(run, out[gone] - old)
        for k in range(run):
            made[new + k] = held[old + k]
        old, new = old + run, new + run
        if gone < out.size and old == out[gone]:
            old, gone = old + 1, gone + 1
        elif new < made.size:
            made[new] = fresh[came]
            new, came = new + 1, came + 1
