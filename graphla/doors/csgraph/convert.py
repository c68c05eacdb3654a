"""Dense, masked and sparse forms of a graph, and predecessors turned into trees and distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.doors.csgraph import device_orders
from graphla.doors.csgraph.delegate import call_scipy, call_scipy_on_host, is_on_device


def csgraph_from_dense(graph: Any, null_value: float = 0, nan_null: bool = True, infinity_null: bool = True) -> Any:
    """A sparse graph of a dense matrix.

    Parameters
    ----------
    graph : array_like
        Shape (n, n).
    null_value : float or None
        The value that means no edge.
    nan_null : bool
        Whether NaN means no edge.
    infinity_null : bool
        Whether infinity, of either sign, means no edge.

    Returns
    -------
    csr_array or csr_matrix
        The edges, as float64.

    See Also
    --------
    csgraph_to_dense : The way back.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.csgraph_from_dense([[0, 2], [3, 0]]).nnz
    2
    """
    if is_on_device(graph):
        return device_orders.csgraph_from_dense(graph, null_value, nan_null, infinity_null)
    return call_scipy("csgraph_from_dense", graph, null_value, nan_null, infinity_null)


def csgraph_from_masked(graph: Any) -> Any:
    """A sparse graph of a masked array, whose masked cells are no edges.

    Parameters
    ----------
    graph : MaskedArray
        Shape (n, n).

    Returns
    -------
    csr_array or csr_matrix
        The edges, as float64.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> import numpy as np
    >>> from graphla import csgraph
    >>> csgraph.csgraph_from_masked(np.ma.masked_equal([[0, 2], [3, 0]], 0)).nnz
    2
    """
    return call_scipy_on_host("csgraph_from_masked", graph)


def csgraph_masked_from_dense(
    graph: Any, null_value: float = 0, nan_null: bool = True, infinity_null: bool = True, copy: bool = True
) -> Any:
    """A masked array of a dense matrix; what is no edge is masked.

    Parameters
    ----------
    graph : array_like
        Shape (n, n).
    null_value : float or None
        The value that means no edge.
    nan_null : bool
        Whether NaN means no edge.
    infinity_null : bool
        Whether infinity, of either sign, means no edge.
    copy : bool
        Whether to copy the values.

    Returns
    -------
    MaskedArray
        Shape (n, n), as float64.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> from graphla import csgraph
    >>> int(csgraph.csgraph_masked_from_dense([[0, 2], [3, 0]]).count())
    2
    """
    return call_scipy_on_host("csgraph_masked_from_dense", graph, null_value, nan_null, infinity_null, copy)


def csgraph_to_dense(csgraph: Any, null_value: float = 0) -> Any:
    """A dense matrix of a sparse graph; of parallel edges the lightest stays.

    Parameters
    ----------
    csgraph : sparse array or matrix
        Shape (n, n).
    null_value : float
        What stands where there is no edge.

    Returns
    -------
    ndarray
        Shape (n, n), as float64.

    See Also
    --------
    csgraph_from_dense : The way back.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphla import csgraph
    >>> csgraph.csgraph_to_dense(csr_array([[0, 2], [3, 0]]), null_value=-1).tolist()
    [[-1.0, 2.0], [3.0, -1.0]]
    """
    if is_on_device(csgraph):
        return device_orders.csgraph_to_dense(csgraph, null_value)
    return call_scipy("csgraph_to_dense", csgraph, null_value)


def csgraph_to_masked(csgraph: Any) -> Any:
    """A masked array of a sparse graph; what is no edge is masked.

    Parameters
    ----------
    csgraph : sparse array or matrix
        Shape (n, n).

    Returns
    -------
    MaskedArray
        Shape (n, n), as float64.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphla import csgraph
    >>> int(csgraph.csgraph_to_masked(csr_array([[0, 2], [3, 0]])).count())
    2
    """
    return call_scipy_on_host("csgraph_to_masked", csgraph)


def reconstruct_path(csgraph: Any, predecessors: Any, directed: bool = True) -> Any:
    """The tree that predecessors describe, with the weights of a graph.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n).
    predecessors : ndarray
        Shape (n,): the vertex before each vertex, negative where there is none.
    directed : bool
        Whether edges may be taken in their own direction only. Otherwise the lighter of both directions counts.

    Returns
    -------
    csr_array or csr_matrix
        Shape (n, n): an edge from the predecessor of each vertex to the vertex.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> import numpy as np
    >>> from graphla import csgraph
    >>> csgraph.reconstruct_path([[0, 2], [3, 0]], np.array([-9999, 0])).toarray().tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    """
    if is_on_device(csgraph, predecessors):
        return device_orders.reconstruct_path(csgraph, predecessors, directed)
    return call_scipy("reconstruct_path", csgraph, predecessors, directed)


def construct_dist_matrix(graph: Any, predecessors: Any, directed: bool = True, null_value: float = np.inf) -> Any:
    """The distances along the paths that predecessors describe.

    Parameters
    ----------
    graph : array_like or sparse array or matrix
        The graph, of shape (n, n).
    predecessors : ndarray
        int32 of shape (n, n): the vertex before j on the path from i, negative where there is none.
    directed : bool
        Whether edges may be taken in their own direction only. Otherwise the lighter of both directions counts.
    null_value : float
        What stands where there is no path.

    Returns
    -------
    ndarray
        Shape (n, n), as float64.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> import numpy as np
    >>> from graphla import csgraph
    >>> predecessors = np.array([[-9999, 0], [1, -9999]], "int32")
    >>> csgraph.construct_dist_matrix(np.array([[0.0, 2.0], [3.0, 0.0]]), predecessors).tolist()
    [[0.0, 2.0], [3.0, 0.0]]
    """
    return call_scipy_on_host("construct_dist_matrix", graph, predecessors, directed, null_value)
