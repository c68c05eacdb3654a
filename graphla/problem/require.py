"""Refuse arguments that are no graph, or no vector of its vertices."""

from __future__ import annotations

from typing import Any, cast

from graphla.common.arguments import show
from graphla.common.errors import DimensionMismatch, GraphlaError


def require_graph(G: Any) -> None:
    """Refuse what is no graph.

    Parameters
    ----------
    G : object
        What a caller gave.

    Raises
    ------
    GraphlaError
        If it is no `Graph`; the message says how to make one.

    Examples
    --------
    >>> import graphla as gl
    >>> from graphla.problem import require_graph
    >>> require_graph(gl.Graph(([0], [1])))
    """
    kind = cast("type[object]", type(G))
    if not hasattr(kind, "csr"):
        raise GraphlaError(
            f"G={show(G)}: {kind.__name__} is no Graph: gl.Graph(…) makes one of a matrix, an array or arcs"
        )


def require_vectors(G: Any, *optional: str, **vectors: Any) -> None:
    """Refuse what is no vector with a place for each vertex of a graph.

    Parameters
    ----------
    G : Graph
        The graph.
    *optional : str
        The names of the arguments that may be left out, and are None then.
    **vectors : Vector or None
        What a caller gave, by the names of the arguments.

    Raises
    ------
    DimensionMismatch
        If one is no vector of numbers of size n.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1], [1, 2]))
    >>> require_vectors(G, "parents", levels=gl.bfs(G, 0), parents=None)
    """
    for name, value in vectors.items():
        numbers = hasattr(value, "to_numpy") and not isinstance(value, type) and value.dtype.kind in "iuf"
        fits = getattr(value, "shape", None) == (G.n,) if numbers else value is None and name in optional
        if not fits:
            raise DimensionMismatch(
                f"{name}={show(value)}: give a vector of numbers of size {G.n:,}, as the problem returns it"
            )
