"""What the arrays of CSR must be before a kernel may follow them."""

from __future__ import annotations

from typing import Any

from graphla.storage.list_kernels import find_list_kernels
from graphla.storage.records import Array


def find_pointer_fault(xp: Any, indptr: Array, nrows: int, count: int) -> str | None:
    """Say what is wrong with the row pointers of `count` entries, or return None. O(nrows).

    Parameters
    ----------
    xp : module
        NumPy, or CuPy.
    indptr : array of whole numbers
    nrows, count : int
    """
    if indptr.shape != (nrows + 1,) or not indptr.size:
        return f"indptr has shape {tuple(indptr.shape)}, and {nrows:,} rows need ({nrows + 1},)"
    if int(indptr[0]):
        return f"indptr[0] = {int(indptr[0])}, and it must be 0"
    if int(indptr[-1]) != count:
        return f"indptr ends with {int(indptr[-1])}, and there are {count:,} indices"
    kernels = find_list_kernels(indptr)
    if kernels is not None and not kernels.compare_entries(indptr, indptr)[0]:
        return None
    falls = xp.flatnonzero(indptr[1:] < indptr[:-1])
    if falls.size:
        row = int(falls[0])
        return f"indptr falls from {int(indptr[row])} to {int(indptr[row + 1])} after row {row}"
    return None


def find_index_fault(xp: Any, name: str, indices: Array, size: int) -> str | None:
    """Name the first index outside 0 … size - 1, or return None."""
    if not indices.size or (int(indices.min()) >= 0 and int(indices.max()) < size):
        return None
    place = int(xp.flatnonzero((indices < 0) | (indices >= size))[0])
    return f"{name}[{place}] = {int(indices[place])} is out of range: 0 to {size - 1}"
