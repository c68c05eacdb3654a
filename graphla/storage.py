"""Frozen records of arrays: what an engine takes and returns.

An array belongs to the array module of its engine (NumPy or CuPy); nothing here looks inside one.
Indices are int32; row pointers are int32, and int64 once there are 2**31 entries or more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from graphla.once import once
from graphla.quick import quick

Array = Any  # numpy.ndarray or cupy.ndarray: both, and nothing else, are handed around


@cache
def name_of(dtype: Any) -> str:
    """The name of a dtype of NumPy, which puts it together anew each time it is asked."""
    return dtype.name


@dataclass(frozen=True, eq=False)
class Coo:
    """Entries of a matrix in any order, repeats allowed; `values` is None for a pattern."""

    nrows: int
    ncols: int
    rows: Array
    cols: Array
    values: Array | None


@dataclass(frozen=True, eq=False)
class CompressedMatrix:
    """CSR: row i holds columns `indices[indptr[i]:indptr[i + 1]]`, sorted and unique."""

    nrows: int
    ncols: int
    indptr: Array
    indices: Array
    values: Array
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        return self.nrows, self.ncols

    @once
    def nvals(self) -> int:
        return int(self.indices.shape[0])

    @once
    def dtype(self) -> str:
        return name_of(self.values.dtype)

    def kept(self, name: Any, make: Any) -> Any:
        """A fact or a companion of this matrix (its transpose, its degrees), computed once."""
        if name not in self._kept:
            self._kept[name] = make(self)
        return self._kept[name]

    def knows(self, name: Any) -> bool:
        return name in self._kept


@dataclass(frozen=True, eq=False)
class FullMatrix:
    """Every entry present: `values` has the shape of the matrix, C order."""

    values: Array

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape

    @property
    def nvals(self) -> int:
        return int(self.values.size)

    @once
    def dtype(self) -> str:
        return name_of(self.values.dtype)


@quick()
class SparseVector:
    """Sorted unique `indices` with their `values`."""

    size: int
    indices: Array
    values: Array

    @property
    def nvals(self) -> int:
        return int(self.indices.shape[0])

    @once
    def dtype(self) -> str:
        return name_of(self.values.dtype)


@quick()
class BitmapVector:
    """`present[i]` (bool) tells whether entry i is there; `values[i]` means nothing where it is not."""

    present: Array
    values: Array
    nvals: int

    @property
    def size(self) -> int:
        return int(self.values.shape[0])

    @once
    def dtype(self) -> str:
        return name_of(self.values.dtype)


@quick()
class FullVector:
    """Every entry present."""

    values: Array

    @property
    def size(self) -> int:
        return int(self.values.shape[0])

    @property
    def nvals(self) -> int:
        return self.size

    @once
    def dtype(self) -> str:
        return name_of(self.values.dtype)


MatrixStorage = CompressedMatrix | FullMatrix
VectorStorage = SparseVector | BitmapVector | FullVector


class Later:
    """A vector whose size and dtype are known, and whose entries are looked at when somebody reads it."""

    size: int
    dtype: str

    def looked_through(self) -> VectorStorage:
        """The entries."""
        raise NotImplementedError
