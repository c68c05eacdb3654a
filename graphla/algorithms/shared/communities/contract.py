"""Contraction: each community becomes a vertex."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.communities.labels import renumber, to_labels
from graphla.common.arguments import to_bool
from graphla.common.typing import ArrayLike
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.convert import cast_indices, expand_rows, gather
from graphla.storage.list_kernels import find_list_kernels
from semirings import binary

Array = Any


def contract(G: Graph, labels: Vector | ArrayLike, *, loops: bool = True) -> Graph:
    """Contract a graph: each community becomes a vertex, and the arcs between two of them one arc of all their weight.

    W = Sᵀ A S, where S[v, c] is one if v belongs to c.

    Parameters
    ----------
    G : Graph
        The graph, directed or not. Arcs of a pattern have the weight one.
    labels : Vector or array
        A whole number for each vertex; those with the same number become a vertex.
    loops : bool
        Whether arcs within a community become a loop. With loops modularity stays what it is.

    Returns
    -------
    Graph
        Its vertices are the labels in their order: those of `leiden` and `louvain` themselves. Whole numbers add up in
        INT64, UINT64 ones in that, and floats in FP64.

    Raises
    ------
    DimensionMismatch
        If `labels` are no whole number for each vertex.

    See Also
    --------
    leiden : Communities.

    Notes
    -----
    O(V log V + E log E).

    Examples
    --------
    >>> import graphla as gl
    >>> H = gl.contract(gl.Graph(([0, 1, 2, 3], [1, 2, 3, 0], [1, 2, 3, 4])), [0, 0, 1, 1])
    >>> H.A.to_dense(0).tolist()
    [[1, 2], [4, 3]]
    """
    require_graph(G)
    xp, csr, kept = G.engine.xp, G.csr, to_bool(loops, "loops")
    numbers, n = number_labels(xp, to_labels(G, labels))
    tails, heads, kind = gather(numbers, expand_rows(csr)), gather(numbers, csr.indices), csr.values.dtype
    values = cast_indices(csr.values, "float64" if kind.kind == "f" else "uint64" if kind == "uint64" else "int64")
    there = slice(None) if kept else tails != heads
    arcs = tails[there], heads[there], values[there]
    return Graph(Matrix.from_coo(*arcs, nrows=n, ncols=n, dup_op=binary.plus, engine=G.engine))


def number_labels(xp: Any, labels: Array) -> tuple[Array, int]:
    """Numbers 0, 1, … for any whole numbers, in their order, in int64, and how many there are."""
    kernels = find_list_kernels(labels)
    if kernels is not None and labels.size and labels.dtype == "int32":
        least, largest = kernels.find_ends(labels)
        if least >= 0 and largest < labels.size:
            numbers, count = renumber(xp, labels)
            return cast_indices(numbers, "int64"), count
    used, numbers = xp.unique(labels, return_inverse=True)
    return numbers.reshape(-1).astype("int64"), int(used.size)
