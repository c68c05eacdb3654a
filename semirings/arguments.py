"""Check the arguments that users give: a refusal names the argument, its value and what was expected."""

from collections.abc import Iterable
from typing import Any, cast

from semirings.dtypes import DType, lookup
from semirings.errors import DomainError, SemiringsError

__all__ = [
    "require_body",
    "require_bool",
    "require_callable",
    "require_count",
    "require_identifier",
    "require_sort",
    "to_dtypes",
]


def require_sort(value: object, what: str, *sorts: str) -> Any:
    """The value itself if it is an operator of one of the sorts (``"binary"``, ``"monoid"`` …)."""
    if isinstance(value, type) or getattr(value, "sort", None) not in sorts or not hasattr(value, "result_type"):
        raise DomainError(f"{what}={value!r}: give an operator of {' or '.join(sorts)}")
    return value


def require_body(op: object) -> Any:
    """The operator itself, if it has a body: no monoid, and none that is bound to a type."""
    if not hasattr(require_sort(op, "op", "unary", "binary", "indexunary"), "body"):
        raise DomainError(f"op={op!r} is bound to a type: give the operator itself, and the type as a dtype")
    return op


def require_count(value: object, what: str, high: int) -> int:
    """The value itself if it is an int from 0 to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= high:
        raise DomainError(f"{what}={value!r}: give a whole number from 0 to {high}")
    return value


def require_bool(value: object, what: str) -> bool:
    """The value itself if it is a bool."""
    if not isinstance(value, bool):
        raise DomainError(f"{what}={value!r}: give True or False")
    return value


def require_identifier(value: object, what: str) -> str:
    """The value itself if it is a text that is an identifier."""
    if not isinstance(value, str) or not value.isidentifier():
        raise DomainError(f"{what}={value!r}: give an identifier, such as 'plus_clip'")
    return value


def require_callable(value: object, what: str, error: type[SemiringsError] = DomainError) -> Any:
    """The value itself if it is a function."""
    if not callable(value):
        raise error(f"{what}={value!r}: give a function")
    return value


def to_list(value: object, what: str, of: str) -> list[Any]:
    """A sequence, or another iterable that is no text, as a list."""
    if not isinstance(value, str | bytes | type) and isinstance(value, Iterable):
        try:
            return list(cast("Iterable[Any]", value))
        except (TypeError, SemiringsError):
            pass
    raise DomainError(f"{what}={value!r}: give a sequence of {of}")


def to_dtypes(value: object, what: str) -> tuple[DType, ...]:
    """A sequence of dtypes, or of their names, as a tuple of them."""
    return tuple(lookup(each) for each in to_list(value, what, "dtypes"))
