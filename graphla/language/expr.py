"""Expressions over matrices and vectors, before anything is computed.

`Expr` has the operators of Python; `Matrix`, `Vector` and `Scalar` are its leaves. An operator of `semirings` called
on an expression calls ``expression._over(operator)``, and that is all the algebra and the engine know of each other.
An expression is computed by ``out(mask, accum, replace) << expression`` or by ``expression.new()``.

``A + B`` is a union, ``A * B`` and ``A < B`` are intersections; ``A - B`` is a union in which an absent entry counts
as 0. A scalar may stand on either side.
"""

# pyright: reportPrivateUsage=false, reportUnnecessaryIsInstance=false
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeGuard, cast, overload

from graphla.common.arguments import show
from graphla.common.config import config
from graphla.common.errors import DomainMismatch, InvalidOption
from graphla.common.typing import DTypeLike, Number, Place
from graphla.language.describe import describe, render_html
from graphla.language.kinds import AMatrix, AnyMatrix, AnyVector, AScalar, AVector, IsMatrix, IsScalar, IsVector, R
from graphla.language.masks import MaskView
from graphla.language.recording import is_recording
from graphla.language.scalars import to_operand_number, to_thunk
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp, binary, unary
from semirings.dtypes import BOOL, DType

if TYPE_CHECKING:
    from graphla.language.reading import Readable
else:
    Readable = Generic

Shape: TypeAlias = tuple[int, ...]
ScalarLike: TypeAlias = "Number | Expr[IsScalar]"
Entrywise: TypeAlias = UnaryOp | BinaryOp | IndexUnaryOp | Monoid
"""Operators that can be applied to each entry."""


@cache
def make_cast(dtype: DType) -> UnaryOp:
    """Return the operator that converts entries to `dtype`."""
    return replace(unary.identity, result=dtype)


