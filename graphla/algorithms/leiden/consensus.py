"""Consensus: communities of a graph whose arcs weigh by how many runs put their ends together."""

from __future__ import annotations

from graphla.algorithms.leiden import leiden
from graphla.algorithms.louvain import louvain
from graphla.algorithms.shared.seed import to_seed
from graphla.common.arguments import show, to_int, to_real
from graphla.common.errors import InvalidOption
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.convert import expand_rows

MOST_RUNS = 1000


def consensus(G: Graph, runs: int = 16, resolution: float = 1.0, seed: int = 0, *, least: float = 0.05) -> Vector:
    """Consensus of communities over seeds: those of a graph whose arcs weigh by how often their ends are together.

    Louvain runs for several seeds, one level each. An arc keeps the share `least` of its weight, and the rest in
    proportion to the runs that put its ends into one community. Leiden finds the communities of that graph.

    Parameters
    ----------
    G : Graph
        The graph, directed or not, with weights of zero or more.
    runs : int
        How many runs, from 1 to 1,000.
    resolution : float
        Of the modularity, in the runs and at the end.
    seed : int
        The first of the seeds: a number of 32 bits. The same one gives the same communities on every engine.
    least : float
        From 0 to 1: the share of its weight that an arc keeps in any case.

    Returns
    -------
    Vector
        INT32 of size n: the number of the community of each vertex, the largest first.

    Raises
    ------
    InvalidGraph
        If a weight is negative or infinite.
    InvalidOption
        If an option is none of those that are allowed.

    See Also
    --------
    leiden : Communities of one seed.
    compare_partitions : How far those of two seeds agree.

    Notes
    -----
    O(E) per run. V. Poulin, F. Théberge, "Ensemble clustering for graphs", Complex Networks 2018, whose arcs beyond the
    2-core always keep the least weight; here all arcs are alike.

    Examples
    --------
    >>> import graphla as gl
    >>> tails, heads = [0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3]
    >>> gl.consensus(gl.Graph((tails + heads, heads + tails)), 4).to_dense().tolist()
    [0, 0, 0, 1, 1, 1]
    """
    require_graph(G)
    count, first, kept = to_int(runs, "runs", 1, MOST_RUNS), to_seed(seed), to_real(least, "least", 0.0)
    if not kept <= 1:
        raise InvalidOption(f"least={show(least)}: give a share from 0 to 1")
    csr, together = G.csr, G.engine.xp.zeros(G.nvals)
    tails = expand_rows(csr)
    for run in range(count):
        labels = louvain(G, resolution, first + run, max_levels=1).to_dense()
        together += labels[tails] == labels[csr.indices]
    values = csr.values.astype("float64") * (kept + (1 - kept) * together / count)
    H = Graph(Matrix.from_csr(csr.indptr, csr.indices, values, "FP64", ncols=G.n, engine=G.engine))
    return leiden.gives[0].call(G, leiden(H, resolution, first), "leiden")
