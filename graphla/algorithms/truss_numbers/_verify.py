"""Truss numbers by their definition, with SciPy on the host: a check that shares nothing with the methods.

The edges are taken out by rising number. When it is the turn of a number k, each edge that is left is in k - 2
triangles or more; and those of the number k leave, round after round, because they are in no more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any
ENTRIES = 1 << 24
"""Entries of rows that are compared at once."""


def verify(csr: Any, numbers: Array) -> None:
    """Assert that the numbers of the arcs are those of the trusses of a graph without loops."""
    import scipy.sparse as sp

    n = csr.nrows
    N = sp.csr_array((numbers.astype(np.int64), csr.indices, csr.indptr), shape=(n, n))
    if (N != N.T).nnz:
        u, v = (part[0] for part in (N != N.T).nonzero())
        raise VerificationError(f"truss_numbers: the arcs between {u} and {v} have different numbers")
    upper = sp.triu(N, 1).tocoo()
    tails, heads, numbers = upper.coords[0], upper.coords[1], upper.data
    support = np.zeros(tails.size, np.int64)
    A = number_arcs(tails, heads, np.arange(tails.size), n)
    for part in split(A, tails, heads, np.arange(tails.size)):
        np.add.at(support, part, np.bincount(list_triangles(A, tails, heads, part)[0], minlength=tails.size)[part])
    check_peeling(tails, heads, numbers, support, n)


def number_arcs(tails: Array, heads: Array, edges: Array, n: int) -> Any:
    """Both arcs of some edges, with the number of the edge and one more as the value."""
    import scipy.sparse as sp

    u, v = tails[edges], heads[edges]
    both = np.concatenate([u, v]), np.concatenate([v, u])
    return sp.csr_array((np.concatenate([edges, edges]) + 1, both), shape=(n, n))


def split(A: Any, tails: Array, heads: Array, edges: Array) -> list[Array]:
    """The edges in parts whose rows fit in memory."""
    sizes = np.cumsum((np.diff(A.indptr)[tails[edges]] + np.diff(A.indptr)[heads[edges]]).astype(np.int64))
    return np.split(edges, np.flatnonzero(np.diff(sizes // ENTRIES)) + 1) if edges.size else []


def list_triangles(A: Any, tails: Array, heads: Array, edges: Array) -> Array:
    """The triangles of some edges: the edge, and those from its ends to the third vertex."""
    R, S = A[tails[edges]], A[heads[edges]]
    one, two = (R * (S > 0)).tocsr(), (S * (R > 0)).tocsr()
    for found in (one, two):
        found.sort_indices()
    owner = np.repeat(edges, np.diff(one.indptr))
    return np.stack([owner, one.data - 1, two.data - 1])


def check_peeling(tails: Array, heads: Array, numbers: Array, support: Array, n: int) -> None:
    """Take the edges out by their numbers."""
    here = np.ones(tails.size, bool)
    for k in np.unique(numbers):
        poor = np.flatnonzero(here & (support < k - 2))
        if poor.size:
            raise fail(tails, heads, numbers, support, poor[0], "too few")
        members = np.flatnonzero(numbers == k)
        while members.size:
            ready = support[members] <= k - 2
            if not ready.any():
                raise fail(tails, heads, numbers, support, members[0], "more")
            leave(tails, heads, here, members[ready], support, n)
            members = members[~ready]


def fail(tails: Array, heads: Array, numbers: Array, support: Array, e: int, what: str) -> VerificationError:
    """The error that names an edge."""
    return VerificationError(
        f"truss_numbers: the edge between {tails[e]} and {heads[e]} has the number {numbers[e]}, and is in "
        f"{support[e]} triangles of edges of no smaller number: {what}"
    )


def leave(tails: Array, heads: Array, here: Array, edges: Array, support: Array, n: int) -> None:
    """Take edges out; the others of their triangles lose each once."""
    A = number_arcs(tails, heads, np.flatnonzero(here), n)
    here[edges] = False
    found = [np.sort(list_triangles(A, tails, heads, part), axis=0) for part in split(A, tails, heads, edges)]
    lost = np.unique(np.concatenate(found, axis=1), axis=1)
    np.subtract.at(support, lost.ravel(), 1)
