"""Core numbers that follow a graph: after each of thousands of random updates the same as from nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.following import cores
from graphla.common.errors import InvalidGraph
from tests.graphla.engine.engines import get_engine_named


def draw(rng: Any, kind: str, n: int) -> np.ndarray:
    """Edges with repeats and loops: few, many, or a path through cliques, where numbers rise and fall far away."""
    if kind != "cliques":
        return rng.integers(0, n, (2, int(rng.integers(0, n if kind == "few" else 5 * n))))
    ends = np.stack(np.triu_indices(5, 1))
    parts = [ends + first for first in range(0, n - 4, 5)] + [np.stack([np.arange(n - 1), np.arange(1, n)])]
    return np.concatenate(parts, axis=1)


def draw_update(rng: Any, G: gl.Graph, most: int) -> dict[str, Any]:
    """Edges to insert and to delete, some of them both, and new vertices."""
    n = G.n + int(rng.integers(0, 2))
    insert = rng.integers(0, n, (2, int(rng.integers(0, most))))
    rows, cols, _ = G.to("cpu").A.to_coo()
    some = rng.choice(rows.size, min(rows.size, int(rng.integers(0, most))), replace=False)
    gone = rows[some], cols[some]
    if rng.integers(2):
        insert = np.concatenate([insert, np.stack(gone)[:, :1]], axis=1)
    return {"insert": tuple(insert), "delete": gone, "n": n, "undirected": True, "dup": "first", "missing": "ignore"}


@pytest.mark.parametrize("kind", ["few", "many", "cliques"])
@pytest.mark.parametrize("graphs", [150, pytest.param(3000, marks=pytest.mark.slow)])
def test_random_updates(graphs: int, kind: str) -> None:
    for seed in range(graphs):
        rng = np.random.default_rng([seed, len(kind)])
        n = int(rng.integers(1, 40))
        G = gl.Graph(tuple(draw(rng, kind, n)), n=n, undirected=True, dup="first", engine="cpu")
        follower = gl.follow(gl.core_numbers, G)
        for step in range(8):
            follower.update(**draw_update(rng, follower.graph, int(rng.choice([2, 3, 12]))))
            wanted = gl.core_numbers(follower.graph)
            assert follower.answer.isequal(wanted, check_dtype=True), (seed, step)
            assert follower.warm


def test_it_gives_up_where_much_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "SEARCH_ARCS", 0)
    rng, warm = np.random.default_rng(2), []
    follower = gl.follow("core_numbers", gl.generate.kronecker(8, engine="cpu"))
    for most in (2, 2, 2, 800, 2, 800):
        follower.update(**draw_update(rng, follower.graph, most))
        assert follower.answer.isequal(gl.core_numbers(follower.graph))
        warm.append(follower.warm)
    assert any(warm)
    assert not all(warm)


def test_a_graph_that_becomes_directed_is_refused() -> None:
    follower = gl.follow("core_numbers", gl.generate.path(4, engine="cpu"))
    before = follower.graph, follower.answer
    with pytest.raises(InvalidGraph):
        follower.update(insert=([0], [3]))
    assert (follower.graph, follower.answer) == before


@pytest.mark.emulated
def test_on_a_gpu_they_are_peeled_from_nothing() -> None:
    follower = gl.follow("core_numbers", gl.generate.path(4, engine=get_engine_named("emulated")))
    follower.update(insert=([0], [3]), undirected=True)
    assert follower.answer.to_numpy().tolist() == [2, 2, 2, 2]
    assert not follower.warm
