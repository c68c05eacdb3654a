"""Eigenvectors, embedding, clusters, currents and harmonic functions of graphs on a GPU, beside dense algebra."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array

import graphla as gl
from graphla.algorithms.apsp.elimination import tables
from graphla.algorithms.spectrum import currents_cuda, eigenvectors, lanczos_cuda
from graphla.engine.cuda.engine import CudaEngine
from graphla.errors import InvalidOption, NotConverged
from tests.cupy_modules import trace_modules
from tests.emulator import make_loader
from tests.graphla.engine.engines import KERNEL_NAMES, get_engine_named


@pytest.fixture(params=KERNEL_NAMES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(eigenvectors, "DENSE", 0)
    if request.param == "emulated":
        return CudaEngine(np, make_loader(build="plain"))
    return get_engine_named(request.param)


def draw_generator() -> np.random.Generator:
    """A generator whose seed a failure shows."""
    seed = int(np.random.default_rng().integers(1 << 30))
    print(f"seed {seed}")
    return np.random.default_rng(seed)


def draw(engine: Any, n: int = 60, degree: float = 2.5) -> tuple[gl.Graph, Any]:
    """A fresh graph of some components, and its weights without loops."""
    rng = draw_generator()
    W = np.triu(rng.random((n, n)) < degree / n, 0) * rng.integers(0, 9, (n, n))
    W = np.maximum(W, W.T).astype(float)
    return gl.Graph(csr_array(W), engine=engine), np.where(np.eye(n), 0, W)


def make_laplacian(W: Any, normalized: bool = False) -> Any:
    L, d = np.diag(W.sum(1)) - W, W.sum(1)
    half = 1 / np.sqrt(np.where(d > 0, d, 1))
    return L * half[:, None] * half if normalized else L


def check(engine: Any, A: Any, found: Any, expected: Any) -> None:
    """Eigenpairs on the engine are those of a dense matrix."""
    assert isinstance(found.vectors, engine.xp.ndarray)
    values, vectors = map(engine.to_host, found)
    k = values.size
    np.testing.assert_allclose(values, expected, atol=1e-9)
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-7)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-7)
    assert (vectors[np.argmax(abs(vectors), axis=0), np.arange(k)] > 0).all()


@pytest.mark.parametrize("normalized", [False, True])
def test_eigenvectors_of_laplacians(engine: Any, normalized: bool) -> None:
    G, W = draw(engine)
    L = make_laplacian(W, normalized)
    for k in (1, 5, 18, 60):
        found = gl.laplacian_eigenvectors(G, k, normalized=normalized)
        check(engine, L, found, np.linalg.eigvalsh(L)[:k])


@pytest.mark.parametrize("sigma", [0, -2.5])
def test_eigenvectors_near_a_number(engine: Any, sigma: float) -> None:
    rng = draw_generator()
    A = np.triu(rng.normal(size=(70, 70)) * (rng.random((70, 70)) < 0.1))
    A = A + A.T + np.diag(rng.normal(size=70))
    every = np.linalg.eigvalsh(A)
    found = gl.smallest_eigenvectors(gl.Graph(csr_array(A), engine=engine), 6, sigma=sigma)
    check(engine, A, found, np.sort(every[np.argsort(abs(every - sigma))[:6]]))


def test_eigenvectors_where_pivots_grow(engine: Any) -> None:
    """Both signs in each front: solutions of the factor alone are off by 1e-6, eigenvectors of them by 1e-8."""
    G = gl.generate.grid2d(30, 30, weights=(1, 255), engine="cpu")
    A = G.A.to_scipy_sparse().toarray()
    every = np.linalg.eigvalsh(A)
    found = gl.smallest_eigenvectors(G.to(engine), 4, sigma=-0.37)
    check(engine, A, found, np.sort(every[np.argsort(abs(every + 0.37))[:4]]))


def test_eigenvalues_that_are_there_many_times(engine: Any) -> None:
    values = engine.to_host(gl.laplacian_eigenvectors(gl.generate.complete(40, engine=engine), 9).values)
    np.testing.assert_allclose(values, np.r_[0, np.full(8, 40.0)], atol=1e-9)


def test_vectors_of_many_parts(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """More vertices than a block takes, in components of several pieces."""
    monkeypatch.setattr(lanczos_cuda, "PIECE", 100)
    G = gl.generate.road(1500, seed=2, engine="cpu")
    for expected, found in zip(
        gl.laplacian_eigenvectors(G, 6), gl.laplacian_eigenvectors(G.to(engine), 6), strict=True
    ):
        np.testing.assert_allclose(engine.to_host(found), expected, atol=1e-7)


def test_a_wrong_eigenvector_is_noticed(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw_rows(basis: Any, k: int, rank: int, value: Any) -> Any:
        basis.reserve(k)
        basis.V = engine.asarray(np.eye(k, basis.n))
        return np.ones(k)

    monkeypatch.setattr(eigenvectors, "run_lanczos", draw_rows)
    with pytest.raises(NotConverged, match="an eigenvector is off by"):
        gl.laplacian_eigenvectors(gl.generate.grid2d(9, 9, engine=engine), 3)


def test_an_eigenvalue_as_sigma_is_refused(engine: Any) -> None:
    G = gl.Graph(csr_array(np.diag(np.arange(40.0))), engine=engine)
    with pytest.raises(InvalidOption, match="eigenvalue to rounding"):
        gl.smallest_eigenvectors(G, 2)


def test_embeddings_and_clusters(engine: Any) -> None:
    H = nx.planted_partition_graph(4, 25, 0.6, 0.02, seed=1)
    G, W = gl.Graph(H, engine="cpu").to(engine), nx.to_numpy_array(H)
    x, d = engine.to_host(gl.spectral_embedding(G, 3)), W.sum(1)
    values = np.linalg.eigvalsh(make_laplacian(W, True))[1:4]
    np.testing.assert_allclose(make_laplacian(W) @ x, d[:, None] * x * values, atol=1e-8)
    np.testing.assert_allclose(x.T @ (d[:, None] * x), np.eye(3), atol=1e-8)
    found = gl.spectral_clustering(G, 4)
    assert found.engine is G.engine
    labels = found.to_numpy()
    assert [len(set(labels[k : k + 25])) for k in range(0, 100, 25)] == [1] * 4


def test_resistances_are_those_of_the_pseudoinverse(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(currents_cuda, "PAIR_BLOCKS", 100)
    G, W = draw(engine)
    K, labels = (
        np.linalg.pinv(make_laplacian(W), rcond=1e-10, hermitian=True),
        gl.components(gl.Graph(csr_array(W), engine="cpu")).to_numpy(),
    )
    u, v = (part.ravel()[::3] for part in np.indices(W.shape))
    expected = np.where(labels[u] == labels[v], K[u, u] + K[v, v] - 2 * K[u, v], np.inf)
    pairs = np.stack([u, v], 1)
    for given in (pairs, engine.asarray(pairs)):
        np.testing.assert_allclose(engine.to_host(gl.effective_resistance(G, given)), expected, atol=1e-9)
    assert gl.effective_resistance(G, []).shape == (0,)


def test_currents_are_those_of_networkx(engine: Any) -> None:
    H = nx.random_labeled_tree(15, seed=3)
    H.add_edges_from([(0, 9), (3, 12), (1, 14)])
    G = gl.Graph(H, engine="cpu").to(engine)
    closeness, between = nx.current_flow_closeness_centrality(H), nx.current_flow_betweenness_centrality(H)
    np.testing.assert_allclose(gl.current_flow_closeness(G).to_numpy(), list(closeness.values()), rtol=1e-9)
    np.testing.assert_allclose(gl.current_flow_betweenness(G).to_numpy(), list(between.values()), atol=1e-9)


def test_harmonic_values_are_those_of_the_host(engine: Any) -> None:
    G, _ = draw(engine)
    known = gl.Vector.from_dict({0: 1.0, 7: -2.0, 30: 0.5}, size=60, engine=engine)
    x, expected = gl.harmonic(G, known), gl.harmonic(G.to("cpu"), known.to("cpu"))
    assert x.engine is G.engine
    assert x.to("cpu").isclose(expected, abs_tol=1e-12)


def test_one_vertex(engine: Any) -> None:
    one = gl.Graph(([], []), n=1, engine=engine)
    assert engine.to_host(gl.laplacian_eigenvectors(one, 1).vectors).tolist() == [[1.0]]
    assert gl.current_flow_closeness(one).nvals == 0


FIRST: dict[str, tuple[Any, int, int]] = {
    "factorize": (lambda D, b, **_: gl.factorize(D, semiring="plus_times").solve(b), 8, 3),
    "laplacian_eigenvectors": (lambda G, **_: gl.laplacian_eigenvectors(G, 4), 11, 5),
    "smallest_eigenvectors": (lambda D, **_: gl.smallest_eigenvectors(D, 4), 9, 3),
    "spectral_embedding": (lambda G, **_: gl.spectral_embedding(G, 2), 12, 6),
    "effective_resistance": (lambda G, **_: gl.effective_resistance(G, [[0, 5]]), 11, 6),
    "harmonic": (lambda G, **_: gl.harmonic(G, gl.Vector.from_dict({0: 1.0}, size=G.n, engine="cpu")), 10, 5),
}
"""A call, the most modules that it may compile, and for how many of them it may wait; see first calls of kernels."""


def make_operands(engine: Any) -> dict[str, Any]:
    """A grid, and its Laplacian with something on the diagonal."""
    G = gl.generate.grid2d(25, 25, engine="cpu")
    A = make_laplacian(G.A.dup(dtype="FP64").to_dense(0)) + np.eye(G.n)
    D = gl.Graph(csr_array(A), engine="cpu")
    return {"G": G.to(engine), "D": D.to(engine), "b": engine.asarray(np.ones(G.n))}


@pytest.mark.emulated
@pytest.mark.parametrize("name", FIRST)
def test_first_calls_have_cupy_compile_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LARGE_SIDE", 40)
    call, most, awaited = FIRST[name]
    modules = trace_modules(make_operands, lambda operands: call(**operands))
    assert modules.cupy == []
    assert len(modules.own) <= most, modules.own
    assert len(modules.awaited) <= awaited, modules.awaited
    assert any("scale_rows" in one or "assemble_rows" in one for one in modules.own)


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [1, 2])
def test_no_race(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eigenvectors, "DENSE", 0)
    engine: Any = CudaEngine(np, make_loader(build="checked", seed=seed))
    G = gl.generate.grid2d(12, 9, engine="cpu")
    D, pairs = G.to(engine), np.random.default_rng(seed).integers(0, G.n, (9, 2))
    np.testing.assert_allclose(
        gl.laplacian_eigenvectors(D, 4).values, gl.laplacian_eigenvectors(G, 4).values, atol=1e-12
    )
    np.testing.assert_allclose(gl.effective_resistance(D, pairs), gl.effective_resistance(G, pairs), atol=1e-12)
