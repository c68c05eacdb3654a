"""The algebraic methods mean the problem: against SciPy on random graphs, with every corner that graphs have."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph as csgraph
from hypothesis import given, settings
from hypothesis import strategies as st

import graphla as gl
from graphla.common.errors import NegativeCycle


@st.composite
def graphs(draw, low=0, high=9, dtype="int32"):
    n = draw(st.integers(1, 12))
    cells = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30, unique=True))
    weights = draw(st.lists(st.integers(low, high), min_size=len(cells), max_size=len(cells)))
    rows, cols = (list(part) for part in zip(*cells, strict=True)) if cells else ([], [])
    return gl.Graph((rows, cols, np.array(weights, dtype)), n=n, engine="cpu")


def to_scipy(G):
    return G.A.to_scipy_sparse()


def compute_expected_distances(G, source):
    """Bellman and Ford in plain Python, explicit zeros and all."""
    d = {source: 0}
    rows, cols, values = (part.tolist() for part in G.A.to_coo())
    for _ in range(G.n):
        for u, v, w in zip(rows, cols, values, strict=True):
            if u in d and d[u] + w < d.get(v, np.inf):
                d[v] = d[u] + w
    return d


@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from([None, "push", "pull"]))
def test_bfs(G, direction):
    levels, parents = gl.bfs(G, 0, method="algebraic", parents=True, direction=direction)
    gl.bfs.verify(G, 0, levels, parents)
    unweighted = gl.Graph((*G.A.to_coo()[:2],), n=G.n)
    assert levels.to_dict() == compute_expected_distances(gl.Graph(unweighted.A.apply("one").new("INT32")), 0)
    assert gl.bfs(G, 0, method="algebraic").isequal(levels)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from([None, "push", "pull"]))
def test_sssp(G, direction):
    d, p = gl.sssp(G, 0, method="algebraic", parents=True, direction=direction)
    assert d.to_dict() == compute_expected_distances(G, 0)
    gl.sssp.verify(G, 0, d, p)


@settings(max_examples=60, deadline=None)
@given(graphs(low=-3, high=6))
def test_sssp_with_negative_weights(G):
    assert_distances_or_cycle(G, lambda: gl.sssp(G, 0, method="algebraic"), 0)


@settings(max_examples=40, deadline=None)
@given(graphs(low=-2, high=6))
def test_apsp(G):
    try:
        D, H = gl.apsp(G, method="algebraic", next_hops=True, dense=True)
    except NegativeCycle as error:
        assert_cycle(G, error.vertices)
        return
    inf = np.iinfo("int32").max
    for source in range(G.n):
        row = {v: d for v, d in enumerate(D[source].tolist()) if d != inf}
        assert row == compute_expected_distances(G, source)
    assert_hops(G, D, H, inf)


def assert_hops(G, D, H, inf):
    """Each hop is an arc on a shortest path, and walking them arrives."""
    for i in range(G.n):
        for j in range(G.n):
            if D[i, j] == inf:
                assert H[i, j] == -1
                continue
            at, total, steps = i, 0, 0
            while at != j:
                after = int(H[at, j])
                total += G.A.get(at, after)
                at, steps = after, steps + 1
                assert steps <= G.n
            assert total == D[i, j]
            assert H[i, i] == i


def assert_distances_or_cycle(G, solve, source):
    try:
        d = solve()
    except NegativeCycle as error:
        assert_cycle(G, error.vertices)
        return
    assert d.to_dict() == compute_expected_distances(G, source)
    again = compute_expected_distances(G, source)
    rows, cols, values = (part.tolist() for part in G.A.to_coo())
    assert all(u not in again or again[u] + w >= again[v] for u, v, w in zip(rows, cols, values, strict=True))


def assert_cycle(G, vertices):
    """The arcs of the cycle are there, and weigh less than nothing."""
    around = [*vertices, vertices[0]]
    weights = [G.A.get(u, v) for u, v in pairwise(around)]
    assert None not in weights
    assert sum(weights) < 0


def test_a_negative_cycle_is_named():
    G = gl.Graph(([0, 1, 2, 3], [1, 2, 3, 1], [1, -5, 2, 2]))
    with pytest.raises(NegativeCycle, match="a cycle of negative weight") as caught:
        gl.sssp(G, 0, method="algebraic")
    assert sorted(caught.value.vertices) == [1, 2, 3]
    assert gl.sssp(gl.Graph(([0, 1, 2, 3], [1, 2, 3, 1], [1, -5, 2, 3])), 0, method="algebraic").nvals == 4


def test_a_negative_cycle_out_of_reach_does_no_harm():
    G = gl.Graph(([0, 2, 3], [1, 3, 2], [1, -5, 2]))
    assert gl.sssp(G, 0, method="algebraic").to_dict() == {0: 0, 1: 1}


def test_a_negative_cycle_in_a_large_graph_is_found_soon():
    n = 100_000
    rows = np.arange(n)
    G = gl.Graph((np.append(rows, n - 1), np.append((rows + 1) % n, n - 1), np.append(np.full(n, 1), -1)), n=n)
    with pytest.raises(NegativeCycle) as caught:
        gl.sssp(G, n - 50, method="algebraic")
    assert caught.value.vertices == (n - 1,)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "int16", "int64", "uint8", "uint32", "uint64", "bool"])
def test_weights_of_every_dtype(dtype):
    S = scipy.sparse.random_array((40, 40), density=0.1, rng=np.random.default_rng(3))
    S.data = np.ceil(S.data * 100).astype(dtype)
    G = gl.Graph(S.astype(dtype))
    expected = csgraph.dijkstra(S.astype("float64"), indices=0)
    assert np.array_equal(gl.sssp(G, 0, method="algebraic").to_numpy(np.inf), expected)


@pytest.mark.parametrize("n", [1, 2])
def test_no_edges(n):
    G = gl.Graph(([], []), n=n)
    assert gl.bfs(G, 0, method="algebraic").to_dict() == {0: 0}
    assert gl.sssp(G, 0, method="algebraic").to_dict() == {0: 0}
    assert gl.apsp(G, method="algebraic").to_dicts() == {v: {v: 0} for v in range(n)}


def test_the_empty_graph_has_no_source_and_no_pairs():
    G = gl.Graph(([], []), n=0)
    with pytest.raises(gl.errors.InvalidGraph, match="is no vertex"):
        gl.bfs(G, 0)
    assert gl.apsp(G, method="algebraic").shape == (0, 0)
