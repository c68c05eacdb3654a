"""PageRank and other centralities that are a fixed point, with NetworkX's names and exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.hits import hits as solve_hits
from graphla.algorithms.pagerank import pagerank as solve_pagerank
from graphla.algorithms.shared.fixed_point import Power, gatherer
from graphla.common.errors import NotConverged
from graphla.doors.networkx.converted import ConvertedGraph, refuse_kinds
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from semirings.dtypes import lookup

__all__ = ["eigenvector_centrality", "hits", "katz_centrality", "pagerank"]

Step = Callable[[Any], Any]
HITS_ROUNDS = 20
"""Rounds of `hits` for an iteration of the Lanczos method, which NetworkX runs and whose iterations do more."""


def pagerank(
    G: ConvertedGraph,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Any = None,
    weight: Any = "weight",
    dangling: Any = None,
) -> dict[Any, float]:
    """`networkx.pagerank`."""
    if len(G) == 0:
        return {}
    graph = keep_positive(G, weight)
    teleports = to_distribution(G, personalization, "personalization", ZeroDivisionError())
    lost = to_distribution(G, dangling, "dangling", nx.PowerIterationFailedConvergence(max_iter))
    start = to_distribution(G, nstart, "nstart", nx.PowerIterationFailedConvergence(max_iter))
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    ranks = require_convergence(
        lambda: solve_pagerank(
            graph, alpha, convention="networkx", tolerance=tol, max_rounds=max_iter, personalization=teleports,
            dangling=lost, start=start,
        ),
        max_iter,
    )  # fmt: skip
    return G.by_node(ranks.to_numpy(0))


def require_convergence(solve: Callable[[], Any], max_iter: int) -> Any:
    """The answer, or the exception of NetworkX."""
    try:
        return solve()
    except NotConverged:
        raise nx.PowerIterationFailedConvergence(max_iter) from None


def to_distribution(G: ConvertedGraph, weights: Any, name: str, failure: Exception) -> Any:
    """The weights of a dictionary as an array; nodes without one have 0, and all have 0 is a failure."""
    if weights is None:
        return None
    found = np.array([weights.get(node, 0) for node in G.nodes], np.float64)
    if found.sum() == 0:
        raise failure
    if not (np.isfinite(found).all() and (found >= 0).all()):
        raise NotImplementedError(f"{name}: a weight is negative, or no finite number")
    return found


def keep_positive(G: ConvertedGraph, weight: Any) -> Graph:
    """The graph with the sums of parallel weights; edges of weight 0 count for nothing and are left out."""
    graph = G.graph(weight, np.add)
    low = graph.min_weight
    if low is None or graph.dtype.name == "BOOL" or low > 0:
        return graph
    if low < 0:
        raise NotImplementedError(f"weight={weight!r}: a weight is negative")
    return graph.cached("networkx.positive", drop_zeros)


def drop_zeros(graph: Graph) -> Graph:
    """The graph without the edges of weight 0."""
    from graphla.containers.select import select

    return Graph(select.valuegt(graph.A, 0).new())


def gather_by(graph: Graph, rows: CompressedMatrix) -> Step:
    """A function of an array of the engine: for each row the sum of what its columns have, by the weights."""
    return gatherer(graph, rows, Power(None, 0, graph.dtype.name != "BOOL", lookup("FP64"), None))


def iterate(step: Step, x: Any, tol: float, max_iter: int) -> Any:
    """Repeat a step until the sum of all changes is less than `tol` per node."""
    for _ in range(max_iter):
        before, x = x, step(x)
        if float(abs(x - before).sum()) < x.size * tol:
            return x
    raise nx.PowerIterationFailedConvergence(max_iter)


def hits(
    G: ConvertedGraph, max_iter: int = 100, tol: float = 1.0e-8, nstart: Any = None, normalized: bool = True
) -> tuple[dict[Any, float], dict[Any, float]]:
    """`networkx.hits`."""
    if len(G) == 0:
        return {}, {}
    if max_iter <= 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    graph, tol = keep_positive(G, "weight"), max(tol, np.finfo(float).eps)
    if not graph.nvals or len(G) == 1:
        raise NotImplementedError("there is one node, or no edge with a weight, and NetworkX's solver says so")
    hubs, authorities = (gather_by(graph, rows) for rows in (graph.csr, graph.csc))
    if nstart is None:
        h = find_hubs(graph, tol, HITS_ROUNDS * max_iter)
    else:
        if not all(isinstance(value, float) for value in nstart.values()):
            raise NotImplementedError("nstart: NetworkX's solver refuses whole numbers")
        start = graph.engine.asarray(read_start(G, nstart))
        step = lambda h: divide(hubs(divide(authorities(h))))  # noqa: E731
        h = iterate(step, start, tol / len(G), HITS_ROUNDS * max_iter)
    a = divide(authorities(h))
    if not normalized:
        a = a / float((a * a).sum()) ** 0.5
        h = hubs(a)
    return G.by_node(graph.engine.to_host(h)), G.by_node(graph.engine.to_host(a))


def find_hubs(graph: Graph, tol: float, max_rounds: int) -> Any:
    """Hub values that add up to 1; NetworkX's solver settles where they do not."""
    weighted = graph.dtype.name != "BOOL"
    try:
        return solve_hits(graph, tolerance=tol, max_rounds=max_rounds, weights=weighted)[0].to_dense()
    except NotConverged as error:
        raise NotImplementedError(str(error)) from error


