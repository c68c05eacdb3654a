"""Numbers bound beside entries: what they may be, and the dtype that they take."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.errors import DomainMismatch
from semirings import IndexUnaryOp
from semirings.dtypes import FP64, INT64, UINT64, DType, lookup, unify


def number(value: Any, op: Any) -> Any:
    """A bound scalar as a number of Python; a Scalar or a number of NumPy gives its value."""
    held = getattr(value, "value", value)
    held = held.item() if getattr(held, "shape", None) == () else held
    if isinstance(held, bool | int | float):
        return held
    raise DomainMismatch(
        f"{op.name}: {value!r} is no number; for two containers write {op.name}(A & B) or {op.name}(A | B)"
    )


def operand_number(value: Any, op: Any) -> Any:
    """The same as an operand, which keeps the dtype that a Scalar or a number of NumPy has."""
    plain, kind = number(value, op), getattr(value, "dtype", None)
    return plain if kind is None else np.asarray(plain, lookup(kind).numpy)[()]


def beside_thunk(op: IndexUnaryOp, dtype: DType) -> DType:
    """What a thunk is compared with: the entry, or a position."""
    return dtype if op.reads("x") else INT64


def scalar_dtype(value: Any, beside: DType) -> DType:
    """The dtype a Python scalar takes beside entries of dtype `beside`: theirs, if it holds the value.

    Raises
    ------
    DomainMismatch
        If an int fits neither that dtype nor INT64.
    """
    if isinstance(value, bool):
        return beside
    if isinstance(value, int):
        if beside.kind == "f" or (beside.kind in "iu" and beside.min <= value <= beside.max):
            return beside
        if not INT64.min <= value <= INT64.max:
            raise DomainMismatch(
                f"{value} does not fit {beside}, nor INT64, which ends at {INT64.min} and {INT64.max}: give a float"
            )
        return INT64
    return beside if beside.kind == "f" else unify(beside, FP64)


def bound_dtype(value: Any, beside: DType) -> DType:
    """The dtype of a number that an operator combines with entries: its own, or INT64 for an int beside integers.

    So ``v + 100`` does not wrap where v is INT8, as in python-graphblas. UINT64 holds more than INT64 and keeps its
    own; FP32 does not widen, as in NumPy 2 and CuPy: a GPU would be half as fast for digits that nobody asked for.
    """
    if hasattr(value, "dtype"):
        return lookup(value.dtype)
    if isinstance(value, int) and not isinstance(value, bool) and beside.kind in "iu" and beside is not UINT64:
        return scalar_dtype(value, INT64)
    return scalar_dtype(value, beside)


def holds(of: Any, fill: Any) -> Any:
    """The operand in a dtype that holds its default too; infinity is the end of an integer type."""
    endless = isinstance(fill, float) and fill in (float("inf"), float("-inf"))
    wanted = of.dtype if endless else scalar_dtype(fill, of.dtype)
    return of if wanted == of.dtype else of.new(wanted)
