"""Operands that wait for an operator: ``A @ B`` for a semiring, ``A | B`` and ``A & B`` for a binary operator.

Operands may be such expressions again: ``plus(u | v | w)`` and ``min_plus(A @ B @ C)`` use the operator at each place.
Without an operator ``A @ B`` is ``plus_times``; ``A | B`` and ``A & B`` of BOOL are ``lor`` and ``land``.
"""

# pyright: reportPrivateUsage=false, reportUnnecessaryIsInstance=false
from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar, cast

from graphla.common.arguments import show
from graphla.common.errors import DimensionMismatch, DomainMismatch, NotSupported
from graphla.language.broadcast import align
from graphla.language.expr import Expr, Pairs, Products, Shape, to_operand
from graphla.language.kinds import R
from graphla.language.products import Ewise, MatMul, MatMulPair, Pair
from graphla.language.recording import is_recording
from graphla.language.scalars import to_number, widen_for_fill
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp, binary, semiring
from semirings.dtypes import BOOL, DType

K = TypeVar("K")
"""The container that the expression with its operator is computed into."""


class Infix(Pair[R], Generic[R]):
    """Two operands that wait for an operator: to a type checker no expression of a container yet."""

    hint: ClassVar[str]

    @property
    def resolved(self) -> Any:
        """The expression with the default operator."""
        raise NotImplementedError

    @property
    def dtype(self) -> DType:
        return self.resolved.dtype

    @property
    def _resolved(self) -> Any:
        return self.resolved

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **how: Any) -> Any:
        """Compute with the default operator into a new container."""
        return self.resolved.new(dtype, mask=mask, name=name, **how)

    def __repr__(self) -> str:
        return f"two operands without an operator: give it one, as in {self.hint}"

    def explain(self) -> str:
        """How this would be computed with the default operator."""
        return self.resolved.explain()

    def estimate(self) -> int:
        """Bytes that computing this with the default operator needs beyond its operands."""
        return self.resolved.estimate()

    def _over_left(self, op: Any, bound: Any) -> Any:
        raise NotSupported(f"{op.name}: two operands without an operator: give them one, as in {self.hint}")

    def _refuse(self, op: Any, why: str) -> DomainMismatch:
        return DomainMismatch(f"Bad types when calling {op!r}: {why}, as in {self.hint}")


class MatMulInfix(MatMulPair[R], Infix[R], Products[R]):
    """A @ B before its semiring is known."""

    hint = "min_plus(A @ B)"

    def __init__(self, left: Any, right: Any) -> None:
        self.left, self.right = left, right
        for side in (left, right):
            if not isinstance(side, Expr) or not side.rank:
                raise DomainMismatch(f"Bad type for argument of @: {show(side)} is no matrix or vector of graphla")
        self.require_fit()

    @property
    def resolved(self) -> Any:
        return self._over(semiring.plus_times)

    def _cast(self, dtype: DType) -> Any:
        both: MatMulInfix[R] = MatMulInfix(self.left._cast(dtype), self.right._cast(dtype))
        return both

    def _over(self, op: Semiring, *bound: Any) -> MatMul[R]:  # type: ignore[override]
        if not isinstance(op, Semiring) or bound:
            if takes_one(op, bound):
                return self.resolved._over(op, *bound)
            raise self._refuse(op, f"A @ B takes a semiring, and nothing beside it, not {bound!r}")
        left, right = self.left, self.right
        if left._computed and right._computed:
            return MatMul(left, right, op)
        if isinstance(left, MatMulInfix):
            left = compute_inner(cast("Any", left)._over(op))
        if isinstance(right, MatMulInfix):
            right = compute_inner(cast("Any", right)._over(op))
        return MatMul(to_operand(left, "left of @"), to_operand(right, "right of @"), op)


