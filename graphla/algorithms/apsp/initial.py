"""The initial matrix of the dense methods: the weights as a full matrix with 0 on the diagonal; checks and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp import _host
from graphla.algorithms.shared.distance_range import holds_every_path, make_overflow_of_sums
from graphla.algorithms.shared.weights import distance_dtype, infinity
from graphla.common.errors import NegativeCycle, NotSupported
from graphla.common.memory import allocate, require
from graphla.storage.cast import cast_values
from semirings.dtypes import UnknownDType, lookup

DTYPES = ("float32", "float64", "int16", "int32", "int64", "uint32", "uint64")


def choose_dtype(G: Any, asked: Any, *, compared: bool = False) -> np.dtype[Any]:
    """Choose the dtype of the results: the requested one, or one that suits the weights; `compared` ones are no sums.

    Raises
    ------
    NotSupported
        If the requested dtype does not suit the weights.
    Overflow
        If sums of weights of both signs may leave the dtype, and so be lost though the whole path fits it.
    """
    dtype = distance_dtype(G.csr.values.dtype) if asked is None else find_asked_dtype(G, asked)
    if compared or is_non_negative(G) or holds_every_path(G, dtype):
        return dtype
    if asked is None and dtype == np.int32 and holds_every_path(G, np.dtype(np.int64)):
        return np.dtype(np.int64)
    raise make_overflow_of_sums(G, dtype)


def find_asked_dtype(G: Any, asked: Any) -> np.dtype[Any]:
    """Return the requested dtype; refuse one that does not suit the weights."""
    dtype = find_dtype(asked)
    if dtype is None or dtype.name not in DTYPES:
        raise NotSupported(f"dtype={asked!r}: distances are {', '.join(DTYPES)}")
    if dtype.kind != "f" and G.csr.values.dtype.kind == "f":
        raise NotSupported(f"dtype={asked!r}: the weights are {G.csr.values.dtype}; ask for FP32 or FP64")
    if dtype.kind == "u" and not is_non_negative(G):
        raise NotSupported(f"dtype={asked!r}: the smallest weight is {G.min_weight}; ask for a signed dtype")
    cast_values(G.engine.xp, G.csr.values, lookup(dtype))  # which refuses a weight that does not fit
    return dtype


def find_dtype(asked: Any) -> np.dtype[Any] | None:
    """Return the NumPy dtype named `asked`, or None if there is none."""
    try:
        return np.dtype(lookup(asked).numpy)
    except UnknownDType:
        return None


def is_non_negative(G: Any) -> bool:
    """Whether no weight is negative."""
    return G.min_weight is None or G.min_weight >= 0


def cast(values: Any, dtype: np.dtype[Any]) -> Any:
    """Convert weights to the dtype of the distances, which holds them; no copy if they have it."""
    return values.astype(dtype, copy=False)


def require_room(G: Any, dtype: np.dtype[Any], next_hops: bool, xp: Any = None, matrices: int = 1) -> None:
    """Raise `OutOfMemory` if n² values do not fit on the device of `xp`, by default that of the engine."""
    each = matrices * dtype.itemsize + (4 if next_hops else 0)
    what = f"apsp of {G.n:,} vertices as {dtype.name}" + (" with next hops" if next_hops else "")
    sweep = "sssp_sweep" if is_non_negative(G) else "johnson"
    way_out = f"output='file.npy' with method 'blocked_floyd_warshall' or {sweep!r} keeps them in a file"
    if next_hops:
        way_out = f"without next_hops, {way_out}"
    require(G.n * G.n * each, what, xp or G.engine.xp, way_out)


def make_full(G: Any, dtype: np.dtype[Any]) -> Any:
    """Make a NumPy array with the weights."""
    D = allocate((G.n, G.n), dtype, "the distances")
    fill(G, D)
    return D


def fill(G: Any, D: Any) -> None:
    """Write the weights into D, infinity elsewhere, 0 on the diagonal."""
    _host.fill(D, infinity(D.dtype))
    indptr, indices, values = (G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values))
    D[np.repeat(np.arange(G.n), np.diff(indptr)), indices] = cast(values, D.dtype)
    np.fill_diagonal(D, np.minimum(D.diagonal(), D.dtype.type(0)))


def refuse_cycle(G: Any, vertex: int, sign: int = 1) -> None:
    """Raise an error with the vertices of a negative cycle if `vertex` is on one (not −1).

    With `sign` −1 the caller's weights are the negatives of those of G, and the cycle is a positive one of his.
    """
    if vertex >= 0:
        from graphla.algorithms.sssp.negative_cycle import find_negative_cycle

        indptr, indices, weights = (G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values))
        raise NegativeCycle(find_negative_cycle(indptr, indices, weights, vertex) or (vertex,), positive=sign < 0)
