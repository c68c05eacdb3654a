"""NetworKit: compiled loops on all threads that OpenMP may use."""

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
    is_loopless,
    is_symmetric,
    list_upper,
    name_communities,
    read_settings,
    require_undirected,
    scale_norm,
)
from graphla.storage import CompressedMatrix

FARTHEST = np.finfo(np.float64).max
"""Its distance where there is no path."""


def make_digraph(csr: CompressedMatrix, weights: Any = None) -> Any:
    """Make a directed Graph."""
    import networkit as nk

    cells = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr)), csr.indices.astype(np.int64)
    given = cells if weights is None else (weights.astype(np.float64), cells)
    return nk.GraphFromCoo(given, csr.nrows, weighted=weights is not None, directed=True)


def make_simple(csr: CompressedMatrix, weighted: bool = False) -> Any:
    """Make an undirected Graph without loops."""
    import networkit as nk

    require_undirected(csr, "this task is of undirected graphs")
    tails, heads, weights = list_upper(csr)
    cells = tails.astype(np.int64), heads.astype(np.int64)
    given = (weights.astype(np.float64), cells) if weighted else cells
    return nk.GraphFromCoo(given, csr.nrows, weighted=weighted, directed=False)


def read_distances(found: Any) -> Any:
    """The distances of a search, inf where there is no path."""
    distances = np.asarray(found.getDistances(), float)
    return np.where(distances == FARTHEST, np.inf, distances)


def bfs(csr: CompressedMatrix) -> Task:
    """`distance.BFS`, without paths."""
    import networkit as nk

    g = make_digraph(csr)
    return Task(
        lambda source: nk.distance.BFS(g, source, storePaths=False).run(),
        lambda found: convert_levels(read_distances(found)),
    )


def sssp(csr: CompressedMatrix) -> Task:
    """`distance.Dijkstra`, without paths."""
    import networkit as nk

    if csr.nvals and csr.values.min() < 0:
        raise NotSupported("it has no searches with negative weights")
    g = make_digraph(csr, csr.values)
    return Task(
        lambda source: nk.distance.Dijkstra(g, source, storePaths=False).run(),
        lambda found: convert_distances(read_distances(found), csr.values),
    )


def components(csr: CompressedMatrix, kind: str = "weak") -> Task:
    """`components.ParallelConnectedComponents`, of a directed graph weak or strong ones."""
    import networkit as nk

    simple = kind == "weak" and is_symmetric(csr)
    weak = nk.components.ParallelConnectedComponents if simple else nk.components.WeaklyConnectedComponents
    solve = nk.components.StronglyConnectedComponents if kind == "strong" else weak
    g = make_simple(csr) if simple else make_digraph(csr)

    def answer(found: Any) -> Any:
        numbers = np.empty(csr.nrows, np.int64)
        for number, members in enumerate(found.getComponents()):
            numbers[members] = number
        return convert_components(numbers)

    return Task(lambda: solve(g).run(), answer)


def pagerank(csr: CompressedMatrix, **asked: Any) -> Task:
    """`centrality.PageRank`, whose change is the largest and not the sum: its tolerance is divided by n."""
    import networkit as nk

    s = read_settings("pagerank", csr, asked)
    if s.tolerance is None or s.weighted or s.sinks is not s.seeds or s.teleport.size == csr.nrows:
        raise NotSupported("numbers of rounds, weights and personal teleports are compared among the others")
    g, sinks = make_digraph(csr), nk.centrality.SinkHandling.DistributeSinks

    def run() -> Any:
        found = nk.centrality.PageRank(g, s.damping, s.tolerance, distributeSinks=sinks)
        found.norm = nk.centrality.Norm.L1_NORM
        return found.run()

    return Task(run, lambda found: np.asarray(found.scores()))


def solve_eigenvector(csr: CompressedMatrix, **asked: Any) -> Task:
    """`centrality.EigenvectorCentrality`, which ends early: a hundredth of the tolerance gives what it says."""
    import networkit as nk

    s = read_settings("eigenvector", csr, asked)
    if s.tolerance is None:
        raise NotSupported("it runs until it settles")
    g = make_digraph(csr, csr.values if s.weighted else None)
    return Task(
        lambda: nk.centrality.EigenvectorCentrality(g, tol=s.tolerance / 100).run(),
        lambda found: scale_norm(found.scores()),
    )


