"""Core numbers by their definition, in NumPy on the host: a check that shares nothing with the methods.

The core numbers are the largest function c such that each vertex v has c(v) neighbours u with c(u) >= c(v). Any such
function is at most them; and where peeling by the numbers, level by level, removes each vertex at its own level, they
are at most it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any


def verify(csr: Any, cores: Array) -> None:
    """Assert that the numbers are those of the cores of a graph without loops."""
    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    heads = csr.indices
    inside = np.bincount(tails[cores[heads] >= cores[tails]], minlength=csr.nrows)
    wrong = np.flatnonzero((cores < 0) | (inside < cores))
    if wrong.size:
        v = wrong[0]
        raise VerificationError(
            f"core_numbers: vertex {v} has {inside[v]} neighbours of the number {cores[v]} or more, and needs as many"
        )
    check_peeling(csr, cores)


def check_peeling(csr: Any, cores: Array) -> None:
    """Assert that no number is too small: for each k, removing vertices with at most k neighbours left removes them."""
    degrees, here = np.diff(csr.indptr).astype(np.int64), np.ones(csr.nrows, bool)
    waiting = np.split(np.argsort(cores, kind="stable"), np.cumsum(np.bincount(cores))[:-1]) if csr.nrows else []
    for k, members in enumerate(waiting):
        while members.size:
            ready = degrees[members] <= k
            if not ready.any():
                raise VerificationError(
                    f"core_numbers: vertex {members[0]} is in a core of more than {k}, and has the number {k}"
                )
            removed, members = members[ready], members[~ready]
            here[removed] = False
            heads = np.concatenate([csr.indices[csr.indptr[v] : csr.indptr[v + 1]] for v in removed])
            np.subtract.at(degrees, heads, 1)
