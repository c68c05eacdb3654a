"""What questions about roads give."""

from __future__ import annotations

from typing import Any, NamedTuple


class Reached(NamedTuple):
    """The vertices that are reached from a source within a limit.

    Parameters
    ----------
    vertices : ndarray
        Their labels, or their numbers if the graph has no labels, in the order of the numbers.
    times : ndarray
        The distance of each from the source, in the dtype of the roads.

    Examples
    --------
    >>> import graphla as gl
    >>> vertices, times = gl.roads.prepare(gl.generate.path(4, engine="cpu")).isochrone(0, 2)
    >>> vertices.tolist(), times.tolist()
    ([0, 1, 2], [0, 1, 2])
    """

    vertices: Any
    times: Any


class Nearest(NamedTuple):
    """The nearest targets of each source.

    Parameters
    ----------
    vertices : ndarray
        Labels, object[sources, k], with None where fewer than k are reached; or numbers, int64[sources, k], with −1.
    times : ndarray
        The distance of each, from the nearest on; `Roads.unreachable` where there is none.

    Examples
    --------
    >>> import graphla as gl
    >>> vertices, times = gl.roads.prepare(gl.generate.path(6, engine="cpu")).nearest([0, 4], [2, 5])
    >>> vertices.tolist(), times.tolist()
    ([[2], [5]], [[2], [1]])
    """

    vertices: Any
    times: Any
