"""Parts of a graph: what some steps reach, and the graph of some vertices.

The part of the vertices V is S A Sᵀ, where S has a row for each of them: A[V, V].
"""

from __future__ import annotations

import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.algorithms.bfs.algebraic import compute_levels, prepare_transpose
from graphla.common.arguments import to_int
from graphla.common.errors import InvalidGraph
from graphla.common.typing import Vertex, Vertices
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import require_graph


def subgraph(G: Graph, vertices: Vertices) -> Graph:
    """The graph of some vertices: these, and the arcs from one of them to another.

    Parameters
    ----------
    G : Graph
        The graph.
    vertices : sequence of vertices
        Each once; the first becomes vertex 0, and so on.

    Returns
    -------
    Graph
        On the engine of G, with the weights of its arcs. Its labels are those of G, or the numbers that the vertices
        have in G, so that vertices are called as before.

    Raises
    ------
    InvalidGraph
        If one is no vertex of G, or is there twice.

    See Also
    --------
    ego : The graph of what is near a vertex.
    k_core : The arcs of a core, in which vertices keep their numbers.

    Notes
    -----
    O(n) for a look at which vertices are chosen, and the arcs that leave them.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2, 3], [1, 2, 3, 0], [5, 6, 7, 8]))
    >>> H = gl.subgraph(G, [3, 2, 0])
    >>> H.A.to_dicts(), H.labels.tolist()
    ({0: {2: 8}, 1: {0: 7}}, [3, 2, 0])
    >>> gl.bfs(H, 2).nvals
    3
    """
    require_graph(G)
    return take_part(G, G.vertices(vertices, "vertices"))


def take_part(G: Graph, chosen: list[int]) -> Graph:
    """The graph of vertices by number."""
    numbers = np.asarray(chosen, np.int64)
    known, counts = np.unique(numbers, return_counts=True)
    if known.size < numbers.size:
        (twice,) = G._call_vertices([int(known[counts > 1][0])])
        raise InvalidGraph(f"vertices: {twice!r} is there {counts.max()} times: give each vertex once")
    return Graph(G.A[chosen, chosen].new(), labels=G._call_vertices(chosen), engine=G.engine)


def k_hop(G: Graph, sources: Vertices, k: int) -> Vector:
    """The vertices that k arcs or fewer lead to from any of some vertices.

    Parameters
    ----------
    G : Graph
        The graph. Arcs are followed from tail to head; weights do not matter.
    sources : sequence of vertices
        Where the steps begin.
    k : int
        The most steps.

    Returns
    -------
    Vector
        INT32 of size n: for each vertex that is reached the number of arcs from the nearest source; others have no
        entry.

    Raises
    ------
    InvalidGraph
        If a source is no vertex of G.
    InvalidOption
        If k is no whole number of 0 or more.

    See Also
    --------
    bfs : With ``sources=`` and ``limit=``, a row for each source.
    ego : The graph of what is near one vertex.

    Notes
    -----
    O(V + E): one search from all sources.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2, 3], [1, 2, 3, 4]))
    >>> gl.k_hop(G, [0, 3], 1).to_dict()
    {0: 0, 1: 1, 3: 0, 4: 1}
    """
    require_graph(G)
    chosen, steps = sorted(set(G.vertices(sources, "sources"))), to_int(k, "k", 0)
    levels = compute_levels(prepare_transpose(G).A, chosen, None, steps + 1)
    return bfs.gives[0].call(G, levels, "k_hop")


def ego(G: Graph, vertex: Vertex, radius: int = 1) -> Graph:
    """The graph of what is near a vertex: all that `radius` arcs or fewer lead to, and the arcs among these.

    Parameters
    ----------
    G : Graph
        The graph. Arcs are followed from tail to head; weights do not matter for what is near.
    vertex : vertex
        The middle.
    radius : int
        The most arcs.

    Returns
    -------
    Graph
        As `subgraph` makes it, its vertices in the order of their numbers in G.

    Raises
    ------
    InvalidGraph
        If it is no vertex of G.
    InvalidOption
        If the radius is no whole number of 0 or more.

    See Also
    --------
    subgraph : The graph of vertices that are given.
    k_hop : The vertices alone, from one or several.

    Notes
    -----
    On the CPU a search of what is near, and O(n) for a look at which vertices are chosen.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]))
    >>> H = gl.ego(G, 3)
    >>> H.labels.tolist(), H.nvals
    ([2, 3], 2)
    """
    require_graph(G)
    G.vertex(vertex, "vertex")
    near = bfs(G, vertex, limit=to_int(radius, "radius", 0))
    return take_part(G, near.engine.to_host(near.to_coo()[0]).tolist())
