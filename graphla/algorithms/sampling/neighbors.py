"""Sampled neighbourhoods: from seeds on, hop by hop, so many arcs of each vertex that was found in the hop before.

The arcs of a hop are the entries of S⟨drawn⟩ A, where S has a row for each vertex that draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from graphla.algorithms.sampling.options import Asked, How, read_how, read_request
from graphla.common.typing import ArrayLike
from graphla.common.typing import Vertices as VerticesLike
from graphla.containers.execute import report_out_of_memory
from graphla.graphs.graph import Graph


class Sample(NamedTuple):
    """A sampled neighbourhood: arcs between vertices that have numbers of their own.

    Of a dict of graphs each member is a dict: of arcs by relation, of vertices by type.

    Parameters
    ----------
    row, col : array
        int64[m]: the numbers, in the sample, of the vertices that each arc leaves and enters.
    node : array
        int64[k]: the vertices in the order of their numbers: seeds first, then as they are found.
    edge : array
        int64[m]: where each arc stands in ``G.csr``, and in ``G.to_arrow()``.
    batch : array or None
        int64[k]: the seed from which each vertex was found, if seeds share none.
    num_sampled_nodes, num_sampled_edges : list of int
        How many vertices are seeds and how many are found in each hop; how many arcs each hop has.
    labels : array or None
        The labels of `node`, if the graph has labels; on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> sample = gl.sample_neighbors(gl.generate.path(5, engine="cpu"), [0], [2, 2])
    >>> sample.node.tolist(), sample.num_sampled_nodes
    ([0, 1, 2], [1, 1, 1])
    """

    row: Any
    col: Any
    node: Any
    edge: Any
    batch: Any
    num_sampled_nodes: Any
    num_sampled_edges: Any
    labels: Any


@report_out_of_memory
def sample_neighbors(
    G: Graph | Mapping[Any, Any],
    seeds: VerticesLike | Mapping[Any, Any],
    fanouts: Sequence[int] | Mapping[Any, Any],
    *,
    replace: bool = False,
    weights: bool = False,
    time: ArrayLike | Mapping[Any, Any] | None = None,
    vertex_time: ArrayLike | Mapping[Any, Any] | None = None,
    seed_time: ArrayLike | Mapping[Any, Any] | None = None,
    latest: bool = False,
    disjoint: bool | None = None,
    direction: str = "in",
    seed: int = 0,
) -> Sample:
    """Sampled neighbourhoods for graph neural networks: so many arcs of each vertex, hop by hop from the seeds.

    Parameters
    ----------
    G : Graph or dict
        The graph; or a heterogeneous one: for each relation (type of tails, name, type of heads) a Graph, or a Matrix
        of a row for each tail and a column for each head.
    seeds : sequence of vertices
        Where samples begin, each once unless `disjoint`. Of a dict of graphs a dict of numbers by type.
    fanouts : sequence of int
        How many arcs are drawn for each vertex of each hop, the first for the seeds; -1 takes all. Of a dict of graphs
        it may be a dict of such by relation.
    replace : bool
        Whether an arc may be drawn more than once; then each vertex with an arc draws as many as it is to.
    weights : bool
        Whether arcs are drawn in proportion to their weights, of those that are left if each is drawn once; none may be
        negative or infinite then, and one of zero is never drawn.
    time : array, optional
        Of shape (nvals,): the time of each arc, in the order of ``G.csr``. No arc later than the seed's time is drawn.
    vertex_time : array, optional
        Of shape (n,): the time of each vertex instead: an arc has that of the neighbour to which it leads.
    seed_time : array, optional
        The time of each seed; needed with `time`, and by default that of the vertex with `vertex_time`.
    latest : bool
        Whether the arcs that are latest, and not later than the seed, are taken instead of drawn.
    disjoint : bool, optional
        Whether each seed has a sample of its own, which shares no vertex with others. By default if there are times.
    direction : {"in", "out"}
        Whether samples grow against the arcs, as messages along them come to the seeds, or with them.
    seed : int
        Which samples. They are the same on both engines. What a vertex draws depends on the seed, the vertex, the hop,
        and the seed from which it was found if `disjoint`.

    Returns
    -------
    Sample
        ``row, col, node, edge, batch, num_sampled_nodes, num_sampled_edges, labels``: arrays on the engine of G, in the
        order of PyG: ``torch.from_dlpack(sample.row)`` copies nothing.

    Raises
    ------
    InvalidGraph
        If a seed is no vertex or there twice, or weights count and one is negative or infinite.
    InvalidOption
        If an argument is out of range, has a wrong length, or does not fit the others.
    NotSupported
        If the graph is spread over ranks.
    OutOfMemory
        If the sample does not fit in memory.

    See Also
    --------
    sample_negative_edges : Pairs that no arc joins.
    random_walks : Walks, as of node2vec and DeepWalk.
    k_hop : All vertices that are near.

    Notes
    -----
    O(1) work for each arc that is drawn, O(log deg + fanout) by weights. The rows of the graph against the arcs, sums
    of weights, and an order of the arcs by time are prepared at the first call and kept with the graph.

    References
    ----------
    .. [1] W. Hamilton, R. Ying, J. Leskovec, "Inductive Representation Learning on Large Graphs", NIPS 2017.
    .. [2] R. Floyd, J. Bentley, "A Sample of Brilliance", Communications of the ACM 30(9), 1987.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([1, 2, 3, 4], [0, 0, 1, 1]))
    >>> sample = gl.sample_neighbors(G, [0], [2, 1])
    >>> sample.node.tolist(), sample.row.tolist(), sample.col.tolist(), sample.edge.tolist()
    ([0, 1, 2, 3], [1, 2, 3], [0, 0, 1], [0, 1, 2])
    """
    how = read_how(replace, weights, latest, direction, seed)
    return sample(read_request(G, seeds, fanouts, how, (time, vertex_time, seed_time), disjoint), how)


def sample(asked: Asked, how: How) -> Sample:
    """Draw a sample."""
    if asked.engine.name == "cpu":
        from graphla.algorithms.sampling._hops_cpu import grow
    else:
        from graphla.algorithms.sampling._hops_cuda import grow
    arcs, vertices = grow(asked, how)
    ends = {key: parts[1::-1] if how.inward else parts[:2] for key, (parts, _) in arcs.items()}
    found = Sample(
        row={key: each[0] for key, each in ends.items()},
        col={key: each[1] for key, each in ends.items()},
        node={kind: parts[0] for kind, (parts, _) in vertices.items()},
        edge={key: parts[2] for key, (parts, _) in arcs.items()},
        batch={kind: parts[1] for kind, (parts, _) in vertices.items()} if asked.disjoint else None,
        num_sampled_nodes={kind: counts for kind, (_, counts) in vertices.items()},
        num_sampled_edges={key: counts for key, (_, counts) in arcs.items()},
        labels=None,
    )
    return found if None not in vertices else unwrap(asked, found)


def unwrap(asked: Asked, found: Sample) -> Sample:
    """The sample of one graph, with the labels of its vertices."""
    parts = [None if each is None else each[None] for each in found[:-1]]
    labels = None if asked.labels is None else asked.labels[asked.engine.to_host(found.node[None])]
    return Sample._make([*parts, labels])
