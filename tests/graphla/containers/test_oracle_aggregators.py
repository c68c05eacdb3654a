"""Aggregators agree with python-graphblas, and where its narrow types wrap with NumPy."""

from typing import Any

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_pairs import matrices, vectors

import graphla as gl
from graphla.common.errors import GraphlaError, InvalidOption

few = settings(max_examples=12, deadline=None)
lengths = st.integers(1, 7)  # python-graphblas counts one entry in a matrix without cells
COUNTS = {"count_nonzero", "count_zero", "L0norm"}
"""INT64 here, in the dtype of the entries there."""
INDICES = {"argmin", "argmax", "first_index", "last_index"}
"""Of rows, of columns and of vectors alone."""


def assert_close(ours: Any, theirs: Any, counts: bool) -> None:
    assert counts or ours.dtype.name == theirs.dtype.name
    for mine, their in zip(list_parts(ours), list_parts(theirs), strict=True):
        np.testing.assert_allclose(np.asarray(mine, float), np.asarray(their, float), rtol=1e-5, atol=1e-6)


def list_parts(what: Any) -> list[Any]:
    return [[] if what.value is None else [what.value]] if what.shape == () else list(what.to_coo())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", [name for name in gl.agg if name not in ("any_value", "bitwise_all", "bitwise_any")])
@few
@given(data=st.data())
def test_aggregates(name: str, data: Any) -> None:
    """But for powers of two of integers, which are integers there."""
    m, n = data.draw(lengths), data.draw(lengths)
    dtype = data.draw(st.sampled_from(["FP64", "FP32"] if name == "logaddexp2" else ["INT64", "FP64", "FP32"]))
    v, A = data.draw(vectors(n, dtype)), data.draw(matrices(m, n, dtype))
    turned = data.draw(st.booleans())
    for way in ("reduce_rowwise", "reduce_columnwise", "reduce_scalar", "reduce"):
        if way == "reduce_scalar" and name in INDICES:
            continue
        results = []
        for lib, x, y in ((gl, v.ours, A.ours), (gb, v.theirs, A.theirs)):
            of = x if way == "reduce" else y.T if turned else y
            with np.errstate(all="ignore"):
                results.append(getattr(of, way)(getattr(lib.agg, name)).new())
        assert_close(*results, name in COUNTS)


@pytest.mark.parametrize("name", sorted(INDICES))
def test_a_whole_matrix_has_no_index(name: str) -> None:
    with pytest.raises(InvalidOption, match=r"has two indices; give this aggregator to reduce_rowwise or reduce_col"):
        gl.Matrix(int, 2, 2).reduce_scalar(name)


def test_values_of_any_kind() -> None:
    """Where any entry will do, and bits that python-graphblas has for unsigned types alone."""
    v = gl.Vector.from_coo([1, 3], [12, 10], "INT8", size=5)
    assert v.reduce(gl.agg.any_value).new().value in (12, 10)
    assert (v.reduce("bitwise_all").new().value, v.reduce("bitwise_any").new().value) == (8, 14)


def test_narrow_types_do_not_wrap() -> None:
    v = gl.Vector.from_coo(range(200), np.full(200, 100), "INT8")
    assert (v.reduce("mean").new().value, v.reduce("varp").new().value) == (100, 0)
    assert v.reduce("count_nonzero").new().value == 200
    assert v.reduce("root_mean_square").new().value == 100


def test_a_variance_keeps_its_digits() -> None:
    """The difference of two sums of squares would be zero, or below."""
    v = gl.Vector.from_coo([0, 1], [1e9, 1e9 + 1])
    A = gl.Matrix.from_coo([0, 0, 2], [0, 1, 2], [1e9, 1e9 + 1, 5.0], nrows=3, ncols=3)
    assert v.reduce("varp").new().value == 0.25
    assert A.reduce_rowwise("varp").new().to_dict() == {0: 0.25, 2: 0}
    assert A.T.reduce_columnwise("vars").new()[0].new().value == 0.5


def test_an_aggregator_is_called() -> None:
    A = gl.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 3, 5], nrows=2, ncols=2)
    assert gl.agg.mean(A, rowwise=True).new().to_dict() == {0: 2, 1: 5}
    assert gl.agg.max(A, columnwise=True).new().to_dict() == {0: 1, 1: 5}
    assert gl.agg.sum(A).new().value == 9
    with pytest.raises(GraphlaError, match="rowwise and columnwise"):
        gl.agg.mean(A, rowwise=True, columnwise=True)
    with pytest.raises(GraphlaError, match="rowwise and columnwise have no meaning for a vector"):
        gl.agg.mean(A.reduce_rowwise().new(), rowwise=True)
    with pytest.raises(GraphlaError, match=r"there is no operator 'avarage'; there are .*, mean, "):
        A.reduce_scalar("avarage")
