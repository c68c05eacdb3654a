"""The backend on a GPU: what it computes there, and that it takes answers from there."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphla.doors.networkx import backend, converted
from graphla.engine import get_engine
from tests.graphla.engine.engines import NAMES, get_engine_named


@pytest.fixture(params=NAMES[1:])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Graphs live on this engine by default."""
    chosen = get_engine_named(request.param)
    monkeypatch.setattr(converted, "get_engine", lambda name: chosen if name is None else get_engine(name))
    return chosen


def make(directed: bool) -> Any:
    G = nx.gnm_random_graph(30, 90, seed=2, directed=directed)
    for u, v in G.edges:
        G[u][v]["weight"] = 1 + u * v % 5
    return G


def flatten(answer: Any) -> list[float]:
    """The numbers of an answer in their order."""
    if isinstance(answer, dict):
        answer = list(answer.values())
    return [x for part in answer for x in flatten(part)] if isinstance(answer, list | tuple) else [answer]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("pagerank", {}),
        ("pagerank", {"nstart": {0: 1}}),
        ("hits", {}),
        ("katz_centrality", {"alpha": 0.01}),
        ("eigenvector_centrality", {"max_iter": 1000}),
        ("clustering", {"weight": "weight"}),
        ("transitivity", {}),
        ("edge_betweenness_centrality", {"weight": "weight"}),
        ("harmonic_centrality", {"sources": [1, 2]}),
        ("single_source_bellman_ford_path_length", {"source": 0}),
        ("floyd_warshall_numpy", {}),
    ],
)
@pytest.mark.parametrize("directed", [False, True])
def test_answers_come_from_the_device(engine: Any, name: str, arguments: dict[str, Any], directed: bool) -> None:
    G = make(directed)
    made = converted.convert(G)
    expected, found = getattr(nx, name)(G, **arguments), getattr(backend, name)(made, **arguments)
    assert {graph.engine for graph in made._graphs.values()} == {engine}
    if isinstance(expected, dict):
        order = {node: found[node] for node in expected}  # Bellman and Ford's is another
        assert flatten(order) == pytest.approx(flatten(expected), rel=1e-6, abs=1e-9)
    else:
        assert np.allclose(flatten(found), flatten(expected))
