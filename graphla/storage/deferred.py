"""Storages whose final form is found when they are first read.

A container may hold one of these in the place of a record of `graphla.storage.records`; whoever needs the entries calls
`resolve`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphla.storage.convert import module_of
from graphla.storage.formats import from_cells, suited
from graphla.storage.frozen import once
from graphla.storage.records import (
    Array,
    BitmapVector,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
    name_of,
)
from semirings.dtypes import DType, lookup


class Deferred:
    """A storage whose shape and dtype are known, and whose entries are found when they are first read."""

    size: int
    dtype: str

    @once
    def type(self) -> DType:
        """The scalar type."""
        return lookup(self.dtype)

    def resolve(self) -> MatrixStorage | VectorStorage:
        """The entries."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class FewEntries(Deferred):
    """Sorted unique `indices` with their `values` in host memory, moved to the device of `xp` when they are read."""

    size: int
    indices: Array
    values: Array
    xp: Any

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return name_of(self.values.dtype)

    @property
    def nvals(self) -> int:
        return int(self.indices.shape[0])

    def resolve(self) -> VectorStorage:
        moved = SparseVector(self.size, self.xp.asarray(self.indices), self.xp.asarray(self.values))
        return suited(self.xp, moved)


@dataclass(frozen=True, eq=False)
class UncheckedBitmap(Deferred):
    """A bitmap, made sparse when it is read if few of its entries are present."""

    bitmap: BitmapVector
    xp: Any

    @property
    def size(self) -> int:  # type: ignore[override]
        return self.bitmap.size

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return self.bitmap.dtype

    def resolve(self) -> VectorStorage:
        return suited(self.xp, self.bitmap)


@dataclass(frozen=True, eq=False)
class SentinelArray(Deferred):
    """An array of one or two dimensions that holds the value `absent` where there is no entry."""

    values: Array
    absent: Any

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def size(self) -> int:  # type: ignore[override]
        return int(self.values.size)

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return name_of(self.values.dtype)

    def resolve(self) -> MatrixStorage | VectorStorage:
        xp, flat = module_of(self.values), self.values.reshape(-1)
        present = flat != self.absent
        count = int(present.sum())
        cells = FullVector(flat) if count == flat.size else BitmapVector(present, flat, count)
        return cells if self.values.ndim == 1 else from_cells(xp, cells, self.shape)
