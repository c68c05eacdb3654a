"""Graphs: what may stand for one, the facts kept with it, and what is refused."""

from typing import Any, cast

import networkx
import numpy as np
import pytest
import scipy.sparse

import graphla as gl
from graphla.common.errors import DimensionMismatch, GraphlaError, InvalidGraph, NotSupported

TRIANGLE = np.array([[0, 2, 0], [0, 0, 3], [4, 0, 0]])


@pytest.mark.parametrize(
    "source",
    [
        TRIANGLE,
        scipy.sparse.csr_array(TRIANGLE),
        scipy.sparse.coo_matrix(TRIANGLE),
        networkx.from_numpy_array(TRIANGLE, create_using=networkx.DiGraph),
        ([0, 1, 2], [1, 2, 0], [2, 3, 4]),
        (np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([2, 3, 4])),
        gl.Matrix.from_dense(TRIANGLE, 0),
    ],
    ids=lambda source: type(source).__name__,
)
def test_whatever_stands_for_a_graph(source):
    G = gl.Graph(source)
    assert (G.A.to_numpy(0) == TRIANGLE).all()
    assert (G.n, G.nvals, G.min_weight, G.max_weight, G.max_degree) == (3, 3, 2, 4, 1)
    assert not G.symmetric
    assert (G.csc.indptr == [0, 1, 2, 3]).all()


def test_networkx_edges_go_both_ways_and_weigh_one_by_default():
    N = networkx.Graph([("a", "b"), ("b", "c"), ("c", "c")])
    G = gl.Graph(N)
    assert G.symmetric
    assert G.csc is G.csr
    assert G.A.to_numpy(0).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 1]]


def test_networkx_multigraphs_keep_the_lightest_edge():
    N = networkx.MultiDiGraph()
    N.add_edge(0, 1, weight=5)
    N.add_edge(0, 1, weight=3)
    assert gl.Graph(N).A.get(0, 1) == 3
    assert gl.Graph(networkx.empty_graph(3)).nvals == 0


def test_symmetry_counts_values():
    assert not gl.Graph(([0, 1], [1, 0], [1, 2])).symmetric
    assert gl.Graph(([0, 1], [1, 0], [2, 2])).symmetric


def test_a_pattern_has_truths_for_weights():
    G = gl.Graph(([0, 1], [1, 2]), n=5)
    assert (G.n, G.dtype.name, G.nvals) == (5, "BOOL", 2)


def test_names_of_vertices_are_refused_with_the_way_to_number_them():
    tails, heads = ["ann", "bob"], ["bob", "cid"]
    with pytest.raises(InvalidGraph, match=r"whole numbers from 0.*from_arrow"):
        gl.Graph((tails, heads))
    names, ends = np.unique(np.stack([tails, heads]), return_inverse=True)
    G = gl.Graph(tuple(ends))
    assert gl.bfs(G, 0).to_dict() == {0: 0, 1: 1, 2: 2}
    assert names.tolist() == ["ann", "bob", "cid"]


def test_repeated_edges():
    edges = [0, 0, 0], [1, 1, 2], [5, 3, 1]
    with pytest.raises(InvalidGraph, match="twice"):
        gl.Graph(edges)
    assert gl.Graph(edges, dup="min").A.get(0, 1) == 3
    assert gl.Graph(edges, dup="sum").A.get(0, 1) == 8
    assert gl.Graph(edges, dup="first").A.get(0, 1) == 5
    with pytest.raises(InvalidGraph, match="dup='last'"):
        gl.Graph(edges, dup="last")


def test_the_parallel_edges_of_networkx():
    N = networkx.MultiDiGraph()
    for weight in (5, 3, 4):
        N.add_edge(0, 1, weight=weight)
    assert [gl.Graph(N, dup=dup).A.get(0, 1) for dup in (None, "min", "sum", "first")] == [3, 3, 12, 5]
    with pytest.raises(InvalidGraph, match="twice"):
        gl.Graph(N, dup="error")


REPEATED = [[5, 3, 1], [0, 0, 1], [1, 1, 2]]


def make_repeated(kind):
    values, rows, cols = REPEATED
    if kind == "coo":
        return scipy.sparse.coo_array((values, (rows, cols)), shape=(3, 3))
    indices, ends = (cols, [0, 2, 3, 3]) if kind == "csr" else ([0, 0, 1], [0, 0, 2, 3])
    return getattr(scipy.sparse, f"{kind}_matrix")((values, indices, ends), shape=(3, 3))


@pytest.mark.parametrize("kind", ["coo", "csr", "csc"])
def test_repeated_entries_of_scipy(kind):
    S = make_repeated(kind)
    assert S.nnz == 3
    assert [gl.Graph(S, dup=dup).A.get(0, 1) for dup in ("min", "sum", "first")] == [3, 8, 5]
    for dup in (None, "error"):
        with pytest.raises(InvalidGraph, match=r"\(0, 1\) occurs twice.*dup='first', 'min' or 'sum'"):
            gl.Graph(S, dup=dup)
    with pytest.raises(InvalidGraph, match="dup='last'"):
        gl.Graph(S, dup="last")


