"""Shortest paths are those of SciPy, whatever holds the graph."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.csgraph as theirs
from scipys_graphs import check_predecessors, find_lightest, list_forms, make_csr

from graphla.doors import csgraph
from graphla.doors.csgraph import delegate, inputs, paths, search
from tests.fuzz.csgraph_calls import run

BOTH = pytest.mark.parametrize("directed", [True, False])


@pytest.fixture(autouse=True)
def engine_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine answers small graphs, too."""
    monkeypatch.setattr(inputs, "WORTH_AN_ENGINE", 1)


@pytest.fixture
def no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    """SciPy is not asked for paths."""
    for module in (delegate, paths):
        monkeypatch.setattr(module, "call_scipy", lambda name, *_, **__: pytest.fail(f"passed to SciPy: {name}"))


@pytest.mark.usefixtures("no_scipy")
@BOTH
@pytest.mark.parametrize("unweighted", [False, True])
@pytest.mark.parametrize("indices", [None, 3, -1, [5], [[1, 2], [2, 59]]])
def test_dijkstra(directed: bool, unweighted: bool, indices: Any) -> None:
    A = make_csr(1)
    options = {"directed": directed, "indices": indices, "unweighted": unweighted}
    found, before = csgraph.dijkstra(A, return_predecessors=True, **options)
    expected = theirs.dijkstra(A, **options)
    np.testing.assert_array_equal(found, expected, strict=True)
    np.testing.assert_array_equal(csgraph.dijkstra(A, **options), expected, strict=True)
    sources = np.arange(60) if indices is None else np.array(indices) % 60
    check_predecessors(found, before, sources, find_lightest(A, directed, unweighted))
    assert before.shape == found.shape


@pytest.mark.usefixtures("no_scipy")
@BOTH
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("count", [1, 8])
def test_arcs_that_wait(directed: bool, symmetric: bool, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "WORTH_A_PULL", 1)
    pulled: list[Any] = []
    own = search.search_and_pull
    monkeypatch.setattr(search, "search_and_pull", lambda *a: pulled.append(a) or own(*a))
    A = make_csr(12, n=300, degree=14, high=1000)
    A = A + A.T if symmetric else A
    A.resize((305, 305))  # five vertices without edges
    found, before = csgraph.dijkstra(A, directed, range(count), return_predecessors=True)
    np.testing.assert_array_equal(found, theirs.dijkstra(A, directed, np.arange(count)), strict=True)
    check_predecessors(found, before, np.arange(count), find_lightest(A, directed))
    assert len(pulled) == (symmetric or not directed or count >= search.WORTH_A_TRANSPOSE)


@pytest.mark.parametrize("unweighted", [False, True])
def test_a_symmetric_matrix_is_known(unweighted: bool) -> None:
    A = make_csr(13, n=500, degree=4)
    A = sp.csr_array(A + A.T)
    rows = inputs.read_rows(A)
    assert search.is_symmetric(rows, unweighted)
    upper = np.flatnonzero(np.repeat(np.arange(500), np.diff(A.indptr)) < A.indices)
    values = A.data.copy()
    values[upper[700]] += 1e-9
    assert search.is_symmetric(rows._replace(values=values), unweighted) == unweighted
    other = A.indices.copy()
    other[upper[700]] = (other[upper[700]] + 1) % 500
    assert not search.is_symmetric(rows._replace(indices=other), unweighted)


@pytest.mark.usefixtures("no_scipy")
@BOTH
@pytest.mark.parametrize("unweighted", [False, True])
@pytest.mark.parametrize("limit", [0, 4, 4.5, np.inf])
def test_a_limit_is_reached(directed: bool, unweighted: bool, limit: float) -> None:
    A = make_csr(2)
    options = {"directed": directed, "unweighted": unweighted, "limit": limit}
    found, before = csgraph.dijkstra(A, return_predecessors=True, **options)
    np.testing.assert_array_equal(found, theirs.dijkstra(A, **options), strict=True)
    check_predecessors(found, before, np.arange(60), find_lightest(A, directed, unweighted))


