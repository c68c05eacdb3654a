"""Eigenvectors, embedding, clustering, currents and harmonic functions beside dense algebra and NetworkX."""

from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array, diags_array
from scipy.sparse.csgraph import laplacian

import graphla as gl
from graphla.algorithms.spectrum import currents, eigenvectors, lanczos
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidOption, NotConverged, SingularMatrix

FUNCTIONS = {
    "laplacian_eigenvectors": lambda G: gl.laplacian_eigenvectors(G, 1),
    "spectral_embedding": lambda G: gl.spectral_embedding(G, 1),
    "spectral_clustering": lambda G: gl.spectral_clustering(G, 1),
    "effective_resistance": lambda G: gl.effective_resistance(G, [[0, 0]]),
    "current_flow_closeness": gl.current_flow_closeness,
    "current_flow_betweenness": gl.current_flow_betweenness,
    "harmonic": lambda G: gl.harmonic(G, gl.Vector.from_dict({0: 1.0}, size=G.n, engine="cpu")),
}


def draw(seed, n=40, degree=2.5, weights=True):
    """A random graph of some components, loops and zero weights among its arcs."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.random((n, n)) < degree / n, 0) * (rng.integers(0, 9, (n, n)) if weights else 1)
    W = np.maximum(W, W.T).astype(float)
    return gl.Graph(csr_array(W), engine="cpu"), W


def make_laplacian(W, normalized=False):
    W = W - np.diag(np.diag(W))
    L, d = np.diag(W.sum(1)) - W, W.sum(1)
    half = 1 / np.sqrt(np.where(d > 0, d, 1))
    return L * half[:, None] * half if normalized else L


def keep_largest(H):
    return nx.convert_node_labels_to_integers(H.subgraph(max(nx.connected_components(H), key=len)))


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("dense", [0, 10**6])
@pytest.mark.parametrize("seed", range(6))
def test_eigenvectors_of_laplacians(seed, dense, normalized, monkeypatch):
    monkeypatch.setattr(eigenvectors, "DENSE", dense)
    G, W = draw(seed)
    L = make_laplacian(W, normalized)
    expected = np.linalg.eigvalsh(L)
    for k in (1, 5, 12, G.n):
        values, vectors = gl.laplacian_eigenvectors(G, k, normalized=normalized)
        np.testing.assert_allclose(values, expected[:k], atol=1e-9)
        np.testing.assert_allclose(L @ vectors, vectors * values, atol=1e-7)
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-7)
        largest = vectors[np.argmax(abs(vectors), axis=0), np.arange(k)]
        assert (largest > 0).all()


@pytest.mark.parametrize("sigma", [0, -2.5, 3.25])
@pytest.mark.parametrize("dense", [0, 10**6])
def test_eigenvectors_near_a_number(dense, sigma, monkeypatch):
    monkeypatch.setattr(eigenvectors, "DENSE", dense)
    rng = np.random.default_rng(2)
    A = np.triu(rng.normal(size=(60, 60)) * (rng.random((60, 60)) < 0.1))
    A = A + A.T + np.diag(rng.normal(size=60))
    every = np.linalg.eigvalsh(A)
    nearest = np.sort(every[np.argsort(abs(every - sigma))[:6]])
    for given in (csr_array(A), gl.Graph(A, engine="cpu"), gl.Matrix.from_dense(A, engine="cpu")):
        values, vectors = gl.smallest_eigenvectors(given, 6, sigma=sigma)
        np.testing.assert_allclose(values, nearest, atol=1e-9)
        np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-7)


def test_eigenvectors_of_a_road_network_are_those_of_scipy():
    G = gl.generate.road(3000, seed=1, engine="cpu")
    W = csr_array((np.ones(G.nvals), G.csr.indices, G.csr.indptr), shape=(G.n, G.n))
    from scipy.sparse.linalg import eigsh

    L: Any = laplacian(W)
    expected = eigsh(L.tocsc(), 8, sigma=-1e-4)[0]
    np.testing.assert_allclose(gl.laplacian_eigenvectors(G, 8).values, np.sort(expected), atol=1e-9)


@pytest.mark.parametrize(("copies", "k"), [(2, 7), (3, 8), (3, 11)])
def test_no_copy_of_an_eigenvalue_is_missed(copies, k, monkeypatch):
    """Copies of a graph, whose eigenvectors one Krylov space can't tell apart."""
    monkeypatch.setattr(eigenvectors, "DENSE", 0)
    H = nx.disjoint_union_all([nx.random_labeled_tree(40, seed=4)] * copies)
    expected = np.linalg.eigvalsh(nx.laplacian_matrix(H).toarray().astype(float))[:k]
    np.testing.assert_allclose(gl.laplacian_eigenvectors(gl.Graph(H, engine="cpu"), k).values, expected, atol=1e-9)


