"""Numbers as operands (bound scalars, thunks, fill values): which are allowed, and the dtype they are computed in."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from graphla.common.arguments import show
from graphla.common.errors import DomainMismatch, EmptyScalar
from graphla.language.recording import is_recording
from semirings import IndexUnaryOp
from semirings.dtypes import FC32, FC64, FP64, INT64, UINT64, DType, lookup, unify

PLAIN = (bool, int, float, complex)
"""Numbers of Python, which are operands as they are."""


def read_scalar(value: Any) -> Any:
    """Return the number in a Scalar or a one-value expression (None if there is none); anything else unchanged."""
    return value.value if getattr(value, "rank", None) == 0 else value


def to_number(value: Any, op: Any) -> Any:
    """Convert a Scalar or a number of NumPy to a number of Python; refuse anything else."""
    held = read_scalar(value)
    if held is None and value is not None:
        raise EmptyScalar(
            f"{op.name}: an empty Scalar stands where a number is needed: ask .is_empty first; "
            "a reduction with allow_empty=False is never empty"
        )
    held = cast("Any", held).item() if getattr(held, "shape", None) == () else held
    if isinstance(held, PLAIN):
        return held
    shown = show(value)
    raise DomainMismatch(
        f"Bad type for keyword argument `right=`, `left=` or thunk of {op.name}: {shown} is no number. Literal scalars "
        f"also stand there; for two containers write {op.name}(A & B) or {op.name}(A | B)"
    )


def to_operand_number(value: Any, op: Any) -> Any:
    """Convert the second operand of `op` to a number that keeps the dtype of a Scalar or a number of NumPy.

    In the body of a loop a Scalar, or an expression of one value, stays what it is: each round reads it anew.
    """
    if value.__class__ in PLAIN:
        return value
    if is_recording() and is_read_later(value):
        return value
    plain, kind = to_number(value, op), getattr(value, "dtype", None)
    return plain if kind is None else np.asarray(plain, lookup(kind).numpy)[()]


def to_thunk(value: Any, op: IndexUnaryOp) -> Any:
    """Convert a thunk to a number of Python; in the body of a loop a Scalar, or an expression of one, stays."""
    return value if is_recording() and is_read_later(value) else to_number(value, op)


def is_read_later(value: Any) -> bool:
    """Whether an operand is a Scalar or an expression of one value, which has another value in each round of a loop."""
    return hasattr(value, "_sources") and value.rank == 0


def require_position(op: IndexUnaryOp, thunk: Any) -> None:
    """Refuse a thunk that positions are compared with, if it is no whole number."""
    if op.reads("x") or isinstance(thunk, int) or (is_read_later(thunk) and thunk.dtype.kind in "biu"):
        return
    if is_read_later(thunk):
        raise DomainMismatch(f"thunk={show(thunk)}: {op.name} compares positions: give a Scalar of integers")
    if isinstance(thunk, complex) or thunk != thunk // 1:
        raise DomainMismatch(f"thunk={show(thunk)}: {op.name} compares positions: give a whole number")


def thunk_dtype(op: IndexUnaryOp, dtype: DType) -> DType:
    """The dtype that a thunk is compared in: that of the entries, or INT64 for positions."""
    return dtype if op.reads("x") else INT64


def choose_thunk_dtype(thunk: Any, op: IndexUnaryOp, dtype: DType) -> DType:
    """The dtype that a thunk is compared in beside entries of `dtype`: theirs, or one that holds both.

    Of a Scalar, whose value is not known yet, its dtype decides; comparisons of whole numbers say the same in INT64.
    """
    beside = thunk_dtype(op, dtype)
    if not is_read_later(thunk):
        return choose_scalar_dtype(thunk, beside)
    kind = thunk.dtype.kind
    if kind in "iu":
        return beside if beside.kind in "fc" else INT64
    return beside if kind == "b" or beside.kind in "fc" else unify(beside, FP64)


def choose_scalar_dtype(value: Any, beside: DType) -> DType:
    """The dtype a Python scalar takes beside entries of dtype `beside`: theirs, if it holds the value.

    Raises
    ------
    DomainMismatch
        If an int fits neither that dtype nor INT64.
    """
    if isinstance(value, bool):
        return beside
    if isinstance(value, int):
        if beside.kind in "fc" or (beside.kind in "iu" and beside.min <= value <= beside.max):
            return beside
        if not INT64.min <= value <= INT64.max:
            raise DomainMismatch(
                f"{value} does not fit {beside}, nor INT64, which ends at {INT64.min} and {INT64.max}: give a float"
            )
        return INT64
    if isinstance(value, complex):
        return unify(beside, FC32) if beside.kind in "fc" else FC64
    return beside if beside.kind in "fc" else unify(beside, FP64)


def choose_bound_dtype(value: Any, beside: DType) -> DType:
    """The dtype of a number that an operator combines with entries: its own, or INT64 for an int beside integers.

    So ``v + 100`` does not wrap where v is INT8, as in python-graphblas. UINT64 holds more than INT64 and keeps its
    own; FP32 does not widen, as in NumPy 2 and CuPy: a GPU would be half as fast for digits that nobody asked for.
    """
    if value.__class__ is float:
        return beside if beside.kind in "fc" else unify(beside, FP64)
    if hasattr(value, "dtype"):
        return lookup(value.dtype)
    if isinstance(value, int) and not isinstance(value, bool) and beside.kind in "iu" and beside is not UINT64:
        return choose_scalar_dtype(value, INT64)
    return choose_scalar_dtype(value, beside)


def widen_for_fill(of: Any, fill: Any) -> Any:
    """Cast the operand if its dtype cannot represent `fill`; ±inf stands for the limits of an integer dtype."""
    endless = isinstance(fill, float) and fill in (float("inf"), float("-inf"))
    wanted = of.dtype if endless else choose_scalar_dtype(fill, of.dtype)
    return of._cast(wanted)
