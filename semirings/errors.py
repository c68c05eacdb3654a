"""The ways in which an operator can be refused. Each says what was given and what to do instead."""

__all__ = [
    "DomainError",
    "GraphlaError",
    "RegistrationError",
    "SemiringsError",
    "TraceError",
    "UnknownDType",
    "UnknownOperator",
]


class GraphlaError(Exception):
    """Base class of every error that graphla, or its algebra, raises on purpose.

    It stands here, below both packages, so that one ``except`` catches the errors of both.
    """


class SemiringsError(GraphlaError):
    """Base class of the errors of `semirings`."""


class UnknownDType(SemiringsError, TypeError):
    """A name or object that denotes no scalar type."""


class DomainError(SemiringsError, TypeError, KeyError):
    """An operator was asked for on a scalar type on which it has no meaning."""

    __str__ = Exception.__str__


class TraceError(SemiringsError, TypeError):
    """A Python function cannot be turned into a scalar expression."""


class UnknownOperator(SemiringsError, KeyError, AttributeError):
    """A namespace has no operator of a name."""

    __str__ = Exception.__str__


class RegistrationError(SemiringsError, ValueError):
    """A name is taken, or is no identifier."""
