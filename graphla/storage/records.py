"""Frozen records of arrays, which engines take and return.

An array belongs to the array module of its engine (NumPy or CuPy); this module never reads its elements.
Indices are int32. Row pointers are int32, or int64 from 2**31 entries on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Any
from weakref import ref

from graphla.storage.frozen import once, quick
from semirings.dtypes import DType, lookup

MISSING = object()
Array = Any  # numpy.ndarray or cupy.ndarray


@cache
def get_dtype_name(dtype: Any) -> str:
    """Return the name of a NumPy dtype, cached because NumPy builds the string on each access."""
    return dtype.name


find_type = cache(lookup)
"""The scalar type of a NumPy dtype."""
count_indices, count_values, measure_values = map(attrgetter, ("indices.size", "values.size", "values.shape"))
"""Numbers that are read in each operation, so that no function of Python is called for them."""


class FindsType:
    """As `once`, for the type that values have: it is asked of each result."""

    def __get__(self, record: Any, kind: type[Any] | None = None) -> DType:
        record.type = found = find_type(record.values.dtype)
        return found


class Typed:
    """Base class of records whose values have one scalar type."""

    values: Array

    @property
    def dtype(self) -> str:
        """NumPy's name of the scalar type."""
        return get_dtype_name(self.values.dtype)

    type = FindsType()
    """The scalar type."""


@dataclass(frozen=True, eq=False)
class Coo:
    """Entries of a matrix in any order, possibly repeated.

    Parameters
    ----------
    nrows, ncols : int
        The shape of the matrix.
    rows, cols : array
        int32 of shape (nvals,): the row and the column of each entry.
    values : array or None
        Shape (nvals,): the value of each entry; None for a pattern.
    origin : object, optional
        The file and the lines that the entries come from, for the messages of errors.
    labels : object, optional
        The labels of the vertices, where they go by names.

    Examples
    --------
    >>> import numpy as np
    >>> from graphla.io import Coo
    >>> Coo(2, 2, np.array([0], "int32"), np.array([1], "int32"), None).rows
    array([0], dtype=int32)
    """

    nrows: int
    ncols: int
    rows: Array
    cols: Array
    values: Array | None
    origin: Any = None
    labels: Any = None


@quick()
class CompressedMatrix(Typed):
    """A CSR matrix: row i has the columns ``indices[indptr[i]:indptr[i + 1]]``, sorted and unique."""

    nrows: int
    ncols: int
    indptr: Array
    indices: Array
    values: Array
    _cache: dict[Any, Any] = field(default_factory=dict[Any, Any], repr=False)

    @once
    def shape(self) -> tuple[int, int]:
        return self.nrows, self.ncols

    @once
    def nvals(self) -> int:
        return int(self.indices.shape[0])

    def cached(self, name: Any, make: Any) -> Any:
        """Return ``make(self)``, computed once and cached under `name`: the transpose, row lengths, …"""
        found = self._read(name)
        if found is MISSING:
            found = make(self)
            self._cache[name] = ref(found) if found is self else found
        return found

    def is_cached(self, name: Any) -> bool:
        return self._read(name) is not MISSING

    def _read(self, name: Any) -> Any:
        """What is cached, or `MISSING`."""
        found = self._cache.get(name, MISSING)
        if found.__class__ is not ref:
            return found
        found = found()
        return MISSING if found is None else found

    def keep_transpose(self, other: CompressedMatrix) -> None:
        """Cache the transpose, which may be the matrix itself, and with it this matrix.

        One of the two references is weak: in a circle of strong ones both matrices would keep their arrays until the
        garbage collector runs, which does not know how large they are.
        """
        other._cache["transposed"] = ref(self)
        if other is not self:
            self._cache["transposed"] = other

    def __reduce__(self) -> Any:
        """Pickled without what was computed from it."""
        return CompressedMatrix, (self.nrows, self.ncols, self.indptr, self.indices, self.values)


@quick()
class FullMatrix(Typed):
    """A matrix with every entry present. `values` has the shape of the matrix, in C order."""

    values: Array

    shape = property(measure_values)
    nvals = property(count_values)


@quick()
class SparseVector(Typed):
    """A vector as sorted unique `indices` with their `values`."""

    size: int
    indices: Array
    values: Array

    nvals = property(count_indices)

    def __post_init__(self) -> None:
        self.shape = (self.size,)  # type: ignore[misc]


@quick()
class BitmapVector(Typed):
    """A vector as flags and values: `present[i]` says whether entry i exists; without it `values[i]` is undefined."""

    present: Array
    values: Array
    nvals: int

    size = property(count_values)
    shape = property(measure_values)


@quick()
class FullVector(Typed):
    """A vector with every entry present."""

    values: Array

    size = nvals = property(count_values)
    shape = property(measure_values)


MatrixStorage = CompressedMatrix | FullMatrix
VectorStorage = SparseVector | BitmapVector | FullVector
