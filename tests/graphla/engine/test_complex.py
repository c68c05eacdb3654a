"""Complex numbers on every engine, beside NumPy: products each way, element-wise operations, functions, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Vector, agg, binary, monoid, select, semiring, unary
from graphla.common.errors import DomainMismatch, InvalidGraph, NotSupported

N = 40
DTYPES = pytest.mark.parametrize("dtype", ["FC32", "FC64"])
FUNCTIONS = ("sqrt", "exp", "exp2", "log", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh")
NUMPY = {"FC32": "complex64", "FC64": "complex128"}


def draw_values(seed: int, shape: Any, fill: float, dtype: str) -> Any:
    """Complex numbers of small whole parts, of which sums and products are exact; absent ones are zero."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(-3, 4, shape) + 1j * rng.integers(1, 4, shape)
    return (numbers * (rng.random(shape) < fill)).astype(NUMPY[dtype])


def make_matrix(S: Any, engine: Any) -> Matrix:
    rows, columns = np.nonzero(S)
    return Matrix.from_coo(rows, columns, S[rows, columns], nrows=S.shape[0], ncols=S.shape[1], engine=engine)


def make_vector(x: Any, engine: Any) -> Vector:
    indices = np.flatnonzero(x)
    return Vector.from_coo(indices, x[indices], size=x.size, engine=engine)


def to_dense(found: Any) -> Any:
    return found.engine.to_host(found.to_dense(0))


@DTYPES
@pytest.mark.parametrize("direction", ["push", "pull", None])
def test_products_with_vectors(engine: Any, dtype: str, direction: Any) -> None:
    S = draw_values(1, (N, N), 0.1, dtype)
    A = make_matrix(S, engine)
    assert A.dtype.name == dtype
    for x in (draw_values(2, N, 0.3, dtype), draw_values(3, N, 1.0, dtype)):
        v, w = make_vector(x, engine), Vector(dtype, N, engine=engine)
        w(direction=direction) << semiring.plus_times(A @ v)
        np.testing.assert_array_equal(to_dense(w), S @ x)
        w(direction=direction) << semiring.plus_times(v @ A)
        np.testing.assert_array_equal(to_dense(w), x @ S)


@DTYPES
def test_products_of_matrices(engine: Any, dtype: str) -> None:
    S, T = draw_values(4, (N, N), 0.1, dtype), draw_values(5, (N, N), 0.2, dtype)
    A, B = make_matrix(S, engine), make_matrix(T, engine)
    np.testing.assert_array_equal(to_dense(semiring.plus_times(A @ B).new()), S @ T)
    masked = semiring.plus_times(A @ B.T).new(mask=A.S)
    np.testing.assert_array_equal(to_dense(masked), np.where(S != 0, S @ T.T, 0))
    F = Matrix.from_dense(draw_values(6, (9, 9), 1.0, dtype), engine=engine)
    np.testing.assert_array_equal(to_dense(semiring.plus_times(F @ F).new()), to_dense(F) @ to_dense(F))


@DTYPES
@pytest.mark.parametrize("fill", [0.5, 1.0])
def test_rows_of_many_products(engine: Any, dtype: str, fill: float) -> None:
    """Rows of more than 32 products, and (of 40 × 40 = 1600) of more than a hash table holds."""
    S, T = draw_values(8, (6, N), fill, dtype), draw_values(9, (N, N), fill, dtype)
    A, B = make_matrix(S, engine), make_matrix(T, engine)
    np.testing.assert_array_equal(to_dense(semiring.plus_times(A @ B).new()), S @ T)


@DTYPES
def test_other_monoids(engine: Any, dtype: str) -> None:
    """16 bytes are joined by no atomic but a sum by parts: the plan pulls, and says so, or that few arcs always are."""
    S, x = draw_values(1, (N, N), 0.1, dtype), draw_values(2, N, 0.3, dtype)
    A, v = make_matrix(S, engine), make_vector(x, engine)
    product = semiring.times_second(A @ v).new()
    there = (S != 0) & (x != 0)
    wanted = np.where(there.any(axis=1), np.where(there, x, 1).prod(axis=1), 0)
    np.testing.assert_allclose(to_dense(product), wanted, rtol=1e-5)
    chosen = semiring.any_second(A @ v).new()
    assert all(value in x for value in chosen.to_dict().values())
    if dtype == "FC64":
        few = f"pull: on a GPU all {np.count_nonzero(S)} arcs take less time"
        assert any(why in str(chosen.plan) for why in ("pull: a push cannot join 16 bytes atomically", few))
        with pytest.raises(NotSupported, match="direction='push': a push joins results atomically"):
            Vector(dtype, N, engine=engine)(direction="push") << semiring.times_second(A @ v)


