"""`Vector`: entries at some of the places 0 … size − 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from graphla import show
from graphla.algebra import named
from graphla.engine import engine_named
from graphla.engine.arrays.formats import as_bitmap, as_sparse, index_dtype, suited
from graphla.errors import DimensionMismatch, GraphlaError, IndexOutOfBounds, InvalidGraph
from graphla.expr import MatMul, Shape
from graphla.nodes import Reduce
from graphla.shared import Shared
from graphla.storage import BitmapVector, FullVector, SparseVector
from semirings import Monoid, binary, monoid, semiring
from semirings.dtypes import lookup


class Vector(Shared, rank=1):
    """A sparse vector on an engine.

    Parameters
    ----------
    dtype : dtype
        One of BOOL, INT8 … UINT64, FP32, FP64, or what stands for it in NumPy.
    size : int
        The length. There is no entry at first.
    engine : {"cpu", "cuda"}, optional
        Where it lives; by default `graphla.config.engine`, GRAPHLA_ENGINE, or the best there is.

    Examples
    --------
    >>> from graphla import Vector
    >>> v = Vector.from_coo([1, 3], [10, 30], size=5)
    >>> v.nvals, v[3].new().value, v[0].new().value
    (2, 30, None)
    """

    def __init__(self, dtype: Any = "FP64", size: int = 0, *, name: str | None = None, engine: Any = None) -> None:
        engine = engine_named(engine)
        size = checked_size(size)
        empty = engine.xp.zeros(0, index_dtype(size)), engine.xp.zeros(0, lookup(dtype).numpy)
        super().__init__(SparseVector(size, *empty), engine, name)

    @property
    def shape(self) -> Shape:
        return (self.storage.size,)

    @property
    def size(self) -> int:
        return self.storage.size

    # --- in

    @classmethod
    def from_coo(
        cls,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        size: int | None = None,
        dup_op: Any = None,
        name: str | None = None,
        engine: Any = None,
    ) -> Vector:
        """A vector with `values` (one for all, or one each) at `indices`.

        Raises
        ------
        IndexOutOfBounds
            If an index is negative or not below `size`.
        InvalidGraph
            If an index occurs twice and there is no `dup_op` to join the values.
        """
        engine = engine_named(engine)
        xp = engine.xp
        places = as_indices(engine, indices, "indices")
        held = as_values(engine, values, places.size, dtype)
        size = checked_size(int(places.max()) + 1 if places.size else 0) if size is None else checked_size(size)
        check_bounds(places, size, "index")
        order = xp.argsort(places, **({"kind": "stable"} if xp is np else {}))
        places, held = places[order], held[order]
        storage = joined(engine, SparseVector(size, places.astype(index_dtype(size)), held), dup_op)
        return cls.holding(suited(xp, storage), engine, name)

    @classmethod
    def from_dense(
        cls,
        values: Any,
        missing_value: Any = None,
        dtype: Any = None,
        *,
        name: str | None = None,
        engine: Any = None,
    ) -> Vector:
        """A vector of an array; places that hold `missing_value` have no entry."""
        engine = engine_named(engine)
        held = engine.xp.array(engine.asarray(values), dtype=None if dtype is None else lookup(dtype).numpy)
        if held.ndim != 1:
            raise DimensionMismatch(f"from_dense wants one dimension, not shape {held.shape}")
        lookup(held.dtype)
        if missing_value is None:
            return cls.holding(FullVector(held), engine, name)
        present = held == held if missing_value != missing_value else held != missing_value
        return cls.holding(
            suited(engine.xp, BitmapVector(present, held, int(engine.xp.count_nonzero(present)))), engine, name
        )

    @classmethod
    def from_scalar(cls, value: Any, size: int, dtype: Any = None, *, engine: Any = None) -> Vector:
        """The same value everywhere."""
        engine = engine_named(engine)
        kind = lookup(dtype) if dtype is not None else lookup(np.asarray(value).dtype)
        return cls.holding(FullVector(engine.xp.full(checked_size(size), value, kind.numpy)), engine)

    @classmethod
    def from_sentinel(cls, values: Any, absent: Any, engine: Any) -> Vector:
        """An array of the engine as it is, with no entry where it holds `absent`; looked through when first needed."""
        return cls.holding(Pending(values, absent), engine)

    @property
    def storage(self) -> Any:
        if isinstance(self._storage, Pending):
            self._storage = self._storage.looked_through()
        return self._storage

    # --- out

    def to_coo(self) -> tuple[Any, Any]:
        """Sorted indices and their values, on the engine."""
        sparse = as_sparse(self.engine.xp, self.storage)
        return sparse.indices.copy(), sparse.values.copy()

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """An array on the engine; absent places hold `fill_value`, without which there may be none."""
        if fill_value is None and self.nvals < self.size:
            raise GraphlaError(
                f"{self.size - self.nvals:,} of {self.size:,} places have no entry: give to_dense a fill_value"
            )
        bitmap = as_bitmap(self.engine.xp, self.storage)
        kind = self.dtype if dtype is None else lookup(dtype)
        held = bitmap.values.astype(kind.numpy)
        if self.nvals < self.size:
            if dtype is None and not np.can_cast(np.asarray(fill_value).dtype, kind.numpy, "same_kind"):
                held = held.astype(np.result_type(kind.numpy, np.asarray(fill_value).dtype))
            held[~bitmap.present] = fill_value
        return held

    def to_numpy(self, fill_value: Any = None) -> Any:
        """As `to_dense`, as a NumPy array on the host."""
        return self.engine.to_host(self.to_dense(fill_value))

    def to_dict(self) -> dict[int, Any]:
        """Index to value, as Python numbers."""
        indices, values = (self.engine.to_host(part) for part in self.to_coo())
        return dict(zip(indices.tolist(), values.tolist(), strict=True))

    def head(self, count: int) -> tuple[Any, Any]:
        """The first few indices and values, on the host."""
        sparse = as_sparse(self.engine.xp, self.storage)
        return self.engine.to_host(sparse.indices[:count]), self.engine.to_host(sparse.values[:count])

    def get(self, index: int, default: Any = None) -> Any:
        """The value at `index`, or `default`."""
        value = self[index].new().value
        return default if value is None else value

    def __contains__(self, index: int) -> bool:
        return not self[index].new().is_empty

    def __iter__(self) -> Iterator[int]:
        return iter(self.engine.to_host(self.to_coo()[0]).tolist())

    def __len__(self) -> int:
        return self.size

    def __delitem__(self, index: int) -> None:
        keep = np.setdiff1d(np.arange(self.size), [self.resolved(index)[0]])
        part = Vector("BOOL", self.size, engine=self.engine)
        part[keep] << True
        self(part.S, replace=True) << self.dup()

    # --- algebra

    def vxm(self, other: Any, op: Any = "plus_times") -> MatMul:
        """v ⊕.⊗ A."""
        return (self @ other).over(named(op, semiring))

    def inner(self, other: Any, op: Any = "plus_times") -> MatMul:
        """⊕_k u[k] ⊗ v[k]."""
        return (self @ other).over(named(op, semiring))

    def reduce(self, op: Any = "plus") -> Reduce:
        """⊕ over every entry; empty where there is none."""
        return self.reduce_with(op, None)

    def resize(self, size: int) -> None:
        """Change the length; entries past the end go."""
        sparse = as_sparse(self.engine.xp, self.storage)
        keep = sparse.indices < checked_size(size)
        cut = SparseVector(size, sparse.indices[keep].astype(index_dtype(size)), sparse.values[keep])
        self._storage = suited(self.engine.xp, cut)

    def __repr__(self) -> str:
        return show.text(self)

    def _repr_html_(self) -> str:
        return show.page(self)


class Pending:
    """An array with a sentinel, not yet looked through."""

    def __init__(self, values: Any, absent: Any) -> None:
        self.values, self.absent = values, absent

    @property
    def shape(self) -> Shape:
        return self.values.shape

    def looked_through(self) -> BitmapVector | FullVector:
        """The entries, of a matrix those of its cells."""
        flat = self.values.reshape(-1)
        present = flat != self.absent
        count = int(present.sum())
        return FullVector(flat) if count == flat.size else BitmapVector(present, flat, count)


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


def check_bounds(places: Any, size: int, what: str) -> None:
    """Refuse positions outside 0 … size − 1."""
    if places.size and (int(places.min()) < 0 or int(places.max()) >= size):
        wrong = int(places.min()) if int(places.min()) < 0 else int(places.max())
        raise IndexOutOfBounds(f"{what} {wrong} is out of range for size {size}")


def joined(engine: Any, sparse: SparseVector, dup_op: Any) -> SparseVector:
    """Repeated places joined by `dup_op`; without one they are refused."""
    xp = engine.xp
    fresh = xp.ones(sparse.nvals, bool)
    fresh[1:] = sparse.indices[1:] != sparse.indices[:-1]
    if bool(fresh.all()):
        return sparse
    if dup_op is None:
        again = int(sparse.indices[xp.flatnonzero(~fresh)[0]])
        raise InvalidGraph(f"place {again} occurs twice: give dup_op=binary.plus, binary.first … to join the values")
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
    values = engine.folds(op, sparse.values, pointers, lookup(sparse.dtype))
    return SparseVector(sparse.size, sparse.indices[starts], values)
