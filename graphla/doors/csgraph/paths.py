"""Shortest paths."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.arguments import find_int
from graphla.doors.csgraph import device_paths
from graphla.doors.csgraph.delegate import call_scipy, get_negative_cycle_error, is_on_device
from graphla.doors.csgraph.dense import close, close_with_predecessors, read_weights
from graphla.doors.csgraph.inputs import is_worth_an_engine
from graphla.doors.csgraph.request import Paths, Request, choose_method, read_request, shape_paths

ROUND = 1 / 16
"""The time that SciPy takes to relax all edges once, relative to a search; it does so once per vertex."""


FLOYD_WARSHALL = 128
"""Vertices of a graph whose every pair SciPy's Floyd–Warshall relaxes in the time of a search."""


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
    if is_on_device(csgraph):
        return device_paths.shortest_path(
            csgraph, method, directed, return_predecessors, unweighted, overwrite, indices
        )
    options = {"return_predecessors": return_predecessors, "unweighted": unweighted}
    chosen = choose_method(csgraph, method, indices)
    if chosen == "FW":
        return floyd_warshall(csgraph, directed, overwrite=overwrite, **options)
    if chosen is not None:
        return METHODS[chosen](csgraph, directed, indices=indices, **options)
    return call_scipy("shortest_path", csgraph, method, directed, overwrite=overwrite, indices=indices, **options)


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
    if is_on_device(csgraph):
        return device_paths.dijkstra(csgraph, directed, indices, return_predecessors, unweighted, limit, min_only)
    request = read_request(csgraph, directed, indices, return_predecessors, unweighted, limit, min_only)
    found = None if request is None else answer(csgraph, request, "D")
    if found is None:
        return call_scipy("dijkstra", csgraph, directed, indices, return_predecessors, unweighted, limit, min_only)
    return found


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
    if is_on_device(csgraph):
        return device_paths.bellman_ford(csgraph, directed, indices, return_predecessors, unweighted)
    rounds = csgraph.shape[0] * ROUND if hasattr(csgraph, "shape") else 1
    request = read_request(csgraph, directed, indices, return_predecessors, unweighted, rounds=rounds)
    found = None if request is None else answer(csgraph, request, "BF")
    if found is None:
        return call_scipy("bellman_ford", csgraph, directed, indices, return_predecessors, unweighted)
    return found


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
    if is_on_device(csgraph):
        return device_paths.johnson(csgraph, directed, indices, return_predecessors, unweighted)
    rounds = csgraph.shape[0] * ROUND if hasattr(csgraph, "shape") else 1
    request = read_request(csgraph, directed, indices, return_predecessors, unweighted, rounds=rounds)
    found = None if request is None else answer(csgraph, request, "J")
    if found is None:
        return call_scipy("johnson", csgraph, directed, indices, return_predecessors, unweighted)
    return found


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
    if is_on_device(csgraph):
        return device_paths.floyd_warshall(csgraph, directed, return_predecessors, unweighted, overwrite)
    if not is_worth_an_engine(csgraph, csgraph.shape[0] / FLOYD_WARSHALL if hasattr(csgraph, "shape") else 0):
        return call_scipy("floyd_warshall", csgraph, directed, return_predecessors, unweighted, overwrite)
    D = read_weights(csgraph, directed, unweighted, overwrite)
    try:
        if D is not None:
            return close_with_predecessors(D) if return_predecessors else close(D)
    except get_negative_cycle_error():
        if overwrite and not hasattr(csgraph, "tocsr") and np.may_share_memory(D, csgraph):
            raise  # distances stand in it, and SciPy cannot name all nodes of its negative cycles any more
    return call_scipy("floyd_warshall", csgraph, directed, return_predecessors, unweighted, overwrite)


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
    SciPy computes it, unless K is 0; on the GPU it is `gl.k_shortest_paths`, with potentials if a weight is negative.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.yen([[0, 1, 9], [0, 0, 2], [0, 0, 0]], 0, 2, 2).tolist()
    [3.0, 9.0]
    """
    if is_on_device(csgraph):
        return device_paths.yen(csgraph, source, sink, K, directed, return_predecessors, unweighted)
    options = {"directed": directed, "return_predecessors": return_predecessors, "unweighted": unweighted}
    if find_int(K) == 0:  # SciPy writes a first path beyond the end of its arrays
        found = call_scipy("yen", csgraph, source, sink, 1, **options)
        return tuple(part[:0] for part in found) if return_predecessors else found[:0]
    return call_scipy("yen", csgraph, source, sink, K, **options)


METHODS = {"D": dijkstra, "BF": bellman_ford, "J": johnson}


def answer(csgraph: Any, request: Request, method: str) -> Any:
    """What is asked, in SciPy's shape; None if SciPy must answer."""
    from graphla.doors.csgraph import search

    rows = search.read_arcs(csgraph, request)
    if not (search.is_non_negative if method == "D" else search.is_bounded)(rows):
        return None
    if method == "D":
        paths: Paths | None = search.search(rows, request)
    else:
        paths = (search.search_by_rounds if method == "BF" else search.search_with_potentials)(rows, request)
    if paths is None:
        return None
    roots = (
        search.find_roots(paths.parents[0], paths.distances[0]) if request.together and request.predecessors else None
    )
    return shape_paths(paths, request, roots)
