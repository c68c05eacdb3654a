"""What users give, checked: sizes, indices, values, repeated places, arrays with a sentinel."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.containers.operations import named
from graphla.errors import DimensionMismatch, GraphlaError, IndexOutOfBounds, InvalidGraph
from graphla.language.expr import Shape
from graphla.storage import BitmapVector, FullVector, SparseVector, Typed
from semirings import Monoid, binary, monoid
from semirings.dtypes import lookup


def checked_size(size: Any) -> int:
    """A length."""
    if isinstance(size, bool) or not hasattr(size, "__index__") or size.__index__() < 0:
        raise DimensionMismatch(f"size={size!r}: a size is an int that is not negative")
    return size.__index__()


def as_indices(engine: Any, indices: Any, what: str) -> Any:
    """A flat int64 array of positions."""
    places = engine.xp.atleast_1d(engine.asarray(indices))
    if places.size == 0:
        return places.astype("int64").reshape(-1)
    if places.dtype.kind not in "iu" or places.ndim != 1:
        raise IndexOutOfBounds(
            f"{what} must be one-dimensional and of integers, not {places.dtype} of shape {places.shape}"
        )
    return places.astype("int64")


def as_values(engine: Any, values: Any, count: int, dtype: Any) -> Any:
    """An array of `count` values of a dtype there is."""
    held = engine.asarray(values)
    held = held.astype(lookup(dtype).numpy) if dtype is not None else held
    lookup(held.dtype)
    if held.ndim == 0:
        return engine.xp.full(count, held, held.dtype)
    if held.shape != (count,):
        raise DimensionMismatch(f"{count} indices and values of shape {held.shape} do not match")
    return held


class Host:
    """The array module of the host, for what is checked and sorted before it goes to a device."""

    xp = np

    @staticmethod
    def asarray(values: Any) -> Any:
        return np.asarray(values)


HOST = Host()
FEW = 4096
"""So many numbers of the host are checked and sorted there sooner than a device is asked about them."""


def few_of_host(indices: Any, values: Any) -> bool:
    """Whether both are numbers of the host, and few."""
    kinds = list | range | np.ndarray | np.generic | bool | int | float
    return isinstance(indices, kinds) and isinstance(values, kinds) and np.size(indices) <= FEW


def check_bounds(places: Any, size: int, what: str) -> None:
    """Refuse positions outside 0 … size − 1."""
    if not places.size:
        return
    low, high = int(places.min()), int(places.max())
    if low < 0 or high >= size:
        wrong = low if low < 0 else high
        raise IndexOutOfBounds(f"{what} {wrong} is out of range for size {size}")


def joined(engine: Any, sparse: SparseVector, dup_op: Any, ncols: int | None = None) -> SparseVector:
    """Repeated places joined by `dup_op`; without one they are refused. Places of a matrix are cells, row by row."""
    xp = engine.xp
    fresh = xp.ones(sparse.nvals, bool)
    fresh[1:] = sparse.indices[1:] != sparse.indices[:-1]
    if bool(fresh.all()):
        return sparse
    if dup_op is None:
        again = int(sparse.indices[xp.flatnonzero(~fresh)[0]])
        place = f"place {again}" if ncols is None else f"the entry ({again // ncols}, {again % ncols})"
        graph = "" if ncols is None else ", or of a Graph dup='first', 'min' or 'sum'"
        raise InvalidGraph(f"{place} occurs twice: give dup_op=binary.plus, binary.first …{graph}, to join the values")
    op = named(dup_op, binary, monoid)
    starts = xp.flatnonzero(fresh)
    if not isinstance(op, Monoid):
        same = [m for m in monoid.values() if m.op is op]
        if op.name in ("first", "second"):
            ends = xp.concatenate([starts[1:], xp.asarray([sparse.nvals])]) - 1
            pick = starts if op.name == "first" else ends
            return SparseVector(sparse.size, sparse.indices[starts], sparse.values[pick])
        if not same:
            raise GraphlaError(f"dup_op={op.name}: use a monoid, binary.first or binary.second")
        op = same[0]
    pointers = xp.concatenate([starts, xp.asarray([sparse.nvals])])
    values = engine.reduce_segments(op, sparse.values, pointers, sparse.type)
    return SparseVector(sparse.size, sparse.indices[starts], values)


class Pending(Typed):
    """An array with a sentinel, not yet looked through."""

    def __init__(self, values: Any, absent: Any) -> None:
        self.values, self.absent = values, absent

    @property
    def shape(self) -> Shape:
        return self.values.shape

    @property
    def size(self) -> int:
        return int(self.values.size)

    def resolve(self) -> BitmapVector | FullVector:
        """The entries, of a matrix those of its cells."""
        flat = self.values.reshape(-1)
        present = flat != self.absent
        count = int(present.sum())
        return FullVector(flat) if count == flat.size else BitmapVector(present, flat, count)
