"""Breadth-first and depth-first orders, and their trees."""

from __future__ import annotations

from typing import Any

from graphla.doors.csgraph import device_orders
from graphla.doors.csgraph.delegate import call_scipy, call_scipy_on_host, is_on_device


def breadth_first_order(csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True) -> Any:
    """The vertices that one vertex reaches, in the order of a breadth-first search.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n).
    i_start : int
        The vertex to start from.
    directed : bool
        Whether edges may be taken in their own direction only.
    return_predecessors : bool
        Whether to return the predecessors, too.

    Returns
    -------
    node_array : ndarray
        int32: the vertices in the order in which they are found, `i_start` first.
    predecessors : ndarray
        int32 of shape (n,), only if `return_predecessors` is true: the vertex from which each was found, -9999 for
        `i_start` and for vertices that it does not reach.

    Notes
    -----
    SciPy computes it. O(V + E).

    Examples
    --------
    >>> from graphla import csgraph
    >>> order, predecessors = csgraph.breadth_first_order([[0, 1, 1], [0, 0, 1], [0, 0, 0]], 0)
    >>> order.tolist(), predecessors.tolist()
    ([0, 1, 2], [-9999, 0, 0])
    """
    if is_on_device(csgraph):
        return device_orders.breadth_first_order(csgraph, i_start, directed, return_predecessors)
    return call_scipy("breadth_first_order", csgraph, i_start, directed, return_predecessors)


def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """The tree of a breadth-first search, with the weights of the graph.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n).
    i_start : int
        The vertex to start from.
    directed : bool
        Whether edges may be taken in their own direction only.

    Returns
    -------
    csr_array or csr_matrix
        Shape (n, n): the edges of the tree.

    Notes
    -----
    SciPy computes it. O(V + E).

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.breadth_first_tree([[0, 5, 7], [0, 0, 1], [0, 0, 0]], 0).toarray().tolist()
    [[0.0, 5.0, 7.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    if is_on_device(csgraph):
        return device_orders.breadth_first_tree(csgraph, i_start, directed)
    return call_scipy("breadth_first_tree", csgraph, i_start, directed)


def depth_first_order(csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True) -> Any:
    """The vertices that one vertex reaches, in the order of a depth-first search.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n).
    i_start : int
        The vertex to start from.
    directed : bool
        Whether edges may be taken in their own direction only.
    return_predecessors : bool
        Whether to return the predecessors, too.

    Returns
    -------
    node_array : ndarray
        int32: the vertices in the order in which they are found, `i_start` first.
    predecessors : ndarray
        int32 of shape (n,), only if `return_predecessors` is true: the vertex from which each was found, -9999 for
        `i_start` and for vertices that it does not reach.

    Notes
    -----
    SciPy computes it. O(V + E), one vertex after the other.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.depth_first_order([[0, 1, 1], [0, 0, 1], [0, 0, 0]], 0)[1].tolist()
    [-9999, 0, 1]
    """
    return call_scipy_on_host("depth_first_order", csgraph, i_start, directed, return_predecessors)


def depth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """The tree of a depth-first search, with the weights of the graph.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n).
    i_start : int
        The vertex to start from.
    directed : bool
        Whether edges may be taken in their own direction only.

    Returns
    -------
    csr_array or csr_matrix
        Shape (n, n): the edges of the tree.

    Notes
    -----
    SciPy computes it. O(V + E), one vertex after the other.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.depth_first_tree([[0, 5, 7], [0, 0, 1], [0, 0, 0]], 0).toarray().tolist()
    [[0.0, 5.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    return call_scipy_on_host("depth_first_tree", csgraph, i_start, directed)
