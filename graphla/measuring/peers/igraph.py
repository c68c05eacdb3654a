"""igraph: compiled loops on one core."""

# its names are found at run time:
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import NotSupported
from graphla.measuring.peers.peer import (
    Peer,
    Task,
    convert_components,
    convert_distances,
    convert_forest,
    convert_levels,
    find_sides,
    is_loopless,
    is_symmetric,
    list_pairs,
    list_upper,
    make_graph,
    name_communities,
    number_components,
    pack_value,
    read_settings,
    require_undirected,
    scale_norm,
    scale_sums,
)
from graphla.storage import CompressedMatrix


def make_digraph(csr: CompressedMatrix) -> Any:
    """Make a directed igraph Graph."""
    import igraph

    rows = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    return igraph.Graph(csr.nrows, np.column_stack([rows, csr.indices]), directed=True)


def bfs(csr: CompressedMatrix) -> Task:
    """`Graph.distances` without weights, which is a breadth-first search."""
    g = make_digraph(csr)
    return Task(lambda source: g.distances(source=source), lambda found: convert_levels(np.asarray(found[0], float)))


def sssp(csr: CompressedMatrix) -> Task:
    """`Graph.distances`, which chooses Dijkstra or Bellman–Ford by the weights."""
    g, weights = make_digraph(csr), csr.values.astype(float).tolist()
    return Task(
        lambda source: g.distances(source=source, weights=weights),
        lambda found: convert_distances(np.asarray(found[0], float), csr.values),
    )


def apsp(csr: CompressedMatrix) -> Task:
    """`Graph.distances` from every vertex."""
    g, weights = make_digraph(csr), csr.values.astype(float).tolist()
    return Task(
        lambda: g.distances(weights=weights), lambda found: convert_distances(np.asarray(found, float), csr.values)
    )


def components(csr: CompressedMatrix, kind: str = "weak") -> Task:
    """`Graph.connected_components`."""
    g = make_digraph(csr)
    return Task(lambda: g.connected_components(mode=kind), lambda found: convert_components(found.membership))


def pagerank(csr: CompressedMatrix, **asked: Any) -> Task:
    """`Graph.personalized_pagerank` by PRPACK, which solves to rounding."""
    s = read_settings("pagerank", csr, asked)
    if s.tolerance is None or s.sinks is not s.seeds:
        raise NotSupported("it solves to the end, and dangling ranks go where teleports go")
    g, weights = make_digraph(csr), csr.values.astype(float).tolist() if s.weighted else None
    reset = s.teleport.tolist() if s.teleport.size == csr.nrows else None
    return Task(
        lambda: g.personalized_pagerank(damping=s.damping, reset=reset, weights=weights, implementation="prpack"),
        np.asarray,
    )


def solve_eigenvector(csr: CompressedMatrix, **asked: Any) -> Task:
    """`Graph.eigenvector_centrality` by ARPACK, which solves to rounding."""
    s = read_settings("eigenvector", csr, asked)
    if s.tolerance is None or not is_symmetric(csr) or not is_loopless(csr):
        raise NotSupported("it solves to the end, and is compared on undirected graphs without loops")
    g = make_weighted(csr)
    weights = "weight" if s.weighted else None
    return Task(lambda: g.eigenvector_centrality(weights=weights), scale_norm)


def make_simple(csr: CompressedMatrix) -> Any:
    """Make an undirected Graph without loops."""
    return make_digraph(csr).as_undirected().simplify()


def triangles(csr: CompressedMatrix, per_vertex: bool = False) -> Task:
    """`Graph.list_triangles`, which are counted afterwards, untimed."""
    g, n = make_simple(csr), csr.nrows

    def answer(found: Any) -> Any:
        return np.bincount(np.asarray(found, int).ravel(), minlength=n) if per_vertex else np.asarray(len(found))

    return Task(g.list_triangles, answer)


def solve_clustering(csr: CompressedMatrix, kind: str = "local") -> Task:
    """`Graph.transitivity_local_undirected`, `transitivity_avglocal_undirected` or `transitivity_undirected`."""
    require_undirected(csr, "igraph has no coefficients of directed graphs")
    g = make_simple(csr)
    solve = {
        "local": g.transitivity_local_undirected,
        "average": g.transitivity_avglocal_undirected,
        "transitivity": g.transitivity_undirected,
    }
    return Task(lambda: solve[kind](mode="zero"), np.asarray)