@pytest.mark.usefixtures("no_scipy")
@BOTH
@pytest.mark.parametrize("unweighted", [False, True])
@pytest.mark.parametrize("indices", [None, 7, [3, 9, 3], [[4], [8]]])
def test_the_nearest_source(directed: bool, unweighted: bool, indices: Any) -> None:
    A = make_csr(3, degree=1.2)
    options = {"directed": directed, "indices": indices, "unweighted": unweighted, "min_only": True}
    found, before, sources = csgraph.dijkstra(A, return_predecessors=True, **options)
    expected = theirs.dijkstra(A, **options)
    np.testing.assert_array_equal(found, expected, strict=True)
    np.testing.assert_array_equal(csgraph.dijkstra(A, **options), expected, strict=True)
    every = csgraph.dijkstra(A, directed, unweighted=unweighted)
    given = np.arange(60) if indices is None else np.ravel(indices)
    reached = np.isfinite(found)
    assert sources.dtype == before.dtype == np.int32
    assert (sources[~reached] == -9999).all()
    assert np.isin(sources[reached], given).all()
    assert (every[sources[reached], reached.nonzero()[0]] == found[reached]).all()
    assert (sources[given] == given).all()
    assert (before[given] == -9999).all()


@pytest.mark.usefixtures("no_scipy")
@pytest.mark.parametrize("form", list_forms(make_csr(4)))
@BOTH
def test_forms_of_a_graph(form: str, directed: bool) -> None:
    A = list_forms(make_csr(4))[form]
    before = A.copy()
    for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path"):
        if (form, name) == ("coo", "floyd_warshall"):
            continue  # which SciPy refuses
        in_rows = A.copy(order="C") if form.startswith("dense") else A  # SciPy's Floyd–Warshall fails on columns
        expected = getattr(theirs, name)(in_rows, directed=directed)
        found = getattr(csgraph, name)(A, directed=directed)
        np.testing.assert_array_equal(found, expected, strict=True, err_msg=name)
    np.testing.assert_array_equal(*(x if isinstance(x, np.ndarray) else x.toarray() for x in (A, before)))


@pytest.mark.usefixtures("no_scipy")
@pytest.mark.parametrize("name", ["bellman_ford", "johnson", "floyd_warshall"])
def test_negative_weights(name: str) -> None:
    rng = np.random.default_rng(5)
    potential = rng.integers(0, 20, 60)
    A = make_csr(5).tocoo()
    A.data += potential[A.coords[0]] - potential[A.coords[1]]
    A = A.tocsr() if name == "floyd_warshall" else sp.csr_array(A)
    assert A.data.min() < 0
    found, before = getattr(csgraph, name)(A, return_predecessors=True)
    np.testing.assert_array_equal(found, getattr(theirs, name)(A), strict=True)
    lightest = find_lightest(A, True)
    check_predecessors(found, before, np.arange(60), lightest)


@BOTH
@pytest.mark.parametrize("name", ["bellman_ford", "johnson", "floyd_warshall"])
def test_a_negative_cycle(name: str, directed: bool) -> None:
    A = make_csr(6, low=1).tolil()
    A[3, 4] = -5
    A[4, 3] = 4
    with pytest.raises(csgraph.NegativeCycleError, match="Negative cycle"):
        getattr(csgraph, name)(A.tocsr(), directed)


def test_a_cycle_that_rounding_makes_negative_is_left_to_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    A = sp.csr_array(([0.7, 0.2, -0.9, 9.5], ([0, 1, 2, 3], [1, 2, 0, 0])), shape=(4, 4))
    assert 9.5 + 0.7 + 0.2 + -0.9 < 9.5
    expected, asked = theirs.bellman_ford(A, indices=3), []
    monkeypatch.setattr(paths, "call_scipy", lambda name, *_: asked.append(name) or expected)
    np.testing.assert_array_equal(csgraph.bellman_ford(A, indices=3), expected)
    assert asked == ["bellman_ford"]


def test_a_negative_cycle_that_no_source_reaches() -> None:
    A = sp.csr_array(([1.0, -2.0, 1.0], ([0, 1, 2], [3, 2, 1])), shape=(4, 4))
    assert csgraph.bellman_ford(A, indices=0).tolist() == [0, np.inf, np.inf, 1]
    with pytest.raises(csgraph.NegativeCycleError):
        csgraph.johnson(A, indices=0)


@pytest.mark.usefixtures("no_scipy")
@BOTH
@pytest.mark.parametrize("unweighted", [False, True])
def test_floyd_warshall(directed: bool, unweighted: bool) -> None:
    for A in (make_csr(7), np.random.default_rng(7).integers(-1, 30, (150, 150)).clip(0, None)):
        found, before = csgraph.floyd_warshall(A, directed, return_predecessors=True, unweighted=unweighted)
        np.testing.assert_array_equal(found, theirs.floyd_warshall(A, directed, unweighted=unweighted), strict=True)
        weights = find_lightest(A, directed, unweighted)
        np.fill_diagonal(weights, np.inf)
        check_predecessors(found, before, np.arange(len(found)), weights)


