"""Agreement of partitions by their definitions, and contraction against a product of dense matrices."""

from __future__ import annotations

import itertools
import secrets
from collections import Counter
from math import log

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import DimensionMismatch, InvalidOption
from tests.graphla.algorithms.louvain.test_communities import make_planted


def agree_by_hand(a: list[int], b: list[int]) -> tuple[float, float, float]:
    """Pairs of vertices one by one, and entropies of shares."""
    n = len(a)
    kinds = Counter((a[i] == a[j], b[i] == b[j]) for i, j in itertools.combinations(range(n), 2))
    both, one, other, neither = (kinds[key] for key in ((True, True), (True, False), (False, True), (False, False)))
    below = (both + one) * (one + neither) + (both + other) * (other + neither)
    ari = 1.0 if one == other == 0 else 2 * (both * neither - one * other) / below
    entropy = [-sum(k / n * log(k / n) for k in Counter(each).values()) for each in (a, b, zip(a, b, strict=True))]
    shared = entropy[0] + entropy[1] - entropy[2]
    return ari, 2 * shared / (entropy[0] + entropy[1]) if entropy[2] else 1.0, entropy[2] * 2 - entropy[0] - entropy[1]


def test_agreement_is_that_of_the_definitions() -> None:
    seed = secrets.randbits(32)
    rng = np.random.default_rng(seed)
    for groups in (1, 2, 5, 40):
        a, b = rng.integers(0, groups, 40), rng.integers(0, 4, 40)
        for pair in ((a, b), (a, a), (b, a), (a, np.arange(40))):
            expected = agree_by_hand(*(each.tolist() for each in pair))
            assert tuple(gl.compare_partitions(*pair)) == pytest.approx(expected, abs=1e-12), seed
    words = np.array(list("abcd"))[b]
    assert gl.compare_partitions(words, gl.Vector.from_dense(b, engine="cpu")) == (1, 1, 0)
    assert gl.compare_partitions([], []) == (1, 1, 0)


def test_wrong_partitions_are_refused() -> None:
    for wrong in (3, [[0, 1]], [0.5, 1], None, gl.Vector("INT32", 2)):
        with pytest.raises(DimensionMismatch, match="b="):
            gl.compare_partitions([0, 1], wrong)  # type: ignore[arg-type]
    with pytest.raises(DimensionMismatch, match="a has 2 labels and b 3"):
        gl.compare_partitions([0, 1], [0, 1, 2])


@pytest.mark.parametrize("directed", [False, True])
def test_a_contraction_is_a_product(directed: bool) -> None:
    seed = secrets.randbits(32)
    for weights in (None, lambda pairs: pairs % 5 + 0.25):
        G = make_planted(seed, 40, directed=directed, weights=weights)
        labels = gl.leiden(G)
        S = np.eye(labels.to_numpy().max() + 1)[labels.to_numpy()]
        expected = S.T @ G.A.to_dense(0).astype(float) @ S
        H = gl.contract(G, labels)
        assert H.A.to_dense(0) == pytest.approx(expected), seed
        assert gl.modularity(H, np.arange(H.n)) == pytest.approx(gl.modularity(G, labels), abs=1e-12), seed
        np.fill_diagonal(expected, 0)
        assert gl.contract(G, labels.to_numpy() * 7 - 3, loops=False).A.to_dense(0) == pytest.approx(expected), seed
    assert gl.contract(gl.Graph(([], []), n=0), []).n == 0
    with pytest.raises(DimensionMismatch, match="labels="):
        gl.contract(G, [0])


def add_tails(G: gl.Graph) -> gl.Graph:
    """The graph with a path at each of its first ten vertices, of one vertex or two, and a loop at the end of one."""
    i, j, w = G.A.to_coo()
    ends = np.r_[np.arange(10), G.n + np.arange(5)], np.r_[G.n + np.arange(10), G.n + 10 + np.arange(5)]
    tails, heads = np.r_[i, ends[0], ends[1], G.n + 14], np.r_[j, ends[1], ends[0], G.n + 14]
    return gl.Graph((tails, heads, np.r_[w, np.ones(31, w.dtype)]), n=G.n + 16, engine="cpu")


@pytest.mark.parametrize("core", [False, True])
def test_a_consensus_is_that_of_arcs_that_weigh_by_agreement(core: bool) -> None:
    seed = secrets.randbits(16)
    for directed in (False, True):
        G = add_tails(make_planted(seed, 60, directed=directed, weights=lambda pairs: pairs % 4 + 1))
        i, j, w = G.A.to_coo()
        share = np.zeros(w.size)
        for k in range(3):
            labels = gl.louvain(G, 0.9, seed + k, max_levels=1).to_numpy()
            share += (labels[i] == labels[j]) / 3
        if core:
            pairs = nx.Graph(zip(i.tolist(), j.tolist(), strict=True))
            pairs.remove_edges_from(list(nx.selfloop_edges(pairs)))
            inside = np.isin(np.arange(G.n), list(nx.k_core(pairs, 2)))
            assert 0 < inside.sum() < G.n - 10
            share *= inside[i] & inside[j]
        H = gl.Graph((i, j, w * (0.2 + 0.8 * share)), n=G.n, engine="cpu")
        found = gl.consensus(G, 3, 0.9, seed, least=0.2, core=core)
        assert gl.compare_partitions(found, gl.leiden(H, 0.9, seed)).ari == pytest.approx(1), seed
    named = gl.Graph(([0, 1], [1, 0]), labels=["a", "b"], engine="cpu")
    assert gl.consensus(named, 1).to_arrow().to_pydict() == {"vertex": ["a", "b"], "label": [0, 0]}
    assert gl.consensus(gl.Graph(([], []), n=0)).size == 0
    for asked in ({"runs": 0}, {"least": 1.5}, {"least": -1}, {"seed": -1}, {"core": 3}):
        with pytest.raises(InvalidOption):
            gl.consensus(named, **asked)  # type: ignore[arg-type]


def test_seeds_of_a_consensus_agree_more_than_those_of_one_run() -> None:
    G = gl.generate.kronecker(9, 8, engine="cpu")
    found = [
        [call(seed) for seed in (0, 100, 200)]
        for call in (lambda s: gl.leiden(G, seed=s), lambda s: gl.consensus(G, seed=s))
    ]
    one, many = (
        np.mean([gl.compare_partitions(a, b).ari for a, b in itertools.combinations(each, 2)]) for each in found
    )
    assert many > one
