"""A = L D Lᵀ and what it solves, beside NumPy's dense solver."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, eye_array, random_array

import graphla as gl
from graphla.algorithms.apsp.elimination import ldl
from graphla.engine.cpu.late import strip
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidOption,
    NotSupported,
    SingularMatrix,
)
from tests.graphla.engine.engines import NAMES, get_engine_named


@pytest.fixture(params=NAMES)
def engine(request):
    return get_engine_named(request.param)


def make_matrix(seed, n=60, density=0.06, shift=3.0):
    """A symmetric matrix whose diagonal outweighs its rows; a negative shift makes half of it negative."""
    rng = np.random.default_rng(seed)
    A = random_array((n, n), density=density, rng=rng, data_sampler=lambda size: rng.normal(size=size))
    A = csr_array(A + A.T)
    signs = np.where(rng.random(n) < 0.5, -1, 1) if shift < 0 else np.ones(n)
    return csr_array(A + coo_array((signs * (abs(A).sum(axis=1) + abs(shift)), (np.arange(n), np.arange(n)))))


def factorize(A, engine: Any = "cpu", **options):
    return gl.factorize(gl.Graph(csr_array(A), engine=engine), semiring="plus_times", **options)


def make_grid(n, shift):
    G = gl.generate.grid2d(n, n, engine="cpu")
    W = csr_array((np.ones(G.nvals), G.csr.indices, G.csr.indptr), shape=(G.n, G.n))
    return csr_array(coo_array((W.sum(axis=1) + shift, (np.arange(G.n),) * 2)) - W)


@pytest.mark.parametrize("shift", [3.0, -3.0])
@pytest.mark.parametrize("n", [1, 2, 9, 60, 300])
@pytest.mark.parametrize("seed", range(3))
def test_solutions_are_those_of_numpy(seed, n, shift, engine):
    A, rng = make_matrix(seed, n, min(1, 4 / n), shift), np.random.default_rng(seed)
    F, b = factorize(A, engine), rng.normal(size=(n, 19))
    expected = np.linalg.solve(A.toarray(), b)
    np.testing.assert_allclose(F.solve(b), expected, atol=1e-12)
    np.testing.assert_allclose(F.solve(b[:, 0]), expected[:, 0], atol=1e-12)
    for side in ("cpu", engine):
        x = F.solve(gl.Vector.from_dense(b[:, 1], engine=side))
        assert x.engine is gl.Vector("FP64", n, engine=side).engine
        np.testing.assert_allclose(x.to_numpy(), expected[:, 1], atol=1e-12)
    eigenvalues = np.linalg.eigvalsh(A.toarray())
    assert F.inertia == ((eigenvalues > 0).sum(), (eigenvalues < 0).sum())


@pytest.mark.parametrize("block", [2, 48])
def test_wide_fronts_are_eliminated_in_blocks(block, monkeypatch):
    A = make_matrix(5, 150, 0.3)
    monkeypatch.setattr(ldl, "BLOCK", block)
    for name in ("eliminate", "eliminate_range"):
        monkeypatch.setattr(ldl, name, strip(getattr(ldl, name).__wrapped__, {}, views=False))
    b = np.arange(150.0)
    np.testing.assert_allclose(factorize(A).solve(b), np.linalg.solve(A.toarray(), b), atol=1e-12)


def test_subtrees_and_the_fronts_above_them_meet(monkeypatch):
    """A grid whose fronts are in ranges and above, on several threads."""
    A = make_grid(70, 0.01)
    b = np.random.default_rng(0).normal(size=4900)
    x = factorize(A).solve(b)
    assert abs(A @ x - b).max() < 1e-11
    narrow = factorize(A, dtype="FP32")
    assert narrow.dtype == "FP32"
    assert narrow.nbytes * 2 == factorize(A).nbytes
    rough = abs(A @ narrow.solve(b, refine=False) - b).max()
    assert 1e-7 < rough < 1e-2
    assert abs(A @ narrow.solve(b) - b).max() < 1e-11


def test_the_same_places_with_other_values(engine):
    A = make_matrix(1)
    F, b = factorize(A, engine), np.ones(60)
    B = A.copy()
    B.data = B.data * 2
    np.testing.assert_allclose(F.refactor(gl.Graph(B, engine=engine)).solve(b), F.solve(b) / 2, atol=1e-13)
    B.data[np.flatnonzero(A.tocoo().row != A.tocoo().col)[0]] += 1
    with pytest.raises(InvalidGraph, match="not symmetric"):
        F.refactor(gl.Graph(B, engine=engine))
    with pytest.raises(InvalidGraph, match="its entries are not where"):
        F.refactor(gl.Graph(make_matrix(2), engine=engine))


def test_later_changes_of_the_graph_do_not_reach_the_factor(engine):
    A = make_matrix(3)
    G = gl.Graph(A, engine=engine)
    F, b = gl.factorize(G, semiring="plus_times"), np.ones(60)
    for each in (F, F.refactor(G)):
        G.A[0, 0] = 1e9
        np.testing.assert_allclose(each.solve(b), np.linalg.solve(A.toarray(), b), atol=1e-12)
        G.A[0, 0] = A[0, 0]


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_singular_matrices_are_refused(dtype, engine):
    for A in (make_grid(9, 0), csr_array(([1.0], ([0], [0])), shape=(3, 3)), [[0.0, 1.0], [1.0, 0.0]]):
        with pytest.raises(SingularMatrix, match="add to the diagonal"):
            factorize(A, engine, dtype=dtype)
    with pytest.raises(SingularMatrix, match="condition number is at least"):
        factorize(make_grid(40, 1e-14), engine, dtype=dtype)
    if dtype == "FP32":
        with pytest.raises(SingularMatrix, match="FP64"):
            factorize(make_grid(40, 1e-8), engine, dtype=dtype)
        factorize(make_grid(40, 1e-8), engine)


def test_what_is_no_matrix_of_equations_is_refused(engine):
    with pytest.raises(InvalidGraph, match="not symmetric"):
        factorize([[1.0, 2.0], [3.0, 1.0]], engine)
    with pytest.raises(DomainMismatch, match="infinite"):
        factorize([[np.inf, 0.0], [0.0, 1.0]], engine)
    with pytest.raises(NotSupported, match="FP32 or FP64"):
        factorize(np.eye(2), engine, dtype="INT32")
    with pytest.raises(NotSupported, match="plus_times"):
        gl.Graph(np.eye(2), engine=engine).A.star("plus_times")
    F = factorize(2 * np.eye(3), engine)
    for b in (np.ones(2), np.ones((2, 2)), 5, np.ones((3, 1, 1)), gl.Vector("FP64", 3)):
        with pytest.raises(DimensionMismatch, match="b"):
            F.solve(b)
    wrong: list[Any] = [[1, np.nan, 2], [1j, 2, 3], ["a", "b", "c"], None, np.array([1, np.inf, 0])]
    for b in wrong:
        with pytest.raises(DomainMismatch, match="b"):
            F.solve(b)
    no: Any = "no"
    with pytest.raises(InvalidOption, match="refine"):
        F.solve(np.ones(3), refine=no)


def test_no_rows_and_no_sides(engine):
    F = factorize(csr_array((0, 0)), engine)
    assert F.solve(np.ones(0)).shape == (0,)
    assert F.inertia == (0, 0)
    assert factorize(eye_array(4), engine).solve(np.ones((4, 0))).shape == (4, 0)
    assert "LinearFactor of 4 rows" in repr(factorize(eye_array(4), engine))
