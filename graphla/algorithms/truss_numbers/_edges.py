"""Edges as pairs of arcs: a number for each edge, the same at both of its arcs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs

Array = Any


class Ends(NamedTuple):
    """The edges of a graph without loops, in the order of their arcs to larger vertices.

    `ids` has the edge of each arc, `upper` says which arcs lead to larger vertices.
    """

    ids: Array
    tails: Array
    heads: Array
    upper: Array


def list_ends(G: Any) -> Ends:
    """The edges of a graph without loops."""
    return G.cached("truss_numbers.ends", make_ends)


def make_ends(G: Any) -> Ends:
    """Number the edges: the arcs to smaller vertices are in the same order once they are sorted by their heads."""
    xp, heads = G.engine.xp, G.csr.indices
    tails = find_sources_of_arcs(G)
    if G.engine.name == "cuda":
        from graphla.algorithms.truss_numbers._edges_cuda import number_edges

        return Ends(*number_edges(G.engine, tails, heads))
    upper = tails < heads
    ids, numbers = xp.empty(G.nvals, np.int32), xp.arange(G.nvals // 2, dtype=np.int32)
    ids[upper] = numbers
    lower = xp.flatnonzero(~upper)
    ids[lower[xp.argsort(heads[lower], kind="stable")]] = numbers
    return Ends(ids, tails[upper].astype(np.int32), heads[upper], upper)
