"""Many sources at once, and the walk of a shortest path."""

import networkx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import GraphlaError, InvalidGraph, NegativeCycle, NotSupported


def make_weighted(seed=2, low=0, high=9):
    N = networkx.gnp_random_graph(50, 0.06, seed=seed, directed=True)
    for u, v in N.edges:
        N[u][v]["weight"] = (u * 7 + v * 3) % (high - low + 1) + low
    return N


@pytest.mark.parametrize("method", [None, "algebraic"])
def test_each_row_is_one_source(method):
    G = gl.Graph(make_weighted(), engine="cpu")
    sources = [3, 0, 3, 49, 17]
    D = gl.sssp(G, sources=sources, method=method)
    assert D.shape == (5, G.n)
    for row, source in enumerate(sources):
        assert D[row, :].new().isequal(gl.sssp(G, source))
    assert gl.sssp(G, sources=[], method=method).shape == (0, G.n)


def test_parents_of_many():
    G = gl.Graph(make_weighted(low=1), engine="cpu")
    D, P = gl.sssp(G, sources=[0, 5], parents=True)
    for row, source in enumerate([0, 5]):
        gl.sssp.verify(G, source, D[row, :].new(), P[row, :].new())


def test_predecessors_is_a_synonym_of_parents():
    G = gl.Graph(make_weighted(low=1), engine="cpu")
    for where in ({"source": 0}, {"sources": [0, 5]}):
        d, p = gl.sssp(G, **where, parents=True)
        again = gl.sssp(G, **where, predecessors=True)
        assert again[0].isequal(d)
        assert again[1].isequal(p)
        assert gl.sssp(G, **where, predecessors=False).isequal(d)
        with pytest.raises(GraphlaError, match="parents=True, predecessors=False: both name the search tree; give one"):
            gl.sssp(G, **where, parents=True, predecessors=False)


def test_negative_weights_take_the_product():
    N = networkx.DiGraph()
    N.add_weighted_edges_from([(0, 1, 4), (0, 2, 2), (1, 2, -3), (2, 3, 1)])
    G = gl.Graph(N, engine="cpu")
    assert gl.sssp(G, sources=[0, 1]).to_numpy(99).tolist() == [[0, 4, 1, 2], [99, 0, -3, -2]]
    N.add_edge(3, 1, weight=1)
    with pytest.raises(NegativeCycle):
        gl.sssp(gl.Graph(N, engine="cpu"), sources=[0, 1])


def test_a_shortest_path_is_as_long_as_networkx_says():
    N = make_weighted(low=1)
    G = gl.Graph(N, engine="cpu")
    for target in range(50):
        path = gl.shortest_path(G, 0, target)
        if not networkx.has_path(N, 0, target):
            assert path == []
            continue
        assert path[0] == 0
        assert path[-1] == target
        assert networkx.path_weight(N, path, "weight") == networkx.dijkstra_path_length(N, 0, target)


def test_what_many_sources_refuse():
    G = gl.Graph(make_weighted(), engine="cpu")
    with pytest.raises(InvalidGraph, match="sources=99"):
        gl.sssp(G, sources=[99])
    with pytest.raises(InvalidGraph, match="target=-1"):
        gl.shortest_path(G, 0, -1)
    with pytest.raises(NotSupported, match="both given"):
        gl.sssp(G, 0, sources=[1])
    with pytest.raises(NotSupported, match="method='delta_stepping'"):
        gl.sssp(G, sources=[1], method="delta_stepping")
    assert np.array_equal(gl.sssp(G, sources=[1]).to_numpy(-1)[0], gl.sssp(G, 1).to_numpy(-1))
