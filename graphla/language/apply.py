"""Expressions over one operand: apply, select and reduce."""

# pyright: reportPrivateUsage=false, reportUnnecessaryIsInstance=false
from __future__ import annotations

from typing import Any

from graphla.common.errors import DomainMismatch, NotSupported
from graphla.language.expr import Expr, Shape
from graphla.language.kinds import R
from graphla.language.lazy import Lazy
from graphla.language.operands import find_common_engine, infer_dtype
from graphla.language.scalars import choose_bound_dtype, choose_thunk_dtype, require_position
from graphla.storage.frozen import quick
from semirings import BinaryOp, IndexUnaryOp, Monoid, UnaryOp
from semirings.dtypes import BOOL, DType


class Over(Lazy[R]):
    """An expression over one operand."""

    of: Any

    @property
    def rank(self) -> int:
        return self.of.rank

    @property
    def shape(self) -> Shape:
        return self.of.shape

    @property
    def engine(self) -> Any:
        return self.of.engine

    @property
    def _sources(self) -> tuple[Any, ...]:
        return self.of._sources


@quick(repr=False)
class Apply(Over[R]):
    """op over each entry; a bound scalar stands right (or left) of a binary operator."""

    of: Any
    op: UnaryOp | BinaryOp | IndexUnaryOp
    bound: Any = None
    bound_left: bool = False

    def __post_init__(self) -> None:
        if getattr(self.op, "positional", None):
            raise NotSupported(f"{self.op!r} is positional and works inside a product only, as in any_{self.op.name}")
        self.dtype = infer_dtype(self.op, *self.find_operand_dtypes())  # type: ignore[misc]

    def find_operand_dtypes(self) -> tuple[DType, ...]:
        """Of the entries, and of what is bound beside them."""
        dtype = self.of.dtype
        if isinstance(self.op, UnaryOp):
            return (dtype,)
        if isinstance(self.op, IndexUnaryOp):
            return dtype, choose_thunk_dtype(self.bound, self.op, dtype)
        bound = choose_bound_dtype(self.bound, dtype)
        return (bound, dtype) if self.bound_left else (dtype, bound)

    @property
    def _sources(self) -> tuple[Any, ...]:
        return *self.of._sources, *getattr(self.bound, "_sources", ())


@quick(repr=False)
class Select(Over[R]):
    """Keep the entries for which op(value, i, j, thunk) holds."""

    of: Any
    op: IndexUnaryOp
    thunk: Any = 0

    def __post_init__(self) -> None:
        require_position(self.op, self.thunk)
        thunk = choose_thunk_dtype(self.thunk, self.op, self.of.dtype)
        if infer_dtype(self.op, self.of.dtype, thunk) != BOOL:
            raise DomainMismatch(f"select needs an operator that gives BOOL, and {self.op.name} does not")

    @property
    def dtype(self) -> DType:
        return self.of.dtype

    @property
    def _sources(self) -> tuple[Any, ...]:
        return *self.of._sources, *getattr(self.thunk, "_sources", ())


@quick(repr=False)
class Reduce(Over[R]):
    """⊕ over each row (axis 1), each column (axis 0) or everything (axis None).

    With `wide` each value is converted to that dtype before it is combined. With `or_identity` everything of no entries
    is the identity of ⊕, else it has no value.
    """

    of: Any
    monoid: Monoid
    axis: int | None
    wide: DType | None = None
    or_identity: bool = False

    def __post_init__(self) -> None:
        self.dtype = infer_dtype(self.monoid, self.wide or self.of.dtype)  # type: ignore[misc]

    @property
    def rank(self) -> int:
        return 0 if self.axis is None else 1

    @property
    def shape(self) -> Shape:
        return () if self.axis is None else (self.of.shape[1 - self.axis],)


@quick(repr=False)
class Combine(Lazy[R]):
    """op of one value or of two, at least one of which is computed in each round of a loop."""

    op: Any
    operands: tuple[Any, ...]

    def __post_init__(self) -> None:
        op = self.op.op if isinstance(self.op, Monoid) else self.op
        if len(self.operands) != {"unary": 1, "binary": 2}.get(op.sort, 0) or getattr(op, "positional", None):
            raise DomainMismatch(
                f"{op!r} was called on a Scalar: give a unary operator, or a binary one of two Scalars"
            )
        self.op = op  # type: ignore[misc]
        own = next(part.dtype for part in self.operands if isinstance(part, Expr))
        types = (part.dtype if isinstance(part, Expr) else choose_bound_dtype(part, own) for part in self.operands)
        self.dtype = infer_dtype(op, *types)  # type: ignore[misc]

    @property
    def shape(self) -> Shape:
        return ()

    @property
    def engine(self) -> Any:
        found = None
        for part in self.operands:
            found = find_common_engine(found, getattr(part, "engine", None))
        return found

    @property
    def _sources(self) -> tuple[Any, ...]:
        return tuple(source for part in self.operands for source in getattr(part, "_sources", ()))


Expr._apply, Expr._combine_values = Apply, Combine
