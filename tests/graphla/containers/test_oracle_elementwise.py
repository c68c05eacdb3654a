"""Unions, intersections, maps, filters, folds and Kronecker products agree with SuiteSparse:GraphBLAS."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle_pairs import Pair, Writing, check, check_written, matrices, sizes, vectors, writings

from graphla.language.scalars import choose_scalar_dtype

few = settings(max_examples=30, deadline=None)
targets = st.sampled_from(["FP64", "INT8"])
pairs_of_dtypes = pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("plus", "INT64", "INT64"),
        ("minus", "INT8", "UINT8"),
        ("max", "INT32", "FP64"),
        ("first", "FP32", "FP32"),
        ("second", "INT8", "INT8"),
        ("lt", "INT64", "INT64"),
        ("times", "BOOL", "BOOL"),
        ("land", "BOOL", "BOOL"),
    ],
)
ranks = pytest.mark.parametrize("rank", [1, 2])
MAPS = [
    *(("unary", name, None) for name in ("ainv", "abs", "identity", "one", "lnot")),
    *(("right", name, bound) for name, bound in (("plus", 1), ("plus", 2.5), ("ge", 1), ("times", 3))),
    *(("left", name, bound) for name, bound in (("minus", 1), ("minus", 0.5), ("second", True))),
    *(("thunk", name, bound) for name, bound in (("rowindex", 0), ("rowindex", 2), ("rowle", 1), ("valueeq", 1))),
]


def draw_operands(data: Any, rank: int, *dtypes: str) -> list[Pair]:
    """Containers of one shape."""
    shape = tuple(data.draw(sizes) for _ in range(rank))
    make = vectors if rank == 1 else matrices
    return [data.draw(make(*shape, dtype)) for dtype in dtypes]


def draw_writing(data: Any, like: Pair) -> Writing:
    return data.draw(writings(like.ours.shape))


@ranks
@pairs_of_dtypes
@few
@given(data=st.data())
def test_unions_and_intersections(rank: int, name: str, left: str, right: str, data: Any) -> None:
    x, y, out = draw_operands(data, rank, left, right, data.draw(targets))
    union, turned = data.draw(st.booleans()), rank == 2 and data.draw(st.booleans())
    assume(not turned or x.ours.shape[0] == x.ours.shape[1])

    def program(lib: Any, x: Any, y: Any) -> Any:
        y = y.T if turned else y
        return getattr(lib.binary, name)(x | y if union else x & y)

    check_written(program, out, draw_writing(data, out), x, y)
    check(program, x, y)


@ranks
@pairs_of_dtypes
@few
@given(data=st.data())
def test_unions_with_defaults(rank: int, name: str, left: str, right: str, data: Any) -> None:
    """Defaults are given in the dtypes of the operands: SuiteSparse would take INT64 for them."""
    x, y, out = draw_operands(data, rank, left, right, data.draw(targets))
    fills = data.draw(st.tuples(st.integers(0, 1), st.integers(0, 1)))
    fills = tuple(np.dtype(of.ours.dtype.numpy).type(fill) for of, fill in zip((x, y), fills, strict=True))

    def program(lib: Any, x: Any, y: Any) -> Any:
        return x.ewise_union(y, getattr(lib.binary, name), *fills)

    check_written(program, out, draw_writing(data, out), x, y)
    check(program, x, y)


@ranks
@pytest.mark.parametrize("dtype", ["INT64", "INT8", "FP32", "BOOL"])
@few
@given(data=st.data())
def test_maps(rank: int, dtype: str, data: Any) -> None:
    """A bound number is given in the dtype that it takes here; SuiteSparse would take INT64 or FP64 for it."""
    x, out = draw_operands(data, rank, dtype, data.draw(targets))
    side, name, bound = data.draw(st.sampled_from(MAPS))
    assume(dtype != "BOOL" or name not in ("ainv", "minus", "abs", "plus", "times"))
    bound = (
        bound
        if bound is None or name.startswith("row")
        else np.dtype(choose_scalar_dtype(bound, x.ours.dtype).numpy).type(bound)
    )

    def program(lib: Any, x: Any) -> Any:
        if side == "unary":
            return getattr(lib.unary, name)(x)
        if side == "thunk":
            return getattr(lib.indexunary, name)(x, bound)
        op = getattr(lib.binary, name)
        return op(x, bound) if side == "right" else op(bound, x)

    check_written(program, out, draw_writing(data, out), x)
    check(program, x)


@ranks
@pytest.mark.parametrize("dtype", ["INT64", "FP32", "BOOL"])
@few
@given(data=st.data())
def test_filters(rank: int, dtype: str, data: Any) -> None:
    """A bound number is given in the dtype of the entries: SuiteSparse reads the bits of another as they are."""
    x, out = draw_operands(data, rank, dtype, data.draw(targets))
    of_matrices = ["tril", "triu", "diag", "offdiag", "colle", "colgt", "rowle"]
    of_values = [f"value{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge")]
    name = data.draw(st.sampled_from([*of_values, *(of_matrices if rank == 2 else ["indexle", "indexgt"])]))
    thunk = data.draw(st.integers(-2, 2))
    thunk = thunk if not name.startswith("value") else np.dtype(x.ours.dtype.numpy).type(thunk)

    def program(lib: Any, x: Any) -> Any:
        return getattr(lib.select, name)(x, thunk)

    check_written(program, out, draw_writing(data, out), x)
    check(program, x)


@ranks
@few
@given(data=st.data())
def test_filters_by_a_container_of_truths(rank: int, data: Any) -> None:
    x, keep = draw_operands(data, rank, "FP64", "BOOL")
    check(lambda lib, x, keep: x.select(keep), x, keep)


FOLDS = [("plus", "INT64"), ("plus", "FP32"), ("min", "INT8"), ("max", "FP64"), ("lor", "BOOL"), ("times", "UINT8")]


@pytest.mark.parametrize(("name", "dtype"), FOLDS)
@few
@given(data=st.data())
def test_folds_of_vectors(name: str, dtype: str, data: Any) -> None:
    (x,) = draw_operands(data, 1, dtype)
    check(lambda lib, x: x.reduce(getattr(lib.monoid, name)), x)


@pytest.mark.parametrize(("name", "dtype"), FOLDS)
@few
@given(data=st.data())
def test_folds_of_matrices(name: str, dtype: str, data: Any) -> None:
    (A,) = draw_operands(data, 2, dtype)
    way = data.draw(st.sampled_from(["reduce_rowwise", "reduce_columnwise", "reduce_scalar"]))
    turned = data.draw(st.booleans())
    check(lambda lib, A: getattr(A.T if turned else A, way)(getattr(lib.monoid, name)), A)


@pytest.mark.parametrize(("name", "left", "right"), [("times", "INT64", "INT64"), ("minus", "FP32", "INT8")])
@few
@given(data=st.data())
def test_kronecker_products(name: str, left: str, right: str, data: Any) -> None:
    shapes = [tuple(data.draw(st.integers(0, 3)) for _ in range(2)) for _ in range(2)]
    A, B = data.draw(matrices(*shapes[0], left)), data.draw(matrices(*shapes[1], right))
    turned = data.draw(st.booleans())
    check(lambda lib, A, B: (A.T if turned else A).kronecker(B, getattr(lib.binary, name)), A, B)
