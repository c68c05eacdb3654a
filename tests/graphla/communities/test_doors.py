"""Communities as scanpy and graspologic ask for them: matrices in, categories and records out."""

from __future__ import annotations

import secrets
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import graphla as gl
from graphla.common.errors import InvalidGraph, InvalidOption, NotSupported
from graphla.communities import HierarchicalClusters, cluster_cells, hierarchical_leiden


def make_near(seed: int, groups: int = 4, each: int = 30) -> Any:
    """Connectivities of groups that are apart but for few entries, the same both ways."""
    rng = np.random.default_rng(seed)
    near = np.kron(np.eye(groups), np.full((each, each), 0.4)) + 0.01 > rng.random((groups * each,) * 2)
    upper = np.triu(near, 1) * rng.uniform(0.5, 1, near.shape)
    return sparse.csr_array(upper + upper.T)


def test_cells_get_categories() -> None:
    pandas = pytest.importorskip("pandas")
    seed = secrets.randbits(32)
    A = make_near(seed)
    found = cluster_cells(A, 0.8, random_state=3, n_iterations=-1)
    assert isinstance(found, pandas.Categorical)
    assert found.codes.tolist() == gl.leiden(gl.Graph(A), 0.8, 3, iterations=1000).to_numpy().tolist()
    assert found.categories.tolist() == [str(k) for k in range(len(found.categories))]
    assert gl.compare_partitions(found.codes, np.repeat(range(4), 30)).ari > 0.9, seed
    upper = sparse.triu(A).tocsr()
    assert cluster_cells(upper).tolist() == cluster_cells(A).tolist(), seed
    assert (cluster_cells(A, use_weights=False).codes == gl.leiden(gl.Graph(A.astype(bool))).to_numpy()).all()
    assert (cluster_cells(upper, directed=True).codes == gl.leiden(gl.Graph(upper)).to_numpy()).all()
    assert len(cluster_cells(sparse.csr_array((0, 0)))) == 0


def test_scanpy_finds_the_same_groups() -> None:
    scanpy, anndata = pytest.importorskip("scanpy"), pytest.importorskip("anndata")
    cells = anndata.AnnData(np.random.default_rng(2).normal(np.repeat([[0.0], [9.0], [18.0]], 40, 0), 1, (120, 5)))
    scanpy.pp.neighbors(cells, use_rep="X", n_neighbors=8)
    scanpy.tl.leiden(cells, 0.1, flavor="igraph", n_iterations=2, directed=False)
    cells.obs["ours"] = cluster_cells(cells.obsp["connectivities"], 0.1)
    assert gl.compare_partitions(cells.obs["ours"].cat.codes, cells.obs["leiden"].cat.codes).ari > 0.99
    assert cells[cells.obs["ours"] == "0"].n_obs == 40


def test_what_is_no_request_of_cells_is_refused() -> None:
    pytest.importorskip("pandas")
    A = make_near(1)
    for wrong in (3, A.toarray(), None):
        with pytest.raises(InvalidGraph, match="give a sparse matrix"):
            cluster_cells(wrong)  # type: ignore[arg-type]
    for name, value in (
        ("n_iterations", 0),
        ("random_state", -1),
        ("resolution", -1),
        ("use_weights", 2),
        ("directed", "x"),
    ):
        with pytest.raises(InvalidOption, match=name):
            cluster_cells(A, **{name: value})
    with pytest.raises(gl.errors.GraphlaError):
        cluster_cells(sparse.csr_array((2, 3)))


def check(found: HierarchicalClusters, nodes: set[Any], most: int) -> None:
    """Each level divides clusters of the one before that are too large, and the final ones hold each node once."""
    clusters: dict[int, set[Any]] = {}
    parents, final = {}, {}
    for node, cluster, parent, level, last in found:
        clusters.setdefault(cluster, set()).add(node)
        assert parents.setdefault(cluster, (parent, level)) == (parent, level)
        assert final.setdefault(cluster, last) == last
    assert sorted(clusters) == list(range(len(clusters)))
    for cluster, (parent, level) in parents.items():
        if parent is not None:
            assert clusters[cluster] < clusters[parent]
            assert parents[parent][1] == level - 1
            assert len(clusters[parent]) > most
            assert not final[parent]
    assert (
        found.first_level_hierarchical_clustering().keys()
        == nodes
        == found.final_level_hierarchical_clustering().keys()
    )
    assert sum(len(clusters[c]) for c in clusters if final[c]) == len(nodes)


def test_clusters_are_divided_until_they_are_small() -> None:
    seed = secrets.randbits(32)
    g = nx.relabel_nodes(nx.powerlaw_cluster_graph(150, 3, 0.3, seed=seed), lambda v: f"n{v}")
    nx.set_edge_attributes(g, {edge: 1 + k % 3 for k, edge in enumerate(g.edges)}, "weight")
    edges = [(u, v, float(w)) for u, v, w in g.edges(data="weight")]
    given = (g, edges, nx.to_scipy_sparse_array(g), nx.to_numpy_array(g), gl.Graph(g, weight="weight"))
    answers = [hierarchical_leiden(each, max_cluster_size=9, random_seed=5) for each in given]
    for each, named in zip(answers, (True, True, False, False, True), strict=True):
        check(each, set(g) if named else set(range(150)), 9)
        sizes = np.bincount(list(each.final_level_hierarchical_clustering().values()))
        assert max(sizes) <= 9 or max(record.level for record in each) > 1
    numbers = [[tuple(record)[1:] for record in each] for each in answers]
    assert numbers[0] == numbers[2] == numbers[3] == numbers[4], seed
    labels = gl.leiden(gl.Graph(g, weight="weight"), seed=5).to_numpy()
    assert list(answers[0].first_level_hierarchical_clustering().values()) == sorted(labels.tolist())


def test_options_of_the_hierarchy() -> None:
    g = nx.karate_club_graph()
    plain = hierarchical_leiden(g, is_weighted=False, weight_attribute="none")
    assert plain == hierarchical_leiden(nx.Graph(g.edges), weight_default=3) or plain[0].level == 0
    assert {each.cluster for each in hierarchical_leiden(g, use_modularity=False, resolution=1e-9)} == {0}
    start = dict.fromkeys(g, 4)
    assert hierarchical_leiden(g, starting_communities=start, extra_forced_iterations=1)
    assert hierarchical_leiden([]) == []
    for asked, error, message in (
        ({"randomness": 0.1}, NotSupported, "randomness=0.1"),
        ({"max_cluster_size": 0}, InvalidOption, "max_cluster_size=0"),
        ({"starting_communities": {0: 1}}, InvalidOption, "nothing for 1"),
        ({"graph": g.to_directed()}, InvalidGraph, "is directed"),
        ({"graph": np.triu(np.ones((3, 3)))}, InvalidGraph, "check_directed=False"),
        ({"graph": [(0, 1, 1.0), (1, 0, 2.0)]}, InvalidGraph, "more than once|twice"),
        ({"graph": [(0, 1)]}, InvalidGraph, "tail, head, weight"),
    ):
        with pytest.raises(error, match=message):
            hierarchical_leiden(**{"graph": g, **asked})
    assert hierarchical_leiden(np.triu(np.ones((3, 3))), check_directed=False)
