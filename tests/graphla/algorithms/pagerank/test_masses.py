"""Where components have met or come apart: the sums of ranks that rounds begin with, and what swings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.pagerank import _sweeps_cpu
from graphla.algorithms.pagerank._masses import settle_masses
from graphla.algorithms.pagerank.settings import Settings
from tests.graphla.algorithms.pagerank.test_pagerank import PLACES, fresh
from tests.graphla.engine.engines import get_engine_named

ASKED: list[dict[str, Any]] = [
    {},
    {"dangling": "ignore", "damping": 0.6},
    {"personalization": {0: 2, 3: 1}},
    {"personalization": {5: 1}, "dangling": {1: 1.0, 30: 2.0}},
]


def resolve(G: gl.Graph, **asked: Any) -> Any:
    """The settings of a call."""
    return Settings.resolve(G, {**gl.pagerank.defaults, **asked})


def sum_parts(labels: Any, ranks: Any) -> Any:
    return np.bincount(labels, ranks, minlength=len(ranks))


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("place", PLACES)
def test_each_component_begins_with_the_sum_that_it_settles_at(place: str, asked: dict[str, Any]) -> None:
    rng = np.random.default_rng()
    engine = get_engine_named(place)
    half = fresh(int(rng.integers(1 << 30)), "cpu", arcs=40)
    tails, heads, _ = half.A.to_coo()
    G = gl.Graph((np.r_[tails, heads], np.r_[heads, tails]), n=half.n, dup="first", engine="cpu")
    wanted = gl.pagerank(G, **asked, tolerance=1e-14, dtype="FP64").to_numpy(0)
    given = rng.random(G.n) * (rng.random(G.n) < 0.7)
    found = engine.to_host(settle_masses(G.to(engine), resolve(G.to(engine), start=given, **asked)).start)
    labels = gl.components(G).to_numpy()
    np.testing.assert_allclose(sum_parts(labels, found), sum_parts(labels, wanted), atol=1e-9)
    here = given > 0
    share = found[here] / given[here]  # the same all over a component
    some = np.zeros(G.n)
    some[labels[here]] = share
    np.testing.assert_allclose(share, some[labels[here]], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("place", PLACES)
def test_settled_ranks_of_a_directed_graph_stay(place: str, asked: dict[str, Any]) -> None:
    G = fresh(int(np.random.default_rng().integers(1 << 30)), get_engine_named(place), arcs=30)
    ranks = gl.pagerank(G, **asked, tolerance=1e-14, dtype="FP64")
    found = G.engine.to_host(settle_masses(G, resolve(G, start=ranks, **asked)).start)
    np.testing.assert_allclose(found, ranks.to_numpy(0), atol=1e-11)


@pytest.mark.parametrize(
    "asked", [{"rounds": 3}, {"convention": "networkx"}, {"damping": 1.0}], ids=lambda asked: next(iter(asked))
)
def test_ranks_of_rounds_begin_as_they_are_given(asked: dict[str, Any]) -> None:
    G = fresh(1)
    start = np.arange(1.0, G.n + 1)
    assert np.allclose(settle_masses(G, resolve(G, start=start, **asked)).start, start / start.sum())


@pytest.mark.parametrize("place", PLACES)
def test_stars_settle_in_few_rounds(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is left of wrong ranks once the sums are right swings, which one round takes away."""
    monkeypatch.setattr(_sweeps_cpu, "WORTH_A_PASS", 0)
    rng = np.random.default_rng()
    hub = rng.integers(0, 2000, 2000)
    hub[hub >= np.arange(2000)] = np.arange(2000)[hub >= np.arange(2000)]
    leaves = np.flatnonzero(hub != np.arange(2000))
    hub = np.where(hub[hub] == hub, hub, hub[hub])
    leaves = leaves[hub[hub[leaves]] == hub[leaves]]
    G = gl.Graph((hub[leaves], leaves), n=2000, undirected=True, engine="cpu").to(get_engine_named(place))
    s = settle_masses(G, resolve(G, start=rng.random(2000), dtype="FP64", tolerance=1e-9))
    _, rounds, residual = gl.pagerank.methods["fused"].solve(G, (s,), {})
    assert residual <= 1e-9
    assert rounds <= 4, rounds
