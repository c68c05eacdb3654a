"""Shortest paths on the GPU by graphla's problems, in SciPy's shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.algorithms.apsp import apsp
from graphla.algorithms.apsp.initial import is_non_negative
from graphla.algorithms.apsp.potentials import compute_potentials, reweight
from graphla.algorithms.bfs import bfs
from graphla.algorithms.sssp import sssp
from graphla.algorithms.sssp.k_shortest import k_shortest_paths
from graphla.common.errors import InvalidGraph, NegativeCycle, NotSupported
from graphla.doors.csgraph.delegate import get_negative_cycle_error
from graphla.doors.csgraph.device import (
    Edges,
    join_directions,
    make_graph,
    read_edges,
    read_sources,
    require_limit,
    require_square,
)
from graphla.doors.csgraph.inputs import Array
from graphla.doors.csgraph.request import METHODS
from graphla.engine import get_engine
from graphla.graphs.graph import Graph

NOWHERE = np.int32(-9999)
Paths = tuple[Array, Array | None]
"""Distances of shape (k, n) and, if asked, parents."""


def dijkstra(
    csgraph: Any,
    directed: bool,
    indices: Any,
    predecessors: bool,
    unweighted: bool,
    limit: float,
    min_only: bool,
) -> Any:
    """`csgraph.dijkstra` on the GPU."""
    limit = require_limit(limit)
    if min_only:
        return find_nearest(csgraph, directed, indices, predecessors, unweighted, limit)
    G = make_graph(csgraph, directed, unweighted)
    require_non_negative(G)
    sources, shape = read_sources(G.n, indices)
    found = (walk if unweighted else search)(G, sources, predecessors)
    return shape_paths(cut(G.engine.xp, found, limit), (*shape, G.n))


def bellman_ford(csgraph: Any, directed: bool, indices: Any, predecessors: bool, unweighted: bool) -> Any:
    """`csgraph.bellman_ford` on the GPU."""
    G = make_graph(csgraph, directed, unweighted)
    sources, shape = read_sources(G.n, indices)
    find = walk if unweighted else search if is_non_negative(G) else search_algebraically
    return shape_paths(refuse_cycles(lambda: find(G, sources, predecessors)), (*shape, G.n))


def johnson(csgraph: Any, directed: bool, indices: Any, predecessors: bool, unweighted: bool) -> Any:
    """`csgraph.johnson` on the GPU."""
    G = make_graph(csgraph, directed, unweighted)
    sources, shape = read_sources(G.n, indices)
    find = walk if unweighted else search if is_non_negative(G) else search_with_potentials
    return shape_paths(refuse_cycles(lambda: find(G, sources, predecessors)), (*shape, G.n))


def floyd_warshall(csgraph: Any, directed: bool, predecessors: bool, unweighted: bool, overwrite: bool) -> Any:
    """`csgraph.floyd_warshall` on the GPU; predecessors are the next hops along the edges of the other direction."""
    xp, (n, tails, heads, weights) = get_engine("cuda").xp, read_edges(csgraph)
    ends = (heads, tails) if predecessors else (tails, heads)
    arcs = Edges(n, *ends, xp.ones_like(weights) if unweighted else weights)
    G = make_graph_without_loops(xp, arcs if directed else join_directions(xp, arcs))
    found = refuse_cycles(lambda: apsp(G, next_hops=predecessors, dense=True))
    if not predecessors:
        return overwrite_with(csgraph, found, overwrite)
    parents = xp.where(found[1] < 0, NOWHERE, found[1]).T.copy()
    xp.fill_diagonal(parents, NOWHERE)
    return overwrite_with(csgraph, found[0].T.copy(), overwrite), parents


def shortest_path(
    csgraph: Any, method: str, directed: bool, predecessors: bool, unweighted: bool, overwrite: bool, indices: Any
) -> Any:
    """`csgraph.shortest_path` on the GPU."""
    n = require_square(csgraph)
    if method == "auto":
        weights = read_edges(csgraph).weights
        negative = "J" if bool((weights < 0).any()) else "D"
        method = "FW" if indices is None and weights.size >= n * n / 4 else negative
    if method not in METHODS:
        raise InvalidGraph(f"unrecognized method {method!r}: there are auto, {', '.join(METHODS)}")
    if method == "FW":
        if indices is not None:
            raise InvalidGraph("Cannot specify indices with method == 'FW'.")
        return floyd_warshall(csgraph, directed, predecessors, unweighted, overwrite)
    if method == "D":
        return dijkstra(csgraph, directed, indices, predecessors, unweighted, np.inf, False)
    return (bellman_ford if method == "BF" else johnson)(csgraph, directed, indices, predecessors, unweighted)


def yen(
    csgraph: Any, source: int, sink: int, K: int, directed: bool, predecessors: bool, unweighted: bool
) -> Array | tuple[Array, Array]:
    """`csgraph.yen` on the GPU."""
    G = make_graph(csgraph, directed, unweighted)
    if not (0 <= source < G.n and 0 <= sink < G.n):
        raise InvalidGraph(
            f"For csgraph with shape (N, N), must have 0 <= source < N and 0 <= sink < N. Got N={G.n}, "
            f"source={source}, sink={sink}."
        )
    rise, xp = 0.0, G.engine.xp
    if not is_non_negative(G):
        h = refuse_cycles(lambda: compute_potentials(G))
        G, rise = reweight(G, h), float(h[sink] - h[source])
    paths, lengths = k_shortest_paths(G, source, sink, K) if K else ([], np.empty(0))
    distances = xp.asarray(lengths + rise)
    return (distances, xp.asarray(list_parents(G.n, paths))) if predecessors else distances


def list_parents(n: int, paths: list[list[int]]) -> Array:
    """The vertex before each on each path."""
    parents = np.full((len(paths), n), NOWHERE)
    for row, path in zip(parents, paths, strict=True):
        row[path[1:]] = path[:-1]
    return parents


def require_non_negative(G: Graph) -> None:
    """Refuse negative weights, which SciPy's Dijkstra takes with a warning."""
    if not is_non_negative(G):
        raise NotSupported(
            f"csgraph.dijkstra: the smallest weight is {G.min_weight}, and on the GPU no weight may be negative: "
            "csgraph.johnson and csgraph.bellman_ford take negative weights"
        )


