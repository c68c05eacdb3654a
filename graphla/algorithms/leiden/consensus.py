"""Consensus: communities of a graph whose arcs weigh by how many runs put their ends together."""

from __future__ import annotations

from graphla.algorithms.core_numbers import core_numbers
from graphla.algorithms.leiden import leiden
from graphla.algorithms.louvain import louvain
from graphla.algorithms.shared.seed import to_seed
from graphla.algorithms.shared.undirected import is_undirected
from graphla.common.arguments import show, to_bool, to_int, to_real
from graphla.common.errors import InvalidOption
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.convert import expand_rows
from semirings import binary

MOST_RUNS = 1000
CORE = 2
"""The core whose arcs weigh by agreement in ECG."""


def consensus(
    G: Graph, runs: int = 16, resolution: float = 1.0, seed: int = 0, *, least: float = 0.05, core: bool = False
) -> Vector:
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
    core : bool
        Whether an arc with an end outside the 2-core keeps this least share alone, as in ECG (ensemble clustering for
        graphs) [1]_: what hangs on a tree is in its neighbour's community in every run, and says nothing of it.

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
    O(E) per run. Of a directed graph the 2-core is that of the pairs that an arc joins, in whichever direction.

    References
    ----------
    .. [1] V. Poulin, F. Théberge, "Ensemble clustering for graphs", Complex Networks 2018.

    Examples
    --------
    >>> import graphla as gl
    >>> tails, heads = [0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3]
    >>> gl.consensus(gl.Graph((tails + heads, heads + tails)), 4).to_dense().tolist()
    [0, 0, 0, 1, 1, 1]
    """
    require_graph(G)
    count, first, kept = to_int(runs, "runs", 1, MOST_RUNS), to_seed(seed), to_real(least, "least", 0.0)
    cored = to_bool(core, "core")
    if not kept <= 1:
        raise InvalidOption(f"least={show(least)}: give a share from 0 to 1")
    csr, together = G.csr, G.engine.xp.zeros(G.nvals)
    tails = expand_rows(csr)
    for run in range(count):
        labels = louvain(G, resolution, first + run, max_levels=1).to_dense()
        together += labels[tails] == labels[csr.indices]
    if cored:
        inside = core_numbers(make_undirected(G)).to_dense() >= CORE
        together *= inside[tails] & inside[csr.indices]
    values = csr.values.astype("float64") * (kept + (1 - kept) * together / count)
    H = Graph(Matrix.from_csr(csr.indptr, csr.indices, values, "FP64", ncols=G.n, engine=G.engine))
    return leiden.gives[0].call(G, leiden(H, resolution, first), "leiden")


def make_undirected(G: Graph) -> Graph:
    """The graph with the reverse of each arc; the weights are of no use."""
    return G.plain if is_undirected(G) else Graph(binary.any(G.A.dup("BOOL") | G.A.dup("BOOL").T).new())
