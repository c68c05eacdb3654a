"""A few entries that the host gave: they go to the device when somebody there reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphla.engine.arrays.formats import suited
from graphla.storage import Later, SparseVector, VectorStorage, name_of


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

    def looked_through(self) -> VectorStorage:
        moved = SparseVector(self.size, self.xp.asarray(self.indices), self.xp.asarray(self.values))
        return suited(self.xp, moved)
