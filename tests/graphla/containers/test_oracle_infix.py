"""Infix arithmetic and comparisons agree with python-graphblas."""

import operator
from typing import Any

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_pairs import Pair, assert_same, check, matrices, select_side, sizes, vectors

import graphla as gl
from graphla.common.errors import DomainMismatch

few = settings(max_examples=20, deadline=None)
INFIX = [operator.add, operator.sub, operator.mul, operator.truediv, operator.eq, operator.ne, operator.lt, operator.ge]
infix = pytest.mark.parametrize("op", INFIX, ids=lambda op: op.__name__)


def draw_two(data: Any, dtype: str) -> tuple[Pair, Pair]:
    """Two vectors or two matrices of one shape."""
    m, n = data.draw(sizes), data.draw(sizes)
    if data.draw(st.booleans()):
        return data.draw(vectors(n, dtype)), data.draw(vectors(n, dtype))
    return data.draw(matrices(m, n, dtype)), data.draw(matrices(m, n, dtype))


@infix
@few
@given(data=st.data())
def test_two_containers(op: Any, data: Any) -> None:
    x, y = draw_two(data, "FP64")
    check(lambda lib, x, y: op(x, y), x, y)
    check(lambda lib, x, y: op(x + y, y), x, y)


@infix
@few
@given(data=st.data())
def test_a_number_on_either_side(op: Any, data: Any) -> None:
    """But for floats and integers beside FP32, and UINT64, which stay what they are here."""
    x, _ = draw_two(data, data.draw(st.sampled_from(["INT8", "INT32", "UINT8", "INT64", "FP64"])))
    number = data.draw(st.sampled_from([1, 2, 0.5, 100, np.int8(1), np.float32(0.5), np.int64(3)]))
    check(lambda lib, x: op(x, number), x)
    if not isinstance(number, np.generic):  # python-graphblas leaves it to NumPy, which fails
        check(lambda lib, x: op(number, x), x)


@few
@given(data=st.data())
def test_signs_and_truths(data: Any) -> None:
    x, _ = draw_two(data, "INT64")
    p, q = draw_two(data, "BOOL")
    check(lambda lib, x: abs(x), x)
    check(lambda lib, x: -x, x)
    check(lambda lib, p: ~p, p)
    check(lambda lib, p, q: p ^ q, p, q)


@pytest.mark.parametrize("name", ["iadd", "isub", "imul"])
@few
@given(data=st.data())
def test_in_place(name: str, data: Any) -> None:
    x, y = draw_two(data, "INT64")
    for other in (y, 2):
        target = x.dup()
        for lib, held in ((gl, target.ours), (gb, target.theirs)):
            assert getattr(operator, name)(held, *select_side((other,), lib)) is held
        assert_same(target.ours, target.theirs)


def test_what_infix_refuses() -> None:
    v = gl.Vector.from_coo([0], [1], size=2)
    for refused in (lambda: bool(v == v), lambda: ~v, lambda: v ^ v, lambda: v.__ior__(v), lambda: v + "a"):
        with pytest.raises(DomainMismatch):
            refused()


def test_scalars_compute_at_once() -> None:
    total = gl.Vector.from_coo([0, 1], [3, 4]).reduce().new()
    assert (total + 1, total / 2, 10 - total, total > 3) == (8, 3.5, 3, True)
    assert (gl.Scalar("INT8") + 1).is_empty
