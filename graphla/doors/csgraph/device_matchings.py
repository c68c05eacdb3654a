"""Matchings of rows and columns on the GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.matching import algebraic, searches
from graphla.doors.csgraph.inputs import Array
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.storage.convert import expand_pointers


def maximum_bipartite_matching(graph: Any, perm_type: str) -> Array:
    """`csgraph.maximum_bipartite_matching` on the GPU: rows are vertices on the left, columns those on the right."""
    if not hasattr(graph, "tocsr"):
        raise TypeError("graph must be sparse")
    engine, csr = get_engine("cuda"), graph.tocsr()
    xp, (rows, columns) = engine.xp, csr.shape
    tails, heads = expand_pointers(xp, csr.indptr, csr.indices.size, "int32"), csr.indices + np.int32(rows)
    both = xp.concatenate([tails, heads]), xp.concatenate([heads, tails])
    G = Graph(both, n=rows + columns, dup="first", engine=engine)
    method = searches if engine.name == "cuda" else algebraic
    mates = method.match_sides(G, xp.arange(rows + columns) < rows)
    if perm_type == "column":
        return xp.where(mates[:rows] < 0, np.int32(-1), mates[:rows] - np.int32(rows))
    return mates[rows:]


def structural_rank(graph: Any) -> int:
    """`csgraph.structural_rank` on the GPU."""
    return int((maximum_bipartite_matching(graph, "row") >= 0).sum())
