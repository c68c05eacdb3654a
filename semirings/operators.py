"""The records of the algebra: operators, monoids and semirings.

All are frozen and know no arrays. Called on an expression of arrays they hand themselves over:
``min_plus(A @ x)`` is ``(A @ x).over(min_plus)``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, cast

from semirings.dtypes import ALL, INT64, DType, Number, lookup, unify
from semirings.errors import DomainError, RegistrationError
from semirings.expression import Expression, symbols, trace
from semirings.registry import Namespace
from semirings.typed import cast_number, result_type

__all__ = [
    "BinaryOp",
    "Constant",
    "IndexUnaryOp",
    "Monoid",
    "Operator",
    "Semiring",
    "UnaryOp",
    "binary",
    "indexunary",
    "monoid",
    "register_binary",
    "register_indexunary",
    "register_monoid",
    "register_semiring",
    "register_unary",
    "semiring",
    "unary",
]

Constant = Number | Callable[[DType], Number | None] | Mapping[Any, Number] | None
"""A value for each dtype: one number (an infinity is the end of the type), a function or a mapping of the dtype."""


class SupportsOver(Protocol):
    """Anything that an operator can be called on."""

    def over(self, operator: Any, *args: Any) -> Any:
        """The value of this expression over `operator`."""
        ...


@dataclass(frozen=True, eq=False)
class Operator:
    """What all operators have: a name, and a call that hands the operator to its operand."""

    name: str
    sort: ClassVar[str] = ""

    def __call__(self, operand: SupportsOver, *args: Any) -> Any:
        """``operand.over(self, *args)``: the operand decides what it means."""
        if not hasattr(operand, "over"):
            raise TypeError(
                f"{self.sort} {self.name} was called on {operand!r} of type {type(operand).__name__}, which is no "
                f"expression of matrices or vectors; call it as {self.name}(A @ B), {self.name}(A & B) or {self.name}(A)"
            )
        return operand.over(self, *args)

    def __repr__(self) -> str:
        return f"{self.sort}.{self.name}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _find, (self.sort, self.name)


@dataclass(frozen=True, eq=False, repr=False)
class ScalarOp(Operator):
    """An operator with a body: a scalar expression over the symbols `parameters`."""

    body: Expression
    result: DType | None = None
    domain: tuple[DType, ...] = ALL
    parameters: ClassVar[tuple[str, ...]] = ()

    def types(self, *dtypes: object) -> dict[str, DType]:
        """The type of each symbol; positions are INT64."""
        given = [lookup(t) for t in dtypes]
        operands = [name for name in self.parameters if name not in ("i", "k", "j")]
        if len(given) != len(operands):
            raise TypeError(f"{self!r} takes a dtype for each of {operands}, not {len(given)}")
        positions = {name: INT64 for name in self.parameters if name in ("i", "k", "j")}
        return {**dict(zip(operands, given, strict=True)), **positions}

    def result_type(self, *dtypes: object) -> DType:
        """The type of the result on operands of the given types.

        Raises
        ------
        DomainError
            If the operator has no meaning on them.
        """
        types = self.types(*dtypes)
        outside = [t for name, t in types.items() if name not in ("i", "k", "j") and t not in self.domain]
        if outside:
            domain = ", ".join(t.name for t in self.domain)
            raise DomainError(f"{self!r} has no meaning on {outside[0]}; its domain is {domain}")
        try:
            inferred = result_type(self.body, types)
        except DomainError as error:
            raise DomainError(f"{self!r} on {', '.join(map(repr, types.values()))}: {error}") from None
        return self.result or inferred

    def reads(self, name: str) -> bool:
        """Whether the value depends on the operand `name`."""
        return name in symbols(self.body)


@dataclass(frozen=True, eq=False, repr=False)
class UnaryOp(ScalarOp):
    """A function of one value, ``x``."""

    sort = "unary"
    parameters = ("x",)


@dataclass(frozen=True, eq=False, repr=False)
class BinaryOp(ScalarOp):
    """A function of two values, ``x`` and ``y``, or of their positions.

    In the product of ``A[i, k]`` and ``B[k, j]`` a positional operator reads ``i``, ``k`` and ``j`` instead of the
    values: ``firsti`` is ``i``, ``firstj`` and ``secondi`` are ``k``, ``secondj`` is ``j``.

    Attributes
    ----------
    commutative, associative : bool
        Laws that hold on every type of the domain; `semirings.laws` checks them.
    positional : str or None
        Its name, if it reads positions.
    """

    commutative: bool = False
    associative: bool = False
    positional: str | None = None
    sort = "binary"
    parameters = ("x", "y", "i", "k", "j")

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
    """A function of a value ``x``, its position ``i``, ``j`` and a parameter ``thunk``."""

    sort = "indexunary"
    parameters = ("x", "i", "j", "thunk")


@dataclass(frozen=True, eq=False, repr=False)
class Monoid(Operator):
    """An associative, commutative operator with an identity.

    Attributes
    ----------
    op : BinaryOp
        The operator.
    identities : Constant
        What adds nothing, for each type.
    terminals : Constant
        What absorbs everything, for each type; reductions stop there. None: there is none.
    domain : tuple of DType
        The types on which it is a monoid.
    is_any : bool
        Whether any operand may be taken for the result, so that every value is terminal and none is an identity.
        The operator of such a monoid takes the second.
    """

    op: BinaryOp
    identities: Constant = None
    terminals: Constant = None
    domain: tuple[DType, ...] = ALL
    is_any: bool = False
    sort = "monoid"

    def result_type(self, *dtypes: object) -> DType:
        """The type in which values of the given types are combined: they are cast to it first.

        Raises
        ------
        DomainError
            If it is no monoid there.
        """
        common = unify(*(lookup(t) for t in dtypes))
        closed = self.op.result_type(common, common)
        if common not in self.domain:
            domain = ", ".join(t.name for t in self.domain)
            raise DomainError(f"{self!r} is no monoid on {common}; its domain is {domain}")
        return closed

    def identity(self, dtype: object) -> Number:
        """The value that adds nothing."""
        t = lookup(dtype)
        value = _resolve(self.identities, t)
        if value is None:
            raise DomainError(f"{self!r} has no identity on {t}")
        return cast_number(value, t)

    def terminal(self, dtype: object) -> Number | None:
        """The value that absorbs everything, or None."""
        t = lookup(dtype)
        value = _resolve(self.terminals, t)
        return None if value is None else cast_number(value, t)


@dataclass(frozen=True, eq=False, repr=False)
class Semiring(Operator):
    """A monoid that adds and a binary operator that multiplies.

    As in GraphBLAS the two need not obey the laws that algebra asks of a semiring; which of them hold on every type
    is stated, and `semirings.laws` checks the statement.

    Attributes
    ----------
    add : Monoid
        The addition.
    multiply : BinaryOp
        The multiplication.
    annihilates : bool
        Whether the identity of the addition, multiplied from either side, gives itself. Where it holds, an absent
        entry may be stored as that identity.
    distributes : bool
        Whether the multiplication distributes over the addition from both sides.
    """

    add: Monoid
    multiply: BinaryOp
    annihilates: bool = False
    distributes: bool = False
    sort = "semiring"

    def result_type(self, a: object, b: object) -> DType:
        """The type of the product of matrices of types `a` and `b`."""
        product = self.multiply.result_type(a, b)
        if product not in self.add.domain:
            raise DomainError(f"{self!r} on {lookup(a)}, {lookup(b)}: {self.add!r} is no monoid on {product}")
        return self.add.result_type(product)


unary: Namespace[UnaryOp] = Namespace("unary")
binary: Namespace[BinaryOp] = Namespace("binary")
indexunary: Namespace[IndexUnaryOp] = Namespace("indexunary")
monoid: Namespace[Monoid] = Namespace("monoid")
semiring: Namespace[Semiring] = Namespace("semiring")

_NAMESPACES: dict[str, Namespace[Any]] = {
    "unary": unary,
    "binary": binary,
    "indexunary": indexunary,
    "monoid": monoid,
    "semiring": semiring,
}


def register_unary(
    name: str, function: Callable[..., object], *, result: object = None, domain: tuple[DType, ...] = ALL
) -> UnaryOp:
    """Trace ``function(x)`` and enter it as ``unary.<name>``.

    Parameters
    ----------
    name : str
        A free identifier.
    function : callable
        A function of one symbol that computes one expression.
    result : dtype, optional
        The type of the result; by default the one that follows from the expression.
    domain : tuple of DType, optional
        The types of the operand that are allowed.

    Raises
    ------
    RegistrationError, TraceError

    Examples
    --------
    >>> square = register_unary("doc_square", lambda x: x * x)
    >>> square.result_type("INT32")
    INT32
    """
    return unary.add(name, UnaryOp(name, trace(function, ("x",)), _optional(result), domain))


def register_binary(
    name: str,
    function: Callable[..., object],
    *,
    result: object = None,
    domain: tuple[DType, ...] = ALL,
    commutative: bool = False,
    associative: bool = False,
) -> BinaryOp:
    """Trace ``function(x, y)`` and enter it as ``binary.<name>``.

    Parameters
    ----------
    name, function, result, domain
        As in `register_unary`, for two operands.
    commutative, associative : bool
        Laws that it promises; `semirings.laws.check` checks them.

    Raises
    ------
    RegistrationError, TraceError

    Examples
    --------
    >>> from semirings.expression import minimum
    >>> register_binary("doc_plus_clip", lambda a, b: minimum(a + b, 100)).result_type("INT8", "INT32")
    INT32
    """
    body = trace(function, ("x", "y"))
    return binary.add(name, BinaryOp(name, body, _optional(result), domain, commutative, associative))


def register_positional(name: str, function: Callable[..., object]) -> BinaryOp:
    """Trace ``function(i, k, j)`` and enter it as ``binary.<name>``, an operator on positions."""
    return binary.add(name, BinaryOp(name, trace(function, ("i", "k", "j")), positional=name))


def register_indexunary(
    name: str, function: Callable[..., object], *, result: object = None, domain: tuple[DType, ...] = ALL
) -> IndexUnaryOp:
    """Trace ``function(x, i, j, thunk)`` and enter it as ``indexunary.<name>``.

    Parameters
    ----------
    name, function, result, domain
        As in `register_unary`, for a value, its row, its column and a parameter.

    Raises
    ------
    RegistrationError, TraceError

    Examples
    --------
    >>> register_indexunary("doc_band", lambda x, i, j, thunk: abs(i - j) <= thunk).result_type("FP32", "INT64")
    BOOL
    """
    body = trace(function, ("x", "i", "j", "thunk"))
    return indexunary.add(name, IndexUnaryOp(name, body, _optional(result), domain))


def register_monoid(
    name: str,
    op: BinaryOp,
    identity: Constant,
    terminal: Constant = None,
    *,
    domain: tuple[DType, ...] = ALL,
    is_any: bool = False,
) -> Monoid:
    """Enter a binary operator with its identity as ``monoid.<name>``.

    Parameters
    ----------
    name : str
        A free identifier.
    op : BinaryOp
        The operator; it should be associative and commutative, which `semirings.laws.check` tells.
    identity : number, callable or mapping
        What adds nothing; an infinity is the end of the type. A callable or a mapping gives it for each dtype.
    terminal : number, callable or mapping, optional
        What absorbs everything.
    domain : tuple of DType, optional
        The types on which it is a monoid.
    is_any : bool, optional
        Whether either operand may be taken for the result.

    Raises
    ------
    RegistrationError
    """
    if op.positional:
        raise RegistrationError(f"{op!r} reads positions and cannot be a monoid")
    return monoid.add(name, Monoid(name, op, _by_dtype(identity), _by_dtype(terminal), domain, is_any))


def register_semiring(
    name: str, add: Monoid, multiply: BinaryOp, *, annihilates: bool = False, distributes: bool = False
) -> Semiring:
    """Enter an addition and a multiplication as ``semiring.<name>``.

    Parameters
    ----------
    name : str
        A free identifier.
    add, multiply : Monoid, BinaryOp
        The two operators.
    annihilates, distributes : bool
        Laws that it promises on every type; `semirings.laws.check` checks them.

    Raises
    ------
    RegistrationError
    """
    return semiring.add(name, Semiring(name, add, multiply, annihilates, distributes))


def _optional(result: object) -> DType | None:
    return None if result is None else lookup(result)


def _by_dtype(constant: Constant) -> Constant:
    """A mapping with its keys looked up, so that names and NumPy's dtypes may be given."""
    if not isinstance(constant, Mapping):
        return constant
    return {lookup(key): value for key, value in cast("Mapping[object, Number]", constant).items()}


def _resolve(constant: Constant, dtype: DType) -> Number | None:
    if isinstance(constant, Mapping):
        return constant.get(dtype)
    return constant(dtype) if callable(constant) else constant


def _find(sort: str, name: str) -> Operator:
    return _NAMESPACES[sort][name]