def betweenness(csr: CompressedMatrix, **asked: Any) -> Task:
    """`Graph.betweenness`; its sums are scaled here."""
    s = read_settings("betweenness", csr, asked)
    if s.edges or s.endpoints or np.unique(s.sources).size < s.sources.size:
        raise NotSupported("edges, endpoints and sources that occur twice are compared among the methods")
    g, weights = make_digraph(csr), csr.values.astype(float).tolist() if s.weighted else None
    some = {} if s.sources.size == csr.nrows else {"sources": s.sources.tolist()}
    return Task(
        lambda: g.betweenness(directed=True, weights=weights, **some),
        lambda found: scale_sums(np.asarray(found, float), s),
    )


def closeness(csr: CompressedMatrix, **asked: Any) -> Task:
    """`Graph.closeness` or `Graph.harmonic_centrality`."""
    s = read_settings("closeness", csr, asked)
    if s.improved and not s.harmonic:
        raise NotSupported("it compares a vertex with its own component: improved=False")
    g, weights = make_digraph(csr), csr.values.astype(float).tolist() if s.weighted else None
    solve, mode = g.harmonic_centrality if s.harmonic else g.closeness, "in" if s.inwards else "out"

    def answer(found: Any) -> Any:
        values = np.full(csr.nrows, -1.0)
        values[s.sources] = np.nan_to_num(np.asarray(found, float)) * (csr.nrows - 1 if s.harmonic else 1)
        return values

    return Task(lambda: solve(vertices=s.sources, mode=mode, weights=weights, normalized=True), answer)


def solve_forest(csr: CompressedMatrix, kind: str = "minimum") -> Task:
    """`Graph.spanning_tree`, of the negated weights if the greatest is asked for."""
    import igraph

    tails, heads, weights = list_upper(csr)
    ends, weights = np.column_stack([tails, heads]), weights.astype(float)
    g = igraph.Graph(csr.nrows, ends)
    g.es["order"] = (-weights if kind == "maximum" else weights).tolist()
    return Task(
        lambda: g.spanning_tree(weights="order", return_tree=False),
        lambda found: convert_forest(csr, *ends[np.asarray(found, int)].T),
    )


def solve_cores(csr: CompressedMatrix) -> Task:
    """`Graph.coreness`."""
    g = make_simple(csr)
    return Task(g.coreness, lambda found: np.asarray(found, np.int32))


def solve_order(csr: CompressedMatrix) -> Task:
    """`Graph.topological_sorting`, whose order is by levels; those of a level are sorted afterwards, untimed."""
    g = make_digraph(csr)

    def answer(found: Any) -> Any:
        levels = np.zeros(csr.nrows, np.int64)
        for u in found:
            heads = csr.indices[csr.indptr[u] : csr.indptr[u + 1]]
            levels[heads] = np.maximum(levels[heads], levels[u] + 1)
        return np.lexsort((np.arange(csr.nrows), levels)).astype(np.int32)

    return Task(lambda: g.topological_sorting(mode="out"), answer)


def solve_matching(csr: CompressedMatrix, kind: str = "maximal", weights: bool = False) -> Task:
    """`Graph.maximum_bipartite_matching`."""
    if kind != "maximum":
        raise NotSupported("it has maximum matchings of bipartite graphs only: kind='maximum'")
    g, sides = make_simple(csr), find_sides(make_graph(csr)).tolist()
    return Task(
        lambda: g.maximum_bipartite_matching(sides),
        lambda found: np.array([-1 if v is None or v < 0 else v for v in found.matching], np.int32),
    )


def solve_coloring(csr: CompressedMatrix) -> Task:
    """`Graph.vertex_coloring_greedy`, which goes by the number of neighbours that have colors."""
    g = make_simple(csr)
    return Task(g.vertex_coloring_greedy, lambda found: np.asarray(found, np.int32))


def make_weighted(csr: CompressedMatrix) -> Any:
    """Make an undirected Graph with the edge attribute `weight`, of a graph without loops."""
    import igraph

    if not is_symmetric(csr) or not is_loopless(csr):
        raise NotSupported("the graph is directed or has loops, which igraph counts twice")
    tails, heads, weights = list_upper(csr)
    g = igraph.Graph(csr.nrows, np.column_stack([tails, heads]))
    g.es["weight"] = weights.astype(float).tolist()
    return g


def solve_louvain(
    csr: CompressedMatrix,
    resolution: float = 1.0,
    seed: int = 0,
    threshold: float = 0.0,
    max_levels: int | None = None,
) -> Task:
    """`Graph.community_multilevel`."""
    if threshold or max_levels is not None:
        raise NotSupported("it climbs until no vertex gains")
    g = make_weighted(csr)

    def run() -> Any:
        seed_igraph(seed)
        return g.community_multilevel(weights="weight", resolution=resolution)

    return Task(run, lambda found: name_communities(found.membership))


