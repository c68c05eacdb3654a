"""The rows of a graph as the kernels want them: arcs in the order of their weights, and C types."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.sssp._weights import entering_weights, infinity, weights

TYPES = {
    "int32": "int",
    "uint32": "unsigned",
    "int64": "long long",
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
}

Rows = tuple[Any, Any, Any]


def _sources(xp: Any, indptr: Any, m: int) -> Any:
    starts = indptr[1:-1]
    return xp.cumsum(xp.bincount(starts[starts < m], minlength=m)).astype(xp.int32)


def sources_of_arcs(G: Any) -> Any:
    """The vertex that each arc of ``G.csr`` leaves; kept with the graph."""
    return G.cached(
        "sources_of_arcs",
        lambda g: _sources(g.engine.xp, g.csr.indptr, g.nvals) if g.nvals else g.csr.indices,
    )


def _by_weight(xp: Any, indptr: Any, indices: Any, values: Any) -> Rows:
    """The rows with their arcs in the order of the weights."""
    m = int(indices.size)
    if m == 0:
        return indptr, indices, values
    order = xp.argsort(values, kind="stable")
    order = order[xp.argsort(_sources(xp, indptr, m)[order], kind="stable")]
    return indptr, indices[order], values[order]


def leaving(G: Any) -> Rows:
    """``G.csr`` with each row sorted by weight; kept with the graph."""
    csr = G.csr
    return G.cached("arcs_by_weight", lambda g: _by_weight(g.engine.xp, csr.indptr, csr.indices, weights(g)))


def entering(G: Any) -> Rows:
    """``G.csc`` with each row sorted by weight; the very same as `leaving` if the graph is symmetric."""
    csc = G.csc
    if csc is G.csr:
        return leaving(G)
    return G.cached(
        "entering_arcs_by_weight",
        lambda g: _by_weight(g.engine.xp, csc.indptr, csc.indices, entering_weights(g)),
    )


def as_step(dtype: np.dtype[Any], step: float) -> Any:
    """The step in the dtype of the distances, at least the smallest and at most infinity."""
    if dtype.kind == "f":
        ends = np.finfo(dtype)
        return infinity(dtype) if step > float(ends.max) else dtype.type(max(step, float(ends.tiny)))
    return infinity(dtype) if step >= float(infinity(dtype)) else dtype.type(max(step, 1))


def offset_type(G: Any) -> str:
    """The C type of the row pointers."""
    return "int" if G.csr.indptr.dtype == np.int32 else "long long"
