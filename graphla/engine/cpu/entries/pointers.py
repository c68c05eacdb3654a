"""Row pointers in one compiled call: of a few rows NumPy takes longer to be called than to add up."""

from __future__ import annotations

import numpy as np

from graphla.common.memory import require_large
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.late import compile_late
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
def pair_pointers(ap, bp, pointers):  # type: ignore[no-untyped-def]
    """Write the row pointers of the Kronecker product of A and B; return the number of its entries."""
    total, row = np.int64(0), 0
    for i in range(ap.shape[0] - 1):
        entries = np.int64(ap[i + 1] - ap[i])
        for k in range(bp.shape[0] - 1):
            pointers[row] = total
            total += entries * (bp[k + 1] - bp[k])
            row += 1
    pointers[row] = total
    return total


@njit()
def number_cells(indptr, indices, width, cells):  # type: ignore[no-untyped-def]
    """Write for each entry row times width plus column."""
    for row in range(indptr.shape[0] - 1):
        for p in range(indptr[row], indptr[row + 1]):
            cells[p] = np.int64(row) * width + indices[p]
    return 0


@compile_late(0.25, lambda ap, aj, *_: 0.5 * len(ap) + 0.15 * len(aj), views=True)
def bound_rows(ap, aj, bp, most, width, products, bounds):  # type: ignore[no-untyped-def]
    """Write the running sums of the products of each row of A @ B, and of a bound of its entries.

    A row has at most as many entries as products, as columns (`width`), and as `most` says (if it holds pointers).
    """
    products[0] = bounds[0] = 0
    for i in range(ap.shape[0] - 1):
        count = np.int64(0)
        for p in range(ap[i], ap[i + 1]):
            count += bp[aj[p] + 1] - bp[aj[p]]
        limit = width if most.shape[0] == 1 else np.int64(most[i + 1] - most[i])
        products[i + 1] = products[i] + count
        bounds[i + 1] = bounds[i] + (count if count < limit else limit)
    return 0


def make_pointers(counts: Array) -> tuple[Array, int]:
    """Return row pointers in int64, and the number of entries."""
    require_large(16 * counts.shape[0], "a list of {:,} rows", counts.shape[0])
    pointers = np.empty(counts.shape[0] + 1, "int64")
    return pointers, sum_up(counts, pointers)


def bound_products(left: CompressedMatrix, right: CompressedMatrix, most: Array, width: int) -> tuple[Array, Array]:
    """Return the running sums of the products of the rows of A @ B, and of bounds of their entries."""
    require_large(32 * left.nrows, "a product of {:,} rows", left.nrows)
    products, bounds = np.empty(left.nrows + 1, "int64"), np.empty(left.nrows + 1, "int64")
    bound_rows(left.indptr, left.indices, right.indptr, most, width, products, bounds)
    return products, bounds