def draw_rows(basis, k, rank, value):
    """Eigenvalues of 1, and unit vectors."""
    basis.reserve(k)
    basis.V[:] = np.eye(k, basis.n)
    return np.ones(k)


def test_a_wrong_eigenvector_is_noticed(monkeypatch):
    monkeypatch.setattr(eigenvectors, "run_lanczos", draw_rows)
    monkeypatch.setattr(eigenvectors, "DENSE", 0)
    with pytest.raises(NotConverged, match="an eigenvector is off by"):
        gl.laplacian_eigenvectors(gl.generate.grid2d(9, 9, engine="cpu"), 3)


@pytest.mark.parametrize("k", [3, 14])
def test_eigenvalues_that_are_there_many_times(k, monkeypatch):
    """An operator of few eigenvalues ends Lanczos early, time after time; pairs of a square are found both."""
    monkeypatch.setattr(eigenvectors, "DENSE", 0)
    values, vectors = gl.laplacian_eigenvectors(gl.generate.complete(60, engine="cpu"), k)
    np.testing.assert_allclose(values, np.r_[0, np.full(k - 1, 60.0)], atol=1e-9)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-9)
    line = 4 * np.sin(np.pi * np.arange(25) / 50) ** 2
    values = gl.laplacian_eigenvectors(gl.generate.grid2d(25, 25, engine="cpu"), k).values
    np.testing.assert_allclose(values, np.sort(line[:, None] + line, axis=None)[:k], atol=1e-9)


def test_restarts_that_do_not_end(monkeypatch):
    monkeypatch.setattr(eigenvectors, "DENSE", 0)
    monkeypatch.setattr(lanczos, "RESTARTS", 1)
    with pytest.raises(NotConverged, match=r"has found [0-8] of them only: ask for fewer"):
        gl.smallest_eigenvectors(gl.generate.grid2d(30, 30, engine="cpu"), 9, sigma=4.1)


def test_numbers_that_do_not_fit_are_refused():
    G = gl.generate.path(5, engine="cpu")
    numbers: list[Any] = [0, 6, 2.5, None]
    for k in numbers:
        with pytest.raises(InvalidOption, match="k="):
            gl.laplacian_eigenvectors(G, k)
        with pytest.raises(InvalidOption, match="k="):
            gl.smallest_eigenvectors(G, k)
    with pytest.raises(InvalidOption, match="k=5"):
        gl.spectral_embedding(G, 5)
    numbers = [np.nan, np.inf, "0"]
    for sigma in numbers:
        with pytest.raises(InvalidOption, match="sigma="):
            gl.smallest_eigenvectors(G, 1, sigma=sigma)
    with pytest.raises(InvalidOption, match="eigenvalue to rounding"):
        gl.smallest_eigenvectors(diags_array(np.r_[0.0, np.arange(1.0, 400.0)]), 2)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_graphs_without_a_laplacian_are_refused(name):
    with pytest.raises(InvalidGraph, match=f"{name}: the graph is directed"):
        FUNCTIONS[name](gl.Graph(([0], [1]), engine="cpu"))
    for weights in ([-1.0, -1.0], [np.inf, np.inf], [1.0, 2.0]):
        with pytest.raises(InvalidGraph, match="weights are conductances"):
            FUNCTIONS[name](gl.Graph(([0, 1], [1, 0], weights), engine="cpu"))


