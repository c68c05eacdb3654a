"""Embeddings: random projections and ProNE's filter against SciPy, and the vectors that are most alike against all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse, special

import graphla as gl
from graphla.algorithms.shared import largest_cpu, largest_cuda
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidOption
from tests.graphla.engine.engines import NAMES, get_engine_named


def fresh(seed: int, n: int = 60, arcs: int = 300) -> gl.Graph:
    """A directed random graph with hubs, loops, weights, and vertices without an arc."""
    rng = np.random.default_rng(seed)
    tails, heads = (rng.random(arcs) ** 2 * n).astype(int), rng.integers(0, n, arcs)
    return gl.Graph((tails, heads, rng.random(arcs).astype("float32")), n=n + 2, dup="first", engine="cpu")


def to_scipy(G: gl.Graph, weights: bool) -> Any:
    values = G.csr.values if weights else np.ones(G.nvals)
    return sparse.csr_array((values.astype(float), G.csr.indices, G.csr.indptr), shape=(G.n, G.n))


def normalize(X: Any) -> Any:
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(lengths > 0, lengths, 1)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("engine", NAMES)
def test_fastrp_is_a_sum_of_averages_of_signs(engine: str, weights: bool) -> None:
    G = fresh(3)
    options: dict[str, Any] = {"weights": weights, "seed": 5}
    H = G.to(get_engine_named(engine))
    A = to_scipy(G, weights)
    sums = A.sum(axis=1)
    P = sparse.diags_array(1 / np.where(sums > 0, sums, 1)) @ A
    signs = gl.fastrp(gl.Graph((range(G.n), range(G.n)), engine="cpu"), 70, [1.0], seed=5) * np.sqrt(70)
    np.testing.assert_allclose(abs(signs), 1, rtol=1e-5)
    for strength, shares in ((0.0, (1.0, 0.0, 2.0)), (-0.5, (0.5, 1.0))):
        X = signs * np.where(sums > 0, sums, 1)[:, None] ** strength
        expected = 0
        for share in shares:
            X = P @ X
            expected = expected + share * normalize(X)
        found = H.engine.to_host(gl.fastrp(H, 70, shares, strength=strength, **options))
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, expected, atol=2e-5)
    assert (H.engine.to_host(gl.fastrp(H, 70, **options))[-1] == 0).all()


def test_signs_are_random() -> None:
    G = gl.Graph((range(2000), range(2000)), engine="cpu")
    signs = np.sign(gl.fastrp(G, 100, [1.0]))
    assert abs(signs.mean()) < 0.015
    assert abs(signs.T @ signs - 2000 * np.eye(100)).max() < 270
    assert (gl.fastrp(G, 100, [1.0], seed=1) != gl.fastrp(G, 100, [1.0])).mean() == pytest.approx(0.5, abs=0.01)


def test_vertices_of_one_part_are_near() -> None:
    rng = np.random.default_rng(1)
    part = rng.integers(0, 2, 200)
    tails, heads = rng.integers(0, 200, (2, 6000))
    keep = (part[tails] == part[heads]) | (rng.random(6000) < 0.1)
    G = gl.Graph((tails[keep], heads[keep]), n=200, dup="first", undirected=True, engine="cpu")
    for X in (gl.fastrp(G, 64), gl.propagate(G, gl.fastrp(G, 64))):
        nearest = gl.similar(X, 5, engine="cpu").vertices
        assert (part[nearest] == part[:, None]).mean() > 0.95


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("engine", NAMES)
def test_propagation_is_that_of_prone(engine: str, weights: bool) -> None:
    G = fresh(4)
    H = G.to(get_engine_named(engine))
    X = np.random.default_rng(0).standard_normal((G.n, 7))
    for order, mu, theta in ((1, 0.2, 0.5), (2, 0.2, 0.5), (7, 0.1, 1.5)):
        A = to_scipy(G, weights) + sparse.eye_array(G.n)
        M = sparse.eye_array(G.n) - sparse.diags_array(1 / A.sum(axis=1)) @ A - mu * sparse.eye_array(G.n)
        terms = [X, 0.5 * (M @ (M @ X)) - X]
        while len(terms) < order:
            terms.append(M @ (M @ terms[-1]) - 2 * terms[-1] - terms[-2])
        factors = [special.iv(0, theta), *(2 * (-1) ** i * special.iv(i, theta) for i in range(1, order))]
        conv = sum(f * term for f, term in zip(factors, terms, strict=False))
        expected = X if order == 1 else A @ (X - conv)
        options: dict[str, Any] = {"order": order, "mu": mu, "theta": theta, "weights": weights}
        found = H.engine.to_host(gl.propagate(H, X, rotate=False, **options))
        np.testing.assert_allclose(found, expected, atol=1e-5 * abs(expected).max())
        U, S, _ = np.linalg.svd(expected, full_matrices=False)
        turned = normalize(U * np.sqrt(S))
        found = H.engine.to_host(gl.propagate(H, X, **options))
        np.testing.assert_allclose(abs(found), abs(turned), atol=1e-4)
        narrow = H.engine.asarray(np.asfortranarray(X, "float32"))
        found = H.engine.to_host(gl.propagate(H, narrow, rotate=False, **options))
        np.testing.assert_allclose(found, expected, atol=1e-4 * abs(expected).max())


@pytest.mark.parametrize("metric", ["cosine", "dot"])
@pytest.mark.parametrize("engine", NAMES)
def test_the_most_alike_are_those_of_all_scores(engine: str, metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(largest_cpu, "TILE", 130)
    monkeypatch.setattr(largest_cuda, "TILE", 130)
    place = get_engine_named(engine)
    rng = np.random.default_rng(2)
    for X in (
        rng.integers(-2, 3, (40, 3)).astype(float),
        rng.standard_normal((40, 9)).astype("float32"),
        np.ones((9, 2)),
    ):
        held = normalize(X) if metric == "cosine" else X
        scores = held @ held.T
        np.fill_diagonal(scores, -np.inf)
        for k in (1, 4, 100):
            found = gl.similar(X, k, metric=metric, engine=place)
            vertices, values = place.to_host(found.vertices), place.to_host(found.scores)
            count = min(k, len(X) - 1)
            assert vertices.shape == (len(X), count)
            np.testing.assert_allclose(values, -np.sort(-scores, axis=1)[:, :count], atol=1e-6)
            np.testing.assert_allclose(np.take_along_axis(scores, vertices, 1), values, atol=1e-6)
            if metric == "dot":
                exact = np.argsort(-scores, axis=1, kind="stable")[:, :count]
                assert X.dtype == "float32" or (vertices == exact).all()
            equal = np.diff(values, axis=1) == 0
            assert (np.diff(vertices, axis=1)[equal] > 0).all()
        some = gl.similar(X, 3, queries=[5, 1, 5], metric=metric, engine=place)
        assert (
            place.to_host(some.vertices)
            == place.to_host(gl.similar(X, 3, metric=metric, engine=place).vertices)[[5, 1, 5]]
        ).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("engine", NAMES)
def test_cosines_do_not_depend_on_the_scale_of_rows(engine: str, dtype: str) -> None:
    place, rng = get_engine_named(engine), np.random.default_rng(7)
    X, ends = rng.standard_normal((30, 5)).astype(dtype), np.finfo(dtype)
    expected = place.to_host(gl.similar(X, 4, engine=place).vertices)
    last = int(ends.maxexp) - 3
    for power in (-last, -last // 2, last // 2, last, rng.integers(-last, last, (30, 1))):
        found = gl.similar(np.ldexp(X, power).astype(dtype), 4, engine=place)
        assert (place.to_host(found.vertices) == expected).all()
    tiny = np.zeros((3, 2), dtype)
    tiny[:, 0] = ends.smallest_subnormal
    assert place.to_host(gl.similar(tiny, 1, engine=place).scores).tolist() == [[1], [1], [1]]


def test_corners() -> None:
    for n in (0, 1, 3):
        G = gl.Graph(([], []), n=n, engine="cpu")
        assert gl.fastrp(G, 5).shape == gl.propagate(G, np.ones((n, 5))).shape == (n, 5)
        assert gl.propagate(G, np.ones((n, 5), "float32")).dtype == np.float32
        assert gl.similar(np.ones((n, 2)), 2, engine="cpu").vertices.shape == (n, min(2, max(0, n - 1)))
    M = gl.Matrix.from_dense(np.eye(3), engine="cpu")
    assert gl.similar(M, 1).vertices.tolist() == [[1], [0], [0]]
    assert gl.similar(np.eye(3), 1, queries=[], engine="cpu").vertices.shape == (0, 1)


def test_bad_input_is_refused() -> None:
    G = fresh(1)
    bad: tuple[tuple[Any, Any, str], ...] = (
        (lambda: gl.fastrp(G, 0), InvalidOption, "dimensions=0"),
        (lambda: gl.fastrp(G, 4, 3), InvalidOption, "iteration_weights=3"),
        (lambda: gl.fastrp(G, 4, ["x"]), InvalidOption, "iteration_weights='x'"),
        (lambda: gl.fastrp(G, 4, strength=float("nan")), InvalidOption, "strength=nan"),
        (lambda: gl.fastrp(gl.Graph(([0], [1], [-2])), weights=True), InvalidGraph, "a weight is -2"),
        (lambda: gl.propagate(G, np.ones((3, 2))), DimensionMismatch, "62 rows"),
        (lambda: gl.propagate(G, np.full((G.n, 2), np.nan)), DomainMismatch, "NaN or infinite"),
        (lambda: gl.propagate(G, "x"), DomainMismatch, "X="),
        (lambda: gl.propagate(G, np.ones((G.n, 2)), order=0), InvalidOption, "order=0"),
        (lambda: gl.propagate(G, np.ones((G.n, 2)), theta=-1), InvalidOption, "theta=-1"),
        (lambda: gl.propagate(G, np.ones((G.n, 2)), theta=800), InvalidOption, "theta=800: Bessel"),
        (lambda: gl.similar([1, 2]), DimensionMismatch, "give an array of a row"),
        (lambda: gl.similar(np.eye(3), 0), InvalidOption, "k=0"),
        (lambda: gl.similar(np.eye(3), metric="far"), InvalidOption, "metric='far'"),
        (lambda: gl.similar(np.eye(3), queries=[3]), InvalidOption, "queries=3"),
        (lambda: gl.similar(np.eye(3) * 1j), DomainMismatch, "real numbers"),
    )
    for call, error, message in bad:
        with pytest.raises(error, match=message):
            call()
