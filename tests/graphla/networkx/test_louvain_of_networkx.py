"""Communities of the backend: those of NetworkX for the same seed, whatever the graph."""

from __future__ import annotations

import secrets
from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphla.doors.networkx import backend
from graphla.doors.networkx.backend import convert_from_nx

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)


def make_random(kind: Any, seed: int, n: int = 60, edges: int = 260) -> Any:
    """A graph with loops, weights that tie, edges without one, and nodes in no order."""
    rng = np.random.default_rng(seed)
    g = kind()
    g.add_nodes_from(f"node {v}" for v in rng.permutation(n).tolist())
    for u, v, w in zip(*rng.integers(0, n, (2, edges)).tolist(), rng.integers(0, 4, edges).tolist(), strict=True):
        g.add_edge(f"node {u}", f"node {v}", **({} if w == 0 else {"weight": w}))
    return g


@pytest.mark.parametrize("kind", KINDS)
def test_louvain_is_that_of_networkx(kind: Any) -> None:
    """Level by level, sets in the same order; also when all have tied, and with other thresholds."""
    seed = secrets.randbits(31)
    for k, options in enumerate(({}, {"weight": None, "resolution": 0.6}, {"resolution": 2}, {"threshold": 0.05})):
        g = make_random(kind, seed + k)
        G = convert_from_nx(g, edge_attrs={"weight": 1})
        ours = list(backend.louvain_partitions(G, seed=nx.utils.create_py_random_state(k), **options))
        theirs = list(nx.community.louvain_partitions(g, seed=k, backend="networkx", **options))
        assert ours == theirs, seed + k
        random = nx.utils.create_py_random_state(k)
        assert backend.louvain_communities(G, seed=random, max_level=1, **options) == theirs[0]


def test_ties_of_every_level_are_broken_alike() -> None:
    for k, g in enumerate(
        (nx.grid_2d_graph(14, 15), nx.cycle_graph(300), nx.hypercube_graph(8), nx.grid_graph((6, 6, 6)))
    ):
        ours = list(nx.community.louvain_partitions(g, seed=k, backend="graphla"))
        assert ours == list(nx.community.louvain_partitions(g, seed=k, backend="networkx")), k
        assert len(ours) > 2


@pytest.mark.parametrize("kind", KINDS)
def test_modularity_is_that_of_networkx(kind: Any) -> None:
    seed = secrets.randbits(31)
    g = make_random(kind, seed)
    G = convert_from_nx(g, edge_attrs={"weight": 1})
    sets = list(nx.utils.groups({v: hash(v) % 5 for v in g}).values())
    for options in ({}, {"weight": None, "resolution": 0.3}):
        expected = nx.community.modularity(g, sets, backend="networkx", **options)
        assert backend.modularity(G, sets, **options) == pytest.approx(expected, abs=1e-12), seed
    with pytest.raises(nx.community.quality.NotAPartition):  # type: ignore[attr-defined]
        backend.modularity(G, sets[1:])
    g.add_edge("node 1", "node 2", weight=-1000)  # below the sum of others between the two
    with pytest.raises(NotImplementedError, match="a weight is negative"):
        backend.modularity(convert_from_nx(g, edge_attrs={"weight": 1}), sets)


def test_leiden_finds_connected_communities() -> None:
    g = make_random(nx.Graph, 4)
    found = nx.community.leiden_communities(g, seed=3, backend="graphla")
    assert nx.community.is_partition(g, found)
    assert all(nx.is_connected(g.subgraph(each)) for each in found)
    assert found == nx.community.leiden_communities(make_random(nx.Graph, 4), seed=3, backend="graphla")
    with pytest.raises(ValueError, match="max_level"):
        nx.community.leiden_communities(make_random(nx.Graph, 4), max_level=0, backend="graphla")


def test_graphs_without_edges() -> None:
    for g in (nx.Graph(), nx.empty_graph(3), nx.empty_graph(2, nx.DiGraph)):
        assert nx.community.louvain_communities(g, backend="graphla") == [{v} for v in g]
        if len(g):
            with pytest.raises(ZeroDivisionError):
                nx.community.modularity(nx.empty_graph(2), [{0}, {1}], backend="graphla")


def test_label_propagation_and_levels_are_those_of_networkx() -> None:
    for seed in range(6):
        g = nx.gnm_random_graph(40, 70 - 10 * seed, seed=seed)
        g.add_edge(3, 3)
        find = nx.community.label_propagation_communities
        assert list(find(g.copy(), backend="graphla")) == list(find(g.copy(), backend="networkx")), seed
        levels = list(nx.community.leiden_partitions(g.copy(), seed=seed, backend="graphla"))
        assert levels[-1] == nx.community.leiden_communities(g.copy(), seed=seed, backend="graphla")
        assert all(any(low <= high for high in levels[-1]) for low in levels[0])
    assert list(nx.community.label_propagation_communities(nx.Graph(), backend="graphla")) == []
