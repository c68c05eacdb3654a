"""The preparation of a graph for routing."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike

from graphla.algorithms.apsp.elimination.eliminate import get_structure
from graphla.algorithms.roads import order_file
from graphla.algorithms.roads.roads import Network, Roads
from graphla.common.arguments import to_path
from graphla.common.interrupts import show_interrupts
from graphla.common.typing import DTypeLike, Vertex
from graphla.graphs.graph import Graph
from graphla.problem import require_graph


@show_interrupts
def prepare(
    G: Graph,
    *,
    turns: Mapping[tuple[Vertex, Vertex, Vertex], float] | None = None,
    u_turn: float | None = None,
    order: str | PathLike[str] | None = None,
    dtype: DTypeLike | None = None,
) -> Roads:
    """Prepare a graph for many questions about its shortest paths: routes, travel-time matrices, isochrones.

    Parameters
    ----------
    G : Graph
        The roads: a vertex per crossing, an arc per direction of a street (so that a street that is one way has one),
        and weights of zero or more in any unit: seconds, metres. A pattern counts streets.
    turns : dict, optional
        What it costs to turn, by (from, via, to), three vertices: in the unit of the weights; ``float("inf")`` forbids
        the turn. Other turns are free.
    u_turn : float, optional
        What it costs to turn back, over the arcs a → b → a, where `turns` does not say it; infinity forbids it. By
        default nothing.
    order : str or path, optional
        A file that `Roads.save_order` wrote for a graph with the same arcs, instead of a new order of elimination.
    dtype : dtype, optional
        That of the distances; by default as `apsp`.

    Returns
    -------
    Roads
        Answers, and `Roads.customize` for other weights on the same order.

    Raises
    ------
    NotSupported
        If a weight is negative.
    InvalidGraph
        If `turns` names an arc or a vertex that is not there.
    InvalidOption
        If a turn is not three vertices, or costs less than nothing.
    GraphlaError
        If the file is no order, is damaged, or belongs to other arcs.
    OutOfMemory
        If the factor does not fit.

    See Also
    --------
    factorize : The elimination alone, over any closed semiring, with negative weights, too.

    Notes
    -----
    A customizable contraction hierarchy: the order of elimination and what follows from it depend on the arcs alone,
    and take most of the time; the weights are eliminated in this order. With turns the graph of arcs is eliminated,
    which has some times as many vertices. J. Dibbelt, B. Strasser, D. Wagner, "Customizable contraction
    hierarchies", ACM J. Exp. Algorithmics 21, 2016.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 0, 2], [1, 3, 2, 3], [1, 1, 2, 2]), n=4, engine="cpu")
    >>> gl.roads.prepare(G).paths([(0, 3)])
    [[0, 1, 3]]
    >>> gl.roads.prepare(G, turns={(0, 1, 3): float("inf")}).paths([(0, 3)])
    [[0, 2, 3]]
    """
    require_graph(G)
    expanded = None
    if turns is not None or u_turn is not None:
        from graphla.algorithms.roads.turns import make_turns

        expanded = make_turns(G.to("cpu"), turns, 0.0 if u_turn is None else u_turn)
    weighted = G if expanded is None else expanded.weigh(G.to("cpu").csr.values).to(G.engine)
    structure = get_structure(weighted) if order is None else order_file.read(to_path(order, "order"), weighted)
    return Roads(Network(Graph(G.A.dup(), name=G.name), structure, expanded, dtype), weighted)