class EwiseInfix(Infix[R], Pairs[R]):
    """A | B or A & B before its operator is known."""

    hint = "binary.plus(A | B)"

    def __init__(self, left: Any, right: Any, union: bool) -> None:
        self.left, self.right, self.union = left, right, union
        if are_computed(left, right) and left.shape == right.shape:
            return
        for side in (left, right):
            if isinstance(side, EwiseInfix) and side.union is not union:
                raise DomainMismatch(
                    f"A | B and A & B in one expression: give the inner one an operator first, as in {self.hint}"
                )
        require_alike(left, right, "|" if union else "&")

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def shape(self) -> Shape:
        return max(getattr(self.left, "shape", ()), getattr(self.right, "shape", ()), key=len)

    @property
    def engine(self) -> Any:
        return super().engine if self.shape else None

    @property
    def _sources(self) -> tuple[Any, ...]:
        return tuple(s for side in (self.left, self.right) for s in getattr(side, "_sources", (side,)))

    @property
    def resolved(self) -> Any:
        if not is_truth(self):
            raise DomainMismatch(
                "Bad dtype: A | B and A & B without an operator are only valid for BOOL: give them one, "
                f"as in {self.hint}"
            )
        return self._over(binary.lor if self.union else binary.land)

    def _cast(self, dtype: DType) -> Any:
        left, right = (side._cast(dtype) if isinstance(side, Expr) else side for side in (self.left, self.right))
        both: EwiseInfix[R] = EwiseInfix(left, right, self.union)
        return both

    def _over(self, op: BinaryOp | Monoid, *bound: Any) -> Expr[R]:  # type: ignore[override]
        left, right = self.left, self.right
        if op.__class__ is BinaryOp and not bound and are_computed(left, right) and left.rank == right.rank > 0:
            both: Ewise[Any] = Ewise(left, right, op, self.union)  # type: ignore[arg-type]
            return both
        if takes_one(op, bound) and is_truth(self):
            return self.resolved._over(op, *bound)
        op = op.op if isinstance(op, Monoid) else op
        if (
            not isinstance(op, BinaryOp)
            or len(bound) not in ((0, 2) if self.union else (0,))
            or (bound and any(b is None for b in bound))
        ):
            raise self._refuse(
                op,
                "A | B and A & B take a binary operator (Bad dtype), and A | B both left_default= and right_default= "
                "or neither",
            )
        if isinstance(left, EwiseInfix):
            left = compute_inner(cast("Any", left)._over(op, *bound))
        if isinstance(right, EwiseInfix):
            right = compute_inner(cast("Any", right)._over(op, *bound))
        if not getattr(left, "rank", 0):  # then the other is no more than one value, either
            return combine_scalars(left, right, op, self.union, bound)
        return ewise(to_operand(left, "left"), to_operand(right, "right"), op, self.union, bound)


def are_computed(left: Any, right: Any) -> bool:
    """Whether both are operands as they are."""
    return getattr(left, "_computed", False) and getattr(right, "_computed", False)


def compute_inner(e: Any) -> Any:
    """Compute an operand that got the operator of the whole; in the body of a loop it stays an expression."""
    return e if is_recording() else e.new()


def takes_one(op: Any, bound: tuple[Any, ...]) -> bool:
    """Whether an operator takes one expression as its operand, beside a number perhaps."""
    return isinstance(op, (UnaryOp, IndexUnaryOp)) or (isinstance(op, BinaryOp) and len(bound) == 1)


def is_truth(side: Any) -> bool:
    """Whether all operands of an expression without an operator are BOOL."""
    if isinstance(side, EwiseInfix):
        return is_truth(side.left) and is_truth(side.right)
    return isinstance(side, bool) or getattr(side, "dtype", None) == BOOL


def require_alike(left: Any, right: Any, sign: str) -> None:
    """Refuse operands of which one is a number and the other has entries, and what is no operand."""
    if getattr(left, "rank", 0) and getattr(right, "rank", 0) and left.shape == right.shape:
        return
    ranks = [side.rank if isinstance(side, Expr) else 0 if is_number(side) else None for side in (left, right)]
    if None in ranks or (0 in ranks and ranks != [0, 0]):
        raise DomainMismatch(
            f"Bad type for argument of {sign}: {show(left)} and {show(right)}. Literal scalars "
            "also stand beside scalars only; for a number and entries write binary.plus(A, 2), or A + 2"
        )
    if ranks == [1, 2] or ranks == [2, 1]:
        wide, line = (right.shape[0], left.shape[0]) if ranks == [1, 2] else (left.shape[1], right.shape[0])
        if wide != line:
            raise DimensionMismatch(f"A {sign} B: shapes {left.shape} and {right.shape} do not fit")
    elif ranks[0] and left.shape != right.shape:
        raise DimensionMismatch(f"A {sign} B: shapes {left.shape} and {right.shape} differ")


def is_number(value: Any) -> bool:
    """Whether `value` is a number of Python or NumPy."""
    return isinstance(value, (bool, int, float, complex)) or getattr(value, "shape", None) == ()


def ewise(left: Any, right: Any, op: Any, union: bool, fills: tuple[Any, ...]) -> Ewise[Any]:
    """The union or the intersection of two operands; a vector is spread over the rows or columns of a matrix."""
    left, right = align(left, right, union)
    if not fills:
        return Ewise(left, right, op, union)
    held = to_number(fills[0], op), to_number(fills[1], op)
    return Ewise(widen_for_fill(left, held[0]), widen_for_fill(right, held[1]), op, True, held)


def combine_scalars(left: Any, right: Any, op: Any, union: bool, fills: tuple[Any, ...]) -> Any:
    """op of two Scalars; in a union the default, or the other one, stands for one that is empty."""
    held: Any = [Expr._containers[0]._wrap(side) for side in (left, right)]
    if union and held[0].is_empty != held[1].is_empty:
        if not fills:
            return (held[1] if held[0].is_empty else held[0]).dup(op.result_type(held[0].dtype, held[1].dtype))
        held = [default if side.is_empty else side for side, default in zip(held, to_defaults(fills), strict=True)]
    elif union and fills:
        to_defaults(fills)
    return op(*held)


def to_defaults(fills: tuple[Any, ...]) -> list[Any]:
    """The defaults of a union as Scalars; an empty one stands for nothing and is refused."""
    held: list[Any] = [Expr._containers[0]._wrap(fill) for fill in fills]
    for each in held:
        each._require_value()
    return held


Expr._matmul_infix, Expr._ewise_infix = MatMulInfix, EwiseInfix
