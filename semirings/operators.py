"""The records of the algebra: operators, monoids and semirings.

All are frozen and know no arrays. Called on an expression of arrays they hand themselves over:
``min_plus(A @ x)`` is ``(A @ x)._over(min_plus)``.
"""

# pyright: reportUnnecessaryIsInstance=false
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, Protocol, SupportsComplex, SupportsFloat, SupportsIndex, TypeVar, cast, overload

from semirings.dtypes import ALL, INT64, DType, Number, lookup, unify
from semirings.errors import DomainError
from semirings.expression import Expression, list_read_symbols
from semirings.properties import Properties, TypedOperator
from semirings.registry import find, is_registered
from semirings.typed import cast_number, result_type

__all__ = [
    "BinaryOp",
    "Constant",
    "IndexUnaryOp",
    "Monoid",
    "Operator",
    "ScalarOp",
    "Semiring",
    "TypedOperator",
    "UnaryOp",
]

Constant = Number | Callable[[DType], Number | None] | Mapping[Any, Number] | None
"""A value for each dtype: a number (an infinity is the end of the type), a function or a mapping."""

Result = DType | Callable[..., DType] | None
"""The type of a result, or what gives it for the types of the operands."""


Self_ = TypeVar("Self_", bound="Operator")
Op_contra = TypeVar("Op_contra", contravariant=True)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Scalar = SupportsFloat | SupportsIndex | SupportsComplex
"""A number of any library, or what can be read as one."""


class SupportsOver(Protocol[Op_contra, T_co]):
    """An expression that an operator of one sort can be called on."""

    def _over(self, op: Op_contra, /, *bound: Any) -> T_co:
        """The value of this expression over `op`."""
        ...


class SupportsOverLeft(Protocol[Op_contra, T_co]):
    """An expression that an operator can combine with a number on its left."""

    def _over_left(self, op: Op_contra, bound: Any, /) -> T_co:
        """The value of ``op(bound, expression)``."""
        ...


@dataclass(frozen=True, eq=False)
class Operator(Properties):
    """What all operators have: a name, and a call that hands the operator to its operand."""

    name: str
    _on_numbers: ClassVar[Callable[..., Any]]
    """What evaluates an operator on numbers; `semirings.python` sets it."""

    @overload
    def __call__(
        self: Self_,
        operand: SupportsOver[Self_, T],
        *args: Scalar,
        left_default: Scalar | None = None,
        right_default: Scalar | None = None,
        thunk: Scalar | None = None,
    ) -> T: ...

    @overload
    def __call__(self: Self_, operand: Scalar, expression: SupportsOverLeft[Self_, T], /) -> T: ...

    @overload
    def __call__(self, operand: Scalar, *args: Scalar) -> Number: ...

    def __call__(
        self, operand: Any, *args: Any, left_default: Any = None, right_default: Any = None, thunk: Any = None
    ) -> Any:
        """``operand._over(self, *args)``: the operand decides what it means.

        A number before the operand, ``minus(1, v)``, makes it ``v._over_left(self, 1)``.
        """
        if left_default is not None or right_default is not None:
            args = *args, left_default, right_default
        if thunk is not None:
            if self.sort != "indexunary":
                raise DomainError(f"{self!r} takes no thunk={thunk!r}; index-unary operators do")
            args = *args, thunk
        if hasattr(operand, "_over") and not isinstance(operand, type):
            return operand._over(self, *args)
        if len(args) == 1 and hasattr(args[0], "_over_left") and not isinstance(args[0], type):
            return args[0]._over_left(self, operand)
        return type(self)._on_numbers(self, operand, *args)

    def __repr__(self) -> str:
        return f"{self.sort}.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        if is_registered(self):
            return find, (self.sort, self.name)
        return type(self), tuple(getattr(self, each.name) for each in fields(self))


