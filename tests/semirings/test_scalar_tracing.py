"""A Python function becomes an expression, or is refused with the reason and the way out."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from semirings import DomainError, TraceError, expression, where
from semirings.dtypes import BOOL, FP32, FP64, INT8, INT16, INT32, INT64, UINT8, DType
from semirings.expression import Expression, add_saturating, inf, maximum, minimum, symbols, trace
from semirings.operators import UnaryOp
from semirings.python import evaluate
from semirings.typed import linearise, result_type


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda x, y: x + y * 2, "plus(x, times(y, 2))"),
        (lambda x, y: 1 - x, "minus(1, x)"),
        (lambda x, y: 2 ** x // 3, "floordiv(pow(2, x), 3)"),
        (lambda x, y: abs(-x) % y, "mod(abs(neg(x)), y)"),
        (lambda x, y: where((x < y) & (x != 0), x, y), "where(and(lt(x, y), ne(x, 0)), x, y)"),
        (lambda x, y: ~(x ^ y) | (1 << x) >> y, "or(invert(xor(x, y)), shr(shl(1, x), y))"),
        (lambda x, y: maximum(minimum(x, 100), -inf), "max(min(x, 100), -inf)"),
        (lambda x, y: math.floor(x) + math.ceil(y), "plus(floor(x), ceil(y))"),
        (lambda x, y: np.sqrt(x) + np.minimum(y, 1), "plus(sqrt(x), min(y, 1))"),
        (lambda x, y: np.float32(2) * x, "times(2.0, x)"),
        (lambda x, y: 1, "1"),
        (lambda x, y: +y, "y"),
        (lambda x, y: np.int64(1) > x, "gt(1, x)"),
        (lambda x, y: add_saturating(x, y, inf), "add_to_max(x, y)"),
        (lambda x, y: add_saturating(x, y, -inf), "add_to_min(x, y)"),
    ],
)  # fmt: skip
def test_traced(function: Callable[..., Any], text: str) -> None:
    assert repr(trace(function, ("x", "y"))) == text


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda x, y: x if x < y else y, "truth"),
        (lambda x, y: x and y, "truth"),
        (lambda x, y: x or y, "truth"),
        (lambda x, y: not x, "truth"),
        (lambda x, y: 0 < x < 1, "truth"),
        (lambda x, y: min(x, y), "truth"),
        (lambda x, y: x in (y, 1), "truth"),
        (lambda x, y: int(x), r"int\(\)"),
        (lambda x, y: float(x), r"float\(\)"),
        (lambda x, y: math.sqrt(x), "function of math"),
        (lambda x, y: round(x), "round_"),
        (lambda x, y: len(x), r"len\(\)"),
        (lambda x, y: sum(x), "iteration"),
        (lambda x, y: x[0], "indexing"),
        (lambda x, y: [1, 2][x], "index"),
        (lambda x, y: range(x), "index"),
        (lambda x, y: np.gcd(x, y), "numpy.gcd"),
        (lambda x, y: np.add.reduce(x), "numpy.add"),
        (lambda x, y: None, "None"),
        (lambda x, y: "x", "neither an expression nor a number"),
        (lambda x, y: (x, y), "neither"),
        (lambda x, y: x.real, "real"),
        (lambda x, y: x + "1", "neither"),
        (lambda x, y: b"z" * x, "neither"),
        (lambda x, y: add_saturating(x, y, 5), "absorbing=5"),
        (lambda x: x, "takes 1 positional argument"),
        (lambda x, y, z: x, "missing 1 required"),
    ],
)
def test_refused_with_the_reason_and_the_way_out(function: Callable[..., Any], reason: str) -> None:
    with pytest.raises(TraceError, match=reason) as refusal:
        trace(function, ("x", "y"))
    assert "where(condition, a, b)" in str(refusal.value) or "absorbing" in reason


@pytest.mark.parametrize(
    ("function", "x", "y", "result"),
    [
        (lambda x, y: x + y, INT32, FP32, FP64),
        (lambda x, y: x + y, UINT8, INT8, INT16),
        (lambda x, y: x + 1, INT8, INT8, INT8),
        (lambda x, y: x + 0.5, INT8, INT8, FP64),
        (lambda x, y: x + 0.5, FP32, FP32, FP32),
        (lambda x, y: x / y, INT8, INT8, FP64),
        (lambda x, y: x / y, FP32, INT8, FP32),
        (lambda x, y: expression.sqrt(x), INT8, INT8, FP32),
        (lambda x, y: expression.sqrt(x), INT32, INT8, FP64),
        (lambda x, y: x < y, INT8, FP64, BOOL),
        (lambda x, y: 1, UINT8, UINT8, UINT8),
        (lambda x, y: 1.5, INT8, INT8, FP64),
        (lambda x, y: where(x == y, 1, 0), FP32, FP32, FP32),
        (lambda x, y: minimum(x, inf), UINT8, UINT8, UINT8),
        (lambda x, y: x + 2, BOOL, BOOL, INT64),
        (lambda x, y: x | 1, BOOL, BOOL, BOOL),
        (lambda x, y: expression.floor(x), INT8, INT8, INT8),
        (lambda x, y: expression.isnan(x), INT8, INT8, BOOL),
    ],
)
def test_types(function: Callable[..., Any], x: DType, y: DType, result: DType) -> None:
    assert result_type(trace(function, ("x", "y")), {"x": x, "y": y}) == result


def test_a_constant_must_fit_its_type() -> None:
    body = trace(lambda x: minimum(x, 1000), ("x",))
    with pytest.raises(DomainError, match="1000 does not fit INT8"):
        linearise(body, {"x": INT8})
    assert linearise(body, {"x": INT32}).result.dtype == INT32


def test_bits_need_integers() -> None:
    with pytest.raises(DomainError, match="'and' has no meaning on FP32"):
        linearise(trace(lambda x: x & 1, ("x",)), {"x": FP32})


def test_a_shared_expression_is_one_step() -> None:
    def square_of_sum(x: Expression, y: Expression) -> Expression:
        total = x + y
        return total * total

    steps = linearise(trace(square_of_sum, ("x", "y")), {"x": FP32, "y": FP32}).steps
    assert [step.op for step in steps] == ["plus", "times"]


@pytest.mark.parametrize(("yes", "no"), [(1, 0), (0, 1), (2, 0)])
def test_a_choice_of_constants(yes: int, no: int) -> None:
    op = UnaryOp("choose", trace(lambda x: where(x > 3, yes, no), ("x",)))
    assert [evaluate(op, (INT8,))(x) for x in (3, 4)] == [no, yes]


def test_constants_meet_in_a_type_that_holds_them() -> None:
    op = UnaryOp("root", trace(lambda x: where(expression.sqrt(2) > 1.4, x, 0), ("x",)))
    assert evaluate(op, (INT8,))(3) == 3


def test_symbols_in_order() -> None:
    assert symbols(trace(lambda x, y: y + x * y, ("x", "y"))) == ["y", "x"]
