"""Scalar expressions, made by running a Python function on symbols.

``trace(lambda a, b: minimum(a + b, 100), ("x", "y"))`` calls the function once with two symbols; each Python
operator and each function below answers with a node of a small tree. The tree knows no types:
`semirings.typed` gives it some, and the renderers turn the typed tree into CUDA C++ and into Python.

Only what is one expression can be traced. A Python ``if`` on a symbol, ``and``, ``or``, ``not``, ``int()``,
an index or a function of the `math` module would need the value, which does not exist yet; each is refused
with the reason and the way to write it instead.
"""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from semirings.arguments import require_callable, require_identifier, to_list
from semirings.errors import TraceError
from semirings.nodes import WAY_OUT, as_expression, call
from semirings.nodes import Call as Call
from semirings.nodes import Expression as Expression
from semirings.nodes import Literal as Literal
from semirings.nodes import Operand as Operand
from semirings.nodes import Symbol as Symbol
from semirings.nodes import inf as inf


def trace(function: Callable[..., object], names: Sequence[str]) -> Expression:
    """Run a function on symbols and return the expression that it computes.

    Parameters
    ----------
    function : callable
        A function of as many arguments as there are names, which computes one expression.
    names : sequence of str
        The names of the symbols.

    Returns
    -------
    Expression
        What the function returned.

    Raises
    ------
    TraceError
        If the function needs the value of a symbol, takes another number of arguments, or returns no
        expression.

    Examples
    --------
    >>> trace(lambda a, b: minimum(a + b, 100), ("x", "y"))
    min(plus(x, y), 100)
    """
    require_callable(function, "function", TraceError)
    names = [require_identifier(name, "names") for name in to_list(names, "names", "identifiers")]
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


def list_read_symbols(expression: Expression) -> list[str]:
    """The names of the symbols on whose values an expression depends, not only on their types."""
    if isinstance(expression, Call):
        args = expression.args[:1] if expression.op == "unify" else expression.args
        return list(dict.fromkeys(name for arg in args for name in list_read_symbols(arg)))
    return symbols(expression)


def unify(x: Operand, y: Operand) -> Call:
    """`x` in the common type of `x` and `y`."""
    return call("unify", x, y)


def where(condition: Operand, a: Operand, b: Operand) -> Call:
    """`a` where the condition holds, else `b`; both are computed.

    Parameters
    ----------
    condition : Expression or bool
        The condition.
    a, b : Expression or number
        The values to choose from.

    Returns
    -------
    Expression
        The choice.

    Examples
    --------
    >>> trace(lambda x: where(x < 0, 0, x), ("x",))
    where(lt(x, 0), 0, x)
    """
    return call("where", condition, a, b)


def add_saturating(x: Operand, y: Operand, absorbing: Operand | None = None) -> Call:
    """``x + y``, held at the ends of an integer type instead of wrapping round.

    With ``absorbing=inf`` the largest value of the type stays what it is whatever is added, as an infinity
    does; with ``absorbing=-inf`` the smallest of a signed type. The smallest of an unsigned type is 0, a number
    like others, and absorbs nothing. Floating point has infinities of its own, and there it is plain ``x + y``.
    """
    if absorbing is None:
        return call("add_saturating", x, y)
    end = as_expression(absorbing)
    if not (isinstance(end, Literal) and isinstance(end.value, float) and abs(end.value) == math.inf):
        raise TraceError(f"absorbing={end!r} must be inf, -inf or None")
    return call("add_to_max" if end.value > 0 else "add_to_min", x, y)


def _make_unary(op: str, name: str = "") -> Callable[[Operand], Call]:
    def function(x: Operand) -> Call:
        return call(op, x)

    return _document(function, op, name or op, "x")


def _make_binary(op: str, name: str = "") -> Callable[[Operand, Operand], Call]:
    def function(x: Operand, y: Operand) -> Call:
        return call(op, x, y)

    return _document(function, op, name or op, "x, y")


F = TypeVar("F", bound=Callable[..., Call])


def _document(function: F, op: str, name: str, operands: str) -> F:
    """The function under its name in this module, with a docstring."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = _DOC.format(op=op, name=name, operands=operands, quoted=tuple(operands.split(", ")))
    return function


_DOC = """The primitive ``{op}``, as an expression.

Parameters
----------
{operands} : Expression or number
    What it is applied to.

Returns
-------
Expression
    The primitive, applied.

Examples
--------
>>> trace({name}, {quoted!r})
{op}({operands})
"""


sqrt, cbrt = _make_unary("sqrt"), _make_unary("cbrt")
exp, exp2, expm1 = _make_unary("exp"), _make_unary("exp2"), _make_unary("expm1")
log, log2, log10, log1p = _make_unary("log"), _make_unary("log2"), _make_unary("log10"), _make_unary("log1p")
sin, cos, tan, asin, acos, atan = (_make_unary(op) for op in ("sin", "cos", "tan", "asin", "acos", "atan"))
sinh, cosh, tanh = _make_unary("sinh"), _make_unary("cosh"), _make_unary("tanh")
asinh, acosh, atanh = _make_unary("asinh"), _make_unary("acosh"), _make_unary("atanh")
floor, ceil, trunc = _make_unary("floor"), _make_unary("ceil"), _make_unary("trunc")
round_ = _make_unary("round", "round_")
abs_, sign = _make_unary("abs", "abs_"), _make_unary("sign")
conj, real, imag, arg = _make_unary("conj"), _make_unary("real"), _make_unary("imag"), _make_unary("arg")
isnan, isinf, isfinite = _make_unary("isnan"), _make_unary("isinf"), _make_unary("isfinite")
minimum, maximum = _make_binary("min", "minimum"), _make_binary("max", "maximum")
complex_ = _make_binary("complex", "complex_")  # of a real and an imaginary part
atan2, hypot, fmod = _make_binary("atan2"), _make_binary("hypot"), _make_binary("fmod")
erf, erfc, lgamma, tgamma = (_make_unary(op) for op in ("erf", "erfc", "lgamma", "tgamma"))
copysign, ldexp = _make_binary("copysign"), _make_binary("ldexp")  # ldexp: x times 2 to the whole part of y
frexpe = _make_unary("frexpe")  # the e of x = m 2^e with m at least 1/2 and below 1; 0 of 0, NaN and the infinities
pow_ = _make_binary("pow", "pow_")
div = _make_binary("div")  # the quotient cut towards zero, as in C; `//` takes the floor, `/` is exact
