"""Shortest paths."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.csgraph.delegate import call_scipy_on_host


def shortest_path(
    csgraph: Any,
    method: str = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
) -> Any:
    """Shortest paths between vertices by a method that is chosen, or named.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n). A zero is no edge in a dense matrix, and an edge of weight zero in a sparse one.
    method : {"auto", "FW", "D", "BF", "J"}
        Floyd–Warshall, Dijkstra, Bellman–Ford or Johnson. "auto" takes Floyd–Warshall if a quarter of all pairs have an
        edge and there are no `indices`, else Johnson if a weight is negative, else Dijkstra.
    directed : bool
        Whether edges may be taken in their own direction only.
    return_predecessors : bool
        Whether to return the predecessors, too.
    unweighted : bool
        Whether to count edges instead of adding weights.
    overwrite : bool
        Whether a dense float64 `csgraph` may be overwritten with the distances; "FW" alone does so.
    indices : array_like or int, optional
        The vertices to start from; by default all. Not for "FW".

    Returns
    -------
    dist_matrix : ndarray
        float64 of the shape of `indices` followed by n: the distances, inf where there is no path.
    predecessors : ndarray
        int32 of the same shape, only if `return_predecessors` is true: the vertex before each on its path, -9999 where
        there is none.

    Raises
    ------
    NegativeCycleError
        If a cycle is of negative weight.
    ValueError
        If the graph is not square, an index is out of range, or the method is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from graphla import csgraph
    >>> csgraph.shortest_path(np.array([[0, 1, 9], [0, 0, 2], [0, 0, 0]]), indices=0).tolist()
    [0.0, 1.0, 3.0]
    """
    return call_scipy_on_host(
        "shortest_path", csgraph, method, directed, return_predecessors, unweighted, overwrite, indices
    )


def dijkstra(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = np.inf,
    min_only: bool = False,
) -> Any:
    """Shortest paths in a graph without negative weights.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n). A zero is no edge in a dense matrix, and an edge of weight zero in a sparse one.
    directed : bool
        Whether edges may be taken in their own direction only.
    indices : array_like or int, optional
        The vertices to start from; by default all.
    return_predecessors : bool
        Whether to return the predecessors, too.
    unweighted : bool
        Whether to count edges instead of adding weights.
    limit : float
        Vertices farther than this count as unreachable.
    min_only : bool
        Whether to return the distance of each vertex from the nearest of `indices` only.

    Returns
    -------
    dist_matrix : ndarray
        float64 of the shape of `indices` followed by n, or of shape (n,) if `min_only` is true: the distances, inf
        where there is no path.
    predecessors : ndarray
        int32 of the same shape, only if `return_predecessors` is true: the vertex before each on its path, -9999 where
        there is none.
    sources : ndarray
        int32 of shape (n,), only if both are true: the nearest of `indices`, -9999 where there is none.

    Raises
    ------
    ValueError
        If the graph is not square, an index is out of range, or the limit is negative.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.dijkstra([[0, 1, 9], [0, 0, 2], [0, 0, 0]], indices=[0, 1], limit=2).tolist()
    [[0.0, 1.0, inf], [inf, 0.0, 2.0]]
    """
    return call_scipy_on_host("dijkstra", csgraph, directed, indices, return_predecessors, unweighted, limit, min_only)


def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Shortest paths in a graph that may have negative weights.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n). A zero is no edge in a dense matrix, and an edge of weight zero in a sparse one.
    directed : bool
        Whether edges may be taken in their own direction only.
    indices : array_like or int, optional
        The vertices to start from; by default all.
    return_predecessors : bool
        Whether to return the predecessors, too.
    unweighted : bool
        Whether to count edges instead of adding weights.

    Returns
    -------
    dist_matrix : ndarray
        float64 of the shape of `indices` followed by n: the distances, inf where there is no path.
    predecessors : ndarray
        int32 of the same shape, only if `return_predecessors` is true: the vertex before each on its path, -9999 where
        there is none.

    Raises
    ------
    NegativeCycleError
        If a cycle of negative weight can be reached.
    ValueError
        If the graph is not square, or an index is out of range.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.bellman_ford([[0, 4, 3], [0, 0, -2], [0, 0, 0]], indices=0).tolist()
    [0.0, 4.0, 2.0]
    """
    return call_scipy_on_host("bellman_ford", csgraph, directed, indices, return_predecessors, unweighted)


