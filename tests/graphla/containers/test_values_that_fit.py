"""One rule for values that a dtype does not hold, on every door: refused, with the value and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Scalar, Vector
from graphla.common.errors import DomainMismatch, ValueOutOfRange


def write_in_loop(v: Vector, value: Any) -> None:
    gl.loop(lambda _: v << value, times=2)


DOORS: dict[str, Callable[[Any, str], Any]] = {
    "Vector.from_coo": lambda x, dtype: Vector.from_coo([0], [x], dtype),
    "Vector.from_coo, one value": lambda x, dtype: Vector.from_coo([0, 1], x, dtype),
    "Vector.from_coo, joined": lambda x, dtype: Vector.from_coo([0, 0], [x, x], dtype, dup_op="first"),
    "Matrix.from_coo": lambda x, dtype: Matrix.from_coo([0], [1], [x], dtype),
    "Matrix.from_csr": lambda x, dtype: Matrix.from_csr([0, 1], [0], [x], dtype),
    "Matrix.from_csc": lambda x, dtype: Matrix.from_csc([0, 1], [0], [x], dtype),
    "Vector.from_dense": lambda x, dtype: Vector.from_dense([x], dtype=dtype),
    "Matrix.from_dense": lambda x, dtype: Matrix.from_dense([[x]], dtype=dtype),
    "Vector.from_scalar": lambda x, dtype: Vector.from_scalar(x, 2, dtype),
    "Matrix.from_scalar": lambda x, dtype: Matrix.from_scalar(x, 2, 2, dtype),
    "Vector.from_dict": lambda x, dtype: Vector.from_dict({0: x}, dtype),
    "Matrix.from_dicts": lambda x, dtype: Matrix.from_dicts({0: {1: x}}, dtype),
    "Vector.from_pairs": lambda x, dtype: Vector.from_pairs([(0, x)], dtype),
    "Matrix.from_edgelist": lambda x, dtype: Matrix.from_edgelist([(0, 1, x)], dtype=dtype),
    "Vector.build": lambda x, dtype: Vector(dtype, 3).build([0], [x]),
    "Matrix.build": lambda x, dtype: Matrix(dtype, 3, 3).build([0], [1], [x]),
    "v[i] = x": lambda x, dtype: Vector(dtype, 3).__setitem__(0, x),
    "v[I] = xs": lambda x, dtype: Vector(dtype, 3).__setitem__([0, 1], [x, x]),
    "A[i, j] = x": lambda x, dtype: Matrix(dtype, 3, 3).__setitem__((0, 1), x),
    "v << x": lambda x, dtype: Vector(dtype, 3) << x,
    "v << x in a loop": lambda x, dtype: write_in_loop(Vector(dtype, 3), x),
    "A.setdiag(xs)": lambda x, dtype: Matrix(dtype, 2, 2).setdiag([x, x]),
    "A.setdiag(x)": lambda x, dtype: Matrix(dtype, 2, 2).setdiag(x),
    "Scalar": lambda x, dtype: Scalar(dtype, x),
    "s << x": lambda x, dtype: Scalar(dtype) << x,
    "s.value = x": lambda x, dtype: setattr(Scalar(dtype), "value", x),
    "v.to_dense(fill)": lambda x, dtype: Vector(dtype, 3).to_dense(x, dtype=dtype),
    "A.to_dense(fill)": lambda x, dtype: Matrix(dtype, 3, 3).to_dense(x, dtype=dtype),
}
TOO_LARGE = [(300, "INT8"), (-1, "UINT8"), (2**70, "INT64"), (1e300, "FP32")]
NEITHER = [
    (1.5, "INT8"),
    (float("nan"), "INT8"),
    (float("inf"), "INT32"),
    (1j, "FP64"),
    (1j, "INT8"),
    (np.datetime64("2020-01-01"), "INT64"),
    ("a", "INT8"),
]


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS.keys())
def test_a_value_that_does_not_fit_is_refused(door: Callable[[Any, str], Any]) -> None:
    for value, dtype in TOO_LARGE + NEITHER:
        expected = ValueOutOfRange if (value, dtype) in TOO_LARGE else DomainMismatch
        with pytest.raises(expected) as caught:
            door(value, dtype)
        assert (str(value) in str(caught.value)) or isinstance(value, int | str | np.datetime64)


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS.keys())
def test_a_value_that_fits_is_taken(door: Callable[[Any, str], Any]) -> None:
    for value, dtype in [(2.0, "INT8"), (True, "INT8"), (0.1, "FP32"), (7, "BOOL"), (np.int64(5), "INT8")]:
        door(value, dtype)
    for value in (float("inf"), float("nan")):
        door(value, "FP64")


def test_exact_conversions_keep_the_value() -> None:
    assert Vector.from_coo([0, 1], [2.0, -128.0], "INT8").to_dict() == {0: 2, 1: -128}
    assert Vector.from_coo([0], [2.0**63], "UINT64").to_dict() == {0: 2**63}
    assert Vector.from_coo([0], [-(2.0**63)], "INT64").to_dict() == {0: -(2**63)}
    assert Vector.from_dense([1.0, np.nan], missing_value=np.nan, dtype="INT8").to_dict() == {0: 1}
    assert Vector.from_coo([0, 1], [0.5, 0], "BOOL").to_dict() == {0: True, 1: False}


@pytest.mark.parametrize("make", [Vector.from_dense, Vector.from_coo])
def test_the_first_value_that_does_not_fit_is_named(make: Any) -> None:
    values = np.arange(130)
    arguments = (values,) if make == Vector.from_dense else (values, values)
    with pytest.raises(ValueOutOfRange, match=r"128 .* does not fit INT8, which ends at -128 and 127; take a wider"):
        make(*arguments, dtype="INT8")
    with pytest.raises(
        ValueOutOfRange, match=r"18446744073709551616 is out of bounds for int64: it does not fit INT64.*take FP64"
    ):
        Vector.from_coo([0], [2.0**64], "INT64")
    with pytest.raises(ValueOutOfRange, match=r"-3 is out of bounds for uint8.*take a signed dtype"):
        Vector.from_coo([0], [-3], "UINT8")


def test_conversions_by_name_cut_fractions_and_refuse_the_rest() -> None:
    v = Vector.from_coo([0, 1], [2.5, -1.5], size=4)
    A = Matrix.from_coo([0], [1], [2.5], nrows=2, ncols=2)
    assert v.dup("INT8").to_dict() == {0: 2, 1: -1}
    assert A.dup("INT8").to_dicts() == {0: {1: 2}}
    assert v.to_dense(7, dtype="INT8").tolist() == [2, -1, 7, 7]
    assert v.to_coo(dtype="INT8")[1].tolist() == [2, -1]
    assert Scalar("FP64", 2.5).dup("INT8").value == 2
    for wrong in (300.5, float("nan"), float("inf")):
        w = Vector.from_coo([0, 1], [1.0, wrong], size=4)
        for convert in (
            lambda w=w: w.dup("INT8"),
            lambda w=w: w.to_coo(dtype="INT8"),
            lambda w=w: w.to_dense(0, "INT8"),
        ):
            with pytest.raises(DomainMismatch, match=r"300|nan|inf"):
                convert()


def test_a_fill_value_widens_unless_a_dtype_is_given() -> None:
    v = Vector.from_coo([0], [1], "INT8", size=2)
    A = Matrix.from_coo([0], [0], [1], "INT8", nrows=1, ncols=2)
    for fill in (300, -1, 1.5, float("inf"), 5):
        assert v.to_dense(fill).tolist() == A.to_dense(fill).tolist()[0] == [1, fill]
    assert v.to_dense(5).dtype == np.int8


def test_entries_that_are_not_there_are_not_looked_at() -> None:
    """A bitmap holds what it did where an entry is gone."""
    v = Vector.from_dense(np.arange(100) * 10)
    v(v.dup().select("<", 100).new().S, gl.replace) << v
    assert v.dup("INT8").to_dict() == {k: 10 * k for k in range(10)}