@pytest.mark.usefixtures("no_scipy")
@pytest.mark.parametrize("predecessors", [False, True])
def test_overwrite(predecessors: bool) -> None:
    A = np.random.default_rng(8).integers(1, 30, (40, 40)).astype(float)
    kept = A.copy()
    expected = theirs.floyd_warshall(A)
    csgraph.floyd_warshall(A, return_predecessors=predecessors)
    np.testing.assert_array_equal(A, kept)
    found = csgraph.shortest_path(A, "FW", overwrite=True, return_predecessors=predecessors)
    assert (found[0] if predecessors else found) is A
    np.testing.assert_array_equal(A, expected)


@pytest.mark.parametrize("method", ["auto", "FW", "D", "BF", "J"])
def test_shortest_path_chooses_as_scipy_does(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for key, name in {"D": "dijkstra", "BF": "bellman_ford", "J": "johnson", "FW": "floyd_warshall"}.items():
        own = getattr(paths, name)
        watched = lambda *a, _own=own, _key=key, **o: asked.append(_key) or _own(*a, **o)  # noqa: E731
        monkeypatch.setattr(paths, name, watched)
        if key in paths.METHODS:
            monkeypatch.setitem(paths.METHODS, key, watched)
    sparse, dense = make_csr(9), make_csr(9, degree=40, low=1).toarray()
    negative = sp.csr_array(([1.0 if method == "D" else -1.0], ([0], [1])), shape=(60, 60))
    for A in (sparse, dense, negative):
        np.testing.assert_array_equal(csgraph.shortest_path(A, method), theirs.shortest_path(A, method), strict=True)
    assert asked == (["D", "FW", "J"] if method == "auto" else [method] * 3)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda A: csgraph.dijkstra(A, indices=60), ValueError),
        (lambda A: csgraph.dijkstra(A, indices=[-61]), ValueError),
        (lambda A: csgraph.dijkstra(A, limit=-1), ValueError),
        (lambda A: csgraph.dijkstra(A, indices="a"), ValueError),
        (lambda A: csgraph.shortest_path(A, "X"), ValueError),
        (lambda A: csgraph.shortest_path(A, "FW", indices=[0]), ValueError),
        (lambda A: csgraph.johnson(A[:, :5]), ValueError),
        (lambda A: csgraph.floyd_warshall(A[:, :5]), ValueError),
        (lambda A: csgraph.floyd_warshall(A.tocoo()), ValueError),
        (lambda A: csgraph.bellman_ford(A.data), (ValueError, AttributeError, IndexError)),
        (lambda A: csgraph.connected_components(A, connection="both"), ValueError),
        (lambda A: csgraph.connected_components(A[:, :5]), ValueError),
    ],
)
def test_wrong_arguments_are_refused_as_scipy_does(call: Any, error: Any) -> None:
    with pytest.raises(error):
        call(make_csr(10))


def test_negative_weights_are_left_to_scipys_dijkstra() -> None:
    A = sp.csr_array(([-1.0, 2.0], ([0, 1], [1, 2])), shape=(3, 3))
    with pytest.warns(UserWarning, match="Graph has negative weights"):
        assert csgraph.dijkstra(A, indices=0).tolist() == [0, -1, 1]


def test_infinite_weights_are_left_to_scipy() -> None:
    A = sp.csr_array(([np.inf, 2.0], ([0, 1], [1, 2])), shape=(3, 3))
    for ours, own in zip(csgraph.dijkstra(A, True, 0, True), theirs.dijkstra(A, True, 0, True), strict=True):
        np.testing.assert_array_equal(ours, own, strict=True)


