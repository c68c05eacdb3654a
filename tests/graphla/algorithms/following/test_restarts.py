"""Answers in rounds that begin with the last one: settled as those from nothing, after many random updates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from tests.graphla.engine.engines import NAMES, get_engine_named

TIGHT = {"tolerance": 1e-9, "dtype": "FP64"}
ASKED: dict[str, dict[str, Any]] = {
    "pagerank": TIGHT,
    "katz": {"alpha": 0.02, **TIGHT},
    "eigenvector": {"max_rounds": 100_000, **TIGHT},
}


def make(rng: Any, n: int = 30) -> gl.Graph:
    """Random arcs, and a ring in both directions that connects all vertices but two."""
    ring = np.arange(n - 2)
    tails = np.concatenate([rng.integers(0, n - 2, 60), ring, np.roll(ring, 1)])
    heads = np.concatenate([rng.integers(0, n - 2, 60), np.roll(ring, 1), ring])
    return gl.Graph((tails, heads), n=n, dup="first", engine="cpu")


def draw_update(rng: Any, G: gl.Graph) -> dict[str, Any]:
    """Random arcs, which reach vertices without arcs both ways, and new vertices."""
    n = G.n + int(rng.integers(0, 2))
    some = rng.integers(0, n, (2, 3))
    return {"insert": tuple(np.concatenate([some, some[::-1]], axis=1)), "n": n, "dup": "first"}


@pytest.mark.parametrize("engine", NAMES)
@pytest.mark.parametrize("seeds", [12, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ASKED)
def test_rounds_settle_where_they_do_from_nothing(name: str, seeds: int, engine: str) -> None:
    solve, asked = getattr(gl, name), ASKED[name]
    for seed in range(seeds if engine == "cpu" else 1):
        rng, warm = np.random.default_rng(seed), []
        follower = gl.follow(name, make(rng).to(get_engine_named(engine)), **asked)
        for step in range(10):
            follower.update(**draw_update(rng, follower.graph))
            found, wanted = follower.answer.to_numpy(), solve(follower.graph, **asked).to_numpy()
            np.testing.assert_allclose(found, wanted, atol=2e-6, err_msg=f"seed {seed}, step {step}")
            warm.append(follower.warm)
        assert all(warm) if name != "eigenvector" else any(warm), warm


def test_what_depends_on_the_beginning_is_found_from_nothing() -> None:
    update: dict[str, Any] = {"insert": ([0], [5])}
    for name, asked in (("pagerank", {"rounds": 3}), ("pagerank", {"top": 4}), ("katz", {"rounds": 3, "alpha": 0.1})):
        follower = gl.follow(name, make(np.random.default_rng(1)), **asked)
        follower.update(**update, dup="first")
        assert follower.answer.isequal(getattr(gl, name)(follower.graph, **asked))
        assert not follower.warm
    empty = gl.follow("pagerank", gl.Graph(([], []), n=0, engine="cpu"))
    empty.update(n=3)
    np.testing.assert_allclose(empty.answer.to_numpy(), 1 / 3)
    assert not empty.warm


def test_two_parts_have_several_eigenvectors() -> None:
    """The larger eigenvalue may come to belong to the other part, where a start has no more than zeros."""
    ends = np.concatenate([np.stack(np.triu_indices(4, 1)), 4 + np.stack(np.triu_indices(3, 1))], axis=1)
    G = gl.Graph(tuple(ends), n=9, undirected=True, engine="cpu")
    follower = gl.follow("eigenvector", G)
    follower.update(insert=([4, 5, 6, 4, 5, 6, 7], [7, 7, 7, 8, 8, 8, 8]), undirected=True)
    np.testing.assert_allclose(follower.answer.to_numpy(), gl.eigenvector(follower.graph).to_numpy())
    assert not follower.warm
    assert follower.answer.to_numpy()[4] > 0.3


def test_values_that_grow_without_end_are_told() -> None:
    follower = gl.follow("katz", gl.generate.path(6, engine="cpu"), alpha=0.5)
    ends = np.triu_indices(6, 2)
    with pytest.raises(gl.errors.NotConverged, match="alpha must be less than 1 over"):
        follower.update(insert=ends, undirected=True)


@pytest.mark.parametrize("name", ["louvain", "leiden"])
def test_communities_go_on_from_the_last_ones(name: str) -> None:
    G = gl.generate.planted_partition(300, 6, 0.3, 0.01, engine="cpu")
    follower, rng = gl.follow(name, G), np.random.default_rng(3)
    for _ in range(6):
        n = follower.graph.n + 1
        ends = rng.integers(0, n, (2, 20))
        follower.update(insert=tuple(ends), n=n, undirected=True, dup="first")
        here = gl.modularity(follower.graph, follower.answer)
        assert here > gl.modularity(follower.graph, getattr(gl, name)(follower.graph)) - 0.01
        assert follower.warm


def test_no_arcs_have_every_eigenvector() -> None:
    follower = gl.follow("eigenvector", gl.Graph(([0], [0]), n=2, engine="cpu"))
    follower.update(delete=([0], [0]))
    assert not follower.warm
    np.testing.assert_allclose(follower.answer.to_numpy(), gl.eigenvector(follower.graph).to_numpy())
