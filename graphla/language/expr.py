"""What is asked: expressions over matrices and vectors, before anything is computed.

`Expr` owns the operators (``@ | & .T``); `Matrix`, `Vector` and `Scalar` are its leaves. An operator of `semirings`
called on an expression says ``expression._over(operator)``, and that is all the algebra and the engine know of each
other. An expression is computed by ``out(mask, accum, replace) << expression`` or by ``expression.new()``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from graphla.errors import DimensionMismatch, DomainMismatch, NotSupported
from graphla.language.arithmetic import Arithmetic
from graphla.language.describe import described, page
from graphla.language.operands import Operator, common_engine, typed
from graphla.language.scalars import beside_thunk, bound_dtype, holds, number, operand_number, scalar_dtype
from graphla.storage.frozen import quick
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.dtypes import BOOL, DType, unify

Shape = tuple[int, ...]


class Expr(Arithmetic):
    """Anything with a shape and a dtype that can stand in an expression."""

    _containers: ClassVar[dict[int, Any]] = {}
    __array_ufunc__ = None  # NumPy must not take `array @ expr` apart
    shape: Shape
    dtype: DType
    engine: Any
    """Where the operands live; None of numbers."""

    @property
    def rank(self) -> int:  # type: ignore[override]
        return len(self.shape)

    def __matmul__(self, other: Any) -> MatMulInfix:
        return MatMulInfix(operand(self, "left of @"), operand(other, "right of @"))

    def __or__(self, other: Any) -> EwiseInfix:
        return EwiseInfix(operand(self, "left of |"), operand(other, "right of |"), True)

    def __and__(self, other: Any) -> EwiseInfix:
        return EwiseInfix(operand(self, "left of &"), operand(other, "right of &"), False)

    def _over(self, op: Operator, *bound: Any) -> Expr:
        """Apply `op` to each entry; `bound` is the second operand, or the thunk of an index-unary operator."""
        if isinstance(op, UnaryOp):
            return Apply(operand(self, op.name), op, *_at_most(op, bound, 0))
        if isinstance(op, IndexUnaryOp):
            return Apply(operand(self, op.name), op, *_at_most(op, bound, 1))
        if isinstance(op, Monoid):
            op = op.op
        if isinstance(op, BinaryOp) and len(bound) == 1:
            return Apply(operand(self, op.name), op, operand_number(bound[0], op))
        raise NotSupported(
            f"{op.name} needs two operands: {op.name}(A & B), {op.name}(A | B) or {op.name}(A, scalar)"
            if isinstance(op, BinaryOp)
            else f"{op.name} is a semiring: call it on a product, {op.name}(A @ B)"
        )

    def _over_left(self, op: Operator, bound: Any) -> Expr:
        """Apply a binary operator with a scalar on its left: ``binary.minus(1, v)``."""
        op = op.op if isinstance(op, Monoid) else op
        if not isinstance(op, BinaryOp):
            raise NotSupported(f"{op.name} is no binary operator, and takes no scalar on its left")
        return Apply(operand(self, op.name), op, operand_number(bound, op), True)

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None) -> Any:
        """Compute into a new container."""
        return self._containers[self.rank]._compute(self, dtype, mask, name)

    def __repr__(self) -> str:
        return described(self)

    def _repr_html_(self) -> str:
        return page(self)

    def explain(self) -> str:
        """How this would be computed: the plan, the facts that decided and the predicted bytes, one a line."""
        return self._containers[self.rank]._explain(self)

    def estimate(self) -> int:
        """Bytes that computing this needs beyond its operands, before anything is launched."""
        return self._containers[self.rank]._estimate(self)


def _at_most(op: UnaryOp | IndexUnaryOp, bound: tuple[Any, ...], most: int) -> tuple[Any, ...]:
    if len(bound) <= most:
        return bound or (0,) * most
    raise NotSupported(f"{op.name} takes {most} bound values, and {len(bound)} were given: {bound!r}")


def operand(value: Any, where: str) -> Any:
    """A container or a transposed matrix to compute with; an expression is computed first."""
    if isinstance(value, (Leaf, Transposed)):  # a tuple: a union would be made anew each time
        return value
    if not isinstance(value, Expr):
        raise DomainMismatch(f"{where}: {value!r} is no matrix, vector or expression of graphla")
    if isinstance(value, Infix):
        raise NotSupported(f"{where}: this product or union has no operator yet: give it one, as in {value.hint}")
    return value.new()


class Leaf(Expr):
    """A container: what the user holds."""


class Over(Expr):
    """An expression over one operand."""

    of: Any

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        return self.of.shape

    @property
    def engine(self) -> Any:  # type: ignore[override]
        return self.of.engine


class Pair(Expr):
    """An expression over two operands."""

    left: Any
    right: Any

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        return self.left.shape

    @property
    def engine(self) -> Any:  # type: ignore[override]
        one, other = self.left.engine, self.right.engine
        return one if one is other else common_engine(one, other)


@dataclass(frozen=True, eq=False, repr=False)
class Transposed(Over):
    """A.T: the same storage, read the other way round."""

    of: Any
    rank: ClassVar[int] = 2  # type: ignore[override]

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        return self.of.shape[::-1]

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        return self.of.dtype

    @property
    def T(self) -> Any:
        return self.of

    @property
    def nvals(self) -> int:
        return self.of.nvals


class Infix(Pair):
    """Two operands that wait for an operator."""

    hint: ClassVar[str]

    def __repr__(self) -> str:
        return f"two operands without an operator: give it one, as in {self.hint}"

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        raise NotSupported(f"an expression without an operator has no shape: give it one, as in {self.hint}")

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        raise NotSupported(f"an expression without an operator has no dtype: give it one, as in {self.hint}")

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None) -> Any:
        raise NotSupported(f"an expression without an operator cannot be computed: {self.hint}")


@quick(repr=False)
class MatMulInfix(Infix):
    """A @ B before its semiring is known."""

    left: Any
    right: Any
    hint = "min_plus(A @ B)"

    def _over(self, op: Operator, *bound: Any) -> MatMul:
        if not isinstance(op, Semiring) or bound:
            raise NotSupported(f"A @ B wants a semiring, and {op.name} is none: try {self.hint}")
        return MatMul(self.left, self.right, op)


@quick(repr=False)
class EwiseInfix(Infix):
    """A | B or A & B before its operator is known."""

    left: Any
    right: Any
    union: bool
    hint = "binary.plus(A | B)"

    def _over(self, op: Operator, *bound: Any) -> Ewise:
        op = op.op if isinstance(op, Monoid) else op
        if len(bound) not in ((0, 2) if self.union else (0,)) or not isinstance(op, BinaryOp):
            raise NotSupported(
                f"A | B and A & B want a binary operator, and the union both defaults or none, not {op.name} with "
                f"{bound!r}: {self.hint} or binary.minus(A | B, 0, 0)"
            )
        if not bound:
            return Ewise(self.left, self.right, op, self.union)
        fills = number(bound[0], op), number(bound[1], op)
        return Ewise(holds(self.left, fills[0]), holds(self.right, fills[1]), op, True, fills)


@quick(repr=False)
class MatMul(Pair):
    """⊕.⊗ over matrices and vectors: C[i, j] = ⊕_k A[i, k] ⊗ B[k, j]."""

    left: Any
    right: Any
    semiring: Semiring

    def __post_init__(self) -> None:
        self.require_fit()
        self.__dict__["dtype"] = typed(self.semiring, self.left.dtype, self.right.dtype)

    def require_fit(self) -> None:
        """Refuse operands that do not fit; asked again before they are multiplied, for they may have been resized."""
        left, right = self.left.shape, self.right.shape
        if left[-1] != right[0]:
            raise DimensionMismatch(
                f"{self.semiring.name}(A @ B): A has shape {left}, B has {right}; "
                f"the inner sizes {left[-1]} and {right[0]} differ"
            )

    @property
    def rank(self) -> int:  # type: ignore[override]
        return self.left.rank + self.right.rank - 2

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        return self.left.shape[:-1] + self.right.shape[1:]


@quick(repr=False)
class Ewise(Pair):
    """Entry by entry: the union or the intersection of two structures.

    With `fills`, an entry that only one side has meets the other side's fill value; without, it passes.
    """

    left: Any
    right: Any
    op: BinaryOp
    union: bool
    fills: tuple[Any, Any] | None = None

    def __post_init__(self) -> None:
        self.require_fit()
        if self.op.positional:
            raise NotSupported(f"{self.op.name} is positional and works inside a product only")
        left, right = self.left.dtype, self.right.dtype
        result = typed(self.op, left, right)
        passes = self.union and self.fills is None and result is not BOOL
        self.__dict__["dtype"] = unify(left, right, result) if passes else result

    def require_fit(self) -> None:
        """As for products."""
        left, right = self.left.shape, self.right.shape
        if left != right:
            raise DimensionMismatch(f"{self.op.name}: shapes {left} and {right} differ")


@quick(repr=False)
class Apply(Over):
    """op over each entry; a bound scalar stands right (or left) of a binary operator."""

    of: Any
    op: UnaryOp | BinaryOp | IndexUnaryOp
    bound: Any = None
    bound_left: bool = False

    def __post_init__(self) -> None:
        self.__dict__["dtype"] = typed(self.op, *self.operand_dtypes())

    def operand_dtypes(self) -> tuple[DType, ...]:
        """Of the entries, and of what is bound beside them."""
        dtype = self.of.dtype
        if isinstance(self.op, UnaryOp):
            return (dtype,)
        if isinstance(self.op, IndexUnaryOp):
            return dtype, scalar_dtype(self.bound, beside_thunk(self.op, dtype))
        bound = bound_dtype(self.bound, dtype)
        return (bound, dtype) if self.bound_left else (dtype, bound)