def solve_clustering(csr: CompressedMatrix, kind: str = "local") -> Task:
    """`centrality.LocalClusteringCoefficient`; their mean is taken untimed."""
    import networkit as nk

    if kind == "transitivity":
        raise NotSupported("it has coefficients of vertices")
    g = make_simple(csr)

    def answer(found: Any) -> Any:
        local = np.asarray(found.scores())
        return local if kind == "local" else np.asarray(local.mean())

    return Task(lambda: nk.centrality.LocalClusteringCoefficient(g, turbo=True).run(), answer)


def solve_forest(csr: CompressedMatrix, kind: str = "minimum") -> Task:
    """`graph.KruskalMSF`, of the negated weights if the greatest is asked for."""
    import networkit as nk

    tails, heads, weights = list_upper(csr)
    order = weights.astype(np.float64) * (-1 if kind == "maximum" else 1)
    g = nk.GraphFromCoo((order, (tails.astype(np.int64), heads.astype(np.int64))), csr.nrows, weighted=True)

    def answer(found: Any) -> Any:
        edges = np.array(list(found.getForest().iterEdges()), np.int64).reshape(-1, 2)
        return convert_forest(csr, *edges.T)

    return Task(lambda: nk.graph.KruskalMSF(g).run(), answer)


def solve_cores(csr: CompressedMatrix) -> Task:
    """`centrality.CoreDecomposition`."""
    import networkit as nk

    g = make_simple(csr)
    return Task(
        lambda: nk.centrality.CoreDecomposition(g).run(), lambda found: np.asarray(found.scores()).astype(np.int32)
    )


def solve_matching(csr: CompressedMatrix, kind: str = "maximal", weights: bool = False) -> Task:
    """`matching.SuitorMatcher`, of sorted neighbours if weights count."""
    import networkit as nk

    if kind != "maximal":
        raise NotSupported("it has maximal matchings: kind='maximal'")
    g = make_simple(csr, weights)
    if weights:
        nk.graphtools.sortEdgesByWeight(g, True)

    def answer(found: Any) -> Any:
        mates = np.array(found.getMatching().getVector(), np.uint64)
        return np.where(mates < csr.nrows, mates, np.uint64(2**64 - 1)).astype(np.int64).astype(np.int32)

    return Task(lambda: nk.matching.SuitorMatcher(g, weights).run(), answer)


def solve_louvain(
    csr: CompressedMatrix,
    resolution: float = 1.0,
    seed: int = 0,
    threshold: float = 0.0,
    max_levels: int | None = None,
) -> Task:
    """`community.PLM`."""
    import networkit as nk

    if threshold or max_levels is not None:
        raise NotSupported("it climbs until no vertex gains")
    if not is_loopless(csr):
        raise NotSupported("the graph has loops, which this task leaves out")
    g = make_simple(csr, True)

    def run() -> Any:
        nk.setSeed(seed, True)
        return nk.community.PLM(g, gamma=resolution).run()

    return Task(run, lambda found: name_communities(found.getPartition().getVector()))


def solve_diameter(csr: CompressedMatrix, weights: bool = False) -> Task:
    """`distance.Diameter`, exact, of connected graphs."""
    import networkit as nk

    if weights:
        raise NotSupported("its exact diameter of weighted graphs searches from every vertex")
    g = make_simple(csr)
    if nk.components.ConnectedComponents(g).run().numberOfComponents() > 1:
        raise NotSupported("the graph is not connected, and to it the diameter is infinite then")
    exact = nk.distance.DiameterAlgo.EXACT
    return Task(lambda: nk.distance.Diameter(g, exact).run(), lambda found: np.asarray(found.getDiameter()[0]))


tasks = {
    "bfs": bfs, "sssp": sssp, "components": components, "pagerank": pagerank, "eigenvector": solve_eigenvector,
    "clustering": solve_clustering, "spanning_forest": solve_forest, "core_numbers": solve_cores,
    "matching": solve_matching, "louvain": solve_louvain, "diameter": solve_diameter,
}  # fmt: skip
peer = Peer("NetworKit", "networkit", "cpu", tasks)
