"""Currents and resistances beside those of NetworkX, and what is left to it."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphla.doors.networkx import backend
from graphla.doors.networkx.converted import convert

QUESTIONS = (
    ("current_flow_closeness_centrality", {}),
    ("current_flow_closeness_centrality", {"weight": "w", "solver": "full"}),
    ("current_flow_betweenness_centrality", {}),
    ("current_flow_betweenness_centrality", {"weight": "w", "normalized": False}),
    ("resistance_distance", {"weight": "w"}),
    ("resistance_distance", {"nodeA": "v1", "weight": "w"}),
    ("resistance_distance", {"nodeB": "v1", "weight": "w", "invert_weight": False}),
    ("resistance_distance", {"nodeA": "v0", "nodeB": "v1"}),
)


def make(kind: Any, seed: int) -> Any:
    """A random graph with names and weights, a loop, and parallel edges if it may have them."""
    G = kind(nx.relabel_nodes(nx.gnp_random_graph(18, 0.3, seed=seed), lambda v: f"v{17 - v}"))
    weights = np.random.default_rng(seed)
    for _, _, data in G.edges(data=True):
        data["w"] = float(weights.integers(1, 9))
    G.add_edge("v1", "v2", w=2.5)
    G.add_edge("v1", "v2", w=0.5)
    G.add_edge("v3", "v3", w=3.0)
    return G


def flatten(answer: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], float]]:
    """The numbers of an answer in its order, each with its keys."""
    if not isinstance(answer, dict):
        return [(path, answer)]
    return [pair for key, value in answer.items() for pair in flatten(value, (*path, key))]


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
@pytest.mark.parametrize(("name", "options"), QUESTIONS)
def test_both_agree(kind: Any, name: str, options: dict[str, Any]) -> None:
    for seed in range(2):
        G = make(kind, seed)
        leaves = kind is nx.MultiGraph and "weight" in options and options.get("invert_weight", True)
        if name == "current_flow_betweenness_centrality":
            with pytest.raises(NotImplementedError, match="loops"):
                getattr(backend, name)(convert(G), **options)
            G.remove_edge("v3", "v3")
        if leaves and "closeness" not in name:
            with pytest.raises(NotImplementedError, match="parallel edges"):
                getattr(backend, name)(convert(G), **options)
            continue
        keys, found = zip(*flatten(getattr(backend, name)(convert(G), **options)), strict=True)
        theirs, expected = zip(*flatten(getattr(nx, name)(G, **options)), strict=True)
        assert keys == theirs
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("resistance_distance", {"nodeA": 9}),
        ("resistance_distance", {"nodeB": 9}),
        ("current_flow_closeness_centrality", {}),
        ("current_flow_betweenness_centrality", {}),
    ],
)
def test_errors_are_those_of_networkx(name: str, options: dict[str, Any]) -> None:
    G = nx.path_graph(4) if options else nx.Graph([(0, 1), (2, 3)])
    with pytest.raises(nx.NetworkXError) as expected:
        getattr(nx, name)(G, **options)
    with pytest.raises(nx.NetworkXError) as found:
        getattr(backend, name)(convert(G), **options)
    assert str(found.value) == str(expected.value)


def test_weights_of_zero_are_left_to_networkx() -> None:
    G = nx.path_graph(4)
    G.add_edge(0, 2, weight=0)
    with pytest.raises(NotImplementedError, match="positive ones are wanted"):
        backend.current_flow_closeness_centrality(convert(G), weight="weight")
