"""Shortest paths between all pairs on the CPU: the blocked Floyd–Warshall in float64, and predecessors from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.doors.csgraph.delegate import call_scipy, get_negative_cycle_error
from graphla.doors.csgraph.inputs import ZERO, Array
from graphla.doors.csgraph.search import NOWHERE


def read_weights(csgraph: Any, directed: bool, unweighted: bool, overwrite: bool) -> Array | None:
    """The weights as a C-ordered float64 matrix, inf where there is no edge; None if one is NaN or −inf.

    It is `csgraph` itself if that is such a matrix already, and may be overwritten. A zero is no edge, nor are NaN and
    infinities of a matrix that is not masked.
    """
    if hasattr(csgraph, "tocsr"):
        D = call_scipy("csgraph_to_dense", csgraph, np.inf)
    else:
        masked = np.ma.isMaskedArray(csgraph)
        D = np.array(csgraph.data if masked else csgraph, np.float64, order="C", copy=None if overwrite else True)
        D[csgraph.mask if masked else ~np.isfinite(D) | (abs(D) <= ZERO)] = np.inf
        D[D == 0] = np.inf
    if D.size and not D.min() > -np.inf:
        return None
    if unweighted:
        D[np.isfinite(D)] = 1
    if not directed:
        np.minimum(D, D.T, out=D)
    np.fill_diagonal(D, 0)
    return D


def close(D: Array) -> Array:
    """Replace weights by distances.

    Raises
    ------
    NegativeCycleError
        If a cycle is negative.
    """
    from graphla.algorithms.apsp.blocked_cpu import solve

    found = solve(D, False)
    if found >= 0:
        raise get_negative_cycle_error()(f"Negative cycle in nodes [{found}]")
    return D


def close_with_predecessors(D: Array) -> tuple[Array, Array]:
    """Replace weights by distances; return them, and the vertex before j on the path from i.

    It is the next hop from j to i along the arcs of the other direction.
    """
    from graphla.algorithms.apsp.trace_cpu import trace_hops

    G, turned = make_transposed_graph(D), np.ascontiguousarray(D.T)
    hops = trace_hops(G, close(turned))
    D[:] = turned.T
    parents = np.ascontiguousarray(hops.T)
    parents[parents < 0] = NOWHERE
    np.fill_diagonal(parents, NOWHERE)
    return D, parents


def make_transposed_graph(D: Array) -> Any:
    """The graph of the arcs in the other direction."""
    from graphla.graphs.graph import Graph

    tails, heads = np.nonzero(np.isfinite(D))
    arcs = tails != heads
    tails, heads = tails[arcs], heads[arcs]
    return Graph((heads, tails, D[tails, heads]), n=D.shape[0], engine="cpu")
