"""Operations on lists of positions, flags and row lengths for which a device brings kernels of its own.

CuPy compiles a kernel for each operation and each combination of dtypes, and a reduction of flags takes it a second.
The engine of a device registers its kernels here, for the type of its arrays. Arrays of NumPy have none: NumPy's own
functions serve them.
"""

from __future__ import annotations

from typing import Any, Protocol

from graphla.storage.records import Array


class BlockKernels(Protocol):
    """What a device does with the indices of a whole, in int64, and of its blocks."""

    def shift(self, given: Array, first: int, step: int, dtype: str) -> Array:
        """Return ``first + step * given`` in a dtype."""
        ...

    def number_grid(self, shape: tuple[int, int], corner: tuple[int, int]) -> tuple[Array, Array]:
        """Return the row and the column of each cell of a block with a corner."""
        ...

    def find_blocks(self, places: Array, bounds: list[int]) -> Array:
        """Return the block in which each place is."""
        ...

    def pack_entries(
        self, rows: Array, columns: Array, row_bounds: list[int], column_bounds: list[int]
    ) -> tuple[Array, Array]:
        """Return the block of each entry, and its row and column there as one number."""
        ...

    def unpack_entries(self, keys: Array) -> tuple[Array, Array]:
        """Return rows and columns of packed entries."""
        ...

    def flag_inside(self, places: Array, span: tuple[int, int]) -> Array:
        """Flag the places of a span."""
        ...

    def search_sorted(self, sorted: Array, keys: Array) -> Array:
        """Return for each key how many of the sorted numbers are less."""
        ...


