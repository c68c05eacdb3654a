"""Operators of one's own that have no name in a namespace: made of a function where an operator is expected."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any
from weakref import WeakValueDictionary

from semirings.arguments import require_callable
from semirings.errors import RegistrationError, TraceError
from semirings.expression import trace
from semirings.operators import BinaryOp, IndexUnaryOp, Operator, ScalarOp, UnaryOp

__all__ = ["make_operator", "require_title", "trace_operator"]

_KINDS: dict[int, type[ScalarOp]] = {1: UnaryOp, 2: BinaryOp, 4: IndexUnaryOp}
"""What a function of so many arguments becomes."""
_made: WeakValueDictionary[tuple[object, ...], Any] = WeakValueDictionary()


def make_operator(function: Callable[..., object]) -> ScalarOp:
    """Trace a function; the number of its arguments says what kind of operator it is.

    Parameters
    ----------
    function : callable
        Of one value, of two values, or of a value, its row, its column and a parameter. It computes one expression.

    Returns
    -------
    UnaryOp, BinaryOp or IndexUnaryOp
        An operator without a place in a namespace; the same one for functions that compute the same.

    Raises
    ------
    TraceError
        If it takes another number of arguments, needs the value of one, or is not one expression.

    Examples
    --------
    >>> make_operator(lambda x, y: x + 2 * y)
    binary.<plus(x, times(2, y))>
    """
    kind = _KINDS.get(count_arguments(function))
    if kind is None:
        raise TraceError(
            f"{function!r} takes {count_arguments(function)} arguments: an operator is a function of one value, of two "
            "values, or of a value, its row, its column and a parameter"
        )
    return trace_operator(kind, function)


def trace_operator(kind: type[ScalarOp], function: Callable[..., object], name: object = None) -> Any:
    """Trace a function as an operator of a kind; the same one if it was traced before and is in use."""
    names = ("x", "y") if kind is BinaryOp else kind.parameters
    body = trace(function, names)
    title = f"<{body!r}>" if name is None else require_title(name)
    return share((kind, title, repr(body)), lambda: kind(title, body))


def require_title(name: object) -> str:
    """The name itself, if it can be shown on one line: it stands in comments of generated code, too.

    Raises
    ------
    RegistrationError
        If it is no text, or has a line break or a backslash.
    """
    if not isinstance(name, str) or not name.isprintable() or "\\" in name or not name:
        raise RegistrationError(f"name={name!r}: give a text of one line without a backslash")
    return name


def share(key: tuple[object, ...], make: Callable[[], Operator]) -> Any:
    """What was made for `key` before, so that its kernels are compiled once, or a new one."""
    found = _made.get(key)
    if found is None:
        found = _made[key] = make()
    return found


def count_arguments(function: Callable[..., object]) -> int:
    """The number of arguments that must be given; of a NumPy ufunc its inputs."""
    require_callable(function, "function", TraceError)
    inputs = getattr(function, "nin", None)
    if isinstance(inputs, int):
        return inputs
    try:
        parameters = signature(function).parameters.values()
    except ValueError:
        raise TraceError(f"{function!r} does not say which arguments it takes: write lambda x: … around it") from None
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in positional and each.default is Parameter.empty for each in parameters)