@pytest.mark.parametrize("name", ["bellman_ford", "johnson"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("weight", [-np.inf, np.nan])
def test_weights_that_no_path_takes_are_left_to_scipy(name: str, weight: float) -> None:
    A = sp.csr_array(([weight, 2.0, 1.0], ([0, 1, 2], [1, 2, 0])), shape=(3, 3))
    np.testing.assert_array_equal(getattr(csgraph, name)(A), getattr(theirs, name)(A))


@BOTH
def test_arrays_that_are_read_only(directed: bool) -> None:
    A = make_csr(14, degree=2)
    expected = theirs.dijkstra(A, directed)
    for part in (A.data, A.indices, A.indptr):
        part.flags.writeable = False
    np.testing.assert_array_equal(csgraph.dijkstra(A, directed), expected)


@pytest.mark.parametrize("part", ["indptr", "indices"])
def test_a_damaged_matrix_is_refused(part: str) -> None:
    A = make_csr(11)
    getattr(A, part)[5] = 1000
    with pytest.raises(ValueError, match="csgraph is damaged"):
        csgraph.connected_components(A)


def put_repeats(dtype: Any) -> Any:
    """A matrix whose first row has a column twice, and whose columns are not sorted."""
    pointers = np.full(201, 4)
    pointers[:2] = 0, 3
    return sp.csr_array((np.array([3, 4, 1, 2], dtype), [2, 2, 1, 0], pointers), shape=(200, 200))


@pytest.mark.usefixtures("no_scipy")
@BOTH
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32", "float64", "bool"])
@pytest.mark.parametrize("name", ["dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path"])
def test_repeated_entries_are_added_where_scipy_casts(name: str, dtype: str, directed: bool) -> None:
    """Those of float64 stay, and the lightest counts; Floyd and Warshall's loop reads the lightest of any dtype."""
    A = put_repeats(dtype)
    found = getattr(csgraph, name)(A, directed=directed)
    expected = getattr(theirs, name)(put_repeats(dtype), directed=directed)
    np.testing.assert_array_equal(found, expected, strict=True)
    assert A.nnz == 4


@pytest.mark.parametrize("dtype", ["int64", "float64", "bool"])
@pytest.mark.parametrize("predecessors", [False, True])
def test_masked_arrays(dtype: str, predecessors: bool) -> None:
    """Zeros that are not masked are no edges to Floyd and Warshall, and edges to the other searches."""
    D = np.random.default_rng(3).integers(0, 4, (30, 30)).astype(dtype)
    A = np.ma.MaskedArray(D, np.random.default_rng(4).random((30, 30)) < 0.8)
    for name in ("floyd_warshall", "dijkstra", "johnson", "shortest_path"):
        expected, found = (getattr(module, name)(A, return_predecessors=predecessors) for module in (theirs, csgraph))
        np.testing.assert_array_equal(*((found[0], expected[0]) if predecessors else (found, expected)), strict=True)


@pytest.mark.parametrize("odd", [np.nan, -np.inf, np.inf])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, lambda D: np.ma.masked_equal(D, 0)])
def test_numbers_that_are_no_weights(odd: float, form: Any) -> None:
    D = np.random.default_rng(5).integers(0, 4, (20, 20)).astype(float)
    D[3, 4] = odd
    for name in ("floyd_warshall", "bellman_ford"):
        expected, found = (run(module, name, form(D), {}) for module in (theirs, csgraph))
        alike = str(expected) == str(found) if isinstance(expected, Exception) else None
        assert np.array_equal(expected, found, equal_nan=True) if alike is None else alike


@pytest.mark.parametrize("tiny", [1e-7, 1.1e-8, 1e-8, 1e-9, 5e-324, -1e-9])
@pytest.mark.parametrize("name", ["floyd_warshall", "dijkstra"])
def test_tiny_weights_of_a_dense_matrix_are_no_edges(name: str, tiny: float) -> None:
    D = np.full((150, 150), 3.0)
    D[0, 1] = tiny
    np.testing.assert_array_equal(getattr(csgraph, name)(D), getattr(theirs, name)(D), strict=True)


@BOTH
@pytest.mark.parametrize("name", ["bellman_ford", "johnson", "floyd_warshall"])
def test_a_negative_cycle_is_named_as_scipy_names_it(
    name: str, directed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    A = make_csr(6).tolil()
    A[3, 4], A[4, 3], A[9, 9] = -5, 4, -1
    with pytest.raises(theirs.NegativeCycleError) as expected:
        getattr(theirs, name)(A.tocsr(), directed)
    with pytest.raises(theirs.NegativeCycleError, match=re.escape(str(expected.value))):
        getattr(csgraph, name)(A.tocsr(), directed)
    monkeypatch.setattr(search, "AFFORDED", 0)
    with pytest.raises(theirs.NegativeCycleError, match="Negative cycle"):
        getattr(csgraph, name)(A.tocsr(), directed)


def test_an_overwritten_matrix_is_not_read_again() -> None:
    """Distances stand in it: then one node of a negative cycle is named."""
    A = np.zeros((200, 200))
    A[0, 1], A[1, 0] = 2, -3
    with pytest.raises(theirs.NegativeCycleError, match=r"nodes \[\d\]"):
        csgraph.floyd_warshall(A, overwrite=True)