def divide(x: Any) -> Any:
    """An array over its sum."""
    return x / x.sum()


def eigenvector_centrality(
    G: ConvertedGraph, max_iter: int = 100, tol: float = 1.0e-6, nstart: Any = None, weight: Any = None
) -> dict[Any, float]:
    """`networkx.eigenvector_centrality`."""
    refuse_kinds(G, "multigraph")
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    start = np.ones(len(G)) if nstart is None else read_start(G, nstart)
    if not start.any():
        raise nx.NetworkXError("initial vector cannot have all zero values")
    graph = G.graph(weight)
    gather, xp = gather_by(graph, graph.csc), graph.engine.xp

    def step(x: Any) -> Any:
        y = gather(x) + x
        norm = xp.sqrt((y * y).sum())
        return y / xp.where(norm > 0, norm, 1)

    found = G.by_node(graph.engine.to_host(iterate(step, xp.asarray(start / start.sum()), tol, max_iter)))
    return found if nstart is None else {node: found[node] for node in nstart}


def katz_centrality(
    G: ConvertedGraph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1.0e-6,
    nstart: Any = None,
    normalized: bool = True,
    weight: Any = None,
) -> dict[Any, float]:
    """`networkx.katz_centrality`."""
    refuse_kinds(G, "multigraph")
    if len(G) == 0:
        return {}
    graph, own = G.graph(weight), spread(G, beta)
    gather, xp = gather_by(graph, graph.csc), graph.engine.xp
    start = np.zeros(len(G)) if nstart is None else read_start(G, nstart)
    added = xp.asarray(own)
    with np.errstate(over="ignore", invalid="ignore"):
        x = iterate(lambda x: alpha * gather(x) + added, xp.asarray(start), tol, max_iter)
    found = graph.engine.to_host(x)
    norm = np.linalg.norm(found) if normalized else 1
    by_node = G.by_node(found / norm if norm else found)
    return by_node if nstart is None else {node: by_node[node] for node in nstart}


def read_start(G: ConvertedGraph, nstart: Any) -> Any:
    """The numbers that a caller begins with, which NetworkX reads as it comes to each node."""
    if nstart.keys() != G.number.keys():
        raise NotImplementedError("nstart: some nodes have no number, or some numbers no node")
    return np.array([nstart[node] for node in G.nodes], np.float64)


def spread(G: ConvertedGraph, beta: Any) -> Any:
    """The number that each node has of its own, of one number or of a dictionary of all nodes."""
    try:
        return np.full(len(G), float(beta))
    except (TypeError, ValueError, AttributeError) as error:
        if set(beta) != set(G.nodes):
            raise nx.NetworkXError("beta dictionary must have a value for every node") from error
    return np.array([beta[node] for node in G.nodes], np.float64)
