"""The three graphs that GAP's kernels run on: the graph as it is, with weights, and undirected."""

from __future__ import annotations

from typing import Any

from graphla.containers.matrix import Matrix
from graphla.graphs.generators import pair_weights
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from semirings import binary

WEIGHTS = 1, 255
"""GAP's weights, drawn at random for graphs that have none."""


def drop_loops(G: Graph) -> Graph:
    """The graph without loops, as GAP builds graphs."""
    if not G.A.diag().nvals:
        return G
    return Graph(G.A.select("offdiag").new(), name=G.name)


def add_weights(G: Graph) -> Graph:
    """The graph with random weights, the same both ways; one with weights of its own keeps them."""
    if G.dtype.name != "BOOL" and not G.min_weight == G.max_weight == 1:
        return G
    rows, cols, _ = G.A.to_coo()
    values: Any = pair_weights(rows, cols, *WEIGHTS)
    return Graph((rows, cols, values), n=G.n, name=G.name, engine=G.engine)


def make_undirected(G: Graph) -> Graph:
    """The graph with the reverse of every arc, and no weights."""
    if G.symmetric:
        return G
    pattern = G.A.apply("one").new("BOOL")
    return Graph(pattern.ewise_add(pattern.T, binary.lor).new(), name=G.name)


def forget_facts(G: Graph) -> Graph:
    """The same arrays as a graph of which nothing is known yet: what methods prepare is computed again."""
    csr = G.csr
    fresh = CompressedMatrix(csr.nrows, csr.ncols, csr.indptr, csr.indices, csr.values)
    return Graph(Matrix._from_storage(fresh, G.engine), name=G.name)
