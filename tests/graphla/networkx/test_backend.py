"""The NetworkX backend: what it claims, what importing NetworkX costs, and answers in NetworkX's orders."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphla.doors.networkx import backend
from graphla.doors.networkx.converted import ConvertedGraph, convert

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)


def make(kind: Any, seed: int, names: bool = True) -> Any:
    """A random graph with labels in random order, self-loops and some attributes."""
    rng = np.random.default_rng(seed)
    n, m = 40, 90
    label: Callable[[int], Any] = (lambda v: f"v{v}") if names else int
    G = kind()
    G.add_nodes_from(map(label, rng.permutation(n).tolist() if names else range(n)))
    for u, v, w in zip(*rng.integers(0, n, (2, m)).tolist(), rng.integers(0, 9, m).tolist(), strict=True):
        G.add_edge(label(u), label(v), **({"weight": w} if w else {"colour": "red"}))
    return G


def resolve(answer: Any) -> Any:
    """An answer with its generators run and its dictionaries as lists, so that orders count."""
    if isinstance(answer, dict):
        return [(resolve(key), resolve(value)) for key, value in answer.items()]
    if isinstance(answer, Iterator):
        return list(map(resolve, answer))
    if isinstance(answer, tuple):
        return tuple(map(resolve, answer))
    return list(answer.edges) if isinstance(answer, nx.Graph) else answer


def outcome(run: Callable[[], Any]) -> Any:
    """An answer in its order, or the class and the message of an exception."""
    try:
        return resolve(run())
    except Exception as error:
        return type(error), str(error)


def compare(name: str, G: Any, *args: Any, **kwargs: Any) -> None:
    """Assert that both answer alike."""
    function = getattr(nx, name)
    expected = outcome(lambda: function(G, *args, **kwargs))
    assert outcome(lambda: getattr(backend, name)(convert(G), *args, **kwargs)) == expected


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("single_source_shortest_path_length", {"cutoff": 3}),
        ("single_source_shortest_path", {}),
        ("predecessor", {"cutoff": 2, "return_seen": True}),
        ("bfs_edges", {"reverse": True}),
        ("bfs_successors", {"depth_limit": 3}),
        ("bfs_predecessors", {}),
        ("bfs_tree", {}),
        ("bfs_edges", {"sort_neighbors": sorted, "reverse": True, "depth_limit": 2}),
        ("bfs_successors", {"sort_neighbors": lambda found: sorted(found, reverse=True)}),
        ("generic_bfs_edges", {"neighbors": lambda v: ["v1", "v2"] if v != "v2" else ["v5"]}),
        ("bfs_labeled_edges", {}),
        ("single_source_all_shortest_paths", {"weight": "weight"}),
        ("bfs_layers", {}),
        ("descendants_at_distance", {"distance": 2}),
        ("single_source_dijkstra", {}),
        ("single_source_dijkstra", {"cutoff": 7, "weight": None}),
        ("dijkstra_predecessor_and_distance", {"cutoff": 9}),
        ("shortest_path", {"weight": "weight"}),
        ("shortest_path_length", {}),
        ("single_source_dijkstra_path_length", {"weight": lambda u, v, d: len(u) + 1}),
    ],
)
def test_searches_answer_in_the_order_of_networkx(kind: Any, name: str, arguments: dict[str, Any]) -> None:
    G = make(kind, 3)
    for source in [*list(G)[:3], "nowhere"]:
        compare(name, G, source, **arguments)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name", ["shortest_path", "bidirectional_dijkstra", "dijkstra_path_length", "has_path", "all_shortest_paths"]
)
def test_paths_between_two_nodes_are_those_of_networkx(kind: Any, name: str) -> None:
    G = make(kind, 5)
    nodes = list(G)
    for source, target in zip(nodes[:12], [*nodes[1:12], "nowhere"], strict=True):
        compare(name, G, source, target)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("names", [True, False])
def test_components_come_in_the_order_of_networkx(kind: Any, names: bool) -> None:
    G = make(kind, 7, names)
    G.remove_edges_from(list(G.edges)[::2])
    for name in (
        ["weakly_connected_components", "strongly_connected_components"]
        if G.is_directed()
        else ["connected_components"]
    ):
        compare(name, G)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("pagerank", {}),
        ("pagerank", {"weight": None, "alpha": 0.5, "personalization": {"v1": 2, "v9": 1}, "dangling": {"v3": 1}}),
        ("pagerank", {"nstart": {"v1": 2, "v9": 1}, "personalization": {"v5": 1}}),
        ("pagerank", {"max_iter": 2}),
        ("pagerank", {"personalization": {"nowhere": 1}}),
        ("hits", {}),
        ("hits", {"normalized": False}),
        ("katz_centrality", {"alpha": 0.01, "weight": "weight"}),
        ("katz_centrality", {"alpha": 0.01, "beta": {"v1": 1}}),
        ("eigenvector_centrality", {"max_iter": 1000}),
        ("eigenvector_centrality", {"weight": "weight", "max_iter": 1000}),
        ("triangles", {}),
        ("triangles", {"nodes": "v3"}),
        ("clustering", {}),
        ("clustering", {"weight": "weight", "nodes": ["v3", "v5", "nowhere"]}),
        ("average_clustering", {"weight": "weight", "count_zeros": False}),
        ("transitivity", {}),
        ("betweenness_centrality", {"endpoints": True}),
        ("betweenness_centrality", {"k": 9, "seed": 4, "normalized": False}),
        ("betweenness_centrality", {"weight": "weight"}),
        ("edge_betweenness_centrality", {"weight": "weight"}),
        ("edge_betweenness_centrality", {"k": 9, "seed": 4}),
        ("closeness_centrality", {"wf_improved": False}),
        ("closeness_centrality", {"distance": "weight", "u": "v7"}),
        ("harmonic_centrality", {"distance": "weight"}),
        ("harmonic_centrality", {"nbunch": ["v3", "v4"], "sources": ["v7", "v8", "v9"]}),
    ],
)
def test_values_are_those_of_networkx(kind: Any, name: str, arguments: dict[str, Any]) -> None:
    G = make(kind, 13)
    expected = outcome(lambda: getattr(nx, name)(G, **arguments))
    if isinstance(expected, tuple) and expected[0] is nx.NetworkXNotImplemented:
        return  # NetworkX refuses it before it asks a backend
    if "seed" in arguments:
        arguments = {**arguments, "seed": random.Random(arguments["seed"])}  # as NetworkX hands it on
    found = outcome(lambda: getattr(backend, name)(convert(G), **arguments))
    if isinstance(expected, tuple) and isinstance(expected[0], type):
        assert found == expected
        return
    assert flatten(found, str) == flatten(expected, str)
    values = [abs(value) for value in flatten(expected, float)]  # ARPACK gives hits either sign
    assert flatten(found, float) == pytest.approx(values, rel=1e-6, abs=1e-6)


def flatten(answer: Any, kind: type) -> list[Any]:
    """The labels or the numbers of an answer, in their order."""
    if isinstance(answer, list | tuple):
        return [each for part in answer for each in flatten(part, kind)]
    return [answer] if isinstance(answer, str) == (kind is str) else []


@pytest.mark.parametrize("kind", KINDS)
def test_views_answer_as_networkx_answers_them(kind: Any) -> None:
    G = make(kind, 19)
    views = [G.subgraph(list(G)[5:30]), G.edge_subgraph(list(G.edges)[::3]), nx.freeze(G.copy())]
    views += [G.reverse(copy=False)] if G.is_directed() else []
    for view in views:
        source = next(iter(view))
        compare("single_source_dijkstra", view, source)
        compare("bfs_labeled_edges", view, [source])
        compare("strongly_connected_components" if view.is_directed() else "connected_components", view)


def test_labels_of_edges_are_the_objects_of_networkx() -> None:
    expected = {id(label) for *_, label in nx.bfs_labeled_edges(nx.complete_graph(4), 0)}
    assert {id(label) for *_, label in backend.bfs_labeled_edges(convert(nx.complete_graph(4)), 0)} == expected


def test_targets_are_reached_from_sources() -> None:
    G = make(nx.DiGraph, 11)
    for name in ("single_target_shortest_path", "single_target_shortest_path_length"):
        compare(name, G, list(G)[1])
    compare("shortest_path", G, target=list(G)[1], weight="weight")


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_read_in_any_order(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    G = make(kind, 17)
    expected = convert(G).join("weight", np.add)
    monkeypatch.setattr("graphla.doors.networkx.weights.MANY", 1)
    shuffled = kind()
    shuffled.add_nodes_from(G)
    edges = list(G.edges(data=True))
    for k in np.random.default_rng(3).permutation(len(edges)).tolist():
        shuffled.add_edge(*edges[k][:2], **edges[k][2])
    assert convert(G).join("weight", np.add).tolist() == expected.tolist()
    assert convert(shuffled).graph("weight", np.add).A.isequal(convert(G).graph("weight", np.add).A)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("dijkstra_path", {"source": 0, "target": 2}),
        ("all_pairs_dijkstra", {}),
        ("all_pairs_dijkstra_path", {}),
        ("all_pairs_dijkstra_path_length", {}),
        ("all_pairs_bellman_ford_path", {}),
        ("all_pairs_bellman_ford_path_length", {}),
        ("single_source_all_shortest_paths", {"source": 0, "weight": "weight"}),
        ("all_pairs_all_shortest_paths", {"weight": "weight"}),
        ("all_shortest_paths", {"source": 0, "target": 1, "weight": "weight"}),
        ("shortest_path", {"weight": "weight"}),
        ("floyd_warshall", {}),
        ("pagerank", {}),
    ],
)
def test_weights_that_are_no_numbers_are_left_to_networkx(name: str, arguments: dict[str, Any]) -> None:
    G = nx.path_graph(3)
    nx.set_edge_attributes(G, Fraction(1, 3), "weight")
    with pytest.raises(NotImplementedError, match="values of type Fraction are no int or float"):
        getattr(backend, name)(convert(G), **arguments)


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_core_numbers_are_those_of_networkx(kind: Any) -> None:
    G = make(kind, 3)
    compare("core_number", G)
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    compare("core_number", G)


@pytest.mark.parametrize("names", [True, False])
def test_maximal_matchings_are_those_of_networkx(names: bool) -> None:
    compare("maximal_matching", make(nx.Graph, 3, names))
    for kind in (nx.MultiGraph, nx.DiGraph):
        with pytest.raises(nx.NetworkXNotImplemented):
            backend.maximal_matching(convert(kind([(0, 1)])))


def test_maximum_matchings_have_the_size_of_those_of_networkx() -> None:
    for seed in range(5):
        G = nx.bipartite.random_graph(20, 30, 0.06, seed)
        top = [v for v, side in G.nodes(data="bipartite") if side == 0]
        found = backend.hopcroft_karp_matching(convert(G), top)
        assert len(found) == len(nx.bipartite.hopcroft_karp_matching(G, top))
        assert all(found[v] == u and G.has_edge(u, v) for u, v in found.items())
        assert {type(v) for v in found} == {int}
    with pytest.raises(nx.AmbiguousSolution):
        backend.hopcroft_karp_matching(convert(nx.Graph([(0, 1), (2, 3)])))
    with pytest.raises(nx.NetworkXError, match="not bipartite"):
        backend.hopcroft_karp_matching(convert(nx.cycle_graph(3)))
    with pytest.raises(NotImplementedError, match="no side of the graph"):
        backend.hopcroft_karp_matching(convert(nx.path_graph(3)), [0, 1])
    assert backend.hopcroft_karp_matching(convert(nx.path_graph(["a", "b"]))) == {"a": "b", "b": "a"}


@pytest.mark.parametrize("names", [True, False])
def test_trusses_are_those_of_networkx(names: bool) -> None:
    G = make(nx.Graph, 3, names)
    with pytest.raises(nx.NetworkXNotImplemented, match="self loops"):
        backend.k_truss(convert(G), 3)
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    G.graph["name"], G.nodes[next(iter(G))]["size"] = "a graph", 3
    for k in (0, 2, 3, 4, 50):
        found, expected = backend.k_truss(convert(G), k), nx.k_truss(G, k)
        assert (list(found.nodes.items()), list(found.edges.items())) == (
            list(expected.nodes.items()),
            list(expected.edges.items()),
        )
        assert (type(found), found.graph) == (nx.Graph, G.graph)
    for kind in (nx.MultiGraph, nx.DiGraph):
        with pytest.raises(nx.NetworkXNotImplemented):
            backend.k_truss(convert(kind([(0, 1)])), 3)


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_colors_are_those_of_networkx(kind: Any) -> None:
    G = make(kind, 3)
    compare("greedy_color", G)
    assert list(backend.greedy_color(convert(G)).items()) == list(nx.greedy_color(G).items())
    assert backend.greedy_color(convert(kind())) == {}


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("kind", ["minimum", "maximum"])
def test_spanning_trees_are_those_of_networkx(kind: str, names: bool) -> None:
    G = make(nx.Graph, 3, names)
    G.graph["name"], G.nodes[next(iter(G))]["size"] = "a graph", 3
    for arguments in ({}, {"weight": None}, {"weight": "nothing"}, {"data": False}):
        compare(f"{kind}_spanning_edges", G, **arguments)
    found = getattr(backend, f"{kind}_spanning_tree")(convert(G))
    expected = getattr(nx, f"{kind}_spanning_tree")(G)
    assert (list(found.nodes.items()), list(found.edges.items())) == (
        list(expected.nodes.items()),
        list(expected.edges.items()),
    )
    assert (type(found), found.graph) == (nx.Graph, G.graph)


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("name", ["adamic_adar_index", "jaccard_coefficient", "preferential_attachment"])
def test_predictions_of_links_are_those_of_networkx(name: str, names: bool) -> None:
    G = make(nx.Graph, 3, names)
    looped = G.copy()
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    pairs = [(u, v) for u in list(G)[:9] for v in list(G)[9:20]]
    for ebunch in (None, pairs, [], [*pairs, ("nobody", "nobody else")]):
        expected = outcome(lambda ebunch=ebunch: getattr(nx, name)(G, ebunch))
        found = outcome(lambda ebunch=ebunch: getattr(backend, name)(convert(G), ebunch))
        if isinstance(expected, tuple):
            assert found == expected
            continue
        assert [row[:2] for row in found] == [row[:2] for row in expected]
        assert [row[2] for row in found] == pytest.approx([row[2] for row in expected], rel=1e-14)
    with pytest.raises(NotImplementedError, match="self-loops"):
        getattr(backend, name)(convert(looped), pairs)
    ring, path = nx.cycle_graph(5), nx.path_graph(3)
    compare(name, ring, [(2, 2), (0, 1)])
    if name == "adamic_adar_index":
        with pytest.raises(NotImplementedError, match="one node twice"):
            backend.adamic_adar_index(convert(path), [(1, 1)])


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_dominators_are_those_of_networkx(kind: Any) -> None:
    G = make(kind, 3)
    for start in list(G)[:6]:
        compare("immediate_dominators", G, start)
    compare("immediate_dominators", G, "nobody")


@pytest.mark.parametrize("weight", [None, "weight", "nothing"])
@pytest.mark.parametrize("kind", KINDS)
def test_eccentricities_are_those_of_networkx(kind: Any, weight: Any) -> None:
    """Of graphs in which all nodes reach each other, and of others."""
    apart, joined = make(kind, 3), make(kind, 4)
    nx.add_cycle(joined, list(joined), weight=2)
    far = list(joined)[5:9]
    for G in (apart, joined, kind([(0, 0)]), kind()):
        compare("eccentricity", G, weight=weight)
        for name in ("diameter", "radius", "center", "periphery"):
            if len(G) > 1:
                compare(name, G, weight=weight)
                compare(name, G, weight=weight, usebounds=True)
    compare("eccentricity", joined, far, weight=weight)
    compare("eccentricity", joined, far[0], weight=weight)
    compare("eccentricity", joined, "nobody", weight=weight)


def test_eccentricities_by_fractions_are_those_of_networkx() -> None:
    G = nx.random_geometric_graph(60, 0.4, seed=2)
    nx.add_path(G, range(60))
    for u, v, data in G.edges(data=True):
        data["weight"] = 0.1 + (7 * u + v) % 13 / 10
    for name in ("eccentricity", "diameter", "radius", "center", "periphery"):
        compare(name, G, weight="weight")


def test_eccentricities_and_distances_that_are_given() -> None:
    G = make(nx.Graph, 4)
    nx.add_cycle(G, list(G))
    lengths, e = dict(nx.shortest_path_length(G)), {"x": 3, "y": 1, "z": 3}
    compare("eccentricity", G, sp=lengths)
    compare("eccentricity", G, list(G)[2], sp=lengths)
    compare("eccentricity", G, sp=1)
    compare("eccentricity", G, sp={node: {node: 0} for node in G})
    for name in ("diameter", "radius", "center", "periphery"):
        compare(name, G, e=e)
        compare(name, nx.balanced_tree(2, 3))
        compare(name, nx.path_graph(6))


@pytest.mark.parametrize("kind", KINDS)
def test_cycles_are_those_of_networkx(kind: Any) -> None:
    cyclic, acyclic = make(kind, 3), make(kind, 4)
    acyclic.remove_edges_from([(u, v) for u, v in acyclic.edges() if u >= v])
    for G in (cyclic, acyclic, kind()):
        compare("is_directed_acyclic_graph", G)


def test_a_converted_graph_answers_as_a_graph() -> None:
    G = convert(make(nx.MultiDiGraph, 2))
    assert isinstance(G, ConvertedGraph)
    assert G.is_directed()
    assert G.is_multigraph()
    assert "v3" in G
    assert [] not in G
    assert list(G) == G.nodes
    assert len(G) == G.number_of_nodes() == 40


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("names", [True, False])
def test_biconnected_components_come_in_the_order_of_networkx(kind: Any, names: bool) -> None:
    for seed, step in ((3, 2), (4, 3), (5, 1)):
        G = make(kind, seed, names)
        G.remove_edges_from(list(G.edges)[:: step + 1])
        for name in (
            *("articulation_points", "biconnected_component_edges", "biconnected_components"),
            *("bridges", "has_bridges", "is_biconnected"),
        ):
            compare(name, G)
        compare("has_bridges", G, root="nobody")
        for root in list(G)[:9]:
            compare("has_bridges", G, root=root)


def test_what_is_biconnected() -> None:
    small = nx.empty_graph(1), nx.null_graph(), nx.Graph([(0, 0)]), nx.path_graph(2), nx.path_graph(3)
    for G in (*small, nx.cycle_graph(5)):
        compare("is_biconnected", G)
        compare("articulation_points", G)
        compare("bridges", G)
    G = nx.disjoint_union(nx.cycle_graph(4), nx.path_graph(4))
    assert list(backend.bridges(convert(G), root=5)) == [(4, 5), (5, 6), (6, 7)]
    assert not list(backend.bridges(convert(G), root=0))
