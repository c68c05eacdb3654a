"""Models of random graphs: their degrees, clustering and mixing against what theory and NetworkX say."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy import stats
from scipy.sparse import csr_array

import graphla as gl
from graphla.graphs import generators
from graphla.graphs.generators.groups import draw_places
from graphla.graphs.generators.hashing import derive_state, draw_at, to_integers_below

UNLIKELY = 1e-6


def count_pairs(coo: Any) -> Any:
    """0 or 1 for each pair of vertices."""
    made = csr_array((np.ones(coo.rows.size, np.int64), (coo.rows, coo.cols)), shape=(coo.nrows, coo.ncols))
    return made.toarray()


@pytest.mark.parametrize("p", [0.0, 0.003, 0.4, 1.0])
def test_each_place_is_drawn_with_its_probability(p: float) -> None:
    counts = np.zeros(500, int)
    for number in range(400):
        places = draw_places(500, p, derive_state(3, number))
        assert (np.diff(places) > 0).all()
        counts[places] += 1
    if p in (0.0, 1.0):
        assert (counts == 400 * p).all()
    else:
        assert stats.binomtest(int(counts.sum()), 500 * 400, p).pvalue > UNLIKELY
        each = stats.binom.pmf(range(401), 400, p)
        assert abs(counts - 400 * p).max() < 6 * np.sqrt(400 * p * (1 - p)) + 3
        assert counts.var() == pytest.approx(np.average((np.arange(401) - 400 * p) ** 2, weights=each), rel=0.4)


@pytest.mark.parametrize("seed", range(3))
def test_gnp_and_planted_partitions_join_pairs_with_their_probabilities(seed: int) -> None:
    n, k, p = 700, 6, (0.15, 0.02)
    found = count_pairs(generators.planted_partition(n, k, *p, seed=seed))
    part = np.arange(n) * k // n
    assert np.ptp(np.bincount(part)) <= 1
    upper = np.triu(np.ones((n, n), bool), 1)
    for pairs, share in ((part[:, None] == part, p[0]), (part[:, None] != part, p[1])):
        joined = found[pairs & upper]
        assert stats.binomtest(int(joined.sum()), joined.size, share).pvalue > UNLIKELY
    plain = count_pairs(generators.gnp(n, 0.05, seed=seed))
    assert stats.binomtest(int(plain[upper].sum()), int(upper.sum()), 0.05).pvalue > UNLIKELY
    halves = plain[upper][::2].sum(), plain[upper][1::2].sum()
    assert stats.binomtest(int(halves[0]), int(sum(halves))).pvalue > UNLIKELY
    assert plain.sum(axis=0).var() == pytest.approx(0.05 * 0.95 * n, rel=0.25)
    assert (count_pairs(generators.gnp(50, 1.0)) == 1 - np.eye(50)).all()


def draw_grown_one_by_one(n: int, m: int, state: int) -> set[tuple[int, int]]:
    """Barabási and Albert's graph with the list of ends that it stands for."""
    ends: list[int] = []
    for e in range((n - 1) * m):
        bound = 2 * m * (e // m)
        place = int(to_integers_below(draw_at(np.array([e]), state, np), bound, np)[0])
        ends += [1 + e // m, 0 if e < m else ends[place]]
    return {(u, v) for u, v in zip(ends[::2], ends[1::2], strict=True) if u != v}


@pytest.mark.parametrize("m", [1, 3])
def test_barabasi_albert_is_the_graph_of_its_list_of_ends(m: int) -> None:
    coo = generators.barabasi_albert(60, m, seed=5)
    found = {(u, v) for u, v in zip(coo.rows.tolist(), coo.cols.tolist(), strict=True) if u > v}
    assert found == draw_grown_one_by_one(60, m, derive_state(5, 14))


def test_barabasi_albert_has_the_degrees_of_the_model() -> None:
    n, m = 50_000, 3
    degrees = np.bincount(generators.barabasi_albert(n, m).rows)
    k = np.arange(m, 12)
    np.testing.assert_allclose(np.bincount(degrees)[k] / n, 2 * m * (m + 1) / (k * (k + 1) * (k + 2)), rtol=0.08)
    theirs = np.bincount([degree for _, degree in nx.barabasi_albert_graph(n, m, seed=1).degree])
    np.testing.assert_allclose(np.bincount(degrees)[k], theirs[k], rtol=0.1)
    assert degrees.max() > 300


def test_watts_strogatz_is_a_ring_and_loses_its_clustering() -> None:
    n, degree = 1200, 8
    ring = generators.watts_strogatz(n, degree, 0.0)
    assert (count_pairs(ring) == nx.to_numpy_array(nx.watts_strogatz_graph(n, degree, 0))).all()
    for p in (0.05, 0.3, 1.0):
        coo = generators.watts_strogatz(n, degree, p, seed=4)
        apart = (coo.cols - coo.rows) % n
        moved = (np.minimum(apart, n - apart) > degree // 2).sum() / coo.rows.size
        assert moved == pytest.approx(p * (1 - degree / n), abs=0.02)
        clustering = nx.average_clustering(nx.from_scipy_sparse_array(csr_array(count_pairs(coo))))
        limit = 0.75 * (degree - 2) / (degree - 1)
        assert clustering == pytest.approx(limit * (1 - p) ** 3, abs=0.02)


@pytest.mark.parametrize("mixing", [0.0, 0.1, 0.4, 1.0])
def test_lfr_mixes_as_asked(mixing: float) -> None:
    n = 3000
    coo, groups = generators.lfr(n, 15, mixing, seed=2), generators.lfr_communities(n, 15, mixing, seed=2)
    sizes, degrees = np.bincount(groups), np.bincount(coo.rows, minlength=n)
    assert sizes.sum() == n
    assert (np.diff(groups) >= 0).all()
    assert sizes.min() >= 20
    assert sizes.max() <= 101
    assert degrees.max() <= 50
    assert degrees.mean() == pytest.approx(15, rel=0.05)
    outside = groups[coo.rows] != groups[coo.cols]
    assert outside.mean() == pytest.approx(mixing, abs=0.02)
    each = np.bincount(coo.rows, outside, minlength=n) / np.maximum(degrees, 1)
    assert abs(each[degrees >= 10] - mixing).mean() < 0.05


def test_degrees_and_sizes_of_lfr_follow_power_laws() -> None:
    n, low = 40_000, 12
    degrees = np.bincount(generators.lfr(n, 15, 0.2, max_degree=200, max_community=400, degree_exponent=3.0).rows)
    tail = degrees[degrees >= low]
    exponent = 1 + tail.size / np.log(tail / (low - 0.5)).sum()
    assert exponent == pytest.approx(3, abs=0.25)
    sizes = np.bincount(generators.lfr_communities(n, community_exponent=1.5))
    expected = (20**-0.5 - 40**-0.5) / (20**-0.5 - 101**-0.5)
    assert (sizes < 40).mean() == pytest.approx(expected, abs=0.06)


def test_leiden_finds_what_was_planted() -> None:
    G = gl.generate.lfr(2000, 15, 0.15, engine="cpu")
    assert gl.compare_partitions(gl.leiden(G), gl.generators.lfr_communities(2000, 15, 0.15)).ari > 0.95
