"""NetworkX: dictionaries and pure Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import NotSupported
from graphla.common.system import host_free
from graphla.measuring.peers.peer import (
    Peer,
    Task,
    convert_distances,
    convert_forest,
    convert_levels,
    find_sides,
    is_loopless,
    is_symmetric,
    list_pairs,
    make_array,
    make_graph,
    name_communities,
    number_components,
    pack_value,
    read_settings,
    require_undirected,
    scale_sums,
)
from graphla.problem.answer import pack_records
from graphla.storage import CompressedMatrix

ARC_BYTES = 450
"""Bytes per arc while the graph is built (measured): three numbers, a dictionary, and an entry in another one."""


def make_digraph(csr: CompressedMatrix) -> Any:
    """Make a DiGraph with the edge attribute `weight`, if its dictionaries fit in memory."""
    import networkx as nx

    needed, free = ARC_BYTES * csr.nvals, host_free()
    if needed > free:
        raise NotSupported(f"its dictionaries would take about {needed:,} bytes, and {free:,} are free")
    graph = nx.DiGraph()
    graph.add_nodes_from(range(csr.nrows))
    rows = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr)).tolist()
    graph.add_weighted_edges_from(zip(rows, csr.indices.tolist(), csr.values.tolist(), strict=True))
    return graph


def bfs(csr: CompressedMatrix) -> Task:
    """`single_source_shortest_path_length`."""
    import networkx as nx

    D, n = make_digraph(csr), csr.nrows
    return Task(
        lambda source: nx.single_source_shortest_path_length(D, source),
        lambda found: convert_levels(make_array(n, dict(found), np.inf)),
    )


def sssp(csr: CompressedMatrix) -> Task:
    """`single_source_dijkstra_path_length`, or its Bellman–Ford counterpart if a weight is negative."""
    import networkx as nx

    D, n = make_digraph(csr), csr.nrows
    negative = csr.nvals and csr.values.min() < 0
    solve = nx.single_source_bellman_ford_path_length if negative else nx.single_source_dijkstra_path_length
    return Task(
        lambda source: solve(D, source),
        lambda found: convert_distances(make_array(n, dict(found), np.inf), csr.values),
    )


def apsp(csr: CompressedMatrix) -> Task:
    """`all_pairs_dijkstra_path_length`."""
    import networkx as nx

    D, n = make_digraph(csr), csr.nrows

    def answer(found: Any) -> Any:
        return convert_distances(np.stack([make_array(n, found[row], np.inf) for row in range(n)]), csr.values)

    return Task(lambda: dict(nx.all_pairs_dijkstra_path_length(D)), answer)


def components(csr: CompressedMatrix, kind: str = "weak") -> Task:
    """`weakly_connected_components` or `strongly_connected_components`."""
    import networkx as nx

    D, n = make_digraph(csr), csr.nrows
    solve = nx.strongly_connected_components if kind == "strong" else nx.weakly_connected_components

    def answer(found: Any) -> Any:
        smallest = ((v, min(each)) for each in found for v in each)
        return make_array(n, dict(smallest), -1).astype(np.int32)

    return Task(lambda: list(solve(D)), answer)


def pagerank(csr: CompressedMatrix, **asked: Any) -> Task:
    """`pagerank`, whose `tol` is per vertex."""
    import networkx as nx

    s, n = read_settings("pagerank", csr, asked), csr.nrows
    if s.tolerance is None or not s.share.any():
        raise NotSupported("it runs until its tolerance is met, and loses no rank")
    D = make_digraph(csr)
    by_vertex = {
        name: dict(enumerate(values.tolist())) if values.size == n > 1 else None
        for name, values in (("personalization", s.teleport), ("dangling", s.share))
    }
    weight, tol = "weight" if s.weighted else None, s.tolerance / max(1, n)
    return Task(
        lambda: nx.pagerank(D, s.damping, tol=tol, max_iter=s.rounds, weight=weight, **by_vertex),
        lambda found: make_array(n, found, 0.0),
    )


def make_simple(csr: CompressedMatrix) -> Any:
    """Make an undirected Graph without loops."""
    import networkx as nx

    graph = nx.Graph(make_digraph(csr))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def triangles(csr: CompressedMatrix, per_vertex: bool = False) -> Task:
    """`triangles`, which counts those of each vertex."""
    import networkx as nx

    g, n = make_simple(csr), csr.nrows
    return Task(
        lambda: nx.triangles(g),
        lambda found: make_array(n, found, 0).astype(np.int64) if per_vertex else np.asarray(sum(found.values()) // 3),
    )


def solve_clustering(csr: CompressedMatrix, kind: str = "local") -> Task:
    """`clustering`, `average_clustering` or `transitivity` of an undirected graph."""
    import networkx as nx

    require_undirected(csr, "NetworkX counts triangles of directed graphs by their orientations")
    g, n = make_simple(csr), csr.nrows
    if kind == "local":
        return Task(lambda: nx.clustering(g), lambda found: make_array(n, found, 0.0))
    return Task(lambda: (nx.average_clustering if kind == "average" else nx.transitivity)(g), np.asarray)


def betweenness(csr: CompressedMatrix, **asked: Any) -> Task:
    """`betweenness_centrality`, or `betweenness_centrality_subset` from some sources; their sums are scaled here."""
    import networkx as nx

    s, n = read_settings("betweenness", csr, asked), csr.nrows
    if s.edges or (s.endpoints and s.sources.size != n):
        raise NotSupported("edges, and the endpoints of some paths only, are compared among the methods")
    D, weight = make_digraph(csr), "weight" if s.weighted else None

    def run() -> Any:
        if s.sources.size == n:
            return nx.betweenness_centrality(D, normalized=False, weight=weight, endpoints=s.endpoints)
        return nx.betweenness_centrality_subset(D, s.sources.tolist(), list(D), weight=weight)

    return Task(run, lambda found: scale_sums(make_array(n, found, 0.0), s))


def closeness(csr: CompressedMatrix, **asked: Any) -> Task:
    """`closeness_centrality` or `harmonic_centrality`."""
    import networkx as nx

    s, n = read_settings("closeness", csr, asked), csr.nrows
    D, distance = make_digraph(csr), "weight" if s.weighted else None
    D = D if s.inwards else D.reverse()

    def run() -> Any:
        if s.harmonic:
            return nx.harmonic_centrality(D, s.sources, distance)
        return {v: nx.closeness_centrality(D, v, distance, s.improved) for v in s.sources}

    return Task(run, lambda found: make_array(n, found, -1.0))


def solve_forest(csr: CompressedMatrix, kind: str = "minimum") -> Task:
    """`minimum_spanning_edges` or `maximum_spanning_edges`."""
    import networkx as nx

    g = make_simple(csr)
    solve = nx.maximum_spanning_edges if kind == "maximum" else nx.minimum_spanning_edges

    def answer(found: Any) -> Any:
        return convert_forest(csr, *np.array(found, np.int64).reshape(-1, 2).T)

    return Task(lambda: list(solve(g, data=False)), answer)


def solve_cores(csr: CompressedMatrix) -> Task:
    """`core_number`."""
    import networkx as nx

    g, n = make_simple(csr), csr.nrows
    return Task(lambda: nx.core_number(g), lambda found: make_array(n, found, -1).astype(np.int32))


def solve_order(csr: CompressedMatrix) -> Task:
    """`topological_generations`, each sorted afterwards, untimed."""
    import networkx as nx

    D = make_digraph(csr)
    return Task(
        lambda: list(nx.topological_generations(D)),
        lambda found: np.array([v for each in found for v in sorted(each)], np.int32),
    )


def solve_trusses(csr: CompressedMatrix) -> Task:
    """`k_truss` of what is left, for each k until nothing is."""
    import networkx as nx

    def run() -> Any:
        numbers, left, k = dict[Any, int](), g, 2
        while left.number_of_edges():
            numbers.update(dict.fromkeys(left.edges, k))
            k += 1
            left = nx.k_truss(left, k)
        return numbers

    def answer(found: Any) -> Any:
        ends = np.array(list(found), np.int64).reshape(-1, 2)
        numbers, both = np.fromiter(found.values(), np.int32, len(found)), np.concatenate([ends, ends[:, ::-1]])
        return np.tile(numbers, 2)[np.lexsort((both[:, 1], both[:, 0]))]

    g = make_simple(csr)
    return Task(run, answer)


def solve_biconnected(csr: CompressedMatrix) -> Task:
    """`biconnected_component_edges`."""
    import networkx as nx

    def answer(found: Any) -> Any:
        ends = np.array([edge for part in found for edge in part], np.int64).reshape(-1, 2)
        us, vs = ends.T
        return number_components(us, vs, np.repeat(np.arange(len(found)), [len(part) for part in found]))

    g = make_simple(csr)
    return Task(lambda: list(nx.biconnected_component_edges(g)), answer)


def solve_matching(csr: CompressedMatrix, kind: str = "maximal", weights: bool = False) -> Task:
    """`maximal_matching`, or `hopcroft_karp_matching` from one side."""
    import networkx as nx

    if weights:
        raise NotSupported("its heaviest matchings are not those of heavy edges first, and take V³")
    g, n = make_simple(csr), csr.nrows
    if kind == "maximum":
        left = np.flatnonzero(find_sides(make_graph(csr))).tolist()
        return Task(
            lambda: nx.bipartite.hopcroft_karp_matching(g, left),
            lambda found: make_array(n, found, -1).astype(np.int32),
        )
    return Task(
        lambda: nx.maximal_matching(g),
        lambda found: make_array(n, {**dict(found), **{v: u for u, v in found}}, -1).astype(np.int32),
    )


def solve_coloring(csr: CompressedMatrix) -> Task:
    """`greedy_color`, which goes by falling degree too."""
    import networkx as nx

    g, n = make_simple(csr), csr.nrows
    return Task(lambda: nx.greedy_color(g), lambda found: make_array(n, found, -1).astype(np.int32))


def solve_louvain(csr: CompressedMatrix, seed: int = 0, **rules: Any) -> Task:
    """`louvain_communities`, of a directed graph as one."""
    import networkx as nx

    D, n = make_digraph(csr), csr.nrows
    g = nx.Graph(D) if is_loopless(csr) and is_symmetric(csr) else D
    asked = {"resolution": 1.0, "threshold": 0.0, "max_levels": None, **rules}
    if unknown := asked.keys() - {"resolution", "threshold", "max_levels"}:
        raise NotSupported(f"it is compared without {', '.join(f'{name}=' for name in sorted(unknown))}")
    asked["max_level"] = asked.pop("max_levels")
    return Task(
        lambda: nx.community.louvain_communities(g, seed=seed, **asked),
        lambda found: name_communities(make_array(n, {v: k for k, each in enumerate(found) for v in each}, -1)),
    )


def solve_eccentricity(csr: CompressedMatrix, sources: Any = None, weights: bool = False) -> Task:
    """`single_source_…_path_length` from each source, and the largest value."""
    import networkx as nx

    D, n = make_digraph(csr), csr.nrows
    solve = nx.single_source_dijkstra_path_length if weights else nx.single_source_shortest_path_length
    chosen = range(n) if sources is None else sources
    return Task(
        lambda: {v: max(solve(D, v).values()) for v in chosen},
        lambda found: make_array(n, found, -1.0).astype(np.float64 if weights else np.int32),
    )


def solve_diameter(csr: CompressedMatrix, weights: bool = False) -> Task:
    """The same of all vertices."""
    each = solve_eccentricity(csr, None, weights)
    return Task(lambda: max(each.run().values(), default=0), np.asarray)


def solve_similarity(csr: CompressedMatrix, pairs: Any = None, kind: str = "jaccard") -> Task:
    """The prediction of links of this kind."""
    import networkx as nx

    solvers = {
        "jaccard": nx.jaccard_coefficient,
        "adamic_adar": nx.adamic_adar_index,
        "resource_allocation": nx.resource_allocation_index,
        "preferential_attachment": nx.preferential_attachment,
    }
    if kind not in solvers:
        raise NotSupported(f"it has {', '.join(solvers)}, not {kind}")
    solve, g, (ends, pack) = solvers[kind], make_simple(csr), list_pairs(csr, pairs)
    return Task(lambda: list(solve(g, ends)), lambda found: pack(np.array([score for _, _, score in found], float)))


def solve_flow(csr: CompressedMatrix) -> Task:
    """`maximum_flow_value`."""
    import networkx as nx

    D = make_digraph(csr)
    return Task(lambda source, sink: nx.maximum_flow_value(D, source, sink, capacity="weight"), pack_value)


def solve_closure(csr: CompressedMatrix, reflexive: bool = False) -> Task:
    """`transitive_closure`."""
    import networkx as nx

    D = make_digraph(csr)

    def answer(found: Any) -> Any:
        tails, heads = np.array(sorted(found.edges), np.int64).reshape(-1, 2).T
        return pack_records(tails, heads, np.ones(tails.size, bool))

    return Task(lambda: nx.transitive_closure(D, reflexive=reflexive), answer)


def solve_dominators(csr: CompressedMatrix) -> Task:
    """`immediate_dominators`, which leaves the source out."""
    import networkx as nx

    D, n = make_digraph(csr), csr.nrows
    return Task(
        lambda source: {**nx.immediate_dominators(D, source), source: source},
        lambda found: make_array(n, found, -1).astype(np.int32),
    )


tasks = {
    "bfs": bfs, "sssp": sssp, "apsp": apsp, "components": components, "pagerank": pagerank, "triangles": triangles,
    "clustering": solve_clustering, "betweenness": betweenness, "closeness": closeness,
    "spanning_forest": solve_forest, "core_numbers": solve_cores, "coloring": solve_coloring,
    "topological_order": solve_order, "matching": solve_matching, "louvain": solve_louvain,
    "eccentricity": solve_eccentricity, "diameter": solve_diameter,
    "truss_numbers": solve_trusses,
    "similarity": solve_similarity,
    "max_flow": solve_flow,
    "transitive_closure": solve_closure,
    "dominators": solve_dominators,
    "biconnected_components": solve_biconnected,
}  # fmt: skip
peer = Peer("NetworkX", "networkx", "cpu", tasks)