class Expr(Readable[R]):
    """Anything with a shape and a dtype that can stand in an expression."""

    _matmul_infix: ClassVar[Callable[..., Any]]
    _ewise_infix: ClassVar[Callable[..., Any]]
    _apply: ClassVar[Callable[..., Any]]
    _combine_values: ClassVar[Callable[..., Any]]
    """Expressions that the operators below build; the modules that define them set these."""
    _containers: ClassVar[dict[int, Any]] = {}
    """The class of a result by its rank: `Scalar`, `Vector`, `Matrix`."""
    _computed: ClassVar[bool] = False
    """Whether this can be an operand without being computed: a container, or the transpose of one."""
    __array_ufunc__ = None  # NumPy must not take `array @ expr` apart
    __hash__ = object.__hash__
    if TYPE_CHECKING:  # what every expression has; at run time some have it as an attribute

        @property
        def shape(self) -> Shape: ...

        @property
        def dtype(self) -> DType: ...

        @property
        def engine(self) -> Place | None:
            """Where the operands live; None of numbers."""

    @property
    def rank(self) -> int:
        """0 of a scalar, 1 of a vector, 2 of a matrix."""
        return len(self.shape)

    @property
    def ndim(self) -> int:
        """0 of a scalar, 1 of a vector, 2 of a matrix."""
        return self.rank

    @overload
    def __matmul__(self: Expr[AMatrix], other: Expr[AMatrix]) -> Products[AMatrix]: ...

    @overload
    def __matmul__(self: Expr[IsMatrix[AVector, Any]], other: Expr[AVector]) -> Products[AVector]: ...

    @overload
    def __matmul__(self: Expr[AVector], other: Expr[AnyMatrix]) -> Products[AVector]: ...

    @overload
    def __matmul__(self: Expr[IsVector[Any, AScalar]], other: Expr[AnyVector]) -> Products[AScalar]: ...

    def __matmul__(self, other: Expr[Any]) -> Products[Any]:
        return self._matmul_infix(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return self._matmul_infix(other, self)

    def __or__(self, other: Expr[R] | ScalarLike) -> Pairs[R]:
        if hasattr(other, "complement"):
            return NotImplemented  # of a container and a mask the mask makes a mask
        return self._ewise_infix(self, other, True)

    def __ror__(self, other: ScalarLike) -> Pairs[R]:
        return self._ewise_infix(other, self, True)

    def __and__(self, other: Expr[R] | ScalarLike) -> Pairs[R]:
        if hasattr(other, "complement"):
            return NotImplemented
        return self._ewise_infix(self, other, False)

    def __rand__(self, other: ScalarLike) -> Pairs[R]:
        return self._ewise_infix(other, self, False)

    def _over(self, op: Entrywise, *bound: Any) -> Expr[R]:
        """Apply `op` to each entry; `bound` is the second operand, or the thunk of an index-unary operator."""
        if not self.rank:
            return self._combine(op, self, *bound) if is_recording() else self._value._over(op, *bound)
        if isinstance(op, UnaryOp):
            return self._apply(to_operand(self, op.name), op, *_require_at_most(op, bound, 0))
        if isinstance(op, IndexUnaryOp):
            return self._apply(
                to_operand(self, op.name), op, *(to_thunk(b, op) for b in _require_at_most(op, bound, 1))
            )
        if isinstance(op, Monoid):
            op = op.op
        if isinstance(op, BinaryOp) and len(bound) == 1:
            return self._apply(to_operand(self, op.name), op, to_operand_number(bound[0], op))
        raise DomainMismatch(
            f"Bad type when calling {op!r}: it takes two operands, as in {op.name}(A & B), {op.name}(A | B) or "
            f"{op.name}(A, 2)"
            if isinstance(op, BinaryOp)
            else f"Bad types when calling {op!r}, or Bad type when calling {op!r}: a semiring is called on a product, "
            f"{op.name}(A @ B)"
        )

    def _over_left(self, op: BinaryOp | Monoid, bound: Any) -> Expr[R]:
        """Apply a binary operator with a scalar on its left: ``binary.minus(1, v)``."""
        if not self.rank:
            return self._combine(op, bound, self) if is_recording() else self._value._over_left(op, bound)
        op = op.op if isinstance(op, Monoid) else op
        if not isinstance(op, BinaryOp):
            raise DomainMismatch(f"__call__: {op!r} is no binary operator, and takes no number on its left")
        return self._apply(to_operand(self, op.name), op, to_operand_number(bound, op), True)

    def _combine(self, op: Any, *operands: Any) -> Any:
        """op of values, in the body of a loop."""
        return self._combine_values(op, operands)

    def new(
        self, dtype: DTypeLike | None = None, *, mask: MaskView | None = None, name: str | None = None, **how: Any
    ) -> R:
        """Compute the expression into a new container.

        Parameters
        ----------
        dtype : dtype, optional
            The dtype of the result; by default the one that follows.
        mask : mask, optional
            ``v.S`` or ``v.V`` of a container of this shape, or ``~`` of one: only entries that it allows are
            computed.
        name : str, optional
            A name for messages.
        **how
            ``is_cscalar`` of a Scalar, and nothing else.

        Returns
        -------
        Matrix, Vector or Scalar
            The result, on the engine of the operands.

        Raises
        ------
        OutOfMemory
            If the result does not fit in memory.
        InvalidOption
            If there is an option that it does not have, or a mask of an expression of one value.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> (v + v).new().to_dict()
        {0: 10, 2: 14}
        """
        if how and (self.rank or set(how) != {"is_cscalar"}):
            kind = NoPart if self._computed else InvalidOption
            raise kind(f"{', '.join(how)}: no such option, or descriptor, of the .new() of {type(self).__name__}")
        return self._containers[self.rank]._compute(self, dtype, mask, name, **how)

    def _cast(self, dtype: DType) -> Any:
        """This with entries of `dtype`, for an operator that is bound to it; in the body of a loop an expression."""
        if self.dtype == dtype:
            return self
        return make_cast(dtype)(self) if is_recording() else self.new(dtype)

    def _as_operand(self, where: str) -> Any:
        """Compute the value of this expression, as an operand of another one."""
        return self._value

    @property
    def _value(self) -> Any:
        """The value of this expression: computed when it is first read, and again once an operand has changed.

        Raises
        ------
        DomainMismatch
            If the user has set `config.autocompute` to False.
        """
        sources, (known, value) = self._sources, self.__dict__.get("_last_value", (None, None))
        if not config.autocompute and not self._computed:
            raise DomainMismatch(
                "Automatic computation is not enabled: an expression is read, or is an operand, before it is computed, "
                "and config.autocompute is False. Call .new(), or enable automatic computation with "
                "gl.config.set(autocompute=True) to automatically compute it"
            )
        if known is None or any(now is not before for now, before in zip(sources, known, strict=True)):
            value = self.new()
            self.__dict__["_last_value"] = self._sources, value
        return value

    @property
    def _sources(self) -> tuple[Any, ...]:
        """What the operands hold now; an operand that changes holds something else."""
        return ()

    @property
    def _resolved(self) -> Any:
        """This expression, with its default operator if it waits for one."""
        return self

    def __getitem__(self, index: Any) -> Any:
        return replace(self._value[index], of_expression=True)

    def __iter__(self) -> Any:
        self._require_entries("iterated over")
        return iter(self._value)

    def __contains__(self, index: Any) -> bool:
        self._require_entries("searched")
        return index in self._value

    def __len__(self) -> int:
        if self.rank != 1:
            raise DomainMismatch("only a vector has a length: ask a matrix for its .shape")
        return self.shape[0]

    def __int__(self: Expr[IsScalar]) -> int:
        return int(self._to_single("an int"))

    def __float__(self: Expr[IsScalar]) -> float:
        return float(self._to_single("a float"))

    def __complex__(self: Expr[IsScalar]) -> complex:
        return complex(self._to_single("a complex number"))

    def __index__(self: Expr[IsScalar]) -> int:
        return self._to_single("an index").__index__()

    def _to_single(self, what: str) -> Any:
        """The value of an expression of one value, as a `Scalar`."""
        if self.rank:
            raise DomainMismatch(f"an expression of shape {self.shape} is not {what}: reduce it, or take one entry")
        return self._value

    def _require_entries(self, what: str) -> None:
        if not self.rank:
            raise DomainMismatch(f"an expression of one value cannot be {what}: read it as .value")

    def __repr__(self) -> str:
        return describe(self)

    def _repr_html_(self) -> str:
        return render_html(self)

    def explain(self) -> str:
        """Say how the expression would be computed, without computing it.

        Returns
        -------
        str
            The plan, the facts that decided and the predicted bytes, one per line.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> "bytes" in (v + v).explain()
        True
        """
        return self._containers[self.rank]._explain(self)

    def estimate(self) -> int:
        """Predict the memory that computing the expression needs.

        Returns
        -------
        int
            Bytes beyond the operands.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> (v + v).estimate() > 0
        True
        """
        return self._containers[self.rank]._estimate(self)

    def __add__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return unite(binary.plus, self, other)

    def __radd__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return unite(binary.plus, other, self)

    def __sub__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return unite(binary.minus, self, other, 0, 0)

    def __rsub__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return unite(binary.minus, other, self, 0, 0)

    def __mul__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.times, self, other)

    def __rmul__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.times, other, self)

    def __truediv__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.truediv, self, other)

    def __rtruediv__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.truediv, other, self)

    def __floordiv__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.floordiv, self, other)

    def __rfloordiv__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.floordiv, other, self)

    def __mod__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.mod, self, other)

    def __rmod__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.mod, other, self)

    def __pow__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.pow, self, other)

    def __rpow__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.pow, other, self)

    def __rxor__(self, other: ScalarLike) -> Expr[R]:
        return exclusive_or(self, other)

    def __divmod__(self, other: Expr[R] | ScalarLike) -> tuple[Expr[R], Expr[R]]:
        return self // other, self % other

    def __rdivmod__(self, other: ScalarLike) -> tuple[Expr[R], Expr[R]]:
        return other // self, other % self

    def __xor__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return exclusive_or(self, other)

    def __eq__(self, other: Expr[R] | ScalarLike) -> Expr[R]:  # type: ignore[override]
        return intersect(binary.eq, self, other)

    def __ne__(self, other: Expr[R] | ScalarLike) -> Expr[R]:  # type: ignore[override]
        return intersect(binary.ne, self, other)

    def __lt__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.lt, self, other)

    def __le__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.le, self, other)

    def __gt__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.gt, self, other)

    def __ge__(self, other: Expr[R] | ScalarLike) -> Expr[R]:
        return intersect(binary.ge, self, other)

    def __abs__(self) -> Expr[R]:
        return self._over(unary.abs)

    def __neg__(self) -> Expr[R]:
        return self._over(unary.ainv)

    def __invert__(self) -> Expr[R]:
        if self.dtype != BOOL:
            raise DomainMismatch(
                f"The invert operator, ~, takes BOOL, not {self.dtype}: say what is meant, as in unary.bnot(v); "
                "a mask is ~v.S"
            )
        return self._over(unary.lnot)

    def __bool__(self) -> bool:
        if not self.rank:
            return bool(self._value)
        raise DomainMismatch(
            "__bool__ is not defined for an expression, which is neither true nor false: compare with "
            ".isequal(other), or ask .nvals for entries"
        )


