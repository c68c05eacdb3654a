"""Products agree with SuiteSparse:GraphBLAS: every shape, direction, format, mask, accumulator and dtype."""

from collections.abc import Callable
from typing import Any

import graphblas as gb
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle_pairs import (
    DTYPES,
    Writing,
    assert_same,
    check,
    check_written,
    find_semiring,
    matrices,
    sizes,
    vectors,
    writings,
)

import graphla as gl

SEMIRINGS = [
    ("plus_times", "INT64", "INT64"),
    ("min_plus", "INT32", "INT32"),
    ("min_plus", "FP64", "FP32"),
    ("max_first", "FP64", "INT32"),
    ("any_pair", "BOOL", "FP32"),
    ("plus_pair", "INT8", "INT8"),
    ("min_secondi", "FP64", "FP64"),
    ("max_firstj", "INT8", "FP32"),
    ("lor_land", "BOOL", "BOOL"),
    ("plus_minus", "INT8", "UINT8"),
    ("plus_second", "UINT8", "FP64"),
]
DIRECTIONS = (None, "push", "pull")
few = settings(max_examples=25, deadline=None)
semirings = pytest.mark.parametrize(("name", "left", "right"), SEMIRINGS)
targets = st.sampled_from(["FP64", "INT8"])
turns = st.booleans()


def multiply_over(name: str, product: Callable[..., Any]) -> Callable[..., Any]:
    """The product over the semiring of that name, in either library."""
    return lambda lib, *operands: find_semiring(lib, name)(product(*operands))


def draw_transposed(data: Any, nrows: int, ncols: int, dtype: str) -> tuple[Any, Callable[[Any], Any]]:
    """A matrix and a way to read it so that it has the shape (nrows, ncols)."""
    if data.draw(turns):
        return data.draw(matrices(ncols, nrows, dtype)), lambda A: A.T
    return data.draw(matrices(nrows, ncols, dtype)), lambda A: A


def assume_they_can(inner: int, how: Writing) -> None:
    """SuiteSparse 9.4 calls it a mismatch of dimensions if a sum over nothing is accumulated under an empty mask."""
    assume(inner > 0 or how.accum is None or how.kind == "none")


@semirings
@few
@given(data=st.data())
def test_matrix_times_vector(name: str, left: str, right: str, data: Any) -> None:
    m, n = data.draw(sizes), data.draw(sizes)
    A, read = draw_transposed(data, m, n, left)
    v, out = data.draw(vectors(n, right)), data.draw(vectors(m, data.draw(targets)))
    how = data.draw(writings((m,), directions=DIRECTIONS))
    assume_they_can(n, how)
    check_written(multiply_over(name, lambda A, v: read(A) @ v), out, how, A, v)


@semirings
@few
@given(data=st.data())
def test_vector_times_matrix(name: str, left: str, right: str, data: Any) -> None:
    m, n = data.draw(sizes), data.draw(sizes)
    A, read = draw_transposed(data, m, n, right)
    v, out = data.draw(vectors(m, left)), data.draw(vectors(n, data.draw(targets)))
    how = data.draw(writings((n,), directions=DIRECTIONS))
    assume_they_can(m, how)
    check_written(multiply_over(name, lambda v, A: v @ read(A)), out, how, v, A)


@semirings
@few
@given(data=st.data())
def test_matrix_times_matrix(name: str, left: str, right: str, data: Any) -> None:
    m, k, n = (data.draw(sizes) for _ in range(3))
    A, read_a = draw_transposed(data, m, k, left)
    B, read_b = draw_transposed(data, k, n, right)
    out, how = data.draw(matrices(m, n, data.draw(targets))), data.draw(writings((m, n)))
    assume_they_can(k, how)
    check_written(multiply_over(name, lambda A, B: read_a(A) @ read_b(B)), out, how, A, B)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_the_dtype_of_a_product_is_theirs(data: Any) -> None:
    left, right = (data.draw(st.sampled_from(DTYPES[1:])) for _ in range(2))
    names = ["plus_times", "min_plus", "max_minus", "plus_pair", "any_pair", "plus_first", "min_second", "lxor_pair"]
    name = data.draw(st.sampled_from(names))
    A, v = data.draw(matrices(3, 3, left)), data.draw(vectors(3, right))
    ours, theirs = find_semiring(gl, name)(A.ours @ v.ours), find_semiring(gb, name)(A.theirs @ v.theirs)
    assert ours.dtype.name == theirs.dtype.name


@pytest.mark.parametrize(
    ("name", "left", "right"), [s for s in SEMIRINGS if s[0].endswith(("times", "plus", "land", "minus"))]
)
@few
@given(data=st.data())
def test_inner_products(name: str, left: str, right: str, data: Any) -> None:
    n = data.draw(sizes)
    check(multiply_over(name, lambda u, v: u @ v), data.draw(vectors(n, left)), data.draw(vectors(n, right)))


@semirings
@few
@given(data=st.data())
def test_a_frontier_is_target_and_operand(name: str, left: str, right: str, data: Any) -> None:
    n = data.draw(sizes)
    A, q, level = data.draw(matrices(n, n, left)), data.draw(vectors(n, right)), data.draw(vectors(n, "INT32"))
    kind = data.draw(st.sampled_from(["S", "V"]))
    results = []
    for lib, graph, front, seen in ((gl, A.ours, q.ours, level.ours), (gb, A.theirs, q.theirs, level.theirs)):
        mask = seen.S if kind == "S" else seen.V
        front(~mask, lib.replace) << find_semiring(lib, name)(graph.T @ front)
        results.append(front)
    assert_same(*results)
