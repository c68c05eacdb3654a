"""Refuse arguments that are no graph, or no vector of its vertices."""

from __future__ import annotations

from typing import Any, cast

from graphla.common.arguments import show
from graphla.common.errors import GraphlaError


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
