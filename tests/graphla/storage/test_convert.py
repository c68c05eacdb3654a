"""Rows, columns and coordinates against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array

from graphla.common.config import config
from graphla.common.errors import IndexOutOfBounds, InvalidGraph, OutOfMemory
from graphla.storage import Coo
from graphla.storage.convert import coo_from_csr, csr_from_coo, transpose_csr

DTYPES = ("bool", "int8", "uint16", "int64", "float32", "float64")


@st.composite
def entries(draw):
    """Entries of a rectangle in any order, with repeats."""
    nrows, ncols = draw(st.integers(0, 7)), draw(st.integers(0, 7))
    count = draw(st.integers(0, 25)) if nrows and ncols else 0
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows, cols = rng.integers(0, max(nrows, 1), count), rng.integers(0, max(ncols, 1), count)
    dtype = draw(st.sampled_from(DTYPES))
    values = None if draw(st.booleans()) else rng.integers(0, 5, count).astype(dtype)
    return Coo(nrows, ncols, rows.astype(np.int32), cols.astype(np.int32), values)


def compute_expected(coo, dup):
    """The same by a dictionary."""
    cells = {}
    values = np.ones(coo.rows.size, bool) if coo.values is None else coo.values
    for u, v, value in zip(coo.rows.tolist(), coo.cols.tolist(), values, strict=True):
        if (u, v) not in cells or dup == "error":
            cells[u, v] = value
        elif dup == "min":
            cells[u, v] = min(cells[u, v], value)
        elif dup == "sum":
            cells[u, v] = cells[u, v] + value
    return cells


def to_cells(matrix):
    coo = coo_from_csr(matrix)
    return dict(zip(zip(coo.rows.tolist(), coo.cols.tolist(), strict=True), coo.values, strict=True))


def check_rows(matrix):
    """Sorted unique columns in each row, int32."""
    assert matrix.indptr.dtype == matrix.indices.dtype == np.int32
    assert matrix.indptr[0] == 0
    assert matrix.indptr[-1] == matrix.nvals == matrix.values.size
    for start, end in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True):
        assert (np.diff(matrix.indices[start:end]) > 0).all()


@pytest.mark.parametrize("dup", ["first", "min", "sum"])
@settings(deadline=None, max_examples=60)
@given(coo=entries())
def test_rows_from_coordinates(dup, coo):
    matrix = csr_from_coo(coo, dup)
    check_rows(matrix)
    assert to_cells(matrix) == compute_expected(coo, dup)
    assert matrix.values.dtype == (bool if coo.values is None else coo.values.dtype)


@settings(deadline=None, max_examples=60)
@given(coo=entries())
def test_repeats_are_refused_unless_told(coo):
    places = list(zip(coo.rows.tolist(), coo.cols.tolist(), strict=True))
    if len(set(places)) == len(places):
        assert to_cells(csr_from_coo(coo)) == compute_expected(coo, "error")
    else:
        first = min(place for place in places if places.count(place) > 1)
        with pytest.raises(InvalidGraph, match=rf"the entry \({first[0]}, {first[1]}\) occurs twice; say"):
            csr_from_coo(coo)


@settings(deadline=None, max_examples=60)
@given(coo=entries())
def test_transpose(coo):
    matrix = csr_from_coo(coo, "first")
    turned = transpose_csr(matrix)
    check_rows(turned)
    assert turned.shape == matrix.shape[::-1]
    assert turned.values.dtype == matrix.values.dtype
    assert to_cells(turned) == {(v, u): value for (u, v), value in to_cells(matrix).items()}


def test_large_as_scipy_does_it():
    rng = np.random.default_rng(1)
    rows, cols = rng.integers(0, 3000, 200_000), rng.integers(0, 2000, 200_000)
    values = rng.integers(1, 100, 200_000)
    ours = csr_from_coo(Coo(3000, 2000, rows, cols, values), "sum")
    theirs = coo_array((values, (rows, cols)), shape=(3000, 2000)).tocsr()
    assert np.array_equal(ours.indptr, theirs.indptr)
    assert np.array_equal(ours.indices, theirs.indices)
    assert np.array_equal(ours.values, theirs.data)


def test_indices_that_do_not_exist():
    for rows, cols, message in (([3], [0], "row 3 does not exist: there are 3"), ([0], [-1], "column -1")):
        with pytest.raises(IndexOutOfBounds, match=message):
            csr_from_coo(Coo(3, 3, np.array(rows), np.array(cols), None))


def test_unknown_dup():
    with pytest.raises(InvalidGraph, match="dup='max': there are 'error', 'first', 'min', 'sum'"):
        csr_from_coo(Coo(1, 1, np.array([0]), np.array([0]), None), "max")


def test_more_rows_than_memory():
    nothing = np.empty(0, np.int32)
    with config.set(memory_limit=1 << 20), pytest.raises(OutOfMemory, match=r"allowed by config\.memory_limit"):
        csr_from_coo(Coo(2**31 - 1, 5, nothing, nothing, None))
