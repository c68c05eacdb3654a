"""The matrices on which solvers of equations are measured."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

import graphla as gl


def make_cube(side: int) -> gl.Graph:
    """The grid of side³ vertices."""
    number = np.arange(side**3).reshape((side,) * 3)
    ends = [(number.take(range(side - 1), axis), number.take(range(1, side), axis)) for axis in range(3)]
    tails, heads = (np.concatenate([pair[k].ravel() for pair in ends]) for k in (0, 1))
    both = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    return gl.Graph(both, n=side**3, engine="cpu")


def make_pattern(G: gl.Graph) -> Any:
    """Ones where there are arcs, of a graph on the host."""
    return csr_array((np.ones(G.nvals), G.csr.indices, G.csr.indptr), shape=(G.n, G.n))


def make_laplacian(G: gl.Graph, shift: float) -> Any:
    """The Laplacian of a pattern, with a shift on the diagonal."""
    W = make_pattern(G)
    return csr_array(coo_array((np.asarray(W.sum(axis=1)) + shift, (np.arange(G.n),) * 2)) - W)
