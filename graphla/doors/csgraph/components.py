"""Connected components."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.components import components
from graphla.common.errors import InvalidOption
from graphla.doors.csgraph.delegate import call_scipy, is_on_device
from graphla.doors.csgraph.device import make_pattern
from graphla.doors.csgraph.inputs import is_worth_an_engine, read_rows


def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> Any:
    """The connected components of a graph.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n). A zero is no edge in a dense matrix, and an edge in a sparse one.
    directed : bool
        Whether edges may be taken in their own direction only; matters to strong components.
    connection : {"weak", "strong"}
        Whether a path in any direction connects two vertices, or a path each way must.
    return_labels : bool
        Whether to return the labels, too.

    Returns
    -------
    n_components : int
        The number of components.
    labels : ndarray
        int32 of shape (n,), only if `return_labels` is true: the number of the component of each vertex.

    Raises
    ------
    ValueError
        If the graph is not square, or `connection` is neither.

    Notes
    -----
    Weak components are numbered in the order of their smallest vertices, and strong ones so that edges between them
    lead to smaller numbers. Union-find on every core finds the weak ones, and a depth-first search the strong ones.
    SciPy computes those of a graph with fewer than 131,072 edges and vertices.

    Examples
    --------
    >>> import numpy as np
    >>> from graphla import csgraph
    >>> csgraph.connected_components(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
    (2, array([0, 0, 1], dtype=int32))
    """
    if is_on_device(csgraph):
        return find_on_device(csgraph, directed, connection, return_labels)
    kind = find_kind(directed, connection)
    if kind is None or not is_worth_an_engine(csgraph):
        return call_scipy("connected_components", csgraph, directed, connection, return_labels)
    count, labels = find_weak(csgraph) if kind == "weak" else find_strong(csgraph)
    return (count, labels) if return_labels else count


def find_kind(directed: bool, connection: Any) -> str | None:
    """The kind of components, or None if SciPy must refuse the words."""
    kind = connection.lower() if isinstance(connection, str) else None
    if kind not in ("weak", "strong"):
        return None
    return "strong" if directed and kind == "strong" else "weak"


def find_weak(csgraph: Any) -> tuple[int, Any]:
    """Weak components, numbered in the order of their smallest vertices."""
    from graphla.algorithms.components.afforest_cpu import find_components

    return number_by_smallest(np, find_components(read_rows(csgraph, transpose=True)))


def number_by_smallest(xp: Any, smallest: Any) -> tuple[int, Any]:
    """Number components, each named by its smallest vertex, in the order of these names."""
    rank = xp.cumsum(smallest == xp.arange(smallest.size, dtype=smallest.dtype), dtype=np.int32)
    return int(rank[-1]) if rank.size else 0, rank[smallest] - np.int32(1)


def find_strong(csgraph: Any) -> tuple[int, Any]:
    """Strong components, numbered in the order in which a depth-first search completes them."""
    from graphla.algorithms.components.tarjan_cpu import number_strong

    rows = read_rows(csgraph)
    labels = np.empty(rows.nrows, np.int32)
    return int(number_strong(rows.indptr, rows.indices, labels)), labels


def find_on_device(csgraph: Any, directed: bool, connection: Any, return_labels: bool) -> Any:
    """The same on the GPU; either kind is numbered in the order of the smallest vertices."""
    kind = find_kind(directed, connection)
    if kind is None:
        raise InvalidOption(f"connection={connection!r}: connection must be 'weak' or 'strong'")
    G = make_pattern(csgraph)
    smallest = components(G, kind="strong" if kind == "strong" else "weak").to_dense()
    count, labels = number_by_smallest(G.engine.xp, smallest)
    return (count, labels) if return_labels else count