class ListKernels(Protocol):
    """What a device does with lists. Lengths and row pointers are int32 or int64."""

    @property
    def blocks(self) -> BlockKernels:
        """What it does with blocks."""
        ...

    def cast(self, array: Array, dtype: str) -> Array:
        """Return the numbers in another dtype; the array itself if it has this dtype."""
        ...

    def gather(self, values: Array, positions: Array) -> Array:
        """Return ``values[positions]``."""
        ...

    def scale(self, values: Array, factor: float, dtype: str) -> Array:
        """Return ``factor * values`` of float64 numbers in a dtype of floats."""
        ...

    def divide(self, values: Array, divisor: float) -> Array:
        """Return ``values / divisor`` of floats, in their dtype."""
        ...

    def measure_rows(self, indptr: Array) -> Array:
        """Return the number of entries of each row."""
        ...

    def number_rows(self, indptr: Array, entries: int, dtype: str) -> Array:
        """Return the row of each entry."""
        ...

    def order(self, keys: Array) -> Array:
        """Return the positions of the keys in rising order, equal ones as they stand."""
        ...

    def make_pointers(self, lengths: Array) -> Array:
        """Return 0 and the running sum of lengths, in int64."""
        ...

    def point_rows(self, rows: Array, count: int) -> Array:
        """Return the row pointers of sorted row numbers, in int32 if they fit."""
        ...

    def count_true(self, flags: Array) -> int:
        """Count the flags that are true."""
        ...

    def count_above(self, values: Array, bound: int) -> int:
        """Count the integers that are greater than a bound."""
        ...

    def list_true(self, flags: Array, dtype: str, many: int | None = None) -> Array:
        """List the positions of the flags that are true; nobody waits if it is known how many these are."""
        ...

    def begin_check(self, places: Array, size: int) -> tuple[Array, Any]:
        """Return positions in int64, those out of bounds as 0, and what `end_check` takes; negative ones count back."""
        ...

    def note_repeats(self, places: Array, size: int, counter: Any) -> None:
        """Count the positions that stand in the list before, beside those out of bounds."""
        ...

    def end_check(self, counter: Any) -> tuple[int, int, int]:
        """Return how many positions are out of bounds, are repeated, and are not greater than the one before."""
        ...

    def scatter_checked(self, target: Array, places: Array, values: Array, counter: Any) -> None:
        """Write ``target[places] = values`` if nothing was counted; the counter is None if that is known."""
        ...

    def count_repeats(self, places: Array, size: int) -> int:
        """Count the positions that stand in the list before; they are int64, from 0 to size - 1."""
        ...

    def scatter(self, target: Array, places: Array, values: Array) -> None:
        """Write ``target[places] = values``."""
        ...

    def count_infinite(self, values: Array) -> int:
        """Count the floats that are NaN or infinite, of an array of any shape."""
        ...

    def flag_true(self, values: Array, present: Array | None) -> Array:
        """Flag the values that are not 0, of those that are there."""
        ...

    def both_true(self, flags: Array, others: Array, complement: bool) -> tuple[Array, int]:
        """Flag where both are true, or with `complement` the first alone, and count these."""
        ...

    def choose_flagged(self, flags: Array, yes: Array, no: Array) -> Array:
        """Return the values of `yes` at flags, of `no` elsewhere; both have one dtype."""
        ...

    def copy_flagged(self, target: Array, flags: Array, values: Array) -> None:
        """Write ``target[flags] = values[flags]``."""
        ...

    def tally(self, places: Array, size: int, values: Array | None) -> Array:
        """Count each place, or add up the values that belong to it in FP64, in no fixed order."""
        ...

    def compare_entries(self, rows: Array, columns: Array) -> tuple[int, int]:
        """Count the entries that stand before the one before them, and those that repeat it."""
        ...

    def number_cells(self, rows: Array, columns: Array, width: int) -> Array:
        """Return row times width plus column, in int64."""
        ...

    def split_cells(self, cells: Array, width: int, dtype: str) -> tuple[Array, Array]:
        """Return the rows and the columns of cells of int64, in a dtype that holds both."""
        ...

    def find_ends(self, numbers: Array) -> tuple[int, int]:
        """The least and the largest of integers of int32 or int64, of which there is one at least."""
        ...

    def flag_first(self, keys: Array) -> tuple[Array, int]:
        """Flag the sorted keys that differ from the one before, and count them."""
        ...

    def copy(self, array: Array) -> Array:
        """Return a copy."""
        ...

    def fill(self, array: Array, value: Any) -> None:
        """Write one value to every element."""
        ...

    def count_up(self, array: Array, first: int, step: int) -> None:
        """Write ``first + step * i`` to element i, for every i."""
        ...

    def raise_flags(self, flags: Array, places: Array) -> None:
        """Set the flags at some positions."""
        ...

    def list_entries(self, flags: Array, values: Array, dtype: str, many: int) -> tuple[Array, Array]:
        """List the positions of the flags that are true, of which there are `many`, and the values there."""
        ...

    def spread(self, positions: Array, values: Array, size: int) -> tuple[Array, Array]:
        """Return one flag and one value per index, of entries at some of them."""
        ...

    def flag_other(self, values: Array, absent: Any) -> tuple[Array, int]:
        """Flag the values that differ from `absent`, and count them."""
        ...

    def count_filled_rows(self, indptr: Array) -> int:
        """Count the rows that have entries."""
        ...

    def count_arcs(self, indptr: Array, rows: Array) -> int:
        """Count the entries of the chosen rows."""
        ...

    def is_rising(self, positions: Array) -> bool:
        """Whether each position is greater than the one before."""
        ...

    def is_same(self, left: Array, right: Array) -> bool:
        """Whether two arrays of one dtype are equal everywhere; NaN equals nothing."""
        ...


_kernels: dict[type, ListKernels] = {}


def register_list_kernels(array: type, kernels: ListKernels) -> None:
    """Let arrays of a type be worked on by these kernels."""
    _kernels[array] = kernels


def find_list_kernels(array: Array, *others: Array) -> ListKernels | None:
    """Return the kernels for an array and others beside it; None for NumPy's, and for arrays with gaps."""
    kernels = _kernels.get(array.__class__)
    if kernels is None or (array.flags.c_contiguous and all(one.flags.c_contiguous for one in others)):
        return kernels
    return None
