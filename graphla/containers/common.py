"""Methods that vectors and matrices have alike."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from graphla.containers.container import Container
from graphla.containers.execute import run, way_in
from graphla.containers.operations import Algebra
from graphla.engine import engine_named
from graphla.engine.arrays.formats import as_cells, as_sparse, from_cells, suited
from graphla.engine.arrays.merge import keep
from graphla.errors import DomainMismatch, GraphlaError, NotSupported
from graphla.language.expr import Expr
from graphla.language.index import resolved
from graphla.planning.steps import CopyStep, Plan
from semirings import BinaryOp, binary, monoid
from semirings.dtypes import BOOL, lookup


class Shared(Container, Algebra):
    """What both containers do with their entries as a whole."""

    def __iadd__(self, other: Any) -> Any:
        """``v += w`` is ``v(binary.plus) << w``; what else is in place computes and assigns."""
        if isinstance(other, Expr) and other.rank == self.rank:
            return self._assign_in_place(other, binary.plus)
        return self._assign_in_place(self + other)

    def __isub__(self, other: Any) -> Any:
        return self._assign_in_place(self - other)

    def __imul__(self, other: Any) -> Any:
        return self._assign_in_place(self * other)

    def __itruediv__(self, other: Any) -> Any:
        return self._assign_in_place(self / other)

    def __ifloordiv__(self, other: Any) -> Any:
        return self._assign_in_place(self // other)

    def __imod__(self, other: Any) -> Any:
        return self._assign_in_place(self % other)

    def __ipow__(self, other: Any) -> Any:
        return self._assign_in_place(self**other)

    def __ixor__(self, other: Any) -> Any:
        return self._assign_in_place(self ^ other)

    def __ior__(self, other: Any) -> Any:
        return self._assign_in_place((self | other)._over(truth(self, other, binary.lor)))

    def __iand__(self, other: Any) -> Any:
        return self._assign_in_place((self & other)._over(truth(self, other, binary.land)))

    def _assign_in_place(self, value: Any, accum: Any = None) -> Any:
        """This container, after `value` was written into it."""
        self(accum=accum) << value
        return self

    def dup(self, dtype: Any = None, *, name: str | None = None) -> Any:
        """A copy, in another dtype if one is given."""
        out = lookup(dtype) if dtype is not None else self.dtype
        copy = CopyStep(self._storage, False)
        plan = Plan(copy, None, out)
        return self._from_storage(run(self.engine, plan), self.engine, name)

    def __copy__(self) -> Any:
        return self.dup(name=self.name)

    def __reduce__(self) -> Any:
        """Copied and pickled with the name of the engine, of which a process has one."""
        return remade, (type(self), self._storage, self.engine.name, self.name)

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Same shape, same structure and equal values (and the same dtype, if asked)."""
        self._comparable(other)
        if self.shape != other.shape or self.nvals != other.nvals or (check_dtype and self.dtype != other.dtype):
            return False
        same = (self & other)._over(binary.eq).new()
        return same.nvals == self.nvals and (self.nvals == 0 or bool(same._reduce_with(monoid.land, None).new().value))

    def isclose(self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False) -> bool:
        """Same structure, and values that differ by rounding alone."""
        self._comparable(other)
        if self.shape != other.shape or self.nvals != other.nvals or (check_dtype and self.dtype != other.dtype):
            return False
        xp = self.engine.xp
        mine, theirs = (as_sparse(xp, as_cells(xp, each._storage)) for each in (self, other))
        if not bool((mine.indices == theirs.indices).all()):
            return False
        return bool(xp.isclose(mine.values, theirs.values, rtol=rel_tol, atol=abs_tol).all())

    def _comparable(self, other: Any) -> None:
        if not isinstance(other, type(self)):
            raise DomainMismatch(f"a {type(self).__name__} cannot be compared with {type(other).__name__}")
        if other.engine is not self.engine:
            raise NotSupported(f"the operands live on {self.engine.name} and {other.engine.name}: move one with .to()")

    @way_in
    def to(self, engine: Any) -> Any:
        """The same entries on another engine ("cpu" or "cuda"); itself if it lives there already."""
        target = engine_named(engine)
        if target is self.engine:
            return self
        return self._from_storage(moved(self._storage, self.engine, target), target, self.name)

    def __delitem__(self, index: Any) -> None:
        """Remove the entry at one place, if there is one."""
        place = self._resolve_index(index)
        if not all(isinstance(part, int) for part in place):
            raise GraphlaError(f"del …[{index!r}]: give one place; to empty a part assign an empty container to it")
        key = place[0] if len(place) == 1 else place[0] * self.shape[1] + place[1]
        xp = self.engine.xp
        cells = as_sparse(xp, as_cells(xp, self._storage))
        left = from_cells(xp, keep(xp, cells, cells.indices != key), self.shape)
        self._held = suited(xp, left) if len(place) == 1 else left

    def _resolve_index(self, index: Any) -> tuple[Any, ...]:
        """An index a dimension: ints within bounds, ranges for slices, arrays of positions."""
        return resolved(index, self.shape)

    def clear(self) -> None:
        """Remove every entry."""
        empty = type(self)(self.dtype, *self.shape, engine=self.engine)  # type: ignore[call-arg]
        self._held = empty._storage


def truth(left: Any, right: Any, op: BinaryOp) -> BinaryOp:
    """`op`, if both sides hold truths."""
    if left.dtype != BOOL or right.dtype != BOOL:
        raise DomainMismatch(f"|= and &= want BOOL on both sides, not {left.dtype}, {right.dtype}: name an operator")
    return op


def moved(storage: Any, source: Any, target: Any) -> Any:
    """A storage with its arrays on another engine."""
    arrays: dict[str, Any] = {}
    for part in fields(storage):
        value = getattr(storage, part.name)
        if hasattr(value, "dtype"):
            arrays[part.name] = target.asarray(source.to_host(value))
        elif part.name != "_cache":
            arrays[part.name] = value
    return type(storage)(**arrays)


def remade(cls: Any, storage: Any, engine: str, name: str | None) -> Any:
    """A container as it was when it was pickled."""
    return cls._from_storage(storage, engine_named(engine), name)
