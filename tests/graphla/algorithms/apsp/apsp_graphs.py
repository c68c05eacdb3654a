"""Graphs for all pairs, and what the books say of them: Floyd–Warshall over Python's own integers and floats."""

from __future__ import annotations

from typing import Any

import numpy as np

import graphla as gl
from graphla.algorithms.shared.weights import infinity

NONE = np.nan  # no arc; an explicit zero is an arc


def make_random(n: int, density: float, low: int = 1, high: int = 100, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.where(rng.random((n, n)) < density, rng.integers(low, high, (n, n)), NONE)


def make_tilted(n: int, density: float, seed: int = 0) -> np.ndarray:
    """Negative weights without a negative cycle: a potential is added, which every cycle cancels."""
    h = np.random.default_rng(seed).integers(0, 60, n)
    return make_random(n, density, 0, 100, seed) + h[:, None] - h[None, :]


def make_two_parts(n: int) -> np.ndarray:
    """Nothing leads from one half to the other."""
    W = make_random(n, 0.3, seed=5)
    W[: n // 2, n // 2 :] = W[n // 2 :, : n // 2] = NONE
    return W


def make_zeros(n: int) -> np.ndarray:
    """Half of the arcs weigh nothing, and there are self-loops."""
    W = make_random(n, 0.15, 0, 3, seed=6)
    np.fill_diagonal(W, 2)
    return W


GRAPHS = {
    "one vertex": make_random(1, 0.0),
    "two vertices": np.array([[NONE, 7], [NONE, NONE]]),
    "no arcs": make_random(9, 0.0),
    "ragged": make_random(37, 0.1, seed=1),
    "one tile": make_random(64, 0.08, seed=2),
    "over a tile": make_random(130, 0.05, seed=3),
    "two parts": make_two_parts(41),
    "zeros": make_zeros(33),
    "complete": make_random(30, 1.0, seed=4),
}
SIGNED = {"tilted": make_tilted(40, 0.2), "tilted over a tile": make_tilted(131, 0.05, seed=1)}


def make_graph(W: np.ndarray, dtype: str, engine: Any) -> gl.Graph:
    rows, cols = np.nonzero(~np.isnan(W))
    return gl.Graph((rows, cols, W[rows, cols].astype(dtype)), n=W.shape[0], engine=engine)


def to_cells(D: gl.Matrix) -> np.ndarray:
    """Every cell of a matrix of distances; infinity where it has no entry."""
    return D.to_numpy(infinity(D.dtype.numpy))


def compute_expected(W: np.ndarray, dtype: str) -> np.ndarray:
    """Distances in `dtype`; its infinity where there is no path."""
    D = np.where(np.isnan(W), np.inf, W)
    np.fill_diagonal(D, np.minimum(D.diagonal(), 0))
    for k in range(D.shape[0]):
        D = np.minimum(D, D[:, k : k + 1] + D[k : k + 1, :])
    if np.dtype(dtype).kind == "f":
        return D.astype(dtype)
    top, known = np.iinfo(dtype).max, np.where(np.isinf(D), 0, D).astype("int64")
    return np.where(np.isinf(D) | (known > top), top, known).astype(dtype)
