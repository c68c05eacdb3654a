"""Powers, outer products and entries at other places agree with python-graphblas."""

from typing import Any

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_pairs import MASKS, assert_same, check, find_semiring, make_mask, matrices, select_side, sizes, vectors

import graphla as gl
from graphla.common.errors import DimensionMismatch, GraphlaError, IndexOutOfBounds, InvalidGraph

few = settings(max_examples=60, deadline=None)
dtypes = st.sampled_from(["INT64", "FP64", "INT8"])
offsets = st.integers(-4, 4)
orders = st.sampled_from(["rowwise", "columnwise"])


def check_both(program: Any, *pairs: Any) -> None:
    """Both libraries leave the same in the first container."""
    copies = [pair.dup() for pair in pairs]
    for lib in (gl, gb):
        program(lib, *select_side(tuple(copies), lib))
    assert_same(copies[0].ours, copies[0].theirs)


@few
@given(data=st.data())
def test_powers(data: Any) -> None:
    n, name = data.draw(sizes), data.draw(st.sampled_from(["plus_times", "max_plus", "min_max", "min_plus"]))
    A, turned = data.draw(matrices(n, n, "FP64")), data.draw(st.booleans())
    exponent = data.draw(st.integers(0, 7))
    check(lambda lib, A: (A.T if turned else A).power(exponent, find_semiring(lib, name)), A)


@few
@given(data=st.data())
def test_outer_products(data: Any) -> None:
    u, v = data.draw(vectors(data.draw(sizes), "INT64")), data.draw(vectors(data.draw(sizes), data.draw(dtypes)))
    name = data.draw(st.sampled_from(["times", "minus", "first", "lt", "pair"]))
    check(lambda lib, u, v: u.outer(v, getattr(lib.binary, name)), u, v)


@few
@given(data=st.data())
def test_repositions(data: Any) -> None:
    v, A = data.draw(vectors(data.draw(sizes), "FP64")), data.draw(matrices(data.draw(sizes), data.draw(sizes), "INT8"))
    i, j, m, n = data.draw(offsets), data.draw(offsets), data.draw(st.none() | sizes), data.draw(st.none() | sizes)
    turned = data.draw(st.booleans())
    check(lambda lib, v: v.reposition(i, size=m), v)
    check(lambda lib, A: (A.T if turned else A).reposition(i, j, nrows=m, ncols=n), A)


@few
@given(data=st.data())
def test_resizes(data: Any) -> None:
    A = data.draw(matrices(data.draw(sizes), data.draw(sizes), "INT64"))
    m, n = data.draw(sizes), data.draw(sizes)
    check_both(lambda lib, A: A.resize(m, n), A)


@few
@given(data=st.data())
def test_diagonals_are_set(data: Any) -> None:
    """Beside the main diagonal no mask is a vector or a complement: python-graphblas lays those over the main one."""
    m, n = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    k = data.draw(st.integers(1 - m, n - 1))
    length = min(n - k, m) if k > 0 else min(m + k, n)
    A = data.draw(matrices(m, n, data.draw(dtypes)))
    value = data.draw(st.integers(0, 1) | vectors(length, data.draw(dtypes)))
    kind, accum = data.draw(st.sampled_from(MASKS[:3] if k else MASKS)), data.draw(st.sampled_from([None, "plus"]))
    of = data.draw(matrices(m, n, "INT8") if k else vectors(length, "INT8") | matrices(m, n, "INT8"))

    def program(lib: Any, A: Any, of: Any, *value: Any) -> None:
        op = None if accum is None else getattr(lib.binary, accum)
        A.setdiag(value[0] if value else 1, k, mask=make_mask(of, kind), accum=op)

    check_both(program, A, of, *([] if isinstance(value, int) else [value]))


def test_a_diagonal_of_an_array() -> None:
    A = gl.Matrix.from_coo([0, 1, 0], [0, 1, 1], [1, 2, 3], nrows=2, ncols=2)
    A.setdiag([7, 8])
    assert A.to_dense(0).tolist() == [[7, 3], [0, 8]]
    A.setdiag(np.int64(5), 1)
    assert A.to_dense(0).tolist() == [[7, 5], [0, 8]]


