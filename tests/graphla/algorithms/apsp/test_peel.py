"""Vertices of at most two neighbours go before the dissection, as an elimination of sets does it."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import graphla as gl
from graphla.algorithms.apsp.elimination.order import compute_order
from graphla.algorithms.apsp.elimination.peel import peel_pattern
from graphla.algorithms.apsp.elimination.structure import count_depths


def make_pattern(n, tails, heads):
    A = csr_array((np.ones(len(tails), np.int8), (tails, heads)), shape=(n, n))
    A = csr_array(A + A.T)
    A.setdiag(0)
    A.eliminate_zeros()
    A.sort_indices()
    return A


@pytest.mark.parametrize("seed", range(40))
def test_peeling_is_an_elimination(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    A = make_pattern(n, *rng.integers(0, n, (2, int(rng.integers(0, 2 * n)))))
    near = [set(A.indices[A.indptr[v] : A.indptr[v + 1]].tolist()) for v in range(n)]
    first, rest, (start, heads) = peel_pattern(A.indptr, A.indices)
    assert sorted([*first, *rest]) == list(range(n))
    for v in first.tolist():
        assert len(near[v]) <= 2
        for other in near[v]:
            near[other] = (near[other] | near[v]) - {v, other}
    for k, v in enumerate(rest.tolist()):
        assert len(near[v]) > 2
        assert sorted(rest[heads[start[k] : start[k + 1]]].tolist()) == sorted(near[v])


def test_a_vertex_between_two_hubs_stays():
    hubs, leaves = np.repeat([0, 1], 200), np.tile(np.arange(3, 203), 2)
    A = make_pattern(1003, [0, 2, *hubs, *np.arange(3, 203)], [2, 1, *leaves, *(np.arange(3, 203) + 800)])
    first, rest, _ = peel_pattern(A.indptr, A.indices)
    assert 2 in rest
    assert set(range(803, 1003)) <= set(first.tolist())


@pytest.mark.parametrize("seed", range(5))
def test_orders_name_each_vertex_once(seed):
    G = gl.generate.road(3000, seed=seed, engine="cpu")
    order = compute_order(G.csr.indptr, G.csr.indices)
    assert np.array_equal(np.sort(order), np.arange(G.n))


def test_a_chain_makes_a_flat_tree():
    G = gl.generate.path(4096, engine="cpu")
    assert count_depths(gl.factorize(G)._panels.structure) <= 12
