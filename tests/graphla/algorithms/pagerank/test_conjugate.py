"""Ranks of undirected graphs by conjugate gradients, against dense equations, and when they are taken."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.pagerank import _conjugate_cpu, conjugate
from graphla.common.errors import NotConverged, NotSupported
from tests.graphla.algorithms.pagerank.test_pagerank import PLACES, fresh, spread
from tests.graphla.engine.engines import get_engine_named

ASKED: list[dict[str, Any]] = [
    {},
    {"weights": True, "damping": 0.6},
    {"dangling": "ignore"},
    {"personalization": {0: 2, 3: 1}},
    {"personalization": {5: 1}, "dangling": {1: 1.0, 30: 2.0}},
    {"damping": 0.97, "dangling": {2: 1.0}, "weights": True},
]


def make_undirected(seed: int, engine: Any = "cpu", n: int = 60, edges: int = 50) -> gl.Graph:
    """A random graph with weights, loops, isolated vertices and several components."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 9, edges).astype("float32")
    ends = rng.integers(0, n, (2, edges))
    return gl.Graph((*ends, weights), n=n, undirected=True, dup="first", engine="cpu").to(engine)


def solve_dense(G: gl.Graph, **asked: Any) -> np.ndarray:
    """The ranks that no round changes, by elimination."""
    A = np.zeros((G.n, G.n))
    tails, heads, values = G.to("cpu").A.to_coo()
    A[tails, heads] = values if asked.get("weights") else 1
    d, out, p = asked.get("damping", 0.85), A.sum(axis=1), spread(G.n, asked.get("personalization"))
    dangling = asked.get("dangling", "teleport")
    q = p if dangling == "teleport" else 0 * p if dangling == "ignore" else spread(G.n, dangling)
    P = np.where(out > 0, A.T / np.where(out > 0, out, 1), q[:, None])
    return np.linalg.solve(np.eye(G.n) - d * P, (1 - d) * p)


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("place", PLACES)
def test_random_graphs(place: str, asked: dict[str, Any]) -> None:
    for edges in (0, 20, 50, 200):
        seed = secrets.randbits(32)
        G = make_undirected(seed, get_engine_named(place), edges=edges)
        wanted, start = solve_dense(G, **asked), np.random.default_rng(seed).random(G.n)
        for begin in (None, start):
            for how in ({"dtype": "FP64", "tolerance": 1e-11}, {"tolerance": 2e-6}):
                request = {**asked, **how, "start": begin}
                found = gl.pagerank(G, **request, method="conjugate")
                ranks = found.to_numpy().astype(float)
                gl.pagerank.verify(G, found, **request)
                allowed = 1e-6 + how["tolerance"] / (1 - asked.get("damping", 0.85))
                assert np.abs(ranks - wanted).sum() < allowed, f"seed {seed}, {edges} edges"
                assert (ranks >= 0).all()
                assert begin is not None or (ranks[wanted == 0] == 0).all()


@pytest.mark.parametrize("place", PLACES)
def test_few_rounds_suffice(place: str) -> None:
    """On a path cut into pieces, where what swings and the sums of pieces outlast all else in rounds."""
    rng, n = np.random.default_rng(), 900
    kept = np.flatnonzero(rng.random(n - 1) < 0.8)
    G = gl.Graph((kept, kept + 1), n=n, undirected=True, engine="cpu").to(get_engine_named(place))
    s = gl.pagerank.resolve(G, start=rng.random(n), dtype="FP64", tolerance=1e-9)
    _, rounds, change = gl.pagerank.methods["conjugate"].solve(G, (s,), {})
    assert change <= 1e-9
    worst = np.log(1e-9 / 2) / np.log(0.556)
    assert rounds < worst + 4, rounds


