"""A graph as a network of resistors: weights are conductances, and L⁺ answers where currents flow.

A unit of current from s to t makes the potentials p = L⁺ (eₛ − eₜ): through the edge i – j flows w (pᵢ − pⱼ), and the
effective resistance is pₛ − pₜ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.spectrum.laplacian import get_laplacian, require_connected
from graphla.common.arguments import to_bool
from graphla.common.interrupts import show_interrupts
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.graphs.pairs import Pairs, split_pairs
from graphla.problem.answer import name_values


@show_interrupts
def effective_resistance(G: Graph, pairs: Pairs) -> Any:
    """Find the effective resistances between pairs of vertices.

    Parameters
    ----------
    G : Graph
        An undirected graph; weights are conductances of zero or more, the same both ways.
    pairs : sequence or array
        Pairs (u, v) of vertices: tuples, an array of shape (p, 2), or a tuple of two arrays, the first and the second
        vertices.

    Returns
    -------
    array
        float64[p], on the engine; infinite between components, 0 of a vertex with itself.

    Raises
    ------
    DimensionMismatch
        If `pairs` are no pairs.
    InvalidGraph
        If one of them is no vertex, the graph is directed, or a weight is negative or infinite.
    SingularMatrix
        If weights are too far apart for FP64.

    Notes
    -----
    With L + s e eᵀ = K D Kᵀ it is ‖D^-½ K⁻¹ (eₛ − eₜ)‖². The right-hand side is zero but for two places, so that K⁻¹
    visits the ancestors of both in the elimination tree alone: O(log n) fronts for a planar graph. All pairs are shared
    out among the cores. P. G. Doyle, J. L. Snell, *Random Walks and Electric Networks*, 1984.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.path(4, engine="cpu")
    >>> gl.effective_resistance(G, [[0, 3], [1, 2], [2, 2]]).round(9).tolist()
    [3.0, 1.0, 0.0]
    """
    from graphla.algorithms.spectrum import currents  # here, because Numba takes a second

    L = get_laplacian(G, "effective_resistance")
    engine, columns = G.engine, split_pairs(pairs, "pairs")
    held = (engine.to_host(part) if isinstance(part, engine.xp.ndarray) else part for part in columns)
    return currents.measure_pairs(L, *(G._number_vertices(part, "pairs") for part in held))


@show_interrupts
def current_flow_closeness(G: Graph) -> Vector:
    """Find the current-flow closeness (information centrality) of each vertex.

    Parameters
    ----------
    G : Graph
        A connected undirected graph; weights are conductances, the same both ways.

    Returns
    -------
    Vector
        FP64 of size n: 1 / Σ_u R(v, u) with the effective resistances R. A graph of one vertex has no entry.

    Raises
    ------
    InvalidGraph
        If the graph is directed or not connected, or a weight is negative or infinite.
    SingularMatrix
        If weights are too far apart for FP64.

    See Also
    --------
    closeness : The same with the lengths of shortest paths.

    Notes
    -----
    Σ_u R(v, u) = n (L⁺)ᵥᵥ + tr L⁺, whose diagonal takes a way up the elimination tree for each vertex. U. Brandes,
    D. Fleischer, "Centrality measures based on current flow", STACS 2005; K. Stephenson, M. Zelen, "Rethinking
    centrality", Social Networks 11, 1989.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.current_flow_closeness(gl.generate.path(3, engine="cpu")).to_numpy().round(4).tolist()
    [0.3333, 0.5, 0.3333]
    """
    from graphla.algorithms.spectrum import currents

    L = get_laplacian(G, "current_flow_closeness")
    require_connected(L, "current_flow_closeness")
    if L.n < 2:
        return name_values(G, Vector("FP64", L.n, engine=G.engine), "current_flow_closeness")
    diagonal = currents.measure_diagonal(L)
    closeness = Vector.from_dense(1 / (L.n * diagonal + diagonal.sum()), engine=G.engine)
    return name_values(G, closeness, "current_flow_closeness")


@show_interrupts
def current_flow_betweenness(G: Graph, *, normalized: bool = True) -> Vector:
    """Find the current-flow (random-walk) betweenness of each vertex.

    Parameters
    ----------
    G : Graph
        A connected undirected graph; weights are conductances, the same both ways.
    normalized : bool
        Whether it is the mean over the pairs of other vertices, rather than their sum.

    Returns
    -------
    Vector
        FP64 of size n: the current through each vertex, of a unit from s to t, over all pairs s < t of other vertices.

    Raises
    ------
    InvalidGraph
        If the graph is directed or not connected, or a weight is negative or infinite.
    SingularMatrix
        If weights are too far apart for FP64.

    See Also
    --------
    betweenness : The same with shortest paths.

    Notes
    -----
    The current of an edge for all pairs are the differences of one column w L⁺ (eᵢ − eⱼ), whose sum over pairs follows
    from its sorted entries: O(E n log n) in all. M. E. J. Newman, "A measure of betweenness centrality based on
    random walks", Social Networks 27(1), 2005; U. Brandes, D. Fleischer, STACS 2005.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.current_flow_betweenness(gl.generate.path(4, engine="cpu"), normalized=False).to_numpy().round(9).tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    from graphla.algorithms.spectrum import currents

    wanted, L = to_bool(normalized, "normalized"), get_laplacian(G, "current_flow_betweenness")
    require_connected(L, "current_flow_betweenness")
    tails, heads, weights = currents.list_edges(L)
    through = currents.sum_currents(L, tails, heads, weights)
    sums = np.bincount(tails, through, L.n) + np.bincount(heads, through, L.n)
    counts = np.maximum((sums - (L.n - 1)) / 2, 0)
    pairs = (L.n - 1) * (L.n - 2) / 2 if wanted and L.n > 2 else 1
    return name_values(G, Vector.from_dense(counts / pairs, engine=G.engine), "current_flow_betweenness")