class Products(Expr[R]):
    """A @ B, which waits for a semiring: to a type checker no expression of a container yet."""

    if TYPE_CHECKING:

        def _over(self, op: Semiring, *bound: Any) -> Product[R]: ...  # type: ignore[override]


class Pairs(Expr[R]):
    """A | B or A & B, which waits for a binary operator."""

    if TYPE_CHECKING:

        def _over(self, op: BinaryOp | Monoid, *bound: Any) -> Expr[R]: ...  # type: ignore[override]


class Product(Expr[R]):
    """A product; one of two matrices takes a mask."""

    if TYPE_CHECKING:

        def mask(self: Product[AMatrix], mask: MaskView) -> Expr[AMatrix]: ...


class NoPart(InvalidOption, AttributeError):
    """An option of the ``.new()`` of a part, asked of a container: in python-graphblas those have no ``new``."""


def _require_at_most(op: UnaryOp | IndexUnaryOp, bound: tuple[Any, ...], most: int) -> tuple[Any, ...]:
    if len(bound) <= most:
        return bound or (0,) * most
    raise DomainMismatch(f"__call__: {op!r} takes {most} numbers beside its operand, not {len(bound)}: {bound!r}")


def to_operand(value: Any, where: str) -> Any:
    """A container or a transposed matrix to compute with; an expression is computed first."""
    e: Any = value
    if not isinstance(value, Expr):
        raise DomainMismatch(f"{where}: {show(value)} is no matrix, vector or expression of graphla")
    if e._computed:
        return e
    return e._resolved if is_recording() and config.autocompute else e._as_operand(where)