@dataclass(frozen=True, eq=False, repr=False)
class ScalarOp(Operator):
    """An operator with a body: a scalar expression over the symbols `parameters`.

    Attributes
    ----------
    name : str
        Its name in the namespace.
    body : Expression
        What it computes, as a scalar expression of its operands.
    result : DType, callable or None
        The type of the result, or a function of the types of the operands; None: it follows from the body.
    domain : tuple of DType
        The types of operands that are allowed.
    """

    body: Expression
    result: Result = None
    domain: tuple[DType, ...] = ALL
    parameters: ClassVar[tuple[str, ...]] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The parameters of the rendered function."""
        return self.parameters

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The parameters that stand for values; the others are positions."""
        return tuple(name for name in self.parameters if name not in ("i", "k", "j"))

    def symbol_types(self, *dtypes: object) -> dict[str, DType]:
        """The type of each symbol; positions are INT64.

        Parameters
        ----------
        *dtypes : dtype
            Of the operands.

        Returns
        -------
        dict
            The type of each parameter.

        Raises
        ------
        DomainError
            If there are more or fewer dtypes than operands.

        Examples
        --------
        >>> from semirings import unary
        >>> unary.abs.symbol_types("INT8")
        {'x': INT8}
        """
        given = [lookup(t) for t in dtypes]
        if len(given) != len(self.operands):
            raise DomainError(f"{self!r} takes a dtype for each of {list(self.operands)}, not {len(given)}")
        positions = {name: INT64 for name in self.parameters if name in ("i", "k", "j")}
        return {**dict(zip(self.operands, given, strict=True)), **positions}

    def result_type(self, *dtypes: object) -> DType:
        """The type of the result on operands of the given types.

        Parameters
        ----------
        *dtypes : dtype
            The types of the operands.

        Returns
        -------
        DType
            The type of the result.

        Raises
        ------
        DomainError
            If the operator has no meaning on them.

        Examples
        --------
        >>> from semirings import binary
        >>> binary.plus.result_type("INT32", "FP32"), binary.lt.result_type("INT8", "INT8")
        (FP64, BOOL)
        """
        types = self.symbol_types(*dtypes)
        values = [types[name] for name in self.operands]
        outside = [t for t in values if t not in self.domain]
        if outside:
            domain = ", ".join(t.name for t in self.domain)
            raise DomainError(f"{self!r} has no meaning on {outside[0]}; its domain is {domain}")
        try:
            inferred = result_type(self.body, types)
        except DomainError as error:
            raise DomainError(f"{self!r} on {', '.join(map(repr, types.values()))}: {error}") from None
        if callable(self.result):
            return lookup(self.result(*values))
        return self.result or inferred

    def reads(self, name: str) -> bool:
        """Whether the value depends on an operand.

        Parameters
        ----------
        name : str
            A symbol of the body, such as ``"x"``.

        Returns
        -------
        bool
            Whether the body holds it.

        Examples
        --------
        >>> from semirings import binary
        >>> binary.first.reads("x"), binary.first.reads("y")
        (True, False)
        """
        return isinstance(name, str) and name in self._symbols

    @cached_property
    def _symbols(self) -> list[str]:
        return list_read_symbols(self.body)


@dataclass(frozen=True, eq=False, repr=False)
class UnaryOp(ScalarOp):
    """A function of one value, ``x``.

    Attributes
    ----------
    name : str
        Its name in the namespace.
    body : Expression
        What it computes, as a scalar expression of its operands.
    result : DType, callable or None
        The type of the result, or a function of the types of the operands; None: it follows from the body.
    domain : tuple of DType
        The types of operands that are allowed.

    Examples
    --------
    >>> from semirings import unary
    >>> unary.abs, unary.abs.body
    (unary.abs, abs(x))
    """

    sort = "unary"
    parameters = ("x",)


