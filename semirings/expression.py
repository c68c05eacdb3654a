"""Scalar expressions, made by running a Python function on symbols.

``trace(lambda a, b: minimum(a + b, 100), ("x", "y"))`` calls the function once with two symbols; each Python
operator and each function below answers with a node of a small tree. The tree knows no types: `semirings.typed`
gives it some, and the renderers turn the typed tree into CUDA C++ and into Python.

Only what is one expression can be traced. A Python ``if`` on a symbol, ``and``, ``or``, ``not``, ``int()``, an
index or a function of the `math` module would need the value, which does not exist yet; each is refused with the
reason and the way to write it instead.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol, Union

from semirings.dtypes import Number
from semirings.errors import TraceError

WAY_OUT = (
    "write where(condition, a, b) for `if`, `&` `|` `~` for `and` `or` `not`, minimum and maximum for min and max, "
    "and the functions of semirings.expression for those of math"
)


class Expression:
    """A scalar expression. Python's operators on it give larger expressions."""

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

    def __array_ufunc__(
        self, ufunc: "Named", method: str, *inputs: "Operand", **options: object
    ) -> "Expression":
        if method != "__call__" or options or ufunc.__name__ not in FUNCTIONS:
            refuse(f"numpy.{ufunc.__name__}")
        return FUNCTIONS[ufunc.__name__](*inputs)


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


Operand = Union[Expression, bool, int, float]  # noqa: UP007 - a string annotation above refers to it

inf = Literal(math.inf)


def refuse(what: str) -> NoReturn:
    """Raise `TraceError` for something that needs the value of a symbol."""
    raise TraceError(f"an operator is traced with symbols, which have no value yet: {what} is not possible; {WAY_OUT}")


def as_expression(value: object) -> Expression:
    """`value` as a node: an expression as it is, a number (also NumPy's) as a literal."""
    if isinstance(value, Expression):
        return value
    item: object = getattr(value, "item", None)
    number = item() if callable(item) else value
    if isinstance(number, bool | int | float):
        return Literal(number)
    raise TraceError(f"{value!r} of type {type(value).__name__} is neither an expression nor a number; {WAY_OUT}")


def call(op: str, *args: object) -> Call:
    """The primitive `op` applied to expressions and numbers."""
    return Call(op, tuple(as_expression(arg) for arg in args))


def trace(function: Callable[..., object], names: Sequence[str]) -> Expression:
    """Run `function` on a symbol for each name and return the expression that it computes.

    Raises
    ------
    TraceError
        If the function needs the value of a symbol, takes another number of arguments, or returns no expression.

    Examples
    --------
    >>> trace(lambda a, b: minimum(a + b, 100), ("x", "y"))
    min(plus(x, y), 100)
    """
    symbols = [Symbol(name) for name in names]
    try:
        return as_expression(function(*symbols))
    except TraceError:
        raise
    except Exception as error:
        reason = f"the function failed on the symbols ({', '.join(names)}): {error}"
        raise TraceError(f"{reason}; it must take {len(names)} and compute one expression; {WAY_OUT}") from error


def symbols(expression: Expression) -> list[str]:
    """The names of the symbols of an expression, in the order in which they first occur."""
    if isinstance(expression, Symbol):
        return [expression.name]
    if isinstance(expression, Call):
        return list(dict.fromkeys(name for arg in expression.args for name in symbols(arg)))
    return []


def where(condition: Operand, a: Operand, b: Operand) -> Call:
    """`a` where the condition holds, else `b`. Both are computed."""
    return call("where", condition, a, b)


def add_saturating(x: Operand, y: Operand, absorbing: Operand | None = None) -> Call:
    """``x + y``, held at the ends of an integer type instead of wrapping round.

    With ``absorbing=inf`` the largest value of the type stays what it is whatever is added, as an infinity does;
    with ``absorbing=-inf`` the smallest. Floating point has infinities of its own, and there it is plain ``x + y``.
    """
    if absorbing is None:
        return call("add_saturating", x, y)
    end = as_expression(absorbing)
    if not (isinstance(end, Literal) and math.isinf(end.value)):
        raise TraceError(f"absorbing={end!r} must be inf, -inf or None")
    return call("add_to_max" if end.value > 0 else "add_to_min", x, y)


def _one(op: str) -> Callable[[Operand], Call]:
    return lambda x: call(op, x)


def _two(op: str) -> Callable[[Operand, Operand], Call]:
    return lambda x, y: call(op, x, y)


sqrt, cbrt = _one("sqrt"), _one("cbrt")
exp, exp2, expm1 = _one("exp"), _one("exp2"), _one("expm1")
log, log2, log10, log1p = _one("log"), _one("log2"), _one("log10"), _one("log1p")
sin, cos, tan, asin, acos, atan = (_one(op) for op in ("sin", "cos", "tan", "asin", "acos", "atan"))
sinh, cosh, tanh = _one("sinh"), _one("cosh"), _one("tanh")
floor, ceil, trunc, round_ = _one("floor"), _one("ceil"), _one("trunc"), _one("round")
abs_, sign = _one("abs"), _one("sign")
isnan, isinf, isfinite = _one("isnan"), _one("isinf"), _one("isfinite")
minimum, maximum = _two("min"), _two("max")
atan2, hypot, fmod, pow_ = _two("atan2"), _two("hypot"), _two("fmod"), _two("pow")
div = _two("div")  # the quotient cut towards zero, as in C; `//` takes the floor, `/` is exact

# What NumPy calls them, so that np.sqrt(x) or np.minimum(x, y) may be traced too.
FUNCTIONS: dict[str, Callable[..., Call]] = {
    **{"sqrt": sqrt, "cbrt": cbrt, "exp": exp, "exp2": exp2, "expm1": expm1, "hypot": hypot, "fmod": fmod},
    **{"log": log, "log2": log2, "log10": log10, "log1p": log1p, "absolute": abs_, "fabs": abs_, "sign": sign},
    **{"sin": sin, "cos": cos, "tan": tan, "arcsin": asin, "arccos": acos, "arctan": atan, "arctan2": atan2},
    **{"sinh": sinh, "cosh": cosh, "tanh": tanh, "floor": floor, "ceil": ceil, "trunc": trunc},
    **{"isnan": isnan, "isinf": isinf, "isfinite": isfinite, "minimum": minimum, "maximum": maximum},
    **{"fmin": minimum, "fmax": maximum, "power": pow_},
}
