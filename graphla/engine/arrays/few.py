"""Vectors that take their form when somebody reads them: a few entries of the host, and a bitmap with few entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphla.engine.arrays.formats import suited
from graphla.storage import BitmapVector, Later, SparseVector, VectorStorage, name_of


@dataclass(frozen=True, eq=False)
class FewEntries(Later):
    """Sorted unique `indices` with their `values`, arrays of NumPy; `xp` is the array module they are meant for."""

    size: int
    indices: Any
    values: Any
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
class Unsettled(Later):
    """A bitmap that may be better as a list; arrays of `xp`."""

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
