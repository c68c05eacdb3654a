"""Rows of a graph in the form that the kernels take: arcs sorted by weight, and C types."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import get_entering_weights, get_weights, infinity
from graphla.storage.convert import expand_pointers, expand_rows, gather, order_stably

TYPES = {
    "int32": "int",
    "uint32": "unsigned",
    "int64": "long long",
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
}

Rows = tuple[Any, Any, Any]


def find_sources_of_arcs(G: Any) -> Any:
    """Return the tail of each arc of ``G.csr``; cached with the graph."""
    return G.cached(
        "sources_of_arcs",
        lambda g: expand_rows(g.csr),
    )


def _sort_by_weight(xp: Any, indptr: Any, indices: Any, values: Any) -> Rows:
    """Sort the arcs of each row by weight."""
    m = int(indices.size)
    if m == 0:
        return indptr, indices, values
    order = order_stably(values)
    rows = gather(expand_pointers(xp, indptr, m, "int32"), order)
    order = gather(order, order_stably(rows))
    return indptr, gather(indices, order), gather(values, order)


def sort_leaving_arcs(G: Any) -> Rows:
    """Return ``G.csr`` with each row sorted by weight; cached with the graph."""
    csr = G.csr
    return G.cached("arcs_by_weight", lambda g: _sort_by_weight(g.engine.xp, csr.indptr, csr.indices, get_weights(g)))


def sort_entering_arcs(G: Any) -> Rows:
    """Return ``G.csc`` with each row sorted by weight; the arrays of `sort_leaving_arcs` if the graph is symmetric."""
    csc = G.csc
    if csc is G.csr:
        return sort_leaving_arcs(G)
    return G.cached(
        "entering_arcs_by_weight",
        lambda g: _sort_by_weight(g.engine.xp, csc.indptr, csc.indices, get_entering_weights(g)),
    )


def as_step(dtype: np.dtype[Any], step: float) -> Any:
    """Convert the step to the dtype of the distances: at least the smallest positive value, at most infinity."""
    if dtype.kind == "f":
        ends = np.finfo(dtype)
        return infinity(dtype) if step > float(ends.max) else dtype.type(max(step, float(ends.tiny)))
    return infinity(dtype) if step >= float(infinity(dtype)) else dtype.type(max(step, 1))
