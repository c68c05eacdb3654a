"""The definitions, edge by edge, on the host; the greatest size is that which SciPy finds."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any


def verify(csr: Any, mates: Array, kind: str, weights: Array | None, left: Array | None) -> None:
    """Assert that mates are mutual and neighbours, and that there are as many as the kind says."""
    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    check_pairs(tails, csr.indices, mates)
    if kind == "maximum":
        check_size(csr, mates, left)
        return
    check_maximal(tails, csr.indices, mates)
    if weights is not None:
        check_weights(tails, csr.indices, mates, weights)


def check_pairs(tails: Array, heads: Array, mates: Array) -> None:
    """Each mate is a neighbour, and has the vertex as its mate."""
    n = mates.size
    matched = np.flatnonzero(mates != -1)
    wrong = matched[(mates[matched] < 0) | (mates[matched] >= n)]
    if not wrong.size:
        wrong = matched[mates[mates[matched]] != matched]
    if wrong.size:
        v = wrong[0]
        raise VerificationError(f"matching: the mate of {v} is {mates[v]}, whose mate is not {v}")
    beside = np.zeros(n, bool)
    beside[tails[mates[tails] == heads]] = True
    lonely = matched[~beside[matched]]
    if lonely.size:
        v = lonely[0]
        raise VerificationError(f"matching: {v} and {mates[v]} are mates, and no neighbours")


def check_maximal(tails: Array, heads: Array, mates: Array) -> None:
    """No edge could be added."""
    free = np.flatnonzero((mates[tails] < 0) & (mates[heads] < 0))
    if free.size:
        k = free[0]
        raise VerificationError(f"matching: {tails[k]} and {heads[k]} are neighbours, and both are free: not maximal")


def check_weights(tails: Array, heads: Array, mates: Array, weights: Array) -> None:
    """No edge is heavier than the edges of the matching at both of its ends."""
    best = np.full(mates.size, weights.min() if weights.size else 0, weights.dtype)
    chosen = mates[tails] == heads
    best[tails[chosen]] = weights[chosen]
    beaten = (mates[tails] >= 0) & (best[tails] >= weights) | (mates[heads] >= 0) & (best[heads] >= weights)
    wrong = np.flatnonzero(~beaten)
    if wrong.size:
        k = wrong[0]
        raise VerificationError(
            f"matching: the edge between {tails[k]} and {heads[k]} weighs {weights[k]}, more than those at its ends"
        )


def check_size(csr: Any, mates: Array, left: Array) -> None:
    """There are as many pairs as SciPy finds."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    pattern = csr_array((np.ones(csr.nvals, np.int8), csr.indices, csr.indptr), shape=(csr.nrows, csr.nrows))
    most = int((maximum_bipartite_matching(pattern[left][:, ~left]) >= 0).sum())
    found = int((mates >= 0).sum()) // 2
    if found != most:
        raise VerificationError(f"matching: {found} pairs, and {most} are possible")
