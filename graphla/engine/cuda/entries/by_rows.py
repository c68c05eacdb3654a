"""Kernels that deal entries out in equal shares: how many each share makes is counted first, then all are filled in."""

from __future__ import annotations

from typing import Any

from graphla.storage import Array, CompressedMatrix
from graphla.storage.convert import cast_indices
from graphla.storage.formats import choose_index_dtype


def compute_offsets(engine: Any, counts: Array) -> tuple[Array, int]:
    """What the shares before each one make, and what all of them make."""
    upto = engine.lists.make_pointers(counts)
    return upto, engine.device.last_number(upto)


class Filled:
    """The arrays of a matrix that a kernel fills in."""

    def __init__(self, xp: Any, shape: tuple[int, int], entries: int, dtype: str, pointers: Any = "int64") -> None:
        self.shape, self.entries = shape, entries
        self.indptr, self.indices = xp.zeros(shape[0] + 1, pointers), xp.empty(entries, "int32")
        self.values = xp.empty(entries, dtype)

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """What the kernel gets."""
        return self.indptr, self.indices, self.values

    def matrix(self) -> CompressedMatrix:
        """The matrix, when the kernel was launched."""
        indptr = cast_indices(self.indptr, choose_index_dtype(self.entries))
        return CompressedMatrix(*self.shape, indptr, self.indices, self.values)
