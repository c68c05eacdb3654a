"""Semirings: the algebra of graph problems, written once and rendered to CUDA C++ and to Python.

The namespaces `unary`, `binary`, `indexunary`, `monoid` and `semiring` hold operators by name; every
semiring is an attribute of the package as well. The ``register_*`` functions add one of your own from a
Python expression.

Examples
--------
>>> from semirings import binary, min_plus
>>> min_plus.add, min_plus.multiply, min_plus.result_type("INT32", "INT32")
(monoid.min, binary.tropical_plus, INT32)
>>> min_plus.add.identity("INT32"), min_plus.add.terminal("FP32")
(2147483647, -inf)
"""

from semirings import cuda, dtypes, expression, laws, python, standard
from semirings.dtypes import DType, lookup, unify
from semirings.errors import DomainError, RegistrationError, SemiringsError, TraceError, UnknownDType
from semirings.expression import Expression, inf, maximum, minimum, trace, where
from semirings.operators import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.register import (
    binary,
    indexunary,
    monoid,
    register_binary,
    register_indexunary,
    register_monoid,
    register_semiring,
    register_unary,
    semiring,
    unary,
)

__all__ = [
    "BinaryOp",
    "DType",
    "DomainError",
    "Expression",
    "IndexUnaryOp",
    "Monoid",
    "RegistrationError",
    "Semiring",
    "SemiringsError",
    "TraceError",
    "UnaryOp",
    "UnknownDType",
    "binary",
    "cuda",
    "dtypes",
    "expression",
    "indexunary",
    "inf",
    "laws",
    "lookup",
    "maximum",
    "minimum",
    "monoid",
    "python",
    "register_binary",
    "register_indexunary",
    "register_monoid",
    "register_semiring",
    "register_unary",
    "semiring",
    "standard",
    "trace",
    "unary",
    "unify",
    "where",
]


def __getattr__(name: str) -> Semiring:
    """The semiring of that name: ``from semirings import min_plus``."""
    if name in semiring:
        return semiring[name]
    raise AttributeError(f"module 'semirings' has no attribute or semiring {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *semiring})