@dataclass(frozen=True, eq=False, repr=False)
class BinaryOp(ScalarOp):
    """A function of two values, ``x`` and ``y``, or of their positions.

    In the product of ``A[i, k]`` and ``B[k, j]`` a positional operator reads ``i``, ``k`` and ``j`` instead
    of the values: ``firsti`` is ``i``, ``firstj`` and ``secondi`` are ``k``, ``secondj`` is ``j``.

    Attributes
    ----------
    name : str
        Its name in the namespace.
    body : Expression
        What it computes, as a scalar expression of its operands.
    result : DType, callable or None
        The type of the result, or a function of the types of the operands; None: it follows from the body.
    domain : tuple of DType
        The types of operands that are allowed.
    commutative, associative : bool
        Laws that hold on every type of the domain; `semirings.laws` checks them.
    positional : str or None
        Its name, if it reads positions.

    Examples
    --------
    >>> from semirings import binary
    >>> binary.plus.body, binary.plus.commutative
    (plus(x, y), True)
    """

    commutative: bool = False
    associative: bool = False
    positional: str | None = None
    sort = "binary"
    parameters = ("x", "y", "i", "k", "j")

    @property
    def arguments(self) -> tuple[str, ...]:
        """``x, y``, and ``i, k, j`` if the operator is positional."""
        return self.parameters if self.positional else self.parameters[:2]

    @property
    def reads_first(self) -> bool:
        """Whether the value depends on the first operand."""
        return self.reads("x")

    @property
    def reads_second(self) -> bool:
        """Whether the value depends on the second operand."""
        return self.reads("y")


@dataclass(frozen=True, eq=False, repr=False)
class IndexUnaryOp(ScalarOp):
    """A function of a value ``x``, its position ``i``, ``j`` and a parameter ``thunk``.

    Attributes
    ----------
    name : str
        Its name in the namespace.
    body : Expression
        What it computes, as a scalar expression of its operands.
    result : DType, callable or None
        The type of the result, or a function of the types of the operands; None: it follows from the body.
    domain : tuple of DType
        The types of operands that are allowed.

    Examples
    --------
    >>> from semirings import indexunary
    >>> indexunary.valuegt.body
    gt(x, thunk)
    """

    sort = "indexunary"
    parameters = ("x", "i", "j", "thunk")