def test_products_of_matrices_over_other_monoids(engine: Any) -> None:
    """FC64, which no atomic joins: the cells are found first, and then computed one by one."""
    S, T = draw_values(1, (N, N), 0.1, "FC64"), draw_values(2, (N, N), 0.2, "FC64")
    A, B = make_matrix(S, engine), make_matrix(T, engine)
    terms = (S[:, :, None] != 0) & (T[None] != 0)
    wanted = np.where(terms.any(axis=1), np.where(terms, S[:, :, None] + T[None], 1).prod(axis=1), 0)
    np.testing.assert_allclose(to_dense(semiring.times_plus(A @ B).new()), wanted, rtol=1e-12)
    allowed = semiring.times_plus(A @ B).new(mask=~A.S)
    np.testing.assert_allclose(to_dense(allowed), np.where(S == 0, wanted, 0), rtol=1e-12)
    np.testing.assert_allclose(to_dense(semiring.times_plus(A.T @ B.T).new()), multiply_transposes(S, T), rtol=1e-12)
    chosen = to_dense(semiring.any_second(A @ B).new())
    assert ((chosen != 0) == terms.any(axis=1)).all()
    assert all(chosen[i, j] in T[S[i] != 0, j] for i, j in zip(*np.nonzero(chosen), strict=True))
    few = semiring.times_plus(make_matrix(S[:2], engine) @ B).new()
    np.testing.assert_allclose(to_dense(few), wanted[:2], rtol=1e-12)


def multiply_transposes(S: Any, T: Any) -> Any:
    """The product of the transposes over times_plus."""
    terms = (S.T[:, :, None] != 0) & (T.T[None] != 0)
    return np.where(terms.any(axis=1), np.where(terms, S.T[:, :, None] + T.T[None], 1).prod(axis=1), 0)


@DTYPES
def test_entry_by_entry(engine: Any, dtype: str) -> None:
    S, T = draw_values(4, (N, N), 0.1, dtype), draw_values(5, (N, N), 0.2, dtype)
    A, B = make_matrix(S, engine), make_matrix(T, engine)
    np.testing.assert_array_equal(to_dense((A + B).new()), S + T)
    np.testing.assert_array_equal(to_dense((A * B).new()), S * T)
    np.testing.assert_array_equal(to_dense(unary.conj(A).new()), S.conj())
    parts = binary.cmplx(unary.creal(A).new() & unary.cimag(A).new()).new()
    assert parts.isequal(A, check_dtype=True)
    assert unary.abs(A).new().dtype.name == ("FP32" if dtype == "FC32" else "FP64")
    np.testing.assert_array_equal(to_dense(A.reduce_rowwise(monoid.plus).new()), S.sum(axis=1))
    np.testing.assert_array_equal(to_dense(A.reduce_columnwise(monoid.plus).new()), S.sum(axis=0))
    assert A.reduce_scalar(monoid.plus).new().value == S.sum()
    assert select.valueeq(A, 1 + 1j).new().nvals == (S == 1 + 1j).sum()
    C = A.dup()
    C[2:5, 3:7] << 1j
    C(binary.plus) << B
    wanted = S.copy()
    wanted[2:5, 3:7] = 1j
    np.testing.assert_array_equal(to_dense(C), wanted + T)


@DTYPES
def test_functions(engine: Any, dtype: str) -> None:
    x = draw_values(7, N, 1.0, dtype)
    v, tolerance = make_vector(x, engine), 2e-4 if dtype == "FC32" else 1e-12
    for name in FUNCTIONS:
        np.testing.assert_allclose(
            to_dense(getattr(unary, name)(v).new()), getattr(np, name)(x), rtol=tolerance, err_msg=name
        )
    np.testing.assert_allclose(to_dense(unary.carg(v).new()), np.angle(x), rtol=tolerance)
    np.testing.assert_allclose(to_dense(binary.truediv(v & v[::-1].new()).new()), x / x[::-1], rtol=tolerance)
    np.testing.assert_allclose(
        to_dense(binary.pow(v, 2 + 1j).new()), x ** np.array(2 + 1j, x.dtype), rtol=20 * tolerance
    )
    np.testing.assert_allclose(agg.mean(v).new().value, x.mean(), rtol=tolerance)


def test_a_loop_runs_statement_by_statement(engine: Any) -> None:
    S, x = draw_values(1, (N, N), 0.1, "FC64"), draw_values(2, N, 0.3, "FC64")
    A, q = make_matrix(S, engine), make_vector(x, engine)
    done = gl.loop(lambda turn: q << semiring.plus_times(A @ q), times=2)
    np.testing.assert_array_equal(to_dense(q), S @ (S @ x))
    assert "complex numbers" in done.plan


def test_what_has_no_order_is_refused(engine: Any) -> None:
    A, v = make_matrix(draw_values(1, (N, N), 0.1, "FC64"), engine), make_vector(draw_values(2, N, 0.3, "FC64"), engine)
    for refused in (lambda: semiring.min_plus(A @ v), lambda: v.select(">", 1), lambda: v.reduce(monoid.max)):
        with pytest.raises(DomainMismatch, match="has no meaning on FC64"):
            refused()
    with pytest.raises(DomainMismatch, match=r"FC64 entries cannot be stored as FP64: take unary\.creal"):
        Vector("FP64", N, engine=engine) << v
    with pytest.raises(DomainMismatch, match="cannot be stored as INT8"):
        v.dup("INT8")
    with pytest.raises(InvalidGraph, match="the weights are FC64, and a graph needs weights with an order"):
        gl.Graph(A)
