"""What CuPy and cupyx hold is answered as SciPy answers it; see `homes` for where this runs."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.csgraph as theirs
from homes import HOMES, get, make_home, put
from scipys_graphs import check_predecessors, find_lightest, make_csr

from graphla.common.errors import InvalidGraph, NotSupported
from graphla.doors import csgraph

BOTH = pytest.mark.parametrize("directed", [True, False])
N = 60


@pytest.fixture(params=HOMES)
def home(request: pytest.FixtureRequest) -> Iterator[Any]:
    made = make_home(request.param)
    with made.open():
        yield made


def list_forms(seed: int, **options: Any) -> list[Any]:
    csr = make_csr(seed, N, **options)
    unique = csr.copy()
    unique.sum_duplicates()
    return [csr, unique.tocsc(), unique.tocoo(), unique.toarray()]


@BOTH
@pytest.mark.parametrize("name", ["dijkstra", "bellman_ford", "johnson", "floyd_warshall"])
@pytest.mark.parametrize("unweighted", [False, True])
def test_paths(home: Any, name: str, directed: bool, unweighted: bool) -> None:
    for A in list_forms(1):
        options = {"directed": directed, "unweighted": unweighted}
        found, before = get(home, getattr(csgraph, name)(put(home, A), return_predecessors=True, **options))
        host = A.tocsr() if sp.issparse(A) else A
        np.testing.assert_array_equal(found, getattr(theirs, name)(host, **options), strict=True)
        np.testing.assert_array_equal(get(home, getattr(csgraph, name)(put(home, A), **options)), found)
        weights = find_lightest(A, directed, unweighted) if sp.issparse(A) else np.where(A == 0, np.inf, A)
        if not sp.issparse(A):
            weights = np.where(np.isfinite(weights) & unweighted, 1, weights)
            weights = weights if directed else np.minimum(weights, weights.T)
        np.fill_diagonal(weights, np.inf)
        check_predecessors(found, before, np.arange(N), weights)


@BOTH
@pytest.mark.parametrize("unweighted", [False, True])
def test_limits_and_nearest_sources(home: Any, directed: bool, unweighted: bool) -> None:
    A = make_csr(2, N)
    for options in ({"limit": 4}, {"indices": [3, 7, -2], "min_only": True}, {"indices": [[5]], "limit": 2.5}):
        options = {"directed": directed, "unweighted": unweighted, **options}
        expected = theirs.dijkstra(A, **options)
        np.testing.assert_array_equal(get(home, csgraph.dijkstra(put(home, A), **options)), expected, strict=True)
        found = get(home, csgraph.dijkstra(put(home, A), return_predecessors=True, **options))
        np.testing.assert_array_equal(found[0], expected, strict=True)
        assert np.array_equal(found[1] >= 0, np.isfinite(expected) & (found[1] >= 0))
    sources = get(home, csgraph.dijkstra(put(home, A), directed, [3, 7], True, unweighted, min_only=True))[2]
    every = theirs.dijkstra(A, directed, [3, 7], unweighted=unweighted)
    reached = np.isfinite(every).any(0)
    assert set(sources[reached]) <= {3, 7}
    assert (sources[~reached] == -9999).all()
    nearest = np.where(sources == 3, every[0], every[1])
    assert (nearest[reached] == every.min(0)[reached]).all()


@pytest.mark.parametrize("name", ["bellman_ford", "johnson", "floyd_warshall"])
def test_negative_weights(home: Any, name: str) -> None:
    potential = np.random.default_rng(5).integers(0, 20, N)
    A = make_csr(5, N)
    A.data += np.repeat(potential, np.diff(A.indptr)) - potential[A.indices]
    found, before = get(home, getattr(csgraph, name)(put(home, A), return_predecessors=True))
    np.testing.assert_array_equal(found, getattr(theirs, name)(A), strict=True)
    weights = find_lightest(A, True)
    np.fill_diagonal(weights, np.inf)
    check_predecessors(found, before, np.arange(N), weights)
    with pytest.raises(NotSupported, match=r"csgraph.dijkstra: the smallest weight is -.*: csgraph.johnson and"):
        csgraph.dijkstra(put(home, A))
    A.data[:] -= 20
    with pytest.raises(csgraph.NegativeCycleError):
        getattr(csgraph, name)(put(home, A))


def test_no_paths_are_wanted(home: Any) -> None:
    """SciPy writes beyond the end of its arrays for K = 0, and the process may end."""
    A = sp.csr_array(np.array([[0, 1.0, 0], [0, 0, 2], [0, 0, 0]]))
    for found in (
        csgraph.yen(A, 0, 2, 0, return_predecessors=True),
        get(home, csgraph.yen(put(home, A), 0, 2, 0, return_predecessors=True)),
    ):
        assert [part.shape for part in found] == [(0,), (0, 3)]
    assert csgraph.yen(A.toarray(), 0, 2, 0).shape == (0,)


@BOTH
@pytest.mark.parametrize("unweighted", [False, True])
def test_yen(home: Any, directed: bool, unweighted: bool) -> None:
    for A in list_forms(secrets.randbits(32), degree=3):
        options: dict[str, Any] = {"directed": directed, "unweighted": unweighted}
        lightest = find_lightest(A, directed, unweighted)  # SciPy's lengths do not rise where directions differ
        cells = tuple(part.astype(np.int32) for part in np.nonzero(np.isfinite(lightest)))
        for K in (1, 12):  # SciPy writes out of bounds for 0
            expected = theirs.yen(sp.csr_array((lightest[cells], cells), shape=(N, N)), 3, 44, K)
            found, before = get(home, csgraph.yen(put(home, A), 3, 44, K, return_predecessors=True, **options))
            np.testing.assert_array_equal(found, expected, strict=True)
            np.testing.assert_array_equal(get(home, csgraph.yen(put(home, A), 3, 44, K, **options)), expected)
            assert before.shape == (found.size, N)
            assert len({row.tobytes() for row in before}) == found.size
            for row in before:
                path = [44]
                while path[-1] != 3:
                    path.append(int(row[path[-1]]))
                assert (row >= 0).sum() == len(path) - 1


def test_yen_of_negative_weights(home: Any) -> None:
    potential = np.random.default_rng(5).integers(0, 20, N)
    A = make_csr(5, N, degree=3)
    A.data += np.repeat(potential, np.diff(A.indptr)) - potential[A.indices]
    np.testing.assert_allclose(get(home, csgraph.yen(put(home, A), 3, 44, 9)), theirs.yen(A, 3, 44, 9))
    A.data[:] -= 20
    with pytest.raises(csgraph.NegativeCycleError):
        csgraph.yen(put(home, A), 3, 44, 9)


@BOTH
def test_breadth_first_orders_are_those_of_scipy(home: Any, directed: bool) -> None:
    for degree in (1.5, 4):
        for A in list_forms(6, degree=degree):
            for start in (0, 17):
                expected = theirs.breadth_first_order(A, start, directed)
                found = get(home, csgraph.breadth_first_order(put(home, A), start, directed))
                for ours, own in zip(found, expected, strict=True):
                    np.testing.assert_array_equal(ours, own, strict=True)
                tree = get(home, csgraph.breadth_first_tree(put(home, A), start, directed)).toarray()
                if not (sp.issparse(A) and A.format == "csr"):  # of parallel edges SciPy adds the weights there
                    np.testing.assert_array_equal(tree, theirs.breadth_first_tree(A, start, directed).toarray())


@BOTH
@pytest.mark.parametrize("connection", ["weak", "strong"])
def test_components(home: Any, directed: bool, connection: str) -> None:
    for A in list_forms(7, degree=1.1)[1:]:
        count, labels = csgraph.connected_components(put(home, A), directed, connection)
        labels, (expected, own) = home.get(labels), theirs.connected_components(A, directed, connection)
        assert count == expected
        assert labels.dtype == np.int32
        assert np.array_equal(np.unique(labels), np.arange(count))
        assert len(set(zip(labels, own, strict=True))) == count
        if connection == "weak" or not directed:
            np.testing.assert_array_equal(labels, own)


@pytest.mark.parametrize("shape", [(40, 60), (60, 40), (30, 30), (5, 0), (0, 5)])
def test_matchings_of_rows_and_columns(home: Any, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(sum(shape))
    coo = sp.coo_matrix((np.zeros(90), rng.integers(0, np.maximum(shape, 1)[:, None], (2, 90))), shape=(60, 60))
    A = sp.csr_matrix(coo.tocsr()[: shape[0], : shape[1]])
    size = theirs.structural_rank(A)
    for B in (A, A.tocsc(), A.tocoo()):
        assert csgraph.structural_rank(put(home, B)) == size
    there = np.zeros(shape, bool)
    there[A.tocoo().coords] = True
    for perm_type, others in (("row", shape[1]), ("column", shape[0])):
        found = home.get(csgraph.maximum_bipartite_matching(put(home, A), perm_type))
        matched = np.flatnonzero(found >= 0)
        assert (found.dtype, found.size, matched.size, np.unique(found[matched]).size) == (np.int32, others, size, size)
        assert there[(found[matched], matched) if perm_type == "row" else (matched, found[matched])].all()
    for function in (csgraph.maximum_bipartite_matching, csgraph.structural_rank):
        with pytest.raises(TypeError, match="must be sparse"):
            function(put(home, np.ones((2, 2))))


def test_flows_have_the_value_of_scipy(home: Any) -> None:
    rng = np.random.default_rng(5)
    for _ in range(4):
        A = sp.csr_matrix(rng.integers(0, 40, (30, 30)) * (rng.random((30, 30)) < 0.15), dtype=np.int32)
        found, expected = csgraph.maximum_flow(put(home, A.astype(float)), 2, 9), theirs.maximum_flow(A, 2, 9)
        flow = get(home, found.flow)
        assert (found.flow_value, flow.dtype) == (expected.flow_value, np.float64)
        assert (flow != -flow.T).nnz == 0
        assert (flow > A).nnz == 0
        left = np.asarray(flow.sum(axis=1)).ravel()
        assert (left[2], left[9], np.count_nonzero(left)) == (found.flow_value, -found.flow_value, 2)


@pytest.mark.parametrize(
    ("change", "ends", "error"),
    [
        (lambda A: A.tocsc(), (0, 1), "CSR format"),
        (lambda A: A * 0.5, (0, 1), "must be integers"),
        (lambda A: A, (0, 0), "must differ"),
        (lambda A: A, (-1, 0), "source value"),
        (lambda A: A, (0, 9), "sink value"),
        (lambda A: A[:3], (0, 1), "shape"),
    ],
)
def test_flows_are_refused_as_scipy_refuses_them(home: Any, change: Any, ends: tuple[int, int], error: str) -> None:
    A = change(sp.csr_matrix(np.ones((9, 9)), dtype=np.int32))
    with pytest.raises((TypeError, ValueError), match=error):
        csgraph.maximum_flow(put(home, A.astype(float)), *ends)
    with pytest.raises((TypeError, ValueError), match=error if error != "shape" else "square"):
        theirs.maximum_flow(A, *ends)


def test_dense_and_sparse(home: Any) -> None:
    A = np.array([[0, np.nan, -1], [np.inf, 3, 0], [2, 5, 0.0]])
    for options in ({}, {"null_value": 3}, {"nan_null": False}, {"infinity_null": False}, {"null_value": np.nan}):
        found = home.get(csgraph.csgraph_from_dense(put(home, A), **options))
        own = theirs.csgraph_from_dense(A, **options)
        assert np.array_equal(found.indices, own.indices)
        assert np.array_equal(found.indptr, own.indptr)
        np.testing.assert_array_equal(found.data, own.data)
    B = make_csr(8, N)
    np.testing.assert_array_equal(
        home.get(csgraph.csgraph_to_dense(put(home, B), -3)), theirs.csgraph_to_dense(B, -3), strict=True
    )


def test_shortest_path_chooses_as_scipy_does(home: Any) -> None:
    sparse, dense = make_csr(9, N), make_csr(9, N, degree=40, low=1).toarray()
    negative = sp.csr_array(([-1.0], ([0], [1])), shape=(N, N))
    for A in (sparse, dense, negative):
        np.testing.assert_array_equal(home.get(csgraph.shortest_path(put(home, A))), theirs.shortest_path(A))
    over = put(home, np.where(dense == 0, np.inf, dense).astype(float))
    assert csgraph.shortest_path(over, "FW", overwrite=True) is over
    np.testing.assert_array_equal(home.get(over), theirs.shortest_path(dense))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda A: csgraph.dijkstra(A, indices=N), r"indices=60: indices out of range"),
        (lambda A: csgraph.dijkstra(A, limit=-1), "limit=-1: limit must be >= 0"),
        (lambda A: csgraph.shortest_path(A, "X"), "unrecognized method 'X'"),
        (lambda A: csgraph.shortest_path(A, "FW", indices=[0]), "Cannot specify indices"),
        (lambda A: csgraph.johnson(A[:, :5]), r"shape \(60, 5\)"),
        (lambda A: csgraph.connected_components(A, connection="both"), "connection='both'"),
        (lambda A: csgraph.breadth_first_order(A, N), "i_start=60"),
    ],
)
def test_wrong_arguments_are_errors_of_values(home: Any, call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text) as caught:
        call(put(home, make_csr(10, N)))
    assert isinstance(caught.value, InvalidGraph | ValueError)


def test_spanning_trees_are_those_of_scipy(home: Any) -> None:
    """The same weight, and the very entries if all weights differ; edges of weight zero leave no entry."""
    rng = np.random.default_rng(9)
    for degree in (0.5, 1.5, 4):
        for A in list_forms(7, degree=degree):
            found, expected = get(home, csgraph.minimum_spanning_tree(put(home, A))), theirs.minimum_spanning_tree(A)
            assert found.sum() == pytest.approx(expected.sum())
            assert found.nnz == expected.nnz
        A = make_csr(8, N, degree=degree)
        A.sum_duplicates()
        A.data = rng.permutation(A.nnz) - 3.0
        found = get(home, csgraph.minimum_spanning_tree(put(home, A)))
        np.testing.assert_array_equal(found.toarray(), theirs.minimum_spanning_tree(A).toarray())
    zero = sp.csr_array((np.array([0.0, 5, 7, 2, 3, 3]), ([0, 1, 0, 2, 1, 3], [1, 2, 2, 0, 3, 1])), shape=(5, 5))
    found = get(home, csgraph.minimum_spanning_tree(put(home, zero)))
    assert dict(found.todok().items()) == {(2, 0): 2.0, (1, 3): 3.0}
    with pytest.raises(InvalidGraph, match=r"shape \(N, N\)"):
        csgraph.minimum_spanning_tree(put(home, np.ones((2, 3))))