def require_entries(value: Any, where: str) -> Any:
    """A matrix or a vector to compute with; an expression of one value is refused."""
    if is_expression(value) and not value.rank:
        raise DomainMismatch(f"{where}: {show(value)} is one value: give a matrix, a vector or an expression of one")
    return to_operand(value, where)


def is_expression(value: Any) -> TypeGuard[Expr[Any]]:
    """Whether `value` is an expression or a container."""
    return isinstance(value, Expr)


def is_operand(value: Any) -> TypeGuard[Expr[Any]]:
    """Whether `value` is a container or a transposed matrix, which need not be computed first."""
    return isinstance(value, Expr) and value._computed


def list_leaves(value: Any) -> Iterator[Any]:
    """The matrices, vectors and Scalars that an expression is made of."""
    if isinstance(value, tuple):
        for part in cast("tuple[Any, ...]", value):
            yield from list_leaves(part)
    elif isinstance(value, Expr):
        e = cast("Any", value)
        parts = getattr(e, "__dataclass_fields__", None)
        yield from [e] if parts is None else list_leaves(tuple(getattr(e, name) for name in parts))


def has_entries(value: Any) -> bool:
    """Whether `value` is a matrix, a vector or an expression of one; a number or a Scalar is not."""
    return isinstance(value, Expr) and bool(cast("Any", value).rank)


def intersect(op: BinaryOp, x: Any, y: Any) -> Any:
    """Combine two structures where both have an entry, or a structure with a scalar."""
    if has_entries(x) and has_entries(y):
        return (to_operand(x, op.name) & to_operand(y, op.name))._over(op)
    return x._over(op, y) if has_entries(x) or not is_expression(y) else y._over_left(op, x)


def unite(op: BinaryOp, x: Any, y: Any, *fills: Any) -> Any:
    """Combine two structures over their union, or a structure with a scalar."""
    if has_entries(x) and has_entries(y):
        return (to_operand(x, op.name) | to_operand(y, op.name))._over(op, *fills)
    return intersect(op, x, y)


def exclusive_or(x: Any, y: Any) -> Any:
    """Exactly one of the two, over the union of two BOOL structures."""
    for side in (x, y):
        kind = getattr(side, "dtype", type(side).__name__)
        if kind not in (BOOL, "bool"):
            raise DomainMismatch(
                f"^ is only supported for BOOL on both sides, not {kind}: say what is meant, as in binary.bxor(A | B)"
            )
    return unite(binary.lxor, x, y)
