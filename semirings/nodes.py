"""The nodes of a scalar expression: symbols, constants and primitives applied to them.

Python's operators on a node give a larger expression. What would need a value is refused by `refuse`, which
says how to write it instead.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Protocol, Union

from semirings.dtypes import Number
from semirings.errors import TraceError

__all__ = ["Call", "Expression", "Literal", "Operand", "Symbol", "as_expression", "call", "inf", "refuse"]

WAY_OUT = (
    "write where(condition, a, b) for `if`, `&` `|` `~` for `and` `or` `not`, minimum and maximum for min "
    "and max, and the functions of semirings.expression for those of math"
)

# NumPy's functions that may be traced too, and the primitives that they are.
_UFUNCS = {
    **{op: op for op in ("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p")},
    **{
        op: op
        for op in ("floor", "ceil", "trunc", "sign", "isnan", "isinf", "isfinite", "hypot", "fmod", "copysign", "ldexp")
    },
    **{op: op for op in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{f"arc{op}": f"a{op}" for op in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
    "conjugate": "conj",
    "absolute": "abs",
    "fabs": "abs",
    "power": "pow",
    "minimum": "min",
    "maximum": "max",
    "fmin": "min",
    "fmax": "max",
    # An operator between a number of NumPy and a symbol.
    "add": "plus",
    "subtract": "minus",
    "multiply": "times",
    "divide": "truediv",
    "floor_divide": "floordiv",
    "remainder": "mod",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "equal": "eq",
    "not_equal": "ne",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
}


class Expression:
    """A scalar expression; Python's operators on it give larger expressions.

    Examples
    --------
    >>> from semirings import trace
    >>> trace(lambda a, b: a * 2 + b, ("a", "b"))
    plus(times(a, 2), b)
    """

    __slots__ = ()

    def __add__(self, other: "Operand") -> "Call":
        return call("plus", self, other)

    def __radd__(self, other: "Operand") -> "Call":
        return call("plus", other, self)

    def __sub__(self, other: "Operand") -> "Call":
        return call("minus", self, other)

    def __rsub__(self, other: "Operand") -> "Call":
        return call("minus", other, self)

    def __mul__(self, other: "Operand") -> "Call":
        return call("times", self, other)

    def __rmul__(self, other: "Operand") -> "Call":
        return call("times", other, self)

    def __truediv__(self, other: "Operand") -> "Call":
        return call("truediv", self, other)

    def __rtruediv__(self, other: "Operand") -> "Call":
        return call("truediv", other, self)

    def __floordiv__(self, other: "Operand") -> "Call":
        return call("floordiv", self, other)

    def __rfloordiv__(self, other: "Operand") -> "Call":
        return call("floordiv", other, self)

    def __mod__(self, other: "Operand") -> "Call":
        return call("mod", self, other)

    def __rmod__(self, other: "Operand") -> "Call":
        return call("mod", other, self)

    def __pow__(self, other: "Operand") -> "Call":
        return call("pow", self, other)

    def __rpow__(self, other: "Operand") -> "Call":
        return call("pow", other, self)

    def __and__(self, other: "Operand") -> "Call":
        return call("and", self, other)

    def __rand__(self, other: "Operand") -> "Call":
        return call("and", other, self)

    def __or__(self, other: "Operand") -> "Call":
        return call("or", self, other)

    def __ror__(self, other: "Operand") -> "Call":
        return call("or", other, self)

    def __xor__(self, other: "Operand") -> "Call":
        return call("xor", self, other)

    def __rxor__(self, other: "Operand") -> "Call":
        return call("xor", other, self)

    def __lshift__(self, other: "Operand") -> "Call":
        return call("shl", self, other)

    def __rlshift__(self, other: "Operand") -> "Call":
        return call("shl", other, self)

    def __rshift__(self, other: "Operand") -> "Call":
        return call("shr", self, other)

    def __rrshift__(self, other: "Operand") -> "Call":
        return call("shr", other, self)

    def __lt__(self, other: "Operand") -> "Call":
        return call("lt", self, other)

    def __le__(self, other: "Operand") -> "Call":
        return call("le", self, other)

    def __gt__(self, other: "Operand") -> "Call":
        return call("gt", self, other)

    def __ge__(self, other: "Operand") -> "Call":
        return call("ge", self, other)

    def __eq__(self, other: "Operand") -> "Call":  # pyright: ignore[reportIncompatibleMethodOverride]
        return call("eq", self, other)

    def __ne__(self, other: "Operand") -> "Call":  # pyright: ignore[reportIncompatibleMethodOverride]
        return call("ne", self, other)

    __hash__ = object.__hash__

    def __neg__(self) -> "Expression":
        return call("neg", self)

    def __pos__(self) -> "Expression":
        return self

    def __abs__(self) -> "Call":
        return call("abs", self)

    def __invert__(self) -> "Call":
        return call("invert", self)

    def __floor__(self) -> "Call":
        return call("floor", self)

    def __ceil__(self) -> "Call":
        return call("ceil", self)

    def __trunc__(self) -> "Call":
        return call("trunc", self)

    def __bool__(self) -> bool:
        refuse("its truth (if, and, or, not, a chained comparison, min, max)")

    if not TYPE_CHECKING:  # a type checker refuses what needs a number by their absence

        def __int__(self) -> int:
            refuse("int()")

        def __index__(self) -> int:
            refuse("its use as an index")

        def __float__(self) -> float:
            refuse("float() or a function of math")

    def __round__(self, ndigits: int | None = None) -> "Expression":
        refuse("round(), which rounds halves to even; round_ rounds them away from zero")

    def __len__(self) -> int:
        refuse("len()")

    def __iter__(self) -> NoReturn:
        refuse("iteration")

    def __getitem__(self, index: object) -> NoReturn:
        refuse("indexing")

    def __array_ufunc__(self, ufunc: "Named", method: str, *inputs: "Operand", **options: object) -> "Expression":
        if method != "__call__" or options or ufunc.__name__ not in _UFUNCS:
            refuse(f"numpy.{ufunc.__name__}")
        return call(_UFUNCS[ufunc.__name__], *inputs)


class Named(Protocol):
    """Anything with a ``__name__``; a NumPy ufunc, seen from a package that does not know NumPy."""

    __name__: str


@dataclass(frozen=True, eq=False, slots=True)
class Symbol(Expression):
    """An operand: ``x``, ``y``, the position ``i``, ``k``, ``j``, or ``thunk``."""

    name: str

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False, slots=True)
class Literal(Expression):
    """A constant. It takes the type of what it meets; an infinity is the end of that type."""

    value: Number

    def __neg__(self) -> "Expression":
        return Literal(-self.value)

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True, eq=False, slots=True)
class Call(Expression):
    """A primitive applied to expressions."""

    op: str
    args: tuple[Expression, ...]

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, self.args))})"


Operand = Union[Expression, bool, int, float, complex]  # noqa: UP007 - a string annotation above refers to it

inf = Literal(math.inf)


def refuse(what: str) -> NoReturn:
    """Raise `TraceError` for something that needs the value of a symbol."""
    raise TraceError(f"an operator is traced with symbols, which have no value yet: {what} is not possible; {WAY_OUT}")


def as_expression(value: object) -> Expression:
    """Convert `value` to a node: an expression stays one, a number (also NumPy's) becomes a literal."""
    if isinstance(value, Expression):
        return value
    item: object = getattr(value, "item", None) if getattr(value, "shape", None) == () else None
    number = item() if callable(item) else value
    if isinstance(number, bool | int | float | complex):
        return Literal(number)
    raise TraceError(f"{value!r} of type {type(value).__name__} is neither an expression nor a number; {WAY_OUT}")


def call(op: str, *args: object) -> Call:
    """The primitive `op` applied to expressions and numbers."""
    return Call(op, tuple(as_expression(arg) for arg in args))