@pytest.mark.parametrize("place", PLACES)
def test_what_the_products_leave_is_for_rounds(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A residual that is too large is never taken for an answer."""
    monkeypatch.setattr(conjugate, "GOAL", 1e3)
    G = make_undirected(secrets.randbits(32), get_engine_named(place))
    gl.pagerank.verify(G, gl.pagerank(G, method="conjugate", start=np.arange(60.0)))
    for most in (1, 2, 5):
        with pytest.raises(NotConverged, match=f"max_rounds={most}: the last round changed the ranks by"):
            gl.pagerank(G, method="conjugate", start=np.arange(60.0), max_rounds=most, tolerance=1e-9)


@pytest.mark.parametrize("place", PLACES)
def test_rounding_ends_it(place: str) -> None:
    G = make_undirected(secrets.randbits(32), get_engine_named(place))
    with suppress(NotConverged):  # but where a round in FP64 changes not a bit
        gl.pagerank.verify(G, gl.pagerank(G, method="conjugate", tolerance=1e-30, dtype="FP64"), dtype="FP64")
    found = gl.pagerank(G, method="conjugate", tolerance=1e-9, damping=0.99)
    assert found.dtype == "FP64"
    gl.pagerank.verify(G, found, tolerance=1e-9, damping=0.99)


def test_many_arcs_are_cut_for_threads() -> None:
    G = gl.generate.grid2d(700, engine="cpu")
    assert gl.pagerank.choose(G, None, {}).name == "conjugate"
    for dtype in ("FP32", "FP64"):
        found = gl.pagerank(G, dtype=dtype)
        gl.pagerank.verify(G, found, dtype=dtype)
        assert found.isequal(gl.pagerank(G, dtype=dtype))


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({"rounds": 3}, "not those of rounds; method 'fused' runs rounds"),
        ({"convention": "networkx"}, "not those of rounds"),
        ({"damping": 1}, "with damping=1 its equations have no one solution"),
        ({"epsilon": 0.1}, "epsilon= ends the pushes of method='push' alone"),
    ],
)
def test_other_requests_are_refused(asked: dict[str, Any], what: str) -> None:
    with pytest.raises(NotSupported, match=what):
        gl.pagerank(make_undirected(1), method="conjugate", **asked)


def test_other_graphs_are_refused() -> None:
    with pytest.raises(NotSupported, match="the graph is directed, or its weights are; method 'fused' takes any"):
        gl.pagerank(fresh(1), method="conjugate")
    far = gl.Graph(([0, 1], [1, 2], [1e-300, 1.0]), undirected=True, engine="cpu")
    with pytest.raises(NotSupported, match="leave the range of FP32; method 'fused' does"):
        gl.pagerank(far, method="conjugate", weights=True)
    gl.pagerank.verify(far, gl.pagerank(far, method="conjugate"))


@pytest.mark.emulated
def test_it_is_preferred_where_it_pays() -> None:
    """Of graphs that are known to be undirected, on a GPU; on a CPU of large ones that are sparse, or from a start."""

    def name(G: gl.Graph, **asked: Any) -> str:
        return gl.pagerank.choose(G, None, asked).name

    G = make_undirected(1)
    K = G.to(get_engine_named("emulated"))
    assert name(K) == name(K, start=np.ones(60), tolerance=1e-7) == name(K, top=3) == "conjugate"
    for asked in ({"rounds": 3}, {"convention": "gap"}, {"tolerance": 1e-3}, {"damping": 0.3}, {"damping": 1}):
        assert name(K, **asked) == "fused", asked
    assert name(fresh(1, K.engine)) == name(G) == "fused"
    dense = gl.generate.kronecker(15, 24, engine="cpu")
    assert name(dense) == "fused"
    assert name(dense, start=np.ones(dense.n)) == "conjugate"


def test_ranks_begin_with_what_a_product_keeps() -> None:
    """In proportion to arcs, with the right sum."""
    G = make_undirected(secrets.randbits(32))
    s = gl.pagerank.resolve(G, dtype="FP64")
    inverse = np.divide(1.0, G.degrees, out=np.zeros(G.n), where=G.degrees > 0)
    lost = _conjugate_cpu.find_lost(inverse, s)
    wanted = solve_dense(G)
    assert lost == pytest.approx(wanted[G.degrees == 0].sum())
    begun = _conjugate_cpu.make_start(inverse, s, lost)
    assert begun.sum() + lost == pytest.approx(1)
    assert np.ptp((begun * inverse)[G.degrees > 0]) < 1e-12
