"""Parts of a graph against NetworkX and SciPy, with weights and labels, on each engine."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import graphla as gl
from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption
from tests.graphla.engine.engines import get_engine_named

ENGINES = ["cpu", pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]


def make_graph(seed: int, dtype: str = "int32", labels: Any = None) -> gl.Graph:
    """A random directed graph with loops, zeros and lone vertices."""
    rng = np.random.default_rng(seed)
    keys = rng.choice(38 * 38, 90, replace=False)
    arcs = keys // 38, keys % 38, rng.integers(0, 9, keys.size).astype(dtype)
    return gl.Graph(arcs, n=40, labels=labels, engine="cpu")


def list_arcs(G: gl.Graph) -> dict[tuple[Any, Any], Any]:
    """The weight of each arc by the labels of its ends."""
    rows, cols, values = (G.engine.to_host(part).tolist() for part in G.A.to_coo())
    called = G.labels.tolist() if G.labels is not None else list(range(G.n))
    return {(called[u], called[v]): w for u, v, w in zip(rows, cols, values, strict=True)}


@pytest.mark.parametrize("dtype", ["int32", "float32", "bool", "uint8"])
@pytest.mark.parametrize("engine", ENGINES)
def test_subgraphs(engine: str, dtype: str) -> None:
    """Of vertices in any order: all arcs among them, no other, under the names that they had."""
    for labels in (None, [f"v{k}" for k in range(40)]):
        G = make_graph(5, dtype, labels)
        chosen = np.random.default_rng(1).permutation(40)[:17].tolist()
        names = G._call_vertices(chosen)
        H = gl.subgraph(G.to(get_engine_named(engine)), names)
        assert H.labels.tolist() == names
        assert H.dtype == G.dtype
        assert H.engine.name == ("cpu" if engine == "cpu" else "cuda")
        assert list_arcs(H) == {ends: w for ends, w in list_arcs(G).items() if set(ends) <= set(names)}


@pytest.mark.parametrize("engine", ENGINES)
def test_k_hops(engine: str) -> None:
    """The least of the levels from each source, for all within the steps."""
    G = make_graph(7)
    far = dijkstra(csr_array((np.ones(G.nvals), G.csr.indices, G.csr.indptr), shape=(G.n, G.n)))
    H = G.to(get_engine_named(engine))
    for sources in ([3], [0, 9, 9], range(40), [39]):
        nearest = far[list(sources)].min(axis=0)
        for k in (0, 1, 3, 100):
            assert gl.k_hop(H, sources, k).to_dict() == {v: d for v, d in enumerate(nearest.tolist()) if d <= k}
    assert gl.k_hop(H, [], 2).nvals == 0


def convert_to_networkx(G: gl.Graph) -> Any:
    """The same graph for NetworkX."""
    D = nx.DiGraph()
    D.add_nodes_from(range(G.n))
    D.add_weighted_edges_from((u, v, w) for (u, v), w in list_arcs(G).items())
    return D


@pytest.mark.parametrize("engine", ENGINES)
def test_egos(engine: str) -> None:
    G = make_graph(11)
    D, H = convert_to_networkx(G), G.to(get_engine_named(engine))
    for vertex in (0, 5, 39):
        for radius in (0, 1, 2):
            expected = nx.ego_graph(D, vertex, radius)
            found = gl.ego(H, vertex, radius)
            assert found.labels.tolist() == sorted(expected)
            assert list_arcs(found) == {(u, v): w for u, v, w in expected.edges(data="weight")}


def test_vertices_keep_their_names() -> None:
    """Also in a part of a part, and where some have no label."""
    G = gl.Graph(([0, 1, 2], [1, 2, 3], [5, 6, 7]), engine="cpu")
    H = gl.subgraph(gl.subgraph(G, [3, 2, 1]), [2, 3])
    assert list_arcs(H) == {(2, 3): 7}
    assert gl.sssp(H, 2).to_dense().tolist() == [0, 7]
    half = gl.Graph.from_arrow({"source": ["a"], "target": ["b"]}, n=3)
    assert gl.subgraph(half, ["b", "a"]).labels.tolist() == ["b", "a"]
    empty = gl.subgraph(G, [])
    assert (empty.n, empty.nvals) == (0, 0)


PARTS: Any = gl
WRONG = [
    (lambda G: gl.subgraph(G, [1, 2, 1]), InvalidGraph, "vertices: 1 is there 2 times"),
    (lambda G: gl.subgraph(G, [40]), InvalidGraph, "vertices=40"),
    (lambda G: PARTS.subgraph(G, 3), GraphlaError, "vertices=3"),
    (lambda G: PARTS.subgraph(3, [1]), GraphlaError, "3"),
    (lambda G: gl.ego(G, 40), InvalidGraph, "vertex=40"),
    (lambda G: gl.ego(G, 0, -1), InvalidOption, "radius=-1"),
    (lambda G: PARTS.ego(G, 0, 1.5), InvalidOption, "radius=1.5"),
    (lambda G: gl.k_hop(G, [0], -1), InvalidOption, "k=-1"),
    (lambda G: gl.k_hop(G, [99], 1), InvalidGraph, "sources=99"),
]


@pytest.mark.parametrize(("ask", "error", "text"), WRONG)
def test_refusals(ask: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        ask(make_graph(1))
