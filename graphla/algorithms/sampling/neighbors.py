"""Sampled neighbourhoods: from seeds on, hop by hop, so many arcs of each vertex that was found in the hop before.

The arcs of a hop are the entries of S⟨drawn⟩ A, where S has a row for each vertex that draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.sampling.numbers import Vertices
from graphla.algorithms.sampling.options import Asked, How, read_how, read_request
from graphla.algorithms.shared.random_words import make_keys, mix
from graphla.common.typing import ArrayLike
from graphla.common.typing import Vertices as VerticesLike
from graphla.containers.execute import report_out_of_memory
from graphla.graphs.graph import Graph

Array = Any


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
    kinds = {kind for relation in asked.relations for kind in (relation.near, relation.far)}
    sizes = [asked.seeds[kind].size if kind in asked.seeds else 0 for kind in asked.seeds]
    roots = make_keys(how.seed, np.arange(sum(sizes) if asked.disjoint else 1, dtype=np.uint64))
    sides = make_sides(asked, kinds)
    drawn: dict[Any, list[tuple[Array, ...]]] = {relation.key: [] for relation in asked.relations}
    for hop in range(max(len(relation.fanouts) for relation in asked.relations)):
        fronts = {kind: side.get_frontier(asked.engine.asarray(roots), asked.times) for kind, side in sides.items()}
        for number, relation in enumerate(asked.relations):
            fanout = relation.fanouts[hop] if hop < len(relation.fanouts) else 0
            front = fronts[relation.near]
            words = mix(np.arange(max(0, fanout), dtype=np.uint64) | np.uint64(hop << 32 | number << 48))
            tails, heads, arcs = draw_arcs(asked.engine, relation.rows, front, asked.engine.asarray(words), fanout, how)
            trees = front.trees[tails - front.base] if asked.disjoint else None
            drawn[relation.key].append(sides[relation.far].add(tails, heads, arcs, trees))
        for side in sides.values():
            side.close_hop()
    for side in sides.values():
        side.release()
    return collect(asked, how, sides, drawn)


def make_sides(asked: Asked, kinds: set[Any]) -> dict[Any, Vertices]:
    """The vertices of each type, of which the seeds are there."""
    xp, sides, first = asked.engine.xp, {}, 0
    far = {relation.far: relation.rows for relation in asked.relations}
    for kind in [*asked.seeds, *sorted(kinds - set(asked.seeds), key=repr)]:
        seeds = asked.seeds.get(kind, xp.zeros(0, "int64"))
        trees = xp.arange(first, first + seeds.size, dtype="int64") if asked.disjoint else None
        sides[kind] = Vertices(asked.engine, seeds, trees, far.get(kind))
        first += int(seeds.size)
    return sides


def draw_arcs(engine: Any, *request: Any) -> tuple[Array, Array, Array]:
    """Draw arcs on an engine."""
    if engine.name == "cpu":
        from graphla.algorithms.sampling import _draw_cpu as home
    else:
        from graphla.algorithms.sampling import _draw_cuda as home
    return home.draw_arcs(engine, *request)


def collect(asked: Asked, how: How, sides: dict[Any, Vertices], drawn: dict[Any, list[tuple[Array, ...]]]) -> Sample:
    """Put the hops together."""
    xp = asked.engine.xp
    rows, cols, edges, counts = {}, {}, {}, {}
    for key, hops in drawn.items():
        parts = [xp.concatenate([hop[i] for hop in hops] or [xp.zeros(0, "int64")]) for i in range(3)]
        rows[key], cols[key] = parts[1::-1] if how.inward else parts[:2]
        edges[key], counts[key] = parts[2], [int(hop[0].size) for hop in hops]
    nodes = {kind: side.nodes for kind, side in sides.items()}
    batch = {kind: side.trees for kind, side in sides.items()} if asked.disjoint else None
    found = {kind: side.counts for kind, side in sides.items()}
    if None not in sides:
        return Sample(rows, cols, nodes, edges, batch, found, counts, None)
    labels = None if asked.labels is None else asked.labels[asked.engine.to_host(nodes[None])]
    return Sample(
        rows[None], cols[None], nodes[None], edges[None], batch and batch[None], found[None], counts[None], labels
    )
