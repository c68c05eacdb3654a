"""Find an operator by what a user calls it: itself, its name, a sign of Python, or a builtin function."""

from __future__ import annotations

import builtins
import inspect
from functools import partial
from typing import Any

import numpy as np

from graphla.common.arguments import show
from graphla.common.errors import DomainMismatch, GraphlaError
from semirings.anonymous import make_operator
from semirings.operators import TypedOperator
from semirings.registry import Namespace, describe_choices

SIGNS = {
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "&": "land",
    "|": "lor",
    "^": "lxor",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "~": "lnot",
    "@": "plus_times",
}
"""Python's symbols for operators, as in python-graphblas."""
BUILTINS = {builtins.abs: "abs", builtins.max: "max", builtins.min: "min"}
"""Python's functions that name operators."""


def find_operator(op: Any, *namespaces: Any) -> Any:
    """The operator `op`, the one of that name (``"plus"``, ``"+"``, ``"plus[INT64]"``, ``min``), or that of a function.

    Raises
    ------
    DomainMismatch
        If it is an operator of another kind than the namespaces hold, or no operator.
    GraphlaError
        If there is none of the name.
    TraceError
        If it is a function that is no operator.
    """
    wanted = [namespace.sort for namespace in namespaces]
    if isinstance(op, (Namespace, type)):
        raise DomainMismatch(f"op={show(op)}: give an operator, such as binary.plus. {describe_expected(wanted)}")
    sort = getattr(op, "sort", None)
    if sort in wanted:
        return op
    if isinstance(sort, str):
        raise DomainMismatch(f"{op!r} is a {sort} operator. {describe_expected(wanted)}")
    name = BUILTINS.get(op) if callable(op) and getattr(op, "__hash__", None) else op
    if isinstance(name, str):
        return find_by_name(name.strip(), namespaces)
    if not is_function(op):
        raise DomainMismatch(
            f"op={show(op)}: give an operator, such as binary.plus, the name of one, or a function such as "
            f"lambda x: x + 1. {describe_expected(wanted)}"
        )
    return find_operator(make_operator(op), *namespaces)


def is_function(op: Any) -> bool:
    """Whether it is a function, one of NumPy's among them; a Matrix can be called, too, and is none."""
    return inspect.isroutine(op) or isinstance(op, (partial, np.ufunc))


def find_by_name(text: str, namespaces: tuple[Any, ...]) -> Any:
    """The operator of a name or a sign, typed if a dtype stands behind it in brackets."""
    name, _, dtype = text.partition("[")
    for namespace in namespaces:
        known = name if name in namespace else find_spelling(name, namespace)
        if known is not None:
            return namespace[known][dtype.rstrip("]")] if dtype else namespace[known]
    wanted = [namespace.sort for namespace in namespaces]
    near = describe_choices(name, (each for namespace in namespaces for each in namespace))
    raise GraphlaError(f"there is no operator {text!r}; {near}. {describe_expected(wanted)}")


def find_spelling(name: str, namespace: Any) -> str | None:
    """How a namespace spells a name; None if it does not hold it."""
    return next((way for way in list_spellings(name) if way in namespace), None)


def list_spellings(name: str) -> tuple[str, ...]:
    """A name as it may stand in a namespace: ``"<="`` is ``"le"``, ``"min.+"`` is ``"min_plus"``."""
    if name in SIGNS:
        return (SIGNS[name],)
    if "." in name:
        return ("_".join(SIGNS.get(part, part) for part in name.split(".")),)
    stem = name.rstrip("=<>!")
    known = (name, name.lower())
    return (*known, stem + SIGNS[name[len(stem) :]]) if name[len(stem) :] in SIGNS else known


def describe_expected(sorts: list[str]) -> str:
    """Say which kinds of operators are expected."""
    kinds = {"unary": "UnaryOp", "binary": "BinaryOp", "indexunary": "IndexUnaryOp", "agg": "Aggregator"}
    return f"Expected type: {', '.join(kinds.get(sort, sort.capitalize()) for sort in sorts)}"


def require_untyped(op: Any, dtype: Any, what: str) -> Any:
    """The operator itself, if the dtype that it is bound to (``binary.plus[INT64]``) is `dtype`."""
    if not isinstance(op, TypedOperator):
        return op
    if op.type != dtype:
        raise DomainMismatch(f"{what}={op!r} works in {op.type}, and the container is {dtype}: give {op.op!r}")
    return op.op