def test_a_mask_along_another_diagonal() -> None:
    A = gl.Matrix.from_coo([0, 1, 0], [0, 1, 1], [1, 2, 3], nrows=2, ncols=3)
    A.setdiag([7, 8], 1, mask=~gl.Vector.from_coo([0], [True], size=2).S)
    assert A.to_dense(0).tolist() == [[1, 3, 0], [0, 2, 8]]


def test_building_in_place() -> None:
    v, A = gl.Vector("INT8", 4), gl.Matrix("FP32", 2, 2)
    v.build([1, 1], [3, 4], dup_op=gl.binary.plus)
    A.build([0], [1], [2.5])
    assert (v.to_dict(), v.dtype.name, v.size) == ({1: 7}, "INT8", 4)
    assert (A[0, 1].new().value, A.dtype.name, A.shape) == (2.5, "FP32", (2, 2))
    v.build([5], [6], clear=True, size=6)
    A.build([2], [2], [1], clear=True, nrows=3, ncols=4)
    assert (v.to_dict(), v.size, A.nvals, A.shape) == ({5: 6}, 6, 1, (3, 4))
    with pytest.raises(GraphlaError, match="1 entries already; give clear=True"):
        v.build([0], [1])
    with pytest.raises(InvalidGraph, match="occurs twice"):
        v.build([0, 0], [1, 2], clear=True)


def test_what_is_refused() -> None:
    A, v = gl.Matrix("INT8", 2, 3), gl.Vector("INT8", 2)
    with pytest.raises(DimensionMismatch, match="2 × 3, and only square"):
        A.power(2)
    with pytest.raises(GraphlaError, match="n=-1"):
        gl.Matrix("INT8", 2, 2).power(-1)
    with pytest.raises(GraphlaError, match=r"first, .* monoid to have one; give n from 1 on"):
        gl.Matrix("INT8", 2, 2).power(0, "plus_first")
    with pytest.raises(DimensionMismatch, match="outer wants a vector"):
        v.outer(A)
    with pytest.raises(IndexOutOfBounds, match="diagonal is out of range, k=3"):
        A.setdiag(1, 3)
    with pytest.raises(DimensionMismatch):
        A.setdiag([1, 2, 3])
    with pytest.raises(DimensionMismatch, match="mask in setdiag is the wrong shape"):
        A.setdiag(1, mask=gl.Matrix("INT8", 2, 2).S)


@few
@given(data=st.data())
def test_nested_dictionaries(data: Any) -> None:
    """python-graphblas fails where there is no entry."""
    A, order = data.draw(matrices(data.draw(sizes), data.draw(sizes), "INT64")), data.draw(orders)
    assert A.ours.to_dicts(order) == (A.theirs.to_dicts(order) if A.theirs.nvals else {})
    shape = dict(zip(("nrows", "ncols"), A.ours.shape, strict=True))
    again = gl.Matrix.from_dicts(A.ours.to_dicts(order), "INT64", order=order, **shape)
    assert again.isequal(A.ours, check_dtype=True)


def test_a_list_of_dictionaries() -> None:
    """As many rows as dictionaries, the last of them empty."""
    for order, shape in (("rowwise", (3, 3)), ("columnwise", (3, 3))):
        given = [{1: 2.5}, {0: 1, 2: 4}, {}]
        ours, theirs = (lib.Matrix.from_dicts(given, order=order) for lib in (gl, gb))
        assert ours.shape == theirs.shape == shape
        assert (ours.to_dicts(), ours.dtype.name) == (theirs.to_dicts(), theirs.dtype.name)
    with pytest.raises(GraphlaError, match="order='diagonal': there are 'rowwise' and 'columnwise'"):
        gl.Matrix.from_dicts({}, order="diagonal")


def test_a_scalar_is_asked_and_cleared() -> None:
    s = gl.Scalar("INT8", 3)
    assert (s.get(), s.ndim) == (3, 0)
    s.update(4)
    assert s.value == 4
    s.clear()
    assert (s.is_empty, s.get(7)) == (True, 7)