@dataclass(frozen=True, eq=False, repr=False)
class Monoid(Operator):
    """An associative, commutative operator with an identity.

    Attributes
    ----------
    name : str
        Its name in the namespace.
    op : BinaryOp
        The operator.
    identity_of : Constant
        What adds nothing, for each type.
    terminals : Constant
        What absorbs everything, for each type; reductions stop there. None: there is none.
    domain : tuple of DType
        The types on which it is a monoid.
    is_any : bool
        Whether any operand may be taken for the result, so that every value is terminal and none is an
        identity. The operator of such a monoid takes the second.
    results : mapping of DType to DType
        The types that are cast before they are combined: truths are counted by ``plus``, and ``lor``
        combines the truths of numbers. Others are combined as they are.

    Examples
    --------
    >>> from semirings import monoid
    >>> monoid.min.op, monoid.min.identity("FP32"), monoid.min.terminal("INT8")
    (binary.min, inf, -128)
    """

    op: BinaryOp
    identity_of: Constant = None
    terminals: Constant = None
    domain: tuple[DType, ...] = ALL
    is_any: bool = False
    results: Mapping[DType, DType] = field(default_factory=dict[DType, DType])
    sort = "monoid"

    def result_type(self, *dtypes: object) -> DType:
        """The type in which values of the given types are combined: they are cast to it first.

        Parameters
        ----------
        *dtypes : dtype
            The types of the values.

        Returns
        -------
        DType
            The type of the result.

        Raises
        ------
        DomainError
            If it is no monoid there.

        Examples
        --------
        >>> from semirings import monoid
        >>> monoid.plus.result_type("BOOL"), monoid.plus.result_type("INT8", "INT16")
        (INT64, INT16)
        """
        common = unify(*(lookup(t) for t in dtypes))
        if common not in self.domain:
            domain = ", ".join(t.name for t in self.domain)
            raise DomainError(f"{self!r} is no monoid on {common}; its domain is {domain}")
        closed = self.results.get(common, common)
        if self.op.result_type(closed, closed) != closed:
            raise DomainError(f"{self!r} is no monoid on {closed}: {self.op!r} leaves the type")
        self.identity(closed)  # refused where there is none
        return closed

    def identity(self, dtype: object) -> Number:
        """The value that adds nothing.

        Parameters
        ----------
        dtype : dtype
            The type in which values are combined.

        Returns
        -------
        number
            A Python number that fits the type.

        Raises
        ------
        DomainError
            If there is none on this type.

        Examples
        --------
        >>> from semirings import monoid
        >>> monoid.min.identity("INT8"), monoid.times.identity("FP32")
        (127, 1.0)
        """
        t = lookup(dtype)
        value = _resolve(self.identity_of, t)
        if value is None:
            raise DomainError(f"{self!r} has no identity on {t}")
        return cast_number(value, t)

    @property
    def identities(self) -> dict[DType, Number]:
        """The identity on each type of operands: in the type in which these are combined."""
        return {t: self.identity(held) for t, held in self.types.items()}

    def terminal(self, dtype: object) -> Number | None:
        """The value that absorbs everything, where a reduction may stop.

        Parameters
        ----------
        dtype : dtype
            The type in which values are combined.

        Returns
        -------
        number or None
            A Python number that fits the type; None if there is none.

        Examples
        --------
        >>> from semirings import monoid
        >>> monoid.land.terminal("BOOL"), monoid.plus.terminal("FP64")
        (False, None)
        """
        t = lookup(dtype)
        value = _resolve(self.terminals, t)
        return None if value is None else cast_number(value, t)


@dataclass(frozen=True, eq=False, repr=False)
class Semiring(Operator):
    """A monoid that adds and a binary operator that multiplies.

    As in GraphBLAS the two need not obey the laws that algebra asks of a semiring; which of them hold on
    every type is stated, and `semirings.laws` checks the statement.

    Attributes
    ----------
    name : str
        Its name in the namespace.
    add : Monoid
        The addition.
    multiply : BinaryOp
        The multiplication.
    annihilates : bool
        Whether the identity of the addition, multiplied from either side, gives itself in the type of the
        result. Where it holds, an absent entry may be stored as that identity, unless infinite operands give
        NaN (``0 * inf``). Never so for `any`, which has none.
    distributes : bool
        Whether the multiplication distributes over the addition from both sides.

    Examples
    --------
    >>> from semirings import plus_times
    >>> plus_times.add, plus_times.multiply, plus_times.distributes
    (monoid.plus, binary.times, True)
    """

    add: Monoid
    multiply: BinaryOp
    annihilates: bool = False
    distributes: bool = False
    sort = "semiring"

    def result_type(self, a: object, b: object) -> DType:
        """The type of the product of two matrices.

        Parameters
        ----------
        a, b : dtype
            The types of the matrices.

        Returns
        -------
        DType
            The type in which the products are added.

        Raises
        ------
        DomainError
            If one of the two operators has no meaning there.

        Examples
        --------
        >>> from semirings import min_plus, plus_pair
        >>> min_plus.result_type("INT32", "FP32"), plus_pair.result_type("BOOL", "BOOL")
        (FP64, INT64)
        """
        try:
            return self.add.result_type(self.multiply.result_type(a, b))
        except DomainError as error:
            raise DomainError(f"{self!r} on {lookup(a)}, {lookup(b)}: {error}") from None


def _resolve(constant: Constant, dtype: DType) -> Number | None:
    if isinstance(constant, Mapping):
        return cast("Mapping[DType, Number]", constant).get(dtype)
    return constant(dtype) if callable(constant) else constant
