"""The factor of a symmetric matrix by kernels: fronts that a block eliminates, and those that many do."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, random_array

import graphla as gl
from graphla.algorithms.apsp.elimination import equations_cuda, solves_cuda, tables
from graphla.engine.cuda.engine import CudaEngine
from graphla.errors import OutOfMemory, SingularMatrix
from tests.emulator import make_loader
from tests.graphla.engine.engines import get_engine_named

pytestmark = pytest.mark.emulated


def make_engine(seed: int | None = None) -> Any:
    build = make_loader(build="plain") if seed is None else make_loader(build="checked", seed=seed)
    return CudaEngine(np, build)


def make_matrix(seed: int, n: int, density: float, definite: bool = True) -> Any:
    """A symmetric matrix whose diagonal outweighs its rows, of both signs if it is not to be definite."""
    rng = np.random.default_rng(seed)
    A = random_array((n, n), density=density, rng=rng, data_sampler=lambda size: rng.normal(size=size))
    A = csr_array(A + A.T)
    signs = 1 if definite else rng.choice([-1, 1], n)
    return csr_array(A + coo_array((signs * (abs(A).sum(axis=1) + 1), (np.arange(n),) * 2), shape=(n, n)))


def factorize(A: Any, engine: Any, **options: Any) -> gl.LinearFactor:
    return gl.factorize(gl.Graph(csr_array(A), engine=engine), semiring="plus_times", **options)


@pytest.fixture(params=[384, 20], ids=["blocks", "squares"])
def side(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The rows of a front that one block eliminates at most."""
    monkeypatch.setattr(tables, "LARGE_SIDE", request.param)
    return request.param


@pytest.mark.parametrize("definite", [True, False])
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_fresh_matrices(side: int, dtype: str, definite: bool) -> None:
    seed = int(np.random.default_rng().integers(1 << 30))
    for n, density in ((150, 0.02), (130, 0.3), (200, 0.01)):
        A = make_matrix(seed, n, density, definite)
        F, H = (factorize(A, engine, dtype=dtype) for engine in (make_engine(), "cpu"))
        b = np.random.default_rng(seed).normal(size=(n, 70))
        expected = np.linalg.solve(A.toarray(), b)
        np.testing.assert_allclose(F.solve(b), expected, atol=1e-12, err_msg=f"seed {seed}")
        rough = 1e-4 if dtype == "FP32" else 1e-12
        np.testing.assert_allclose(F.solve(b[:, :3], refine=False), expected[:, :3], atol=rough)
        assert F.inertia == H.inertia


@pytest.mark.parametrize(("device", "n"), [pytest.param("cuda", 1500, marks=pytest.mark.gpu), ("emulated", 90)])
@pytest.mark.parametrize("definite", [True, False])
def test_a_front_of_many_steps(device: str, n: int, definite: bool) -> None:
    """A dense matrix within a sparse one: one front takes many steps, and others leave what it takes."""
    engine = make_engine() if device == "emulated" else get_engine_named(device)
    A = make_matrix(7, 2 * n, 3 / n, definite).toarray()
    A[:n, :n] += np.ones((n, n)) / n
    b = np.random.default_rng(7).normal(size=(2 * n, 40))
    expected = np.linalg.solve(A, b)
    for dtype in ("FP64", "FP32"):
        F = factorize(A, engine, dtype=dtype)
        np.testing.assert_allclose(F.solve(b), expected, atol=1e-11)
        np.testing.assert_allclose(F.solve(b[:, 0]), expected[:, 0], atol=1e-11)
        eigenvalues = np.linalg.eigvalsh(A)
        assert F.inertia == ((eigenvalues > 0).sum(), (eigenvalues < 0).sum())


@pytest.mark.parametrize("seed", [1, 2])
def test_no_race(seed: int, side: int) -> None:
    A = make_matrix(seed, 140, 0.03)
    b = np.random.default_rng(seed).normal(size=(140, 33))
    F = factorize(A, make_engine(seed))
    np.testing.assert_allclose(F.solve(b), np.linalg.solve(A.toarray(), b), atol=1e-12)
    np.testing.assert_array_equal(
        F.solve(b[:, 5], refine=False), factorize(A, make_engine()).solve(b[:, 5], refine=False)
    )


def test_rows_of_a_hub_and_passes_of_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A star with a dense middle: a warp takes a row of the residual, and columns go in several passes."""
    monkeypatch.setattr(equations_cuda, "LONG", 2)
    monkeypatch.setattr(solves_cuda, "TOGETHER", 32)
    n = 120
    W = make_matrix(3, n, 0.02).toarray()
    W[0], W[:, 0] = 0.5, 0.5
    W[0, 0] = 200
    b = np.random.default_rng(0).normal(size=(n, 80))
    np.testing.assert_allclose(factorize(W, make_engine()).solve(b), np.linalg.solve(W, b), atol=1e-12)


def test_the_vertex_of_a_bad_pivot_is_that_of_the_host(side: int) -> None:
    A = make_matrix(5, 150, 0.05).toarray()
    for v in (7, 90):
        A[v], A[:, v] = 0, 0
    told = []
    for engine in ("cpu", make_engine()):
        with pytest.raises(SingularMatrix) as caught:
            factorize(A, engine)
        told.append(str(caught.value).partition("nothing is left")[2])
    assert told[0] == told[1]
    assert "vertex" in told[0]


def test_a_factor_that_does_not_fit_is_refused() -> None:
    with gl.config.set(memory_limit=10_000), pytest.raises(OutOfMemory, match="the factor of 300 rows"):
        factorize(make_matrix(1, 300, 0.05), make_engine())


def test_sides_that_are_not_contiguous() -> None:
    A = make_matrix(2, 50, 0.1)
    F, b = factorize(A, make_engine()), np.random.default_rng(2).integers(-9, 9, (6, 50)).T
    np.testing.assert_allclose(F.solve(b), np.linalg.solve(A.toarray(), b), atol=1e-12)
