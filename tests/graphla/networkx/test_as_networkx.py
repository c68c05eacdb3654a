"""Corners in which the answers are those of NetworkX: values, types, orders, exceptions and their texts."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphla.doors.networkx import backend
from graphla.doors.networkx.converted import convert
from tests.fuzz import networkx_door
from tests.fuzz.networkx_door.answers import run, same


@pytest.fixture(autouse=True)
def door() -> None:
    networkx_door.register()
    nx.config.warnings_to_ignore.add("cache")


def compare(name: str, G: Any, *args: Any, **kwargs: Any) -> Any:
    """Assert that both answer alike, types and orders included; return the answer."""
    function = networkx_door.find(name)
    expected, found = (
        run(lambda which=which: function(G, *args, backend=which, **kwargs)) for which in ("networkx", "graphla")
    )
    assert type(expected) is type(found)
    assert str(expected) == str(found) if isinstance(expected, Exception) else same(expected, found, 0.0)
    return found


def weigh(G: Any, value: Any) -> Any:
    nx.set_edge_attributes(G, value, "weight")
    return G


def test_a_default_of_one_function_is_none_of_another() -> None:
    """A missing weight is 1 to a spanning tree, and no limit to a flow."""
    G = nx.Graph([(0, 1), (1, 2, {"weight": 5}), (0, 2)])
    compare("minimum_spanning_tree", G)
    assert isinstance(compare("maximum_flow_value", G, 0, 2, capacity="weight"), nx.NetworkXUnbounded)
    compare("minimum_spanning_tree", G)


def test_only_nodes_asked_for_must_reach_all() -> None:
    D = nx.DiGraph([(0, 1), (1, 2)])
    for v in (0, 1, [0], [0, 1], None):
        compare("eccentricity", D, v=v)


@pytest.mark.parametrize("name", ["floyd_warshall", "floyd_warshall_numpy", "floyd_warshall_predecessor_and_distance"])
def test_sums_that_are_not_exact_are_left_to_networkx(name: str) -> None:
    G = weigh(nx.path_graph(3), 2**53 + 1)
    with pytest.raises(NotImplementedError, match="NotImplementedError") as caught:
        getattr(nx, name)(G, backend="graphla")
    assert "2**53" in str(caught.value.__cause__)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
@pytest.mark.parametrize("weight", [3, 0.5, None])
def test_distances_of_all_pairs_have_the_order_and_the_types_of_networkx(kind: Any, weight: Any) -> None:
    G = kind([(2, 1), (1, 0), (3, 0), (2, 2), (5, 4)])
    compare("floyd_warshall", weigh(G, weight) if weight else G)


def test_hits_of_no_edge_are_left_to_networkx() -> None:
    for G in (nx.empty_graph(3), nx.Graph([(0, 0)])):
        with pytest.raises(NotImplementedError) as caught:
            nx.hits(G, backend="graphla")
        assert "solver" in str(caught.value.__cause__)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("clustering", {}),
        ("clustering", {"nodes": 2}),
        ("harmonic_centrality", {}),
        ("resource_allocation_index", {"ebunch": [(0, 2), (2, 3), (3, 3)]}),
        ("adamic_adar_index", {"ebunch": [(0, 2), (2, 3), (3, 3)]}),
        ("jaccard_coefficient", {"ebunch": [(0, 2), (2, 3), (3, 3)]}),
        ("maximum_flow_value", {"_s": 0, "_t": 3, "capacity": "weight"}),
    ],
)
def test_nothing_added_is_an_int(name: str, arguments: dict[str, Any]) -> None:
    G = weigh(nx.Graph([(2, 1), (1, 0)]), 0.5)
    G.add_node(3)
    compare(name, G, *[arguments.pop(key) for key in ("_s", "_t") if key in arguments], **arguments)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_nothing_to_lose_to_does_not_converge() -> None:
    D = nx.DiGraph([(0, 1), (1, 2)])
    compare("pagerank", D, dangling={0: 0})
    compare("pagerank", D, personalization={0: 0})


@pytest.mark.parametrize(
    "make", [lambda B: B.subgraph([0, 1, 2]), lambda B: nx.subgraph_view(B, filter_node=lambda v: v < 3)]
)
def test_a_view_shows_what_its_graph_is_now(make: Callable[[Any], Any]) -> None:
    base = nx.path_graph(4)
    view = make(base)
    assert compare("descendants", view, 0) == {1, 2}
    base.remove_edge(0, 1)
    assert compare("descendants", view, 0) == set()


def test_an_undirected_view_with_two_weights_for_an_edge_is_left_to_networkx() -> None:
    D = nx.DiGraph([(0, 1, {"weight": 1}), (1, 0, {"weight": 3}), (1, 2, {"weight": 2})])
    view = D.to_undirected(as_view=True)
    compare("is_connected", view)
    with pytest.raises(NotImplementedError) as caught:
        nx.single_source_dijkstra(view, 1, backend="graphla")
    assert "either direction" in str(caught.value.__cause__)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_louvain_adds_up_as_networkx_does(seed: int) -> None:
    """Gains of 1e-17 decide, and at the second level the order in which edges between communities came about."""
    G = nx.MultiGraph([(0, 3, {"weight": 0.3}), (0, 0, {"weight": 0.1}), (2, 3, {"weight": 0.3})])
    G.add_edges_from([(3, 3, {"weight": 0.2}), (3, 3, {"weight": 0.3})])
    G.add_nodes_from([0, 1])
    compare("louvain_partitions", G, resolution=1.5, seed=seed)
    r = random.Random(seed)
    D = nx.gnm_random_graph(20, 60, seed, directed=True)
    for *_, data in D.edges(data=True):
        data["weight"] = r.choice((0.1, 0.2, 0.3, 1.5))
    compare("louvain_partitions", D, seed=seed)


def test_texts_of_exceptions() -> None:
    G = nx.path_graph(3)
    G.add_node(9)
    compare("bellman_ford_path", G, 0, 9)
    compare("bellman_ford_path_length", G, 0, 9)
    compare("single_source_bellman_ford_path", G, None)
    compare("has_path", G, "nowhere", None)
    for graph in (G, G.subgraph([0, 1])):
        compare("node_connected_component", graph, 5)
        compare("bfs_labeled_edges", graph, [5])
    for name in ("center", "periphery", "radius", "diameter"):
        for kind in (nx.Graph, nx.DiGraph):
            compare(name, kind())
            compare(name, kind(), usebounds=True)


def test_distances_are_ints_where_the_weights_of_the_path_are() -> None:
    G = nx.Graph([(0, 1, {"weight": 1}), (1, 2, {"weight": 2.0}), (0, 3, {"weight": 5}), (3, 4)])
    multi = nx.MultiGraph([*G.edges(data=True), (0, 3, {"weight": 5.0}), (3, 4, {"weight": 1.0})])
    for graph in (G, multi):
        for name in ("single_source_dijkstra", "dijkstra_predecessor_and_distance"):
            compare(name, graph, 0)
        for target in graph:
            for name in ("bidirectional_dijkstra", "dijkstra_path_length", "bellman_ford_path_length"):
                compare(name, graph, 0, target)
        compare("single_source_dijkstra", graph, 0, weight=lambda u, v, d: (1, 0.5)[v % 2])


def test_a_path_ends_at_any_source() -> None:
    D = nx.DiGraph([(1, 9, {"weight": -1})])
    compare("multi_source_dijkstra", D, [1, 9])


def test_predecessors_within_a_cutoff() -> None:
    for cutoff in (None, 0, -1, 1, 1.5, 2, float("inf")):
        compare("predecessor", nx.path_graph(6), 0, cutoff=cutoff, return_seen=True)


def test_bridges_from_a_root_are_those_of_a_copy() -> None:
    G = nx.Graph([(v, v + 1) for v in (9, 3, 7, 1, 5)] + [(20, 3), (4, 20), (20, 7), (40, 41)])
    for kind in (nx.Graph, nx.MultiGraph):
        for root in G:
            compare("bridges", kind(G), root=root)


def test_numbers_to_start_from_may_be_of_some_nodes() -> None:
    """NetworkX reads them as it comes to the nodes."""
    G = nx.path_graph(3)
    for name in ("katz_centrality", "eigenvector_centrality"):
        function = networkx_door.find(name)
        with pytest.raises(NotImplementedError) as caught:
            function(G, nstart={0: 1.0}, backend="graphla")
        assert "nstart" in str(caught.value.__cause__)
        start = {2: 1.0, 0: 0.5, 1: 1.0}
        assert list(function(G, nstart=start, max_iter=1000, backend="graphla")) == [2, 0, 1]


def test_ranks_to_start_from() -> None:
    G = nx.gnp_random_graph(9, 0.2, seed=3, directed=True)
    for start in ({0: 1.0, 3: 2.0}, {7: 5, "nowhere": 1}):
        found, wanted = (nx.pagerank(G, nstart=start, backend=each) for each in ("graphla", "networkx"))
        assert found == pytest.approx(wanted, abs=1e-12)
    with pytest.raises(nx.PowerIterationFailedConvergence):
        nx.pagerank(G, nstart={"nowhere": 1}, backend="graphla")
    with pytest.raises(NotImplementedError):
        nx.pagerank(G, nstart={0: -1, 1: 2}, backend="graphla")


def test_what_graphla_refuses_is_left_to_networkx() -> None:
    G = nx.Graph([(0, 1, {"weight": 1.5}), (1, 2, {"weight": 1e21})])
    with pytest.raises(NotImplementedError, match="lost beside"):
        backend.edge_betweenness_centrality(convert(G), weight="weight")


def test_numpy_weights_that_wrap_are_added_as_numbers() -> None:
    """NetworkX adds them in their own type: 44 and a warning."""
    G = weigh(nx.path_graph(3), np.uint8(150))
    assert nx.dijkstra_path_length(G, 0, 2, backend="graphla") == 300


@pytest.mark.parametrize("seed", [*range(60), 947, 1344, 2058, 2470])
def test_random_calls_are_answered_as_networkx_answers_them(seed: int) -> None:
    networkx_door.check(seed)


@pytest.mark.parametrize("wrong", [lambda G: True, lambda G: 1, lambda G: iter(())])
def test_a_wrong_answer_is_found(monkeypatch: pytest.MonkeyPatch, wrong: Any) -> None:
    """By the fuzzer: a value, a type, an order."""
    for name in ("is_connected", "connected_components", "core_number"):
        monkeypatch.setattr(backend, name, wrong)
    with pytest.raises(AssertionError, match="after"):
        check_all(range(500))


def check_all(seeds: range) -> None:
    for seed in seeds:
        networkx_door.check(seed)


@pytest.mark.parametrize("name", ["louvain_communities", "pagerank", "modularity"])
def test_sums_of_parallel_weights_that_do_not_fit_are_left_to_networkx(name: str) -> None:
    G = weigh(nx.MultiGraph([(0, 1), (0, 1)]), 2**62)
    arguments = {"communities": [{0}, {1}]} if name == "modularity" else {}
    with pytest.raises(NotImplementedError) as caught:
        networkx_door.find(name)(G, backend="graphla", **arguments)
    assert "2**53" in str(caught.value.__cause__)
