"""Two operands that wait for an operator: ``A @ B`` for a semiring, ``A | B`` and ``A & B`` for a binary operator."""

# pyright: reportPrivateUsage=false, reportUnnecessaryIsInstance=false
from __future__ import annotations

from typing import Any, ClassVar, Generic, Never, TypeVar

from graphla.errors import NotSupported
from graphla.language.expr import Expr, Shape
from graphla.language.lazy import Pair
from graphla.language.products import Ewise, MatMul
from graphla.language.scalars import to_number, widen_for_fill
from graphla.storage.frozen import quick
from semirings import BinaryOp, Monoid, Semiring
from semirings.dtypes import DType

K = TypeVar("K")
"""The container that the expression with its operator is computed into."""


class Infix(Pair[Never], Generic[K]):
    """Two operands that wait for an operator: to a type checker no expression of a container yet."""

    hint: ClassVar[str]

    def __repr__(self) -> str:
        return f"two operands without an operator: give it one, as in {self.hint}"

    @property
    def shape(self) -> Shape:
        raise NotSupported(f"an expression without an operator has no shape: give it one, as in {self.hint}")

    @property
    def dtype(self) -> DType:
        raise NotSupported(f"an expression without an operator has no dtype: give it one, as in {self.hint}")

    def _as_operand(self, where: str) -> Never:
        raise NotSupported(f"{where}: this product or union has no operator yet: give it one, as in {self.hint}")

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None) -> Never:
        raise NotSupported(f"an expression without an operator cannot be computed: {self.hint}")


@quick(repr=False)
class MatMulInfix(Infix[K]):
    """A @ B before its semiring is known."""

    left: Any
    right: Any
    hint = "min_plus(A @ B)"

    def _over(self, op: Semiring, *bound: Any) -> MatMul[K]:  # type: ignore[override]
        if not isinstance(op, Semiring) or bound:
            raise NotSupported(f"A @ B wants a semiring, and {op.name} is none: try {self.hint}")
        return MatMul(self.left, self.right, op)


@quick(repr=False)
class EwiseInfix(Infix[K]):
    """A | B or A & B before its operator is known."""

    left: Any
    right: Any
    union: bool
    hint = "binary.plus(A | B)"

    def _over(self, op: BinaryOp | Monoid, *bound: Any) -> Ewise[K]:  # type: ignore[override]
        op = op.op if isinstance(op, Monoid) else op
        if len(bound) not in ((0, 2) if self.union else (0,)) or not isinstance(op, BinaryOp):
            raise NotSupported(
                f"A | B and A & B want a binary operator, and the union both defaults or none, not {op.name} with "
                f"{bound!r}: {self.hint} or binary.minus(A | B, 0, 0)"
            )
        if not bound:
            return Ewise(self.left, self.right, op, self.union)
        fills = to_number(bound[0], op), to_number(bound[1], op)
        return Ewise(widen_for_fill(self.left, fills[0]), widen_for_fill(self.right, fills[1]), op, True, fills)


Expr._matmul_infix, Expr._ewise_infix = MatMulInfix, EwiseInfix