def refuse_cycles(solve: Callable[[], Any]) -> Any:
    """What `solve` returns; a negative cycle is SciPy's error."""
    try:
        return solve()
    except NegativeCycle as error:
        raise get_negative_cycle_error()(f"Negative cycle in nodes {list(error.vertices)}") from error


def search(G: Graph, sources: list[int], predecessors: bool) -> Paths:
    """Paths without negative weights, from all sources at once."""
    if not predecessors:
        return sssp(G, sources=sources).to_dense(np.inf), None
    distances, parents = sssp(G, sources=sources, parents=True)
    return distances.to_dense(np.inf), remove_loops(G, sources, parents.to_dense(NOWHERE))


def walk(G: Graph, sources: list[int], predecessors: bool) -> Paths:
    """Paths of the fewest edges."""
    xp = G.engine.xp
    if not predecessors:
        return to_distances(xp, bfs(G, sources=sources).to_dense(-1)), None
    found = [bfs(G, source, parents=True) for source in sources]
    levels = xp.stack([levels.to_dense(-1) for levels, _ in found])
    parents = xp.stack([parents.to_dense(NOWHERE) for _, parents in found])
    return to_distances(xp, levels), remove_loops(G, sources, parents)


def to_distances(xp: Any, levels: Array) -> Array:
    """Levels as float64, inf where there is none."""
    return xp.where(levels < 0, np.inf, levels.astype(np.float64))


