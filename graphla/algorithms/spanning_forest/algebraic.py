"""Borůvka: each tree takes the first edge that leaves it, the least entry of its rows, until none leaves any.

Edges are numbered by their order. Entry (u, v) of R is r n + v, where r is the number of the edge: the least entry of a
row is the first edge of the vertex, and names its other end. With f[v], the root of each vertex's tree, in each round

    t[u] = min R[u, :]        b[f[u]] min= t[u]        p[c] = f[b[c] mod n]        f = p[…p[f]]

and entries between vertices of one tree leave R. Two trees that take the same edge point to each other; the smaller one
becomes the root. O(E) work per round, and at most log₂ n rounds, for each leaves at most half of the trees.

Source: Borůvka, "O jistém problému minimálním", Práce moravské přírodovědecké společnosti 3, 1926; as algebra in
LAGraph (LAGraph_msf.c) after Kepner, Gilbert, "Graph Algorithms in the Language of Linear Algebra", SIAM, 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.components.algebraic import number_vertices
from graphla.algorithms.shared.edge_order import order_weights
from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs
from graphla.algorithms.spanning_forest import Settings
from graphla.containers.loop import loop
from graphla.containers.matrix import Matrix
from graphla.containers.scalar import Scalar
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import binary, min_first, min_second, monoid

Array = Any


def run(G: Graph, s: Settings) -> tuple[Array]:
    """The arcs of the forest: positions in ``G.csr``, in order."""
    R, edges = number_edges(G, s.kind)
    f: Any = number_vertices(G)
    taken: list[Array] = []
    while R.nvals:
        t = R.reduce_rowwise(monoid.min).new()
        b = Vector("INT64", G.n, engine=G.engine)
        b(binary.min)[f] << t
        trees, least = b.to_coo()
        taken.append(least // G.n)
        join_trees(f, trees, least % G.n)
        R = drop_equal_ends(R, f)
    return (list_arcs(G, edges, taken),)


def number_edges(G: Graph, kind: str) -> tuple[Matrix, Array]:
    """R, and the position of the arc u → v with u < v of each edge, in their order."""
    xp, tails, heads = G.engine.xp, find_sources_of_arcs(G), G.csr.indices
    upper = xp.flatnonzero(tails < heads)
    keys = order_weights(G)[upper]
    edges = upper[xp.argsort(~keys if kind == "maximum" else keys, kind="stable")]
    u, v, first = tails[edges], heads[edges], xp.arange(edges.size, dtype=np.int64) * G.n
    values = xp.concatenate([first + v, first + u])
    rows, cols = xp.concatenate([u, v]), xp.concatenate([v, u])
    return Matrix.from_coo(rows, cols, values, "INT64", nrows=G.n, ncols=G.n, engine=G.engine), edges


def join_trees(f: Any, trees: Array, ends: Array) -> None:
    """Each of some trees joins the tree of a vertex: f becomes the root of each vertex's tree."""
    ids = Vector.from_dense(f.engine.xp.arange(f.size, dtype="int32"), engine=f.engine)
    p: Any = ids.dup()
    q, changes = ids.dup(), Scalar("BOOL", True)
    p[trees] << f[ends].new()
    q << p[p]
    both = q.ewise_mult(ids, binary.eq).new().ewise_mult(ids.ewise_mult(p, binary.lt).new(), binary.land).new()
    p(both.V) << ids

    def shorten(_: Any) -> None:
        q << p[p]
        changes << (p != q).reduce(monoid.lor)
        p << q

    loop(shorten, while_true=changes, max_rounds=f.size + 2)
    q << p[f]
    f << q


def drop_equal_ends(R: Matrix, f: Vector) -> Matrix:
    """The entries whose row and column are in different trees."""
    F = f.diag()
    other = min_first(F @ R).new().ewise_mult(min_second(R @ F), binary.ne).new()
    return R.dup(mask=other.V)


def list_arcs(G: Graph, edges: Array, taken: list[Array]) -> Array:
    """The positions of both arcs of the edges that trees took."""
    xp, matrix = G.engine.xp, G.csr
    if not taken:
        return xp.zeros(0, np.int64)
    chosen = edges[xp.unique(xp.concatenate(taken))]
    tails, heads = find_sources_of_arcs(G), matrix.indices.astype(np.int64)
    cells = tails * np.int64(G.n) + heads
    back = xp.searchsorted(cells, heads[chosen] * G.n + tails[chosen])
    return xp.sort(xp.concatenate([chosen, back]))


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="Borůvka: each tree takes the first edge that leaves it, the least entry of its rows",
    source="Borůvka, 1926; LAGraph; Kepner, Gilbert, SIAM 2011",
)
