"""Weights that depend on the two ends of an edge alone."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from graphla.common.arguments import show
from graphla.common.errors import InvalidGraph
from graphla.graphs.generators.hashing import GAMMA, derive_state, scramble
from graphla.storage.convert import get_array_module

PIECE = 1 << 18


def pair_weights(rows: Any, cols: Any, lo: float = 1, hi: float = 255, seed: int = 0) -> Any:
    """A weight for each edge {u, v}, the same in both directions and in every run.

    Parameters
    ----------
    rows, cols : array of int
        The ends of m arcs, in NumPy or CuPy arrays of shape (m,).
    lo, hi : int or float
        Two ints: int32 weights from `lo` to `hi`, both included. Otherwise float32 weights in [lo, hi).
    seed : int
        Another seed draws other weights.

    Returns
    -------
    array
        int32 or float32 of shape (m,), in the module of `rows`.

    Raises
    ------
    InvalidGraph
        If the range is none, or does not fit in 32 bits.

    Notes
    -----
    O(m) time. The weights are hashes of the ends by SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).

    Examples
    --------
    >>> import numpy as np
    >>> u, v = np.array([0, 1, 2]), np.array([1, 2, 0])
    >>> bool((pair_weights(u, v) == pair_weights(v, u)).all())
    True
    """
    whole = check_range(lo, hi)
    xp = get_array_module(rows)
    weights = xp.empty(rows.size, xp.int32 if whole else xp.float32)
    piece = PIECE if xp.__name__ == "numpy" else 1 << 26
    for start in range(0, rows.size, piece):
        part = slice(start, start + piece)
        bits = _hash_pairs(rows[part], cols[part], derive_state(seed, 1), xp)
        if whole:
            weights[part] = ((bits >> xp.uint64(32)) * xp.uint64(hi - lo + 1) >> xp.uint64(32)).astype(xp.int64) + lo
        else:
            weights[part] = lo + (bits >> xp.uint64(40)).astype(xp.float32) * xp.float32((hi - lo) * 2.0**-24)
    return weights


def check_range(lo: float, hi: float) -> bool:
    """Whether a range is of whole numbers; a refusal if it is none."""
    if not isinstance(lo, Real) or not isinstance(hi, Real):
        raise InvalidGraph(f"weights=({show(lo)}, {show(hi)}): give two numbers")
    whole = isinstance(lo, Integral) and isinstance(hi, Integral)
    if lo > hi or lo != lo or hi != hi or (not whole and lo == hi):
        raise InvalidGraph(f"weights=({lo}, {hi}): the first must be the smaller")
    if whole and not (lo >= -(2**31) and hi < 2**31):
        raise InvalidGraph(f"weights=({lo}, {hi}): whole weights must fit into 32 bits")
    if not whole and not (abs(lo) < 1e38 and abs(hi) < 1e38):
        raise InvalidGraph(f"weights=({lo}, {hi}): weights must be finite and below 1e38")
    return whole


def _hash_pairs(rows: Any, cols: Any, state: int, xp: Any) -> Any:
    smaller, larger = xp.minimum(rows, cols), xp.maximum(rows, cols)
    bits = (smaller.astype(xp.uint64) << xp.uint64(32)) | larger.astype(xp.uint64)
    bits *= xp.uint64(GAMMA)
    bits += xp.uint64(state)
    return scramble(bits, xp)
