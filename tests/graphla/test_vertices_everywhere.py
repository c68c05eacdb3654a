"""Every public function takes vertices by their labels, and every answer knows the labels of its graph."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Graph, Matrix, Vector
from graphla.common.errors import DimensionMismatch, InvalidGraph
from graphla.problem import list_names

N = 7
TAILS, HEADS, WEIGHTS = [0, 1, 2, 3, 4, 5, 0, 1, 5], [1, 2, 3, 4, 5, 0, 3, 4, 6], [1.0, 5, 2, 4, 3, 6, 7, 8, 9]
LABELS = {"texts": list("gfedcba"), "integers": [5, 3, 6, 0, 2, 1, 4]}
KNOWN: Callable[[Any], dict[Any, float]] = lambda v: {v[0]: 1.0, v[4]: 3.0}  # noqa: E731
CALLS: dict[str, Callable[[Graph, Any], Any]] = {
    "articulation_points": lambda G, v: gl.articulation_points(G),
    "bridges": lambda G, v: gl.bridges(G),
    "center": lambda G, v: gl.center(G),
    "consensus": lambda G, v: gl.consensus(G),
    "contract": lambda G, v: gl.contract(G, gl.components(G)).A.nvals,
    "current_flow_betweenness": lambda G, v: gl.current_flow_betweenness(G),
    "current_flow_closeness": lambda G, v: gl.current_flow_closeness(G),
    "effective_resistance": lambda G, v: gl.effective_resistance(G, [(v[0], v[1]), (v[6], v[2])]),
    "effective_resistance, columns": lambda G, v: gl.effective_resistance(G, ([v[0], v[6]], [v[1], v[2]])),
    "ego": lambda G, v: gl.ego(G, v[2]),
    "factorize": lambda G, v: gl.factorize(G)[v[3]],
    "factorize, cells": lambda G, v: gl.factorize(G)[[v[3], v[6]], [v[0], v[1]]],
    "factorize, rows": lambda G, v: gl.factorize(G)[[v[3], v[6]]],
    "factorize, path": lambda G, v: gl.factorize(G).path(v[6], v[2]),
    "factorize, next_hops": lambda G, v: gl.factorize(G).next_hops(v[6]),
    "fastrp": lambda G, v: gl.fastrp(G, 4),
    "find_cycle": lambda G, v: gl.find_cycle(G),
    "harmonic": lambda G, v: gl.harmonic(G, KNOWN(v)),
    "jaccard": lambda G, v: gl.jaccard(G, [(v[0], v[2]), (v[1], v[3]), (v[6], v[0])]),
    "jaccard, columns": lambda G, v: gl.jaccard(G, ([v[0], v[1], v[6]], [v[2], v[3], v[0]])),
    "k_core": lambda G, v: gl.k_core(G, 2),
    "k_hop": lambda G, v: gl.k_hop(G, [v[0]], 1),
    "k_shortest_paths": lambda G, v: gl.k_shortest_paths(G, v[6], v[2], 3)[0],
    "k_truss": lambda G, v: gl.k_truss(G, 3),
    "laplacian_eigenvectors": lambda G, v: gl.laplacian_eigenvectors(G, 2).values.round(9),
    "layout": lambda G, v: gl.layout(G, steps=2),
    "modularity": lambda G, v: gl.modularity(G, gl.components(G)),
    "periphery": lambda G, v: gl.periphery(G),
    "propagate": lambda G, v: gl.propagate(G, np.eye(N)),
    "radius": lambda G, v: gl.radius(G),
    "sample_negative_edges": lambda G, v: gl.sample_negative_edges(G, 2, sources=[v[0]]),
    "sample_neighbors": lambda G, v: gl.sample_neighbors(G, [v[2]], [2]).node,
    "shortest_path": lambda G, v: gl.shortest_path(G, v[6], v[2]),
    "smallest_eigenvectors": lambda G, v: gl.smallest_eigenvectors(G, 2).values.round(9),
    "spectral_clustering": lambda G, v: gl.spectral_clustering(G, 2),
    "spectral_embedding": lambda G, v: abs(gl.spectral_embedding(G, 1)).round(9),
    "subgraph": lambda G, v: gl.subgraph(G, [v[3], v[4]]),
    "roads, paths": lambda G, v: gl.roads.prepare(G).paths([(v[6], v[2])]),
    "roads, pairs": lambda G, v: gl.roads.prepare(G).distances(pairs=[(v[6], v[2]), (v[0], v[1])]),
    "roads, columns": lambda G, v: gl.roads.prepare(G).distances(pairs=([v[6], v[0]], [v[2], v[1]])),
    "roads, matrix": lambda G, v: gl.roads.prepare(G).distances([v[6]], [v[2], v[1]]),
    "roads, isochrone": lambda G, v: gl.roads.prepare(G).isochrone(v[6], 12).vertices.tolist(),
    "roads, nearest": lambda G, v: gl.roads.prepare(G).nearest([v[6]], [v[2], v[1]]).vertices[0].tolist(),
    "roads, turns": lambda G, v: gl.roads.prepare(G, turns={(v[0], v[3], v[2]): 50}).paths([(v[0], v[2])]),
}
NO_VERTICES = {"compare", "follow", "factorize", "load", "save", "write", "similarity"}
"""What neither takes nor names vertices, or is asked above in several ways."""


def make(labels: Any) -> Graph:
    """A connected undirected graph with weights."""
    return Graph((TAILS, HEADS, WEIGHTS), undirected=True, labels=labels, engine="cpu")


def find_columns(answer: Any) -> list[Any]:
    """Return what the columns of a container are called, and the labels of their vertices."""
    return [(column.name, column.labels is not None) for column in answer._names.columns]


def translate(answer: Any, names: list[Any]) -> Any:
    """Return what is comparable of an answer of a graph without labels, with names for its vertices."""
    if isinstance(answer, list):
        return [translate(each, names) for each in answer]
    return names[answer] if isinstance(answer, int) else answer


def test_the_list_holds_every_function_of_a_graph() -> None:
    listed = {name.split(",")[0] for name in CALLS} | NO_VERTICES | set(list_names())
    for name in gl.__all__:
        function = getattr(gl, name)
        if callable(function) and not inspect.isclass(function):
            first = next(iter(inspect.signature(function).parameters), "")
            assert first != "G" or name in listed, f"add a call of {name} to CALLS"


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("name", CALLS)
def test_labels_are_taken_and_answers_know_them(name: str, kind: str) -> None:
    names = LABELS[kind]
    found, right = CALLS[name](make(names), names), CALLS[name](make(None), range(N))
    if isinstance(found, Graph):
        assert found.labels.tolist() == [names[v] for v in right.labels]
        assert found.A.isequal(right.A)
    elif isinstance(found, Vector | Matrix):
        assert found.isequal(right)
        columns = find_columns(found)
        assert {column for column, _ in columns} & {"index", "value", "row", "column"} == set()
        assert all(labelled for column, labelled in columns if column in ("vertex", "source", "target"))
    elif isinstance(found, list):
        assert found == translate(right, names)
    else:
        assert np.array_equal(np.asarray(found), np.asarray(right))


PAIRS = [(0, 2), (1, 3)]


@pytest.mark.parametrize("pairs", [PAIRS, tuple(PAIRS), np.array(PAIRS), [list(p) for p in PAIRS], ([0, 1], [2, 3]),
                                   (np.array([0, 1]), np.array([2, 3])), iter(PAIRS)])  # fmt: skip
def test_two_pairs_mean_the_same_everywhere(pairs: Any) -> None:
    G, given = make(None), list(pairs) if not isinstance(pairs, tuple | np.ndarray) else pairs
    whole = gl.apsp(G).to_dense()
    assert gl.roads.prepare(G).distances(pairs=given).tolist() == [whole[0, 2], whole[1, 3]]
    resistances = gl.effective_resistance(G, [[0, 2]]), gl.effective_resistance(G, [[1, 3]])
    assert np.allclose(gl.effective_resistance(G, given), np.concatenate(resistances))
    scores = [gl.jaccard(G, [pair]).to_dense()[0] for pair in PAIRS]
    assert scores[0] != scores[1]
    assert gl.jaccard(G, given).to_dense().tolist() == scores


@pytest.mark.parametrize("pairs", [3, "ab", [(0, 1, 2)], [0, 1], np.zeros((2, 3), int), ([0], [1, 2]), ("a", "b")])
def test_what_is_no_list_of_pairs_is_refused(pairs: Any) -> None:
    G = make(None)
    for ask in (lambda: gl.jaccard(G, pairs), lambda: gl.effective_resistance(G, pairs),
                lambda: gl.roads.prepare(G).paths(pairs)):  # fmt: skip
        with pytest.raises(DimensionMismatch, match=r"pairs.*tuple of two arrays"):
            ask()


@pytest.mark.parametrize("name", ["k_hop", "subgraph", "bfs"])
def test_arrays_that_are_no_vertices_say_what_is_meant(name: str) -> None:
    ask: Any = {"k_hop": lambda v: gl.k_hop(make(None), v, 1), "subgraph": lambda v: gl.subgraph(make(None), v),
                "bfs": lambda v: gl.bfs(make(None), sources=v)}[name]  # fmt: skip
    with pytest.raises(InvalidGraph, match=r"truths names no vertices: give np.flatnonzero\(mask\)"):
        ask(np.arange(N) > 3)
    with pytest.raises(InvalidGraph, match=r"nan: an array of float64, .*give .astype\(int\)"):
        ask(np.array([0.0, np.nan]))
    with pytest.raises(InvalidGraph, match="pairs=nan"):
        gl.roads.prepare(make(None)).paths(np.array([[0, np.nan]]))


# --- two graphs on the same vertices

ARCS = {"source": ["a", "b", "c"], "target": ["b", "c", "a"]}
MOVED = {"source": ["c", "b", "a"], "target": ["a", "c", "b"]}


def test_other_weights_are_matched_by_label() -> None:
    roads = gl.roads.prepare(Graph({**ARCS, "weight": [1.0, 5.0, 2.0]}, engine="cpu"))
    slow = roads.customize(Graph({**MOVED, "weight": [70.0, 7.0, 3.0]}, engine="cpu"))
    assert slow.distances(pairs=[("a", "b"), ("b", "c"), ("c", "a")]).tolist() == [3, 7, 70]
    factor = gl.factorize(Graph({**ARCS, "weight": [1.0, 5.0, 2.0]}, engine="cpu"))
    assert factor.refactor(Graph({**MOVED, "weight": [70.0, 7.0, 3.0]}, engine="cpu"))["a", "c"] == 10


def test_random_graphs_in_another_order_answer_alike() -> None:
    rng = np.random.default_rng(8)
    for _ in range(10):
        n = int(rng.integers(2, 12))
        D, order = rng.integers(0, 4, (n, n)).astype(float), rng.permutation(n)
        names = np.array([f"v{k}" for k in range(n)], object)
        G = Graph(D, labels=names, engine="cpu")
        H = Graph((5 * D)[np.ix_(order, order)], labels=names[order], engine="cpu")
        every = [(a, b) for a in names for b in names]
        found = gl.roads.prepare(G).customize(H).distances(pairs=every)
        assert np.array_equal(found, 5 * gl.roads.prepare(G).distances(pairs=every))
        S = D + D.T + 20 * np.eye(n)
        F = gl.factorize(Graph(S, labels=names, engine="cpu"), semiring="plus_times")
        again = F.refactor(Graph((2 * S)[np.ix_(order, order)], labels=names[order], engine="cpu"))
        b = rng.random(n)
        assert np.allclose(again.solve(b), np.linalg.solve(2 * S, b))


def test_graphs_that_cannot_be_matched_are_refused() -> None:
    named, plain = Graph(ARCS, engine="cpu"), Graph(([0, 1, 2], [1, 2, 0]), engine="cpu")
    others = Graph({"source": ["a", "b", "d"], "target": ["b", "d", "a"]}, engine="cpu")
    square = Graph((np.eye(3) * 4), labels=["a", "b", "c"], engine="cpu")
    for ask, wrong, told in (
        (gl.roads.prepare(named).customize, plain, "weights=.*no labels.*labels="),
        (gl.roads.prepare(plain).customize, named, "weights=.*has labels.*labels="),
        (gl.roads.prepare(named).customize, others, "weights=.*none is 'c'"),
        (gl.roads.prepare(named).customize, Graph(ARCS, n=4, engine="cpu"), "there are 4 vertices"),
        (gl.factorize(named).refactor, plain, "G=.*no labels"),
        (gl.factorize(square, semiring="plus_times").refactor, Graph(np.eye(3), engine="cpu"), "G=.*no labels"),
    ):  # fmt: skip
        with pytest.raises(InvalidGraph, match=told):
            ask(wrong)


def test_an_array_of_places_has_a_row_a_number() -> None:
    G = Graph(([0, 1], [1, 2]), labels=[2, 0, 1], engine="cpu")
    places = [(0.0, 50.0), (1.0, 51.0), (2.0, 52.0)]
    routes = gl.roads.prepare(G).paths([(2, 1)])
    assert routes == [[2, 0, 1]]
    found = gl.roads.to_geojson(routes, np.array(places), G)["features"][0]["geometry"]["coordinates"]
    assert found == [list(place) for place in places]
    with pytest.raises(gl.errors.InvalidOption, match=r"give the graph, too.*to_geojson\(found, places, G\)"):
        gl.roads.to_geojson(routes, places)
    with pytest.raises(gl.errors.InvalidOption, match=r"found: 2 is no list of vertices: of one route give \[route\]"):
        gl.roads.to_geojson(routes[0], places, G)
    for wrong in ((np.nan, 50.0), (500.0, 1000.0), (np.inf, 0.0), (0.0, 91.0)):
        with pytest.raises(InvalidGraph, match=r"places: vertex 0 is at .*in degrees"):
            gl.roads.to_geojson(routes, [places[0], wrong, places[2]], G)


@pytest.mark.parametrize("wrong", [{"a": "x"}, {"a": np.nan}, {"a": True}, {"a": [1, 2]}])
def test_a_known_value_that_is_no_number_is_refused(wrong: Any) -> None:
    G = Graph(ARCS, undirected=True, engine="cpu")
    with pytest.raises(gl.errors.DomainMismatch, match=r"known\['a'\]="):
        gl.harmonic(G, wrong)
    with pytest.raises(gl.errors.UnknownLabel, match="known='z'"):
        gl.harmonic(G, {"z": 1.0})
