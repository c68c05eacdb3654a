"""Contraction: each community becomes a vertex."""

from __future__ import annotations

from graphla.algorithms.shared.communities.labels import to_labels
from graphla.common.arguments import to_bool
from graphla.common.typing import ArrayLike
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.convert import expand_rows
from semirings import binary


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
    used, numbers = xp.unique(to_labels(G, labels), return_inverse=True)
    numbers, kind = numbers.reshape(-1).astype("int64"), csr.values.dtype
    tails, heads = numbers[expand_rows(csr)], numbers[csr.indices]
    values = csr.values.astype("float64" if kind.kind == "f" else "uint64" if kind == "uint64" else "int64")
    there = slice(None) if kept else tails != heads
    arcs, n = (tails[there], heads[there], values[there]), int(used.size)
    return Graph(Matrix.from_coo(*arcs, nrows=n, ncols=n, dup_op=binary.plus, engine=G.engine))
