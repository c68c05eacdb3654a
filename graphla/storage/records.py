"""Frozen records of arrays: what an engine takes and returns.

An array belongs to the array module of its engine (NumPy or CuPy); nothing here looks inside one.
Indices are int32; row pointers are int32, and int64 once there are 2**31 entries or more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from graphla.storage.frozen import once, quick
from semirings.dtypes import DType, lookup

MISSING = object()
Array = Any  # numpy.ndarray or cupy.ndarray: both, and nothing else, are handed around


@cache
def name_of(dtype: Any) -> str:
    """The name of a dtype of NumPy, which puts it together anew each time it is asked."""
    return dtype.name


class Typed:
    """What has values of one scalar type."""

    values: Array

    @once
    def dtype(self) -> str:
        """The name of the type in NumPy."""
        return name_of(self.values.dtype)

    @once
    def type(self) -> DType:
        """The type."""
        return lookup(self.dtype)


@dataclass(frozen=True, eq=False)
class Coo:
    """Entries of a matrix in any order, repeats allowed; `values` is None for a pattern."""

    nrows: int
    ncols: int
    rows: Array
    cols: Array
    values: Array | None


@dataclass(frozen=True, eq=False)
class CompressedMatrix(Typed):
    """CSR: row i holds columns `indices[indptr[i]:indptr[i + 1]]`, sorted and unique."""

    nrows: int
    ncols: int
    indptr: Array
    indices: Array
    values: Array
    _cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @once
    def shape(self) -> tuple[int, int]:
        return self.nrows, self.ncols

    @once
    def nvals(self) -> int:
        return int(self.indices.shape[0])

    def cached(self, name: Any, make: Any) -> Any:
        """A fact or a companion of this matrix (its transpose, its degrees), computed once."""
        found = self._cache.get(name, MISSING)
        if found is MISSING:
            found = self._cache[name] = make(self)
        return found

    def is_cached(self, name: Any) -> bool:
        return name in self._cache


@dataclass(frozen=True, eq=False)
class FullMatrix(Typed):
    """Every entry present: `values` has the shape of the matrix, C order."""

    values: Array

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape

    @property
    def nvals(self) -> int:
        return int(self.values.size)


@quick()
class SparseVector(Typed):
    """Sorted unique `indices` with their `values`."""

    size: int
    indices: Array
    values: Array

    @once
    def nvals(self) -> int:
        return int(self.indices.shape[0])


@quick()
class BitmapVector(Typed):
    """`present[i]` (bool) tells whether entry i is there; `values[i]` means nothing where it is not."""

    present: Array
    values: Array
    nvals: int

    @once
    def size(self) -> int:
        return int(self.values.shape[0])


@quick()
class FullVector(Typed):
    """Every entry present."""

    values: Array

    @once
    def size(self) -> int:
        return int(self.values.shape[0])

    @once
    def nvals(self) -> int:
        return int(self.values.shape[0])


MatrixStorage = CompressedMatrix | FullMatrix
VectorStorage = SparseVector | BitmapVector | FullVector


class Later:
    """A vector whose size and dtype are known; its entries are computed when somebody reads them."""

    size: int
    dtype: str

    @once
    def type(self) -> DType:
        """The scalar type."""
        return lookup(self.dtype)

    def resolve(self) -> VectorStorage:
        """Compute the entries and return them."""
        raise NotImplementedError
