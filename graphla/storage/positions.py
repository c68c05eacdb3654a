"""Positions that stand on a device, which checks them while the host goes on."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import GraphlaError, IndexOutOfBounds
from graphla.storage.convert import is_any
from graphla.storage.list_kernels import ListKernels
from graphla.storage.records import Array


class Positions:
    """Positions in a dimension; negative ones count from its end.

    The device checks them in the order of its stream. An operation may use `array` before the result of that is known:
    the positions in it are within bounds. Then it calls `settle`, which raises what is wrong with the positions.

    Parameters
    ----------
    given : array
        Integers in one dimension.
    size : int
        The size of the dimension, at least 1.
    kernels : ListKernels
        Those of the device.
    """

    def __init__(self, given: Array, size: int, kernels: ListKernels) -> None:
        self.given, self.size, self._kernels = given, size, kernels
        self._outside, self._falls = False, 0
        self.array, self.faults = kernels.begin_check(given, size)

    def __len__(self) -> int:
        return int(self.array.shape[0])

    def is_rising(self) -> bool:
        """Wait for the checks; return whether each position is greater than the one before."""
        self.settle()
        return self._falls == 0

    def note_repeats(self) -> None:
        """Let the device look for positions that occur twice, too; the next `settle` refuses them."""
        if self._outside:
            refuse_outside(self.given, self.size)
        if self.faults is None:
            self.array, self.faults = self._kernels.begin_check(self.array, self.size)
        self._kernels.note_repeats(self.array, self.size, self.faults)

    def scatter(self, target: Array, values: Array) -> None:
        """Write ``target[positions] = values``, or nothing if something is wrong with the positions."""
        self._kernels.scatter_checked(target, self.array, values, self.faults)

    def settle(self) -> Array:
        """Wait for the checks, and return the positions.

        Raises
        ------
        IndexOutOfBounds
            If a position is out of bounds.
        GraphlaError
            If one occurs twice, where that was looked for.
        """
        outside = repeats = 0
        if self.faults is not None:
            outside, repeats, self._falls = self._kernels.end_check(self.faults)
        self.faults, self._outside = None, self._outside or outside > 0
        if self._outside:
            refuse_outside(self.given, self.size)
        if repeats:
            refuse_repeated(self.array)
        return self.array


def settle(part: Any) -> Any:
    """Return the part of an index; the array of positions that were checked."""
    return part.settle() if isinstance(part, Positions) else part


def refuse_outside(places: Array, size: int) -> None:
    """Raise an error that names a position out of bounds, if there is one."""
    bad = (places < -size) | (places >= size) if places.dtype.kind == "i" else places >= size
    if is_any(bad):
        raise IndexOutOfBounds(f"index {places[bad][0]} is out of range for size {size}")


def refuse_repeated(places: Array) -> None:
    """Raise an error that names a position that occurs twice."""
    held: Any = places
    found, counts = np.unique(held.get() if hasattr(held, "get") else held, return_counts=True)
    raise GraphlaError(
        f"index {found[counts > 1][0]} occurs twice: a place can be assigned once. What a Vector brings to one "
        "place is joined by an accumulator that is the operator of a monoid: v(binary.min)[I] << w"
    )
