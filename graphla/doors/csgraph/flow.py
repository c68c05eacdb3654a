"""Flows and matchings."""

from __future__ import annotations

from typing import Any

from graphla.doors.csgraph import device_flows, device_matchings
from graphla.doors.csgraph.delegate import call_scipy, call_scipy_on_host, is_on_device


def maximum_flow(csgraph: Any, source: int, sink: int, *, method: str = "dinic") -> Any:
    """The largest flow between two vertices.

    Parameters
    ----------
    csgraph : csr_array or csr_matrix
        The capacities: int32 of shape (n, n).
    source, sink : int
        The vertices from which and to which it flows.
    method : {"dinic", "edmonds_karp"}
        The algorithm.

    Returns
    -------
    MaximumFlowResult
        `flow_value`, and the matrix `flow` of the flow along each edge.

    Notes
    -----
    SciPy computes it, and of cupyx's matrices `gl.max_flow`, whatever the method. It may find another flow of the same
    value.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphla import csgraph
    >>> int(csgraph.maximum_flow(csr_array([[0, 5], [0, 0]]), 0, 1).flow_value)
    5
    """
    if is_on_device(csgraph):
        return device_flows.maximum_flow(csgraph, source, sink, method)
    return call_scipy("maximum_flow", csgraph, source, sink, method=method)


def maximum_bipartite_matching(graph: Any, perm_type: str = "row") -> Any:
    """A matching of rows and columns that has the most edges.

    Parameters
    ----------
    graph : sparse array or matrix
        Shape (n, m): an entry is an edge between a row and a column.
    perm_type : {"row", "column"}
        Whether to return the row of each column, or the column of each row.

    Returns
    -------
    ndarray
        The partner of each column or row; -1 where there is none.

    Notes
    -----
    SciPy computes it, and of cupyx's matrices the searches of ``gl.matching(…, kind="maximum")``. These may choose
    another matching of the same size.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphla import csgraph
    >>> csgraph.maximum_bipartite_matching(csr_array([[0, 1], [1, 1]]), "column").tolist()
    [1, 0]
    """
    if is_on_device(graph):
        return device_matchings.maximum_bipartite_matching(graph, perm_type)
    return call_scipy("maximum_bipartite_matching", graph, perm_type)


def min_weight_full_bipartite_matching(biadjacency: Any, maximize: bool = False) -> Any:
    """A full matching of rows and columns of the least sum of weights.

    Parameters
    ----------
    biadjacency : sparse array or matrix
        Shape (n, m): the weights of the edges between rows and columns.
    maximize : bool
        Whether to find the largest sum instead.

    Returns
    -------
    rows, columns : ndarray
        The matched pairs.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphla import csgraph
    >>> rows, columns = csgraph.min_weight_full_bipartite_matching(csr_array([[9, 1], [1, 9]]))
    >>> columns.tolist()
    [1, 0]
    """
    return call_scipy_on_host("min_weight_full_bipartite_matching", biadjacency, maximize)
