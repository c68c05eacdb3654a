"""Methods that vectors and matrices have alike."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from graphla.container import Container, run
from graphla.engine import engine_named
from graphla.engine.arrays.formats import as_cells, as_sparse
from graphla.errors import DomainMismatch, GraphlaError, IndexOutOfBounds, NotSupported
from graphla.expr import Apply, Ewise, Expr, Extract, Reduce, Select, operand
from graphla.plan import CopyStep, Plan
from semirings import BinaryOp, IndexUnaryOp, Monoid, UnaryOp, binary, indexunary, monoid, unary
from semirings.dtypes import BOOL, lookup


def named(op: Any, *namespaces: Any) -> Any:
    """An operator, or the one of that name."""
    if not isinstance(op, str):
        return op
    for namespace in namespaces:
        if op in namespace:
            return namespace[op]
    raise GraphlaError(f"there is no operator {op!r} among {', '.join(sorted(name for n in namespaces for name in n))}")


class Algebra(Expr):
    """Operations by name, as python-graphblas spells them; each gives an expression."""

    def ewise_add(self, other: Any, op: Any = "plus") -> Expr:
        """The union of two structures; where both have an entry, op of the two."""
        return (self | other).over(named(op, binary, monoid))

    def ewise_mult(self, other: Any, op: Any = "times") -> Expr:
        """op where both have an entry."""
        return (self & other).over(named(op, binary, monoid))

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Expr:
        """The union of two structures; where one side has no entry its default stands in."""
        op = named(op, binary, monoid)
        op = op.op if isinstance(op, Monoid) else op
        fills = tuple(getattr(fill, "value", fill) for fill in (left_default, right_default))
        return Ewise(operand(self, "left"), operand(other, "right"), op, True, fills)

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expr:
        """op over each entry; `right` (or `left`) is the other operand of a binary operator, or the thunk."""
        op = named(op, unary, binary, indexunary)
        op = op.op if isinstance(op, Monoid) else op
        if isinstance(op, BinaryOp) and (left is None) == (right is None):
            raise GraphlaError(f"apply {op.name}: give exactly one of left= and right=")
        if isinstance(op, UnaryOp) and (left is not None or right is not None):
            raise GraphlaError(f"apply {op.name}: a unary operator takes no second operand")
        bound = right if left is None else left
        if isinstance(op, IndexUnaryOp) and bound is None:
            bound = 0
        return Apply(operand(self, "apply"), op, getattr(bound, "value", bound), left is not None)

    def select(self, op: Any, thunk: Any = 0) -> Expr:
        """The entries for which ``op(value, row, column, thunk)`` holds."""
        if isinstance(op, Container) and op.dtype == BOOL and op.shape == self.shape:
            return (self & op).over(binary.first)
        return Select(operand(self, "select"), named(op, indexunary, COMPARISONS), getattr(thunk, "value", thunk))


COMPARISONS = {
    sign: indexunary[f"value{name}"]
    for sign, name in {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}.items()
}
"""What `select` knows beside the names of index-unary operators."""


class Shared(Container, Algebra):
    """What both containers do with their entries as a whole."""

    def reduce_with(self, op: Any, axis: int | None) -> Reduce:
        op = named(op, monoid, binary)
        if isinstance(op, BinaryOp):
            same = [m for m in monoid.values() if m.op is op]
            if not same:
                raise DomainMismatch(f"{op.name} is no monoid: register one to reduce with it")
            op = same[0]
        return Reduce(operand(self, "reduce"), op, axis)

    def dup(self, dtype: Any = None, *, name: str | None = None) -> Any:
        """A copy, in another dtype if one is given."""
        out = lookup(dtype) if dtype is not None else self.dtype
        return self.holding(run(self.engine, Plan(CopyStep(self.storage, False), None, out)), self.engine, name)

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Same shape, same structure and equal values (and the same dtype, if asked)."""
        self._comparable(other)
        if self.shape != other.shape or self.nvals != other.nvals or (check_dtype and self.dtype != other.dtype):
            return False
        same = (self & other).over(binary.eq).new()
        return same.nvals == self.nvals and (self.nvals == 0 or bool(same.reduce_with(monoid.land, None).new().value))

    def isclose(self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False) -> bool:
        """Same structure, and values that differ by rounding alone."""
        self._comparable(other)
        if self.shape != other.shape or self.nvals != other.nvals or (check_dtype and self.dtype != other.dtype):
            return False
        xp = self.engine.xp
        mine, theirs = (as_sparse(xp, as_cells(xp, each.storage)) for each in (self, other))
        if not bool((mine.indices == theirs.indices).all()):
            return False
        return bool(xp.isclose(mine.values, theirs.values, rtol=rel_tol, atol=abs_tol).all())

    def _comparable(self, other: Any) -> None:
        if not isinstance(other, type(self)):
            raise DomainMismatch(f"a {type(self).__name__} cannot be compared with {type(other).__name__}")
        if other.engine is not self.engine:
            raise NotSupported(f"the operands live on {self.engine.name} and {other.engine.name}: move one with .to()")

    def to(self, engine: Any) -> Any:
        """The same entries on another engine ("cpu" or "cuda"); itself if it lives there already."""
        target = engine_named(engine)
        if target is self.engine:
            return self
        return self.holding(moved(self.storage, self.engine, target), target, self.name)

    def __getitem__(self, index: Any) -> Extract:
        return Extract(self, self.resolved(index))

    def resolved(self, index: Any) -> tuple[Any, ...]:
        """An index a dimension: ints within bounds, ranges for slices, arrays of positions."""
        wanted = index if isinstance(index, tuple) else (index,)
        if len(wanted) != len(self.shape):
            raise IndexOutOfBounds(
                f"index {index!r} has {len(wanted)} parts, and {type(self).__name__} has {len(self.shape)} dimensions"
            )
        return tuple(resolve(part, size) for part, size in zip(wanted, self.shape, strict=True))

    def clear(self) -> None:
        """Remove every entry."""
        empty = type(self)(self.dtype, *self.shape, engine=self.engine)  # type: ignore[call-arg]
        self._storage = empty.storage


