"""The expressions beside products and maps: select, reduce, extract, Kronecker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphla.errors import DomainMismatch, NotSupported
from graphla.language.expr import Leaf, Over, Pair, Shape
from graphla.language.operands import typed
from graphla.language.scalars import beside_thunk, scalar_dtype
from semirings import BinaryOp, IndexUnaryOp, Monoid
from semirings.dtypes import BOOL, DType


@dataclass(frozen=True, eq=False, repr=False)
class Select(Over):
    """Keep the entries for which op(value, i, j, thunk) holds."""

    of: Any
    op: IndexUnaryOp
    thunk: Any = 0

    def __post_init__(self) -> None:
        thunk = scalar_dtype(self.thunk, beside_thunk(self.op, self.of.dtype))
        if typed(self.op, self.of.dtype, thunk) != BOOL:
            raise DomainMismatch(f"select needs an operator that gives BOOL, and {self.op.name} does not")

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        return self.of.dtype


@dataclass(frozen=True, eq=False, repr=False)
class Reduce(Over):
    """⊕ over each row (axis 1), each column (axis 0) or everything (axis None)."""

    of: Any
    monoid: Monoid
    axis: int | None

    def __post_init__(self) -> None:
        _ = self.dtype

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        return () if self.axis is None else (self.of.shape[1 - self.axis],)

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        return typed(self.monoid, self.of.dtype)


@dataclass(frozen=True, eq=False, repr=False)
class Extract(Over):
    """The part at the given rows (and columns): an index is an int, a slice resolved to a range, or an array."""

    of: Any
    index: tuple[Any, ...]

    def __lshift__(self, value: Any) -> None:
        """Assign to this part."""
        if not isinstance(self.of, Leaf):
            raise NotSupported("a part of a transpose cannot be assigned: assign to the matrix itself")
        container: Any = self.of
        container()[self.index].update(value)

    def __call__(self, *how: Any, **settings: Any) -> PartUpdater:
        """Say how the next ``<<`` writes into this part; a mask has the shape of the part."""
        return PartUpdater(self, how, settings)

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        return tuple(len(part) for part in self.index if not isinstance(part, int))

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        return self.of.dtype


@dataclass(frozen=True)
class PartUpdater:
    """A part of a container and how it is to be written: ``C[I, J](mask, accum, replace) << value``."""

    part: Extract
    how: tuple[Any, ...]
    settings: dict[str, Any]

    def __lshift__(self, value: Any) -> None:
        within = self.part.new()
        within(*self.how, **self.settings).update(value)
        self.part.of()[self.part.index].update(within)


@dataclass(frozen=True, eq=False, repr=False)
class Kronecker(Pair):
    """C[i·m + k, j·n + l] = A[i, j] ⊗ B[k, l]."""

    left: Any
    right: Any
    op: BinaryOp

    def __post_init__(self) -> None:
        if self.op.positional:
            raise NotSupported(f"{self.op.name} is positional and works inside a product only")
        _ = self.dtype

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        return tuple(a * b for a, b in zip(self.left.shape, self.right.shape, strict=True))

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        return typed(self.op, self.left.dtype, self.right.dtype)
