"""Operators compute what SuiteSparse:GraphBLAS computes, edges of the types included."""

import math
from typing import Any

import graphblas as gb
import numpy as np
import pytest
from rendered_cases import Case, list_accepted

from semirings import binary, unary
from semirings.dtypes import INT8, INT32, REAL
from semirings.operators import BinaryOp, UnaryOp
from semirings.python import evaluate

# Python functions there, which fail on a zero; and `any`, which may answer with either operand.
NOT_THERE = {"floordiv", "rfloordiv", "rpow", "any"}
BINARIES = [op for op in binary.values() if not op.positional and op.name not in NOT_THERE]


def find_theirs(namespace: Any, case: Case) -> Any:
    """The operator of python-graphblas on the type of a case, or None where it has none of the same result."""
    try:
        within = namespace.ss if hasattr(namespace.ss, case.op.name) else namespace
        operator = getattr(within, case.op.name)[case.given[0].name]
    except (AttributeError, KeyError):
        return None
    return operator if operator.return_type.name == case.out.name else None


def make_column(values: tuple[Any, ...], dtype: str) -> gb.Vector:
    return gb.Vector.from_coo(range(len(values)), np.array(values, dtype=dtype), size=len(values))


def find_differences(case: Case, result: gb.Vector) -> list[str]:
    ours = evaluate(case.op, case.given, case.out)
    pairs = zip(case.list_operands(), result.to_coo()[1], strict=True)
    found = [(row, got.item(), ours(*row)) for row, got in pairs]
    # A power of NaN is NaN there; C and IEEE 754 say that x**0 and 1**y are 1 whatever the other is.
    excused = {row for row, _, _ in found if case.op.name == "pow" and any(map(math.isnan, row))}
    excused |= {row for row, _, _ in found if is_cut(case, row)}
    return [f"{case} {row}: {a} {b}" for row, a, b in found if row not in excused and not case.agree(a, b)]


def is_cut(case: Case, row: tuple[Any, ...]) -> bool:
    """Whether the second operand wraps round there, where it is cast to a narrower integer."""
    held = {"ldexp": INT32, "bshift": INT8}.get(case.op.name)
    return held is not None and math.isfinite(row[1]) and not held.min <= row[1] <= held.max


@pytest.mark.parametrize("op", BINARIES, ids=repr)
def test_binary_operators(op: BinaryOp) -> None:
    for t in REAL:
        for case in list_accepted(op, (t, t)):
            x, y = (make_column(values, t.numpy) for values in zip(*case.list_operands(), strict=True))
            if operator := find_theirs(gb.binary, case):
                assert not find_differences(case, x.ewise_mult(y, operator).new())


@pytest.mark.parametrize("op", unary.values(), ids=repr)
def test_unary_operators(op: UnaryOp) -> None:
    for t in REAL:
        for case in list_accepted(op, (t,)):
            (x,) = (make_column(values, t.numpy) for values in zip(*case.list_operands(), strict=True))
            if operator := find_theirs(gb.unary, case):
                assert not find_differences(case, x.apply(operator).new())