def johnson(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Shortest paths from many vertices in a graph that may have negative weights.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n). A zero is no edge in a dense matrix, and an edge of weight zero in a sparse one.
    directed : bool
        Whether edges may be taken in their own direction only.
    indices : array_like or int, optional
        The vertices to start from; by default all.
    return_predecessors : bool
        Whether to return the predecessors, too.
    unweighted : bool
        Whether to count edges instead of adding weights.

    Returns
    -------
    dist_matrix : ndarray
        float64 of the shape of `indices` followed by n: the distances, inf where there is no path.
    predecessors : ndarray
        int32 of the same shape, only if `return_predecessors` is true: the vertex before each on its path, -9999 where
        there is none.

    Raises
    ------
    NegativeCycleError
        If a cycle is of negative weight.
    ValueError
        If the graph is not square, or an index is out of range.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.johnson([[0, 4, 3], [0, 0, -2], [0, 0, 0]], indices=0).tolist()
    [0.0, 4.0, 2.0]
    """
    return call_scipy_on_host("johnson", csgraph, directed, indices, return_predecessors, unweighted)


def floyd_warshall(
    csgraph: Any,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
) -> Any:
    """Shortest paths between all pairs of vertices of a dense graph, which may have negative weights.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n). A zero is no edge in a dense matrix, and an edge of weight zero in a sparse one.
    directed : bool
        Whether edges may be taken in their own direction only.
    return_predecessors : bool
        Whether to return the predecessors, too.
    unweighted : bool
        Whether to count edges instead of adding weights.
    overwrite : bool
        Whether a dense float64 `csgraph` may be overwritten with the distances.

    Returns
    -------
    dist_matrix : ndarray
        float64 of shape (n, n): the distances, inf where there is no path.
    predecessors : ndarray
        int32 of shape (n, n), only if `return_predecessors` is true: the vertex before j on the path from i, -9999
        where there is none.

    Raises
    ------
    NegativeCycleError
        If a cycle is of negative weight.
    ValueError
        If the graph is not square.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.floyd_warshall([[0, 1, 9], [0, 0, 2], [0, 0, 0]]).tolist()
    [[0.0, 1.0, 3.0], [inf, 0.0, 2.0], [inf, inf, 0.0]]
    """
    return call_scipy_on_host("floyd_warshall", csgraph, directed, return_predecessors, unweighted, overwrite)


def yen(
    csgraph: Any,
    source: int,
    sink: int,
    K: int,
    *,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """The K shortest paths between two vertices that visit no vertex twice.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n).
    source, sink : int
        The first and the last vertex.
    K : int
        The number of paths.
    directed : bool
        Whether edges may be taken in their own direction only.
    return_predecessors : bool
        Whether to return the predecessors, too.
    unweighted : bool
        Whether to count edges instead of adding weights.

    Returns
    -------
    dist_array : ndarray
        float64 of shape (M,): the lengths of the M ≤ K paths that there are.
    predecessors : ndarray
        int32 of shape (M, n), only if `return_predecessors` is true: the vertex before each on a path, -9999 where
        there is none.

    Raises
    ------
    NegativeCycleError
        If a cycle is of negative weight.
    ValueError
        If `source` or `sink` is no vertex.
    NotSupported
        If this version of SciPy has no such function; it came with SciPy 1.14.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.yen([[0, 1, 9], [0, 0, 2], [0, 0, 0]], 0, 2, 2).tolist()
    [3.0, 9.0]
    """
    options = {"directed": directed, "return_predecessors": return_predecessors, "unweighted": unweighted}
    return call_scipy_on_host("yen", csgraph, source, sink, K, **options)