@pytest.mark.parametrize(
    "source",
    [
        TRIANGLE,
        scipy.sparse.csr_array(TRIANGLE),
        scipy.sparse.coo_matrix(TRIANGLE),
        networkx.from_numpy_array(TRIANGLE, create_using=networkx.DiGraph),
        networkx.empty_graph(3),
        ([0, 1, 2], [1, 2, 0], [2, 3, 4]),
        gl.Matrix.from_dense(TRIANGLE, 0),
    ],
    ids=lambda source: type(source).__name__,
)
def test_n_adds_isolated_vertices_and_drops_none(source):
    G, larger = gl.Graph(source), gl.Graph(source, n=5)
    assert (larger.n, larger.nvals, gl.bfs(larger, 4).to_dict()) == (5, G.nvals, {4: 0})
    assert gl.Graph(source, n=3).A.isequal(G.A)
    with pytest.raises(GraphlaError, match=r"n=2|out of range for size 2"):
        gl.Graph(source, n=2)
    wrong: Any
    for wrong in (-1, True, "3", 2.5):
        with pytest.raises(InvalidGraph, match="n="):
            gl.Graph(source, n=wrong)


def test_a_matrix_with_enough_vertices_is_taken_as_it_is():
    A = gl.Matrix.from_dense(TRIANGLE, 0)
    assert gl.Graph(A, n=3).A is A
    assert gl.Graph(A, n=4).A is not A
    assert A.shape == (3, 3)


RECTANGLE = np.array([[0, 2, 0, 0, 1], [3, 0, 0, 0, 0]])


@pytest.mark.parametrize("n", [None, 9])
@pytest.mark.parametrize(
    "source",
    [RECTANGLE, scipy.sparse.csr_array(RECTANGLE), scipy.sparse.coo_matrix(RECTANGLE), gl.Matrix.from_dense(RECTANGLE)],
    ids=lambda source: type(source).__name__,
)
def test_rectangles_are_refused(source, n):
    with pytest.raises(DimensionMismatch, match=r"square.*shape \(2, 5\).*columns \+ nrows"):
        gl.Graph(source, n=n)


@pytest.mark.parametrize("suffix", ["mtx", "npz"])
def test_rectangles_in_files_are_refused(tmp_path, suffix):
    path = tmp_path / f"r.{suffix}"
    if suffix == "mtx":
        path.write_text("%%MatrixMarket matrix coordinate integer general\n2 5 2\n1 2 2\n1 5 1\n")
    else:
        scipy.sparse.save_npz(path, scipy.sparse.csr_array(RECTANGLE))
    with pytest.raises(DimensionMismatch, match=rf"square.*r\.{suffix}.*shape \(2, 5\).*from_scipy_sparse"):
        gl.read(path)
    S = scipy.sparse.coo_array(RECTANGLE)
    G = gl.Graph((S.coords[0], S.coords[1] + 2, S.data), n=7)
    assert gl.bfs(G, 0).to_dict() == {0: 0, 3: 1, 6: 1}


def test_what_is_no_graph():
    with pytest.raises(DimensionMismatch, match="square"):
        gl.Graph(np.ones((2, 3)))
    with pytest.raises(InvalidGraph, match=r"a weight is NaN: the edge 1 → 0"):
        gl.Graph(([0, 1], [1, 0], [1.0, np.nan]))
    with pytest.raises(InvalidGraph, match="str is no graph"):
        gl.Graph("road.gr")
    with pytest.raises(GraphlaError):
        gl.Graph(([0, 5], [1, 0]), n=3)
    with pytest.raises(NotSupported, match=r"engine='tpu': there are cpu, cuda"):
        gl.Graph(TRIANGLE, engine=cast("Any", "tpu"))


@pytest.mark.parametrize("source", [3, -1, "a", None, 1.0, True])
def test_a_source_that_is_no_vertex(source):
    with pytest.raises(InvalidGraph, match="source="):
        gl.bfs(gl.Graph(TRIANGLE), source)


def test_repr():
    G = gl.Graph(TRIANGLE, name="triangle")
    assert "Graph 'triangle': 3 vertices, 3 stored arcs" in repr(G)
    _ = G.symmetric
    assert "directed" in repr(G)


def test_to_the_same_engine_is_itself():
    G = gl.Graph(TRIANGLE, engine="cpu")
    assert G.to("cpu") is G


def test_files_round_trip(tmp_path):
    G = gl.Graph(TRIANGLE)
    gl.write(tmp_path / "t.mtx.gz", G)
    assert gl.read(tmp_path / "t.mtx.gz").A.isequal(G.A)


def test_generators_give_graphs():
    G = gl.generate.kronecker(6)
    assert G.n == 64
    assert G.symmetric
    assert "kronecker" in list(gl.generate)
    with pytest.raises(AttributeError):
        gl.generate.nothing(3)
