"""Storages whose entries are computed when they are first read.

A container may hold one of these instead of a record of `graphla.storage.records`. Code that needs the entries calls
`resolve`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphla.common.memory import WAY_OUT
from graphla.storage.compress import compress
from graphla.storage.convert import count_true
from graphla.storage.distributed import DistributedVector
from graphla.storage.formats import as_best_format
from graphla.storage.frozen import once
from graphla.storage.list_kernels import find_list_kernels
from graphla.storage.records import (
    Array,
    BitmapVector,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
    get_dtype_name,
)
from semirings.dtypes import DType, lookup


class Deferred:
    """A storage whose shape and dtype are known, and whose entries are computed when they are first read."""

    size: int
    dtype: str
    counted: ClassVar[bool] = False
    """Whether `nvals` is known, and a loop takes the arrays as they are."""

    @once
    def type(self) -> DType:
        """The scalar type."""
        return lookup(self.dtype)

    @once
    def shape(self) -> tuple[int, ...]:
        return (self.size,)

    def resolve(self) -> MatrixStorage | VectorStorage:
        """Compute the entries and return them."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class FewEntries(Deferred):
    """Sorted unique `indices` with their `values` in host memory, copied to the device of `xp` when they are read."""

    counted: ClassVar[bool] = True
    size: int
    indices: Array
    values: Array
    xp: Any

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return get_dtype_name(self.values.dtype)

    @property
    def nvals(self) -> int:
        return int(self.indices.shape[0])

    def resolve(self) -> VectorStorage:
        vector = SparseVector(self.size, self.xp.asarray(self.indices), self.xp.asarray(self.values))
        return as_best_format(self.xp, vector)


@dataclass(frozen=True, eq=False)
class UncheckedBitmap(Deferred):
    """A bitmap that becomes sparse when it is read, if few of its entries are present."""

    counted: ClassVar[bool] = True
    bitmap: BitmapVector
    xp: Any

    @property
    def nvals(self) -> int:
        return self.bitmap.nvals

    @property
    def size(self) -> int:  # type: ignore[override]
        return self.bitmap.size

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return self.bitmap.dtype

    def resolve(self) -> VectorStorage:
        return as_best_format(self.xp, self.bitmap)


def flag_other(values: Array, absent: Any) -> tuple[Array, int]:
    """Flag the values that differ from `absent`, and count them."""
    kernels = find_list_kernels(values)
    if kernels is not None:
        return kernels.flag_other(values, absent)
    present = values != absent
    return present, count_true(present)


@dataclass(frozen=True, eq=False)
class SentinelArray(Deferred):
    """A one- or two-dimensional array that holds the value `absent` where there is no entry."""

    values: Array
    absent: Any
    way_out: str = WAY_OUT
    """What a user can do if a matrix of the entries does not fit in memory."""

    @once
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def size(self) -> int:  # type: ignore[override]
        return int(self.values.size)

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return get_dtype_name(self.values.dtype)

    def fills(self, value: Any) -> bool:
        """Whether the array itself is the dense result if absent entries are filled with `value`."""
        given = np.asarray(value)
        return given.ndim == 0 and bool(given == self.absent) and np.can_cast(given.dtype, self.dtype, "same_kind")

    def resolve(self) -> MatrixStorage | VectorStorage:
        if self.values.ndim == 2:
            return compress(self.values, self.absent, self.way_out)
        present, count = flag_other(self.values, self.absent)
        return FullVector(self.values) if count == self.size else BitmapVector(present, self.values, count)


@dataclass(frozen=True, eq=False)
class SentinelBlocks(Deferred):
    """A vector whose blocks hold `absent` where there is no entry; a rank looks through its block when it reads it."""

    size: int
    block: Array
    absent: Any
    ranks: Any

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return get_dtype_name(self.block.dtype)

    def resolve(self) -> Any:
        part: Any = SentinelArray(self.block, self.absent).resolve()
        return DistributedVector(self.size, part, self.ranks)
