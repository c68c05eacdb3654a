"""Random graphs of every kind, with labels, loops, parallel edges and odd weights: NetworkX and the backend agree."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest

from graphla.doors.networkx import backend
from graphla.doors.networkx.converted import convert
from tests.graphla.networkx.test_backend import KINDS, outcome

WEIGHTS = ([1, 2, 3], [0, 1], [0.5, 0.1, 0.2, 0.3], [-1, 2, 3], [0, -1, 1], [None, 1, 2], [5, 1.5])
LABELS: tuple[Callable[[int], Any], ...] = (int, float, str, lambda v: (v,))
FROM_ONE: dict[str, dict[str, Any]] = {
    "single_source_shortest_path_length": {},
    "single_source_shortest_path": {"cutoff": 2},
    "single_target_shortest_path": {},
    "predecessor": {"return_seen": True},
    "bfs_edges": {"reverse": True},
    "bfs_labeled_edges": {},
    "bfs_layers": {},
    "bfs_successors": {"depth_limit": 2},
    "single_source_dijkstra": {},
    "dijkstra_predecessor_and_distance": {"cutoff": 6},
    "descendants": {},
    "ancestors": {},
}
BETWEEN_TWO = ("shortest_path", "bidirectional_dijkstra", "dijkstra_path", "dijkstra_path_length", "has_path")
UNORDERED = ("single_source_bellman_ford_path_length",)
OF_DIGRAPHS = ("strongly_connected_components", "weakly_connected_components")
OF_GRAPHS = ("connected_components", "is_connected", "triangles")
OF_BOTH = ("negative_edge_cycle", "johnson")


def make(rng: random.Random) -> tuple[Any, Any, Any]:
    """A random graph, a node of it, and a label that may be none of its nodes."""
    n, label, weights = rng.choice([1, 2, 3, 5, 8, 15, 40]), rng.choice(LABELS), rng.choice(WEIGHTS)
    G = rng.choice(KINDS)()
    G.add_nodes_from(map(label, rng.sample(range(n), n)))
    for _ in range(rng.choice([0, 1, n, 2 * n, 4 * n])):
        attributes = {"weight": rng.choice(weights)} if rng.random() < 0.9 else {}
        G.add_edge(label(rng.randrange(n)), label(rng.randrange(n)), **attributes)
    return G, label(rng.randrange(n)), label(rng.randrange(n + 1))


def agree(name: str, G: Any, *args: Any, **kwargs: Any) -> bool:
    """Whether both give one answer in one order, or one exception; the backend may also leave it to NetworkX."""
    found = outcome(lambda: getattr(backend, name)(convert(G), *args, **kwargs))
    expected = outcome(lambda: getattr(nx, name)(G, *args, **kwargs))
    if isinstance(found, tuple) and found[0] is NotImplementedError:
        return True
    if name in UNORDERED and isinstance(found, list) and isinstance(expected, list):
        return dict(found) == dict(expected)
    return found == expected


@pytest.mark.parametrize("seed", range(12))
def test_both_agree_on_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(5):
        G, source, target = make(rng)
        calls = [(name, (source,), asked) for name, asked in FROM_ONE.items()]
        calls += [(name, (source, target), {}) for name in BETWEEN_TWO] + [(name, (source,), {}) for name in UNORDERED]
        calls += [(name, (), {}) for name in (*(OF_DIGRAPHS if G.is_directed() else OF_GRAPHS), *OF_BOTH)]
        differ = [name for name, args, asked in calls if not agree(name, G, *args, **asked)]
        assert not differ, (G, list(G.edges(data=True)), source, target)