def solve_leiden(
    csr: CompressedMatrix,
    resolution: float = 1.0,
    seed: int = 0,
    threshold: float = 0.0,
    max_levels: int | None = None,
    iterations: int = 2,
) -> Task:
    """`Graph.community_leiden` of the modularity."""
    if threshold or max_levels is not None:
        raise NotSupported("it climbs until no vertex gains")
    g = make_weighted(csr)
    asked = {"weights": "weight", "resolution": resolution, "n_iterations": iterations}

    def run() -> Any:
        seed_igraph(seed)
        return g.community_leiden(objective_function="modularity", **asked)

    return Task(run, lambda found: name_communities(found.membership))


def solve_flow(csr: CompressedMatrix) -> Task:
    """`Graph.maxflow_value`."""
    g, capacities = make_digraph(csr), csr.values.astype(float).tolist()
    return Task(lambda source, sink: g.maxflow_value(source, sink, capacity=capacities), pack_value)


def seed_igraph(seed: int) -> None:
    """Give igraph random numbers of its own."""
    import random

    import igraph

    igraph.set_random_number_generator(random.Random(seed))


def solve_eccentricity(csr: CompressedMatrix, sources: Any = None, weights: bool = False) -> Task:
    """`Graph.eccentricity`."""
    g, lengths = make_digraph(csr), csr.values.astype(float).tolist() if weights else None
    chosen = range(csr.nrows) if sources is None else sources

    def answer(found: Any) -> Any:
        values = np.full(csr.nrows, -1.0)
        values[list(chosen)] = found
        return values if weights else values.astype(np.int32)

    return Task(lambda: g.eccentricity(list(chosen), mode="out", weights=lengths), answer)


def solve_diameter(csr: CompressedMatrix, weights: bool = False) -> Task:
    """`Graph.diameter`."""
    g, lengths = make_digraph(csr), csr.values.astype(float).tolist() if weights else None
    return Task(lambda: g.diameter(directed=True, unconn=True, weights=lengths), np.asarray)


def solve_similarity(csr: CompressedMatrix, pairs: Any = None, kind: str = "jaccard") -> Task:
    """`Graph.similarity_jaccard` or `Graph.similarity_dice` of the pairs."""
    if kind not in ("jaccard", "sorensen"):
        raise NotSupported(f"it has jaccard and sorensen of pairs, not {kind}")
    g, (ends, pack) = make_simple(csr), list_pairs(csr, pairs)
    solve = g.similarity_jaccard if kind == "jaccard" else g.similarity_dice
    return Task(lambda: solve(pairs=ends, loops=False), lambda found: pack(np.nan_to_num(np.asarray(found, float))))


def solve_dominators(csr: CompressedMatrix) -> Task:
    """`Graph.dominator`, in which the source has none."""
    g, started = make_digraph(csr), []

    def run(source: int) -> Any:
        started[:] = [source]
        return g.dominator(source, mode="out")

    def answer(found: Any) -> Any:
        values = np.nan_to_num(np.asarray(found, float), nan=-1).astype(np.int32)
        values[started[0]] = started[0]
        return values

    return Task(run, answer)


def solve_biconnected(csr: CompressedMatrix) -> Task:
    """`Graph.biconnected_components`, which gives vertices; that of an edge has both ends, and is found untimed."""
    from scipy.sparse import csr_array

    g = make_simple(csr)

    def answer(found: Any) -> Any:
        ends, sizes = np.array(g.get_edgelist(), np.int64).reshape(-1, 2), list(map(len, found))
        cells = np.concatenate([*found, []]).astype(np.int64), np.repeat(np.arange(len(sizes)), sizes)
        inside = csr_array((np.ones(sum(sizes), bool), cells), shape=(csr.nrows, len(sizes)))
        return number_components(*ends.T, inside[ends[:, 0]].multiply(inside[ends[:, 1]]).tocsr().indices)

    return Task(g.biconnected_components, answer)


tasks = {
    "bfs": bfs, "sssp": sssp, "apsp": apsp, "components": components, "pagerank": pagerank, "triangles": triangles,
    "eigenvector": solve_eigenvector,
    "clustering": solve_clustering, "betweenness": betweenness, "closeness": closeness,
    "spanning_forest": solve_forest, "core_numbers": solve_cores, "coloring": solve_coloring,
    "topological_order": solve_order, "matching": solve_matching, "louvain": solve_louvain, "leiden": solve_leiden,
    "eccentricity": solve_eccentricity, "diameter": solve_diameter,
    "similarity": solve_similarity,
    "max_flow": solve_flow,
    "dominators": solve_dominators,
    "biconnected_components": solve_biconnected,
}  # fmt: skip
peer = Peer("igraph", "igraph", "cpu", tasks)
