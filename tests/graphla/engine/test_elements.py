"""Elements of a matrix that are set, read and deleted one at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operands import (
    draw_values,
    make_from_cells,
    make_full_matrix,
    make_generator,
    make_matrix,
    make_skewed,
    to_entries,
)

import graphla as gl
from graphla.containers.pending import PendingElements
from semirings import binary, plus_times

DTYPES = ("FP32", "FP64", "INT8", "INT64", "BOOL", "FC64")


@pytest.mark.parametrize("dtype", DTYPES)
def test_read(engine: Any, dtype: str) -> None:
    """Every cell of rows of many lengths, of a transpose and of a full matrix."""
    rng = make_generator("read", dtype)
    held = make_skewed(engine, rng, "INT8", (6, 1100), [1100, 0, 1, 33])
    A = held.held.apply("identity").new(dtype)
    for i, j in [
        (0, 0),
        (0, 1099),
        (0, 517),
        (1, 5),
        *((i, int(j)) for i in range(6) for j in rng.integers(0, 1100, 6)),
    ]:
        wanted = held.entries.get((i, j))
        assert A[i, j].new().value == (None if wanted is None else np.asarray(wanted).astype(A.dtype.numpy).item())
        assert A.T[j, i].new().value == A[i, j].new().value
    assert A[0, 3].new("FP64").dtype == "FP64" if dtype != "FC64" else True
    F = make_full_matrix(engine, rng, "INT32", (3, 4))
    assert [F.held[i, j].new().value for i, j in F.entries] == list(F.entries.values())


@pytest.mark.parametrize("form", ["sparse", "full", "empty"])
def test_set_and_deleted(engine: Any, form: str) -> None:
    """Many changes, some of them of the same cell, read in between, and merged at last."""
    rng = make_generator("set", form)
    made = (
        make_full_matrix(engine, rng, "INT32", (20, 30))
        if form == "full"
        else make_matrix(engine, rng, "INT32", (20, 30), 0.2)
    )
    if form == "empty":
        made = make_from_cells(engine, rng, "INT32", (20, 30), np.zeros(0, "int64"))
    C, wanted = made.held, dict(made.entries)
    kept = C.dup()
    for step in range(120):
        i, j = int(rng.integers(-20, 20)), int(rng.integers(0, 30))
        cell = (i % 20, j)
        if step % 3 == 0:
            del C[i, j]
            wanted.pop(cell, None)
        elif step % 7 == 0:
            C(binary.minus)[i, j] << step
            wanted[cell] = wanted[cell] - step if cell in wanted else step
        elif step % 7 == 1:
            C(binary.plus)[i, j] << gl.Scalar("INT32")  # nothing: the element stays
        else:
            C[i, j] << step
            wanted[cell] = step
        assert C[i, j].new().value == wanted.get(cell)
        if step == 60:
            assert C.nvals == len(wanted)
    other = (3, 4)
    assert C.get(*other) == wanted.get(other)
    assert isinstance(C._held, PendingElements)
    assert to_entries(C) == wanted
    assert not isinstance(C._held, PendingElements)
    assert to_entries(kept) == made.entries


def test_what_waits_is_there_for_everybody(engine: Any) -> None:
    """Copies, products, masks, accumulators, values that an expression has computed, and a cast to the dtype."""
    C = gl.Matrix.from_coo([0, 1], [1, 0], [2, 3], "INT32", nrows=2, ncols=2, engine=engine)
    total = C.reduce_scalar("plus")
    assert total.new().value == 5
    double = C + C
    assert double.nvals == 2
    C[0, 0] << 4
    assert C.shape == (2, 2)
    assert C.dtype == "INT32"
    assert double.nvals == 3
    C[1, 1] << 1
    assert double.nvals == 4
    assert total.new().value == 10
    assert to_entries(C.dup()) == {(0, 0): 4, (0, 1): 2, (1, 0): 3, (1, 1): 1}
    del C[1, 1]
    C[0, 0](binary.plus) << 1
    assert to_entries(C) == {(0, 0): 5, (0, 1): 2, (1, 0): 3}
    C[1, 1] << gl.Scalar.from_value(7)
    C[0, 1] << gl.Scalar("INT32")
    assert to_entries(plus_times(C @ C).new()) == {(0, 0): 25, (1, 0): 36, (1, 1): 49}


def test_a_trace_sees_each_write(engine: Any) -> None:
    C = gl.Matrix("INT32", 3, 3, engine=engine)
    with gl.trace() as t:
        C[1, 2] << 5
        C[2, 2] << 6
    assert len(t.steps if hasattr(t, "steps") else list(t)) == 2
    assert to_entries(C) == {(1, 2): 5, (2, 2): 6}


@pytest.mark.parametrize(("dtype", "op"), [("INT8", "plus"), ("FP32", "times"), ("BOOL", "lor"), ("UINT8", "minus")])
def test_an_element_accumulates_as_a_matrix_does(engine: Any, dtype: str, op: str) -> None:
    values = {"INT8": [100, 100, 7], "FP32": [0.1, 0.7, 1e30], "BOOL": [False, True, False], "UINT8": [3, 5, 1]}[dtype]
    C, D = (gl.Matrix(dtype, 3, 3, engine=engine) for _ in range(2))
    for value in values:
        C(op)[1, 2] << value
        D(op) << gl.Matrix.from_coo([1], [2], [value], dtype, nrows=3, ncols=3, engine=engine)
        assert C[1, 2].new().value == D[1, 2].new().value
    assert isinstance(C._held, PendingElements)
    assert to_entries(C) == to_entries(D)


def test_values_of_each_dtype(engine: Any) -> None:
    rng = make_generator("dtypes")
    for dtype in DTYPES:
        C = gl.Matrix(dtype, 4, 4, engine=engine)
        (value,) = draw_values(rng, dtype, 1)
        C[2, 1] << value.item()
        assert C[2, 1].new().value == value.item()
        assert to_entries(C) == {(2, 1): value.item()}