def search_algebraically(G: Graph, sources: list[int], predecessors: bool) -> Paths:
    """Paths with negative weights, one source after the other."""
    xp = G.engine.xp
    if not predecessors:
        return xp.stack([sssp(G, source).to_dense(np.inf) for source in sources]), None
    found = [sssp(G, source, parents=True) for source in sources]
    parents = xp.stack([parents.to_dense(NOWHERE) for _, parents in found])
    return xp.stack([d.to_dense(np.inf) for d, _ in found]), remove_loops(G, sources, parents)


def search_with_potentials(G: Graph, sources: list[int], predecessors: bool) -> Paths:
    """Paths with negative weights by potentials that make them non-negative."""
    h = compute_potentials(G)
    distances, parents = search(reweight(G, h), sources, predecessors)
    return distances + (h - h[G.engine.xp.asarray(sources), None]), parents


def remove_loops(G: Graph, sources: list[int], parents: Array) -> Array:
    """A source has no predecessor."""
    xp = G.engine.xp
    parents[xp.arange(len(sources)), xp.asarray(sources, np.int64)] = NOWHERE
    return parents


def cut(xp: Any, paths: Paths, limit: float) -> Paths:
    """Paths that are no longer than the limit."""
    distances, parents = paths
    near = distances <= limit
    return xp.where(near, distances, np.inf), None if parents is None else xp.where(near, parents, NOWHERE)


def shape_paths(paths: Paths, shape: tuple[int, ...]) -> Any:
    """The answer in SciPy's shape."""
    distances, parents = paths
    return distances.reshape(shape) if parents is None else (distances.reshape(shape), parents.reshape(shape))


def find_nearest(csgraph: Any, directed: bool, indices: Any, predecessors: bool, unweighted: bool, limit: float) -> Any:
    """Paths from the nearest source: from one more vertex, which edges of weight zero lead to the sources."""
    xp, G = get_engine("cuda").xp, make_graph(csgraph, directed, unweighted)
    require_non_negative(G)
    sources, _ = read_sources(G.n, indices)
    H, n = add_start(G, sorted(set(sources))), G.n
    paths = cut(xp, search(H, [n], predecessors), limit)
    distances = paths[0][0, :n]
    if paths[1] is None:
        return distances
    before = paths[1][0, :n]
    parents = xp.where(before == n, NOWHERE, before)
    return distances, parents, xp.where(xp.isfinite(distances), find_roots(xp, parents), NOWHERE)


def add_start(G: Graph, sources: list[int]) -> Graph:
    """The graph with a vertex n from which edges of weight zero lead to the sources."""
    xp = G.engine.xp
    rows, columns, weights = (G.engine.asarray(part) for part in G.A.to_coo())
    ends = xp.asarray(sources, rows.dtype)
    tails = xp.concatenate([rows, xp.full_like(ends, G.n)])
    arcs = tails, xp.concatenate([columns, ends]), xp.concatenate([weights, xp.zeros(ends.size, weights.dtype)])
    return Graph(arcs, n=G.n + 1, engine=G.engine)


def find_roots(xp: Any, parents: Array) -> Array:
    """The vertex at the end of the walk along parents."""
    root = xp.where(parents >= 0, parents, xp.arange(parents.size, dtype=np.int32))
    while not bool(xp.array_equal(further := root[root], root)):
        root = further
    return root


def make_graph_without_loops(xp: Any, edges: Edges) -> Graph:
    """The graph on the GPU; Floyd–Warshall sets the distance of a vertex to itself to zero."""
    keep = edges.tails != edges.heads
    return Graph(tuple(part[keep] for part in edges[1:]), n=edges.n, dup="min", engine=get_engine("cuda"))


def overwrite_with(csgraph: Any, D: Array, overwrite: bool) -> Array:
    """The distances, in the given matrix if it may be overwritten and can hold them."""
    fits = overwrite and not hasattr(csgraph, "tocsr") and csgraph.dtype == D.dtype and csgraph.flags.c_contiguous
    if not fits:
        return D
    csgraph[...] = D
    return csgraph
