"""Matrices by rows on the CUDA engine agree with the CPU engine: rows long, empty, and over many tiles."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from operands import draw_values, make_generator

import graphla as gl
from graphla import binary, select
from graphla.engine import get_engine
from graphla.storage import CompressedMatrix
from semirings import indexunary

SHAPE = (700, 3000)


@pytest.fixture(
    params=[pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
)
def engine(request: pytest.FixtureRequest) -> Any:
    from engines import get_engine_named

    return get_engine_named(request.param)


def make_arrays(seed: str, dtype: str, wide: bool = False) -> tuple[Any, Any, Any]:
    """Rows of CSR: 200 empty ones first, a row of all columns, one of half of them, short ones, and an empty end."""
    rng = make_generator(seed, dtype)
    lengths = np.concatenate(
        [np.zeros(200, int), [SHAPE[1], 1, 0, SHAPE[1] // 2], rng.integers(0, 12, 446), np.zeros(50, int)]
    )
    columns = np.concatenate([np.sort(rng.choice(SHAPE[1], n, replace=False)) for n in lengths])
    pointers = np.concatenate([[0], np.cumsum(lengths)])
    return pointers.astype("int64" if wide else "int32"), columns.astype("int32"), draw_values(rng, dtype, columns.size)


def make_pair(engine: Any, seed: str, dtype: str = "INT32", wide: bool = False) -> tuple[gl.Matrix, gl.Matrix]:
    """The same matrix on the engine and on the CPU."""
    parts = make_arrays(seed, dtype, wide)
    there, here = ([on.asarray(part) for part in parts] for on in (engine, get_engine("cpu")))
    return (
        gl.Matrix._from_storage(CompressedMatrix(*SHAPE, *there), engine),
        gl.Matrix._from_storage(CompressedMatrix(*SHAPE, *here), get_engine("cpu")),
    )


def assert_same(found: gl.Matrix, wanted: gl.Matrix) -> None:
    """The same structure, dtype and values, with rows that are sorted."""
    got, want = found._storage, wanted._storage
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    for name in ("indptr", "indices", "values"):
        assert np.array_equal(found.engine.to_host(getattr(got, name)), getattr(want, name)), name


TYPES = [("plus", "INT32", "INT32"), ("minus", "FP32", "INT8"), ("lt", "UINT8", "UINT8"), ("first", "BOOL", "FP64")]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize(("name", "a", "b"), TYPES)
def test_union_and_intersection(engine: Any, name: str, a: str, b: str, wide: bool) -> None:
    (A, A0), (B, B0), op = make_pair(engine, "a", a, wide), make_pair(engine, "b", b), binary[name]
    assert_same(op(A | B).new(), op(A0 | B0).new())
    assert_same(op(A & B).new(), op(A0 & B0).new())
    assert_same(A.ewise_union(B, op, 1, 2).new(), A0.ewise_union(B0, op, 1, 2).new())
    assert_same(op(A | A).new(), op(A0 | A0).new())


def test_with_nothing(engine: Any) -> None:
    (A, A0), nothing = make_pair(engine, "a"), (gl.Matrix("INT32", *SHAPE, engine=on) for on in (engine, "cpu"))
    B, B0 = nothing
    assert_same(binary.plus(A | B).new(), binary.plus(A0 | B0).new())
    assert_same(binary.plus(B & A).new(), binary.plus(B0 & A0).new())
    assert_same(binary.plus(B | B).new(), binary.plus(B0 | B0).new())
    assert_same(select.valuegt(B, 0).new(), select.valuegt(B0, 0).new())
    assert_same(select.valuegt(A, 100).new(), select.valuegt(A0, 100).new())


@pytest.mark.parametrize(("name", "thunk"), [("tril", -3), ("triu", 5), ("valuegt", 1), ("colle", 40), ("rowgt", 203)])
@pytest.mark.parametrize(("dtype", "wide"), [("INT32", False), ("FP64", True), ("INT8", False)])
def test_select(engine: Any, name: str, thunk: int, dtype: str, wide: bool) -> None:
    (A, A0), op = make_pair(engine, "a", dtype, wide), indexunary[name]
    assert_same(A.select(op, thunk).new(), A0.select(op, thunk).new())


INDICES = [slice(None), slice(199, 690, 3), slice(680, 3, -2), [5, 204, 204, 200, 3], 203, slice(9, 9)]


def test_extract(engine: Any) -> None:
    A, A0 = make_pair(engine, "a", "FP32", wide=True)
    for rows, columns in product(INDICES, INDICES):
        part, wanted = A[rows, columns].new(), A0[rows, columns].new()
        if isinstance(rows, int) and isinstance(columns, int):
            assert part.value == wanted.value
        elif isinstance(rows, int) or isinstance(columns, int):
            assert part.isequal(wanted.to(engine))
        else:
            assert_same(part, wanted)


@pytest.mark.parametrize("kind", [None, "S", "~S", "V", "~V"])
@pytest.mark.parametrize("replaces", [False, True])
def test_write(engine: Any, kind: str | None, replaces: bool) -> None:
    """A scalar, a matrix and a part, under each mask, with and without an accumulator."""
    (A, A0), (M, M0) = make_pair(engine, "a"), make_pair(engine, "mask", "INT8")
    how, how0 = ({} if kind is None else {"mask": make_view(mask, kind), "replace": replaces} for mask in (M, M0))
    rows, columns = slice(690, 100, -1), [7, 3, 2999, 5, 1200]
    for accum in (None, binary.minus):
        C, C0 = make_pair(engine, "c", "INT64")
        C(accum=accum, **how) << A
        C0(accum=accum, **how0) << A0
        assert_same(C, C0)
        C(accum=accum, **how)[rows, columns] << A[rows, columns].new()
        C0(accum=accum, **how0)[rows, columns] << A0[rows, columns].new()
        assert_same(C, C0)
        C(accum=accum, **how)[rows, 40:900] << A[rows, 40:900].new()
        C0(accum=accum, **how0)[rows, 40:900] << A0[rows, 40:900].new()
        assert_same(C, C0)
        C(accum=accum, **how)[3:260, [9, 2]] << 5
        C0(accum=accum, **how0)[3:260, [9, 2]] << 5
        assert_same(C, C0)
        if kind is not None and not kind.startswith("~"):
            C(accum=accum, **how) << 8
            C0(accum=accum, **how0) << 8
            assert_same(C, C0)


def make_view(mask: gl.Matrix, kind: str) -> Any:
    held = mask.S if kind.endswith("S") else mask.V
    return ~held if kind.startswith("~") else held


def test_a_new_matrix_under_a_mask(engine: Any) -> None:
    (A, A0), (M, M0) = make_pair(engine, "a"), make_pair(engine, "mask", "INT8")
    for kind in ("S", "~S", "V", "~V"):
        assert_same(A.apply("ainv").new(mask=make_view(M, kind)), A0.apply("ainv").new(mask=make_view(M0, kind)))


def test_everything_folds_in_the_order_of_the_values(engine: Any) -> None:
    A, A0 = make_pair(engine, "a", "INT64")
    assert A.reduce_scalar("plus").new().value == A0.reduce_scalar("plus").new().value


@pytest.mark.parametrize("wide", [False, True])
def test_transpose(engine: Any, wide: bool) -> None:
    A, A0 = make_pair(engine, "a", "FP32", wide)
    assert_same(A.T.new(), A0.T.new())
    assert_same(select.tril(A.T, -300).new(), select.tril(A0.T, -300).new())
    assert gl.Matrix("INT8", 5, 9, engine=engine).T.new().shape == (9, 5)
