"""Scores from products of SciPy's rows, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any
TOLERANCE = 1e-9
BATCH = 1 << 16
"""Pairs whose rows are held at once."""


def verify(indptr: Array, indices: Array, tails: Array, heads: Array, found: Array, kind: str) -> None:
    """Assert that each pair of a graph without loops has its score."""
    expected = compute(indptr, indices, tails, heads, kind)
    wrong = np.flatnonzero(~np.isclose(found, expected, rtol=TOLERANCE, atol=1e-300))
    if wrong.size:
        p = wrong[0]
        raise VerificationError(
            f"similarity: the pair ({tails[p]}, {heads[p]}) has {found[p]:.12g} instead of {expected[p]:.12g} "
            f"({wrong.size:,} differ)"
        )


def verify_top(indptr: Array, indices: Array, tails: Array, heads: Array, found: Array, kind: str, top: int) -> None:
    """Assert that the entries are pairs with their scores: so many of each row, and none that is left out is higher."""
    n = max(indptr.size - 1, 1)
    keys, chosen = tails.astype(np.int64) * n + heads, found["tail"].astype(np.int64) * n + found["head"]
    places = np.searchsorted(keys, chosen)
    strange = np.flatnonzero((places == keys.size) | (keys[np.minimum(places, keys.size - 1)] != chosen))
    if strange.size:
        u, v = (found[name][strange[0]] for name in ("tail", "head"))
        raise VerificationError(f"similarity: ({u}, {v}) has a score and is no pair that was asked for")
    verify(indptr, indices, found["tail"], found["head"], found["value"], kind)
    counts, wanted = (np.bincount(each, minlength=n) for each in (found["tail"], tails))
    wrong = np.flatnonzero(counts != np.minimum(wanted, top))
    if wrong.size:
        u = wrong[0]
        raise VerificationError(f"similarity: vertex {u} has {counts[u]} pairs instead of {min(wanted[u], top)}")
    scores, least = compute(indptr, indices, tails, heads, kind), np.full(n, np.inf)
    np.minimum.at(least, found["tail"], found["value"])
    left = np.ones(keys.size, bool)
    left[places] = False
    higher = np.flatnonzero(left & (scores > least[tails] * (1 + TOLERANCE)))
    if higher.size:
        u, v = tails[higher[0]], heads[higher[0]]
        raise VerificationError(f"similarity: ({u}, {v}) is left out, and its score {scores[higher[0]]} is higher")


def compute(indptr: Array, indices: Array, tails: Array, heads: Array, kind: str) -> Array:
    """The scores, from sets of neighbours."""
    from scipy.sparse import csr_array

    n, d = indptr.size - 1, np.diff(indptr).astype(float)
    A = csr_array((np.ones(indices.size), indices, indptr), shape=(n, n))
    with np.errstate(divide="ignore"):
        w = {"adamic_adar": np.where(d > 1, 1 / np.log(d), 0), "resource_allocation": 1 / d}.get(kind, np.ones(n))
    starts = range(0, tails.size, BATCH)
    parts = [A[tails[k : k + BATCH]].multiply(A[heads[k : k + BATCH]]).tocsr() @ np.nan_to_num(w) for k in starts]
    c, a, b = np.concatenate([np.zeros(0), *parts]), d[tails], d[heads]
    below = {
        "jaccard": a + b - c,
        "sorensen": (a + b) / 2,
        "overlap": np.minimum(a, b),
        "hub_depressed": np.maximum(a, b),
        "cosine": np.sqrt(a) * np.sqrt(b),
    }.get(kind, np.ones(c.size))
    return a * b if kind == "preferential_attachment" else np.divide(c, below, out=np.zeros(c.size), where=below > 0)
