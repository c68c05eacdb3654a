"""What is kept from one expression for the next changes no answer: operands, masks, dtypes, operators and limits that
change in between are all seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Vector, binary, replace
from graphla.common.errors import OutOfMemory
from semirings import BinaryOp, Semiring, any_pair, min_plus, monoid, plus_minus, plus_times
from semirings.expression import trace

SIZE = 40
RNG = np.random.default_rng(11)
DENSE = np.where(RNG.random((SIZE, SIZE)) < 0.1, RNG.integers(1, 9, (SIZE, SIZE)), 0)
DENSE[7] = 0  # a row without entries


def make_matrix(engine: Any, dense: Any, dtype: str = "FP32") -> Matrix:
    rows, columns = np.nonzero(dense)
    shape = {"nrows": dense.shape[0], "ncols": dense.shape[1]}
    return Matrix.from_coo(rows, columns, dense[rows, columns], dtype, **shape, engine=engine)


def make_vector(engine: Any, values: Any, dtype: str = "FP32") -> Vector:
    return Vector.from_dense(np.asarray(values), -1, dtype, engine=engine)


def compute_sums(dense: Any, x: Any) -> dict[int, float]:
    """plus_times of a dense matrix, whose zeros are absent, and a vector in which −1 is absent."""
    there = (dense != 0) & (x != -1)
    found = np.where(there, dense * x, 0).sum(axis=1)
    return {int(i): float(found[i]) for i in np.flatnonzero(there.any(axis=1))}


def compute_least(dense: Any, x: Any) -> dict[int, float]:
    """min_plus of the same."""
    there = (dense != 0) & (x != -1)
    found = np.where(there, dense + x, np.inf).min(axis=1)
    return {int(i): float(found[i]) for i in np.flatnonzero(there.any(axis=1))}


def draw_full() -> Any:
    return RNG.integers(0, 50, SIZE)


def draw_part(share: float) -> Any:
    return np.where(RNG.random(SIZE) < share, draw_full(), -1)


def test_the_same_product_of_other_vectors(engine: Any) -> None:
    A, w = make_matrix(engine, DENSE), Vector("FP32", SIZE, engine=engine)
    for x in (draw_full(), draw_full(), draw_part(0.5), draw_part(0.05), draw_full(), np.full(SIZE, -1)):
        v = make_vector(engine, x)
        w << plus_times(A @ v)
        assert w.to_dict() == plus_times(A @ v).new().to_dict() == compute_sums(DENSE, x)
        assert min_plus(A @ v).new().to_dict() == compute_least(DENSE, x)
        assert plus_times(v @ A).new().to_dict() == compute_sums(DENSE.T, x)


def test_an_operand_that_is_written_between(engine: Any) -> None:
    A, v = make_matrix(engine, DENSE), make_vector(engine, draw_full())
    product = plus_times(A @ v)
    product.new()
    for dense in (DENSE.T, DENSE[::-1], np.eye(SIZE, dtype=int)):
        x = draw_full()
        A << make_matrix(engine, dense)
        v << make_vector(engine, x)
        assert product.new().to_dict() == plus_times(A @ v).new().to_dict() == compute_sums(dense, x)


def test_other_dtypes_of_one_matrix(engine: Any) -> None:
    A, x = make_matrix(engine, DENSE, "INT32"), draw_full()
    for dtype, out in (("INT32", "INT32"), ("FP64", "FP64"), ("INT64", "INT64"), ("INT32", "INT32")):
        found = plus_times(A @ make_vector(engine, x, dtype)).new()
        assert (found.dtype.name, found.to_dict()) == (out, compute_sums(DENSE, x))
    B = make_matrix(engine, DENSE, "FP64")
    for dtype in ("FP64", "INT32", "FP32", "FP64"):
        assert plus_times(B @ make_vector(engine, x, dtype)).new().to_dict() == compute_sums(DENSE, x)
    w = Vector("FP64", SIZE, engine=engine)
    w << plus_times(A @ make_vector(engine, x, "INT32"))
    assert (w.dtype.name, w.to_dict()) == ("FP64", compute_sums(DENSE, x))


def test_either_side_of_one_matrix(engine: Any) -> None:
    A, x = make_matrix(engine, DENSE), draw_full()
    v, ones = make_vector(engine, x), np.ones(SIZE, int)
    weights, values = compute_sums(DENSE, ones), compute_sums(DENSE != 0, x)
    for _ in range(2):
        assert plus_minus(A @ v).new().to_dict() == {i: weights[i] - values[i] for i in weights}
        assert plus_minus(v @ A.T).new().to_dict() == {i: values[i] - weights[i] for i in weights}


def test_masks_accumulators_and_replace_come_and_go(engine: Any) -> None:
    A, x, old = make_matrix(engine, DENSE), draw_full(), draw_part(0.5)
    v, m = make_vector(engine, x), make_vector(engine, draw_part(0.4))
    new, before, inside = compute_sums(DENSE, x), make_vector(engine, old).to_dict(), set(m.to_dict())
    allowed = {i: value for i, value in new.items() if i in inside}
    outside = {i: value for i, value in new.items() if i not in inside}
    kept = {i: value for i, value in before.items() if i not in inside}
    both = {i: before.get(i, 0) + new.get(i, 0) for i in {*before, *new}}
    for how, wanted in (
        ((), new),
        ((m.S, replace), allowed),
        ((m.S,), {**kept, **allowed}),
        ((~m.S, replace), outside),
        ((binary.plus,), both),
        ((), new),
    ):
        w = make_vector(engine, old)
        w(*how) << plus_times(A @ v)
        assert w.to_dict() == wanted, how


def test_lengths_that_share_a_grid(engine: Any) -> None:
    for size in (5, 200, 5, 256, 257, 0, 1):
        u = np.arange(size)
        v = Vector.from_dense(u.astype("float32"), engine=engine)
        assert engine.to_host((v + v).new().to_dense(0)).tolist() == (2 * u).tolist()
        assert engine.to_host(binary.times(v & v).new().to_dense(0)).tolist() == (u * u).tolist()


def test_operators_of_one_name(engine: Any) -> None:
    A, x = make_matrix(engine, DENSE), draw_full()
    v = make_vector(engine, x)
    for many in (3, 5):
        op = BinaryOp("so_many", trace(lambda a, b, many=many: many * a + b, ("x", "y")))
        same = Semiring("so_many", monoid.min, op)
        assert same(A @ v).new().to_dict() == compute_least(np.where(DENSE, many * DENSE, 0), x)
        assert engine.to_host(op(v & v).new().to_dense(0)).tolist() == ((many + 1) * x).tolist()


def test_the_dtype_of_the_target_of_a_pair(engine: Any) -> None:
    A, v = make_matrix(engine, DENSE), make_vector(engine, draw_full())
    for dtype in ("BOOL", "INT32", "FP64", "BOOL"):
        w = Vector(dtype, SIZE, engine=engine)
        w << any_pair(A @ v)
        assert w.dtype.name == dtype
        assert w.to_dict() == dict.fromkeys(compute_sums(DENSE, draw_full() + 1), 1)


def test_a_limit_that_is_set_between(engine: Any) -> None:
    A, v = make_matrix(engine, DENSE), make_vector(engine, draw_full())
    product, both = plus_times(A @ v), binary.plus(v & v)
    for expression in (product, both):
        expression.new()
        with gl.config.set(memory_limit=8), pytest.raises(OutOfMemory, match="memory_limit is 8"):
            expression.new()
        expression.new()


def test_a_size_that_changes_between(engine: Any) -> None:
    A, u, v = make_matrix(engine, DENSE), make_vector(engine, draw_full()), make_vector(engine, draw_full())
    product, union, twice = plus_times(A @ v), binary.plus(u | v), binary.plus(v & v)
    assert twice.new().shape == twice.shape == (SIZE,)
    v.resize(SIZE // 2)
    assert v.shape == twice.shape == twice.new().shape == (v + 1).new().shape == (SIZE // 2,)
    for expression in (product, union):
        with pytest.raises(gl.errors.DimensionMismatch, match="differ"):
            expression.new()
    A.resize(SIZE // 4, SIZE // 2)
    assert (product.shape, product.new().shape) == ((SIZE // 4,), (SIZE // 4,))
