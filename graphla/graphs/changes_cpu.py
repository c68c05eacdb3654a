"""Kernels of a change to a CSR matrix on a CPU: bisection in rows, and copies of what stays between what changes."""

from __future__ import annotations

from graphla.engine.cpu.late import compile_late


@compile_late(0.2, lambda indptr, indices, rows, *_: 4 * len(rows), views=True)
def locate(indptr, indices, rows, cols, places, there):  # type: ignore[no-untyped-def]
    """Where each arc stands, or would, among the entries; and whether it is there."""
    for i in range(rows.shape[0]):
        row, col = rows[i], cols[i]
        low = high = end = indices.shape[0]
        if row < indptr.shape[0] - 1:
            low, high, end = indptr[row], indptr[row + 1], indptr[row + 1]
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < col:
                low = middle + 1
            else:
                high = middle
        places[i], there[i] = low, low < end and indices[low] == col


@compile_late(0.25, lambda held, out, into, fresh, made: 0.2 * len(made), views=True)
def splice(held, out, into, fresh, made):  # type: ignore[no-untyped-def]
    """Leave out the entries at some places, and put new ones where they belong in what is made; both in order."""
    old, new, gone, came = 0, 0, 0, 0
    while new < made.shape[0]:
        run = made.shape[0] - new if came == into.shape[0] else into[came] - new
        if gone < out.shape[0]:
            run = min(run, out[gone] - old)
        for k in range(run):
            made[new + k] = held[old + k]
        old, new = old + run, new + run
        if gone < out.shape[0] and old == out[gone]:
            old, gone = old + 1, gone + 1
        elif new < made.shape[0]:
            made[new] = fresh[came]
            new, came = new + 1, came + 1