@pytest.mark.parametrize("name", ["spectral_embedding", "current_flow_closeness", "current_flow_betweenness"])
def test_graphs_of_several_components_are_refused(name):
    with pytest.raises(InvalidGraph, match=f"{name}: the graph has 2 components"):
        FUNCTIONS[name](gl.Graph(([0, 1], [1, 0]), n=3, engine="cpu"))


@pytest.mark.parametrize("seed", range(4))
def test_embeddings_are_generalized_eigenvectors(seed):
    H = keep_largest(nx.gnp_random_graph(50, 0.1, seed=seed))
    W = nx.to_numpy_array(H)
    x, d = gl.spectral_embedding(gl.Graph(H, engine="cpu"), 3), W.sum(1)
    values = np.linalg.eigvalsh(make_laplacian(W, True))[1:4]
    np.testing.assert_allclose(make_laplacian(W) @ x, d[:, None] * x * values, atol=1e-8)
    np.testing.assert_allclose(x.T @ (d[:, None] * x), np.eye(3), atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_planted_groups_are_found(seed):
    H = nx.planted_partition_graph(4, 25, 0.6, 0.02, seed=seed)
    labels = gl.spectral_clustering(gl.Graph(H, engine="cpu"), 4, seed=seed).to_numpy()
    assert [len(set(labels[k : k + 25])) for k in range(0, 100, 25)] == [1] * 4
    assert labels.tolist() == gl.spectral_clustering(gl.Graph(H, engine="cpu"), 4, seed=seed).to_numpy().tolist()
    apart = gl.Graph(nx.disjoint_union(nx.path_graph(3), nx.path_graph(7)), engine="cpu")
    assert gl.spectral_clustering(apart, 2).to_numpy().tolist() == [1] * 3 + [0] * 7


def test_vertices_that_cannot_be_told_apart_share_a_cluster():
    G = gl.Graph(nx.empty_graph(3), engine="cpu")
    assert sorted(gl.spectral_clustering(G, 3).to_numpy().tolist()) == [0, 1, 2]
    assert set(gl.spectral_clustering(gl.generate.complete(6, engine="cpu"), 1).to_numpy()) == {0}


@pytest.mark.parametrize("seed", range(6))
def test_resistances_are_those_of_the_pseudoinverse(seed):
    G, W = draw(seed)
    K, labels = np.linalg.pinv(make_laplacian(W), rcond=1e-10, hermitian=True), gl.components(G).to_numpy()
    if not (W > 0).any():
        return
    kept = csr_array(np.where(np.eye(G.n), 0, W))
    labels = gl.components(gl.Graph(kept, engine="cpu")).to_numpy()
    u, v = (part.ravel() for part in np.indices(W.shape))
    expected = np.where(labels[u] == labels[v], K[u, u] + K[v, v] - 2 * K[u, v], np.inf)
    np.testing.assert_allclose(gl.effective_resistance(G, np.stack([u, v], 1)), expected, atol=1e-9)


def test_pairs_that_are_none_are_refused():
    G = gl.generate.path(4, engine="cpu")
    assert gl.effective_resistance(G, []).shape == (0,)
    for pairs in ([0, 1], [[0, 1, 2]], np.zeros((2, 2, 2), int)):
        with pytest.raises(DimensionMismatch, match="pairs"):
            gl.effective_resistance(G, pairs)
    for bad in (-1, 4, 0.5):
        with pytest.raises(InvalidGraph, match=f"pairs={bad}"):
            gl.effective_resistance(G, [[0, bad]])


@pytest.mark.parametrize("tile", [1, 32])
@pytest.mark.parametrize("seed", range(5))
def test_currents_are_those_of_networkx(seed, tile, monkeypatch):
    monkeypatch.setattr(currents, "TILE", tile)
    H = keep_largest(nx.gnp_random_graph(18, 0.2, seed=seed))
    rng = np.random.default_rng(seed)
    nx.set_edge_attributes(H, {edge: float(rng.integers(1, 9)) for edge in H.edges}, "weight")
    G = gl.Graph(H, engine="cpu")
    closeness = nx.current_flow_closeness_centrality(H, weight="weight")
    np.testing.assert_allclose(gl.current_flow_closeness(G).to_numpy(), list(closeness.values()), rtol=1e-9)
    for normalized in (True, False):
        expected = nx.current_flow_betweenness_centrality(H, normalized=normalized, weight="weight")
        found = gl.current_flow_betweenness(G, normalized=normalized).to_numpy()
        np.testing.assert_allclose(found, list(expected.values()), atol=1e-9)


def test_currents_of_one_vertex_and_two():
    one, two = gl.Graph(([], []), n=1, engine="cpu"), gl.generate.path(2, engine="cpu")
    assert gl.current_flow_closeness(one).nvals == 0
    assert gl.current_flow_betweenness(one).to_numpy().tolist() == [0.0]
    assert gl.current_flow_closeness(two).to_numpy().tolist() == [1.0, 1.0]
    assert gl.current_flow_betweenness(two).to_numpy().tolist() == [0.0, 0.0]


@pytest.mark.parametrize("seed", range(6))
def test_harmonic_values_are_the_means_of_neighbours(seed):
    G, W = draw(seed)
    rng = np.random.default_rng(seed)
    at = np.sort(rng.choice(G.n, 6, replace=False))
    known = gl.Vector.from_coo(at, rng.normal(size=6), size=G.n, engine="cpu")
    x = gl.harmonic(G, known)
    assert gl.harmonic(G, dict(list(known.to_dict().items())[::-1])).isequal(x)
    values, where = x.to_numpy(0), x.to_numpy(0) == x.to_numpy(1)
    W = np.where(np.eye(G.n), 0, W)
    labels = gl.components(gl.Graph(csr_array(W), engine="cpu")).to_numpy()
    assert where.tolist() == np.isin(labels, labels[at]).tolist()
    np.testing.assert_array_equal(values[at], known.to_numpy(0)[at])
    free = where.copy()
    free[at] = False
    np.testing.assert_allclose((make_laplacian(W) @ values)[free], 0, atol=1e-9)


def test_known_values_that_are_none_are_refused():
    G = gl.generate.path(4, engine="cpu")
    wrong: list[Any] = [[1, 2, 3, 4], gl.Vector("FP64", 3, engine="cpu"), {0}]
    for known in wrong:
        with pytest.raises(DimensionMismatch, match="known="):
            gl.harmonic(G, known)
    for value in (np.inf, 1j):
        with pytest.raises(DomainMismatch, match="known="):
            gl.harmonic(G, gl.Vector.from_dict({0: value}, size=4, engine="cpu"))
    assert gl.harmonic(G, gl.Vector("FP64", 4, engine="cpu")).nvals == 0


def test_weights_that_are_too_far_apart_are_told_as_such():
    rng = np.random.default_rng(1)
    T = nx.random_labeled_tree(40, seed=1)
    nx.set_edge_attributes(T, {edge: float(10.0 ** rng.choice([-12, 12])) for edge in T.edges}, "weight")
    G = gl.Graph(T, engine="cpu")
    for name, ask in {
        "effective_resistance": lambda: gl.effective_resistance(G, [[0, 1]]),
        "laplacian_eigenvectors": lambda: gl.laplacian_eigenvectors(G, 2),
        "harmonic": lambda: gl.harmonic(G, {0: 0.0}),
    }.items():  # fmt: skip
        with pytest.raises(SingularMatrix, match=f"^{name}: .*weights from 1.0e-12 to .*too far apart"):
            ask()


def test_a_graph_in_parts_is_told_how_to_take_one():
    G = gl.Graph(([0, 1, 2, 3], [1, 0, 3, 2]), engine="cpu")
    with pytest.raises(InvalidGraph, match=r"2 components.*gl.subgraph\(G, vertices\)"):
        gl.spectral_embedding(G, 1)
