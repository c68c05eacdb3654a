"""Row pointers in one compiled call: of a few rows NumPy takes longer to be called than to add up."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit
from graphla.storage import Array, CompressedMatrix


@njit()
def sum_up(counts, pointers):  # type: ignore[no-untyped-def]
    """Write 0 and the running sum of the lengths of rows; return the sum of all."""
    total = np.int64(0)
    for row in range(counts.shape[0]):
        pointers[row] = total
        total += counts[row]
    pointers[counts.shape[0]] = total
    return total


@njit()
def bound_rows(ap, aj, bp, most, width, split, bounds):  # type: ignore[no-untyped-def]
    """Write the running sum of the products of each row of A @ B, and a bound of its entries; return all products.

    A row has at most as many entries as products, as columns (`width`), and as `most` says (if it holds pointers).
    """
    total = np.int64(0)
    for i in range(ap.shape[0] - 1):
        split[i] = total
        products = np.int64(0)
        for p in range(ap[i], ap[i + 1]):
            products += bp[aj[p] + 1] - bp[aj[p]]
        limit = width if most.shape[0] == 1 else np.int64(most[i + 1] - most[i])
        bounds[i] = min(products, limit)
        total += products
    split[ap.shape[0] - 1] = total
    return total


@njit()
def move_rows(begins, counts, indices, values, pointers, out_indices, out_values):  # type: ignore[no-untyped-def]
    """Copy the first entries of each row to where ``pointers`` says; the arrays may be the same if no row moves on."""
    for row in range(counts.shape[0]):
        p, n = begins[row], pointers[row]
        for _ in range(counts[row]):
            out_indices[n] = indices[p]
            out_values[n] = values[p]
            p += 1
            n += 1
    return 0


def make_pointers(counts: Array) -> tuple[Array, int]:
    """Return row pointers in int64, and the number of entries."""
    pointers = np.empty(counts.shape[0] + 1, "int64")
    return pointers, sum_up(counts, pointers)


def bound_products(
    left: CompressedMatrix, right: CompressedMatrix, most: Array, width: int
) -> tuple[int, Array, Array]:
    """Return the products of A @ B, their running sum by rows, and a bound of the entries of each row."""
    split, bounds = np.empty(left.nrows + 1, "int64"), np.empty(left.nrows, "int64")
    total: Any = bound_rows(left.indptr, left.indices, right.indptr, most, width, split, bounds)
    return total, split, bounds