def moved(storage: Any, source: Any, target: Any) -> Any:
    """A storage with its arrays on another engine."""
    arrays: dict[str, Any] = {}
    for part in fields(storage):
        value = getattr(storage, part.name)
        if hasattr(value, "dtype"):
            arrays[part.name] = target.asarray(source.to_host(value))
        elif part.name != "_kept":
            arrays[part.name] = value
    return type(storage)(**arrays)


def resolve(part: Any, size: int) -> Any:
    """One part of an index, checked against the size of its dimension."""
    if isinstance(part, slice):
        return range(*part.indices(size))
    if isinstance(part, bool | np.bool_) or part is None or isinstance(part, float | str):
        raise IndexOutOfBounds(f"index {part!r}: give an int, a slice, or a list or array of ints")
    if isinstance(part, range) and (not part or (min(part[0], part[-1]) >= 0 and max(part[0], part[-1]) < size)):
        return part
    if hasattr(part, "__index__") and not getattr(part, "ndim", 0):
        position = part.__index__()
        if not -size <= position < size:
            raise IndexOutOfBounds(f"index {position} is out of range for size {size}")
        return position % size
    places = np.asarray(part if not hasattr(part, "get") else part.get())
    if places.size == 0:
        return np.zeros(0, "int64")
    if places.ndim != 1 or places.dtype.kind not in "iu":
        raise IndexOutOfBounds(
            f"an array index must be one-dimensional and of integers, not {places.dtype} of shape {places.shape}"
        )
    bad = (places < -size) | (places >= size)
    if bad.any():
        raise IndexOutOfBounds(f"index {places[bad][0]} is out of range for size {size}")
    return places.astype("int64") % size
