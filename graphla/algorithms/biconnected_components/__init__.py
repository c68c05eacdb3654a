"""Biconnected components, bridges and articulation points: what one edge or one vertex holds together."""

from __future__ import annotations

from typing import Any, Unpack

from graphla.algorithms.biconnected_components import _verify
from graphla.algorithms.shared.undirected import get_simple, require_undirected
from graphla.algorithms.spanning_forest import select_arcs
from graphla.common.typing import NoOptions
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.problem.answer import PerArc, PerVertex
from graphla.storage.convert import tally
from semirings import monoid

NAME = "biconnected components"


class BiconnectedComponents(Problem):
    """Biconnected components; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, *, method: str | None = None, **options: Unpack[NoOptions]) -> Matrix:
        """Biconnected components: the edges of which any two are on a cycle that visits no vertex twice.

        No vertex disconnects such a component if it is taken away. Each edge is in one component, alone if it is a
        bridge. Two components share a vertex at most, which is an articulation point.

        Parameters
        ----------
        G : Graph
            An undirected graph: each arc has its reverse. Weights do not matter and may differ between the two; an
            explicit zero is an arc. Loops do not count.
        method : str, optional
            A name of `biconnected_components.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Matrix
            INT32 of shape (n, n): the number of its component at both arcs of each edge. Numbers are 0, 1, … in the
            order of the first arcs of components, row by row. Loops have no entry.

        Raises
        ------
        InvalidGraph
            If the graph is directed; the message says how to make it undirected.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        bridges : The edges that are a component each.
        articulation_points : The vertices in several components.
        components : The vertices that paths connect.

        Notes
        -----
        O(V + E) work [1]_.

        References
        ----------
        .. [1] J. Hopcroft, R. Tarjan, "Algorithm 447: Efficient Algorithms for Graph Manipulation", CACM 16(6), 1973.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]))
        >>> gl.biconnected_components(G).to_dicts()
        {0: {1: 0, 2: 0}, 1: {0: 0, 2: 0}, 2: {0: 0, 1: 0, 3: 1}, 3: {2: 1}}
        """
        return self.solve(locals())

    def _require(self, G: Graph, settings: Any) -> None:
        """Refuse a directed graph."""
        require_undirected(G, "biconnected_components", NAME)


def bridges(G: Graph, *, method: str | None = None, **options: Unpack[NoOptions]) -> Matrix:
    """Bridges: the edges that are on no cycle, so that what they connect falls apart without them.

    Parameters
    ----------
    G : Graph
        An undirected graph, as `biconnected_components` takes it.
    method : str, optional
        A name of `biconnected_components.methods`.
    **options
        Options of the method.

    Returns
    -------
    Matrix
        Shape (n, n), of the dtype of the weights: both arcs of each bridge.

    Raises
    ------
    InvalidGraph
        If the graph is directed; the message says how to make it undirected.
    NotSupported
        If the method cannot answer; the message says why.

    See Also
    --------
    biconnected_components : Of which a bridge is one.
    articulation_points : The vertices that hold the graph together.

    Notes
    -----
    A bridge is a biconnected component of one edge.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2], [5, 5, 6, 6, 7, 7, 8, 8]))
    >>> gl.bridges(G).to_dicts()
    {2: {3: 8}, 3: {2: 8}}
    """
    numbers = biconnected_components(G, method=method, **options).to_coo()[2]
    alone = tally(numbers, int(numbers.max()) + 1) == 2 if numbers.size else numbers
    return select_arcs(get_simple(G), G.engine.xp.flatnonzero(alone[numbers]))._name_columns(G.A._names)


def articulation_points(G: Graph, *, method: str | None = None, **options: Unpack[NoOptions]) -> Vector:
    """Articulation points: the vertices without which what they connect falls apart.

    Parameters
    ----------
    G : Graph
        An undirected graph, as `biconnected_components` takes it.
    method : str, optional
        A name of `biconnected_components.methods`.
    **options
        Options of the method.

    Returns
    -------
    Vector
        BOOL of size n: whether each vertex is one.

    Raises
    ------
    InvalidGraph
        If the graph is directed; the message says how to make it undirected.
    NotSupported
        If the method cannot answer; the message says why.

    See Also
    --------
    biconnected_components : Of which an articulation point is in several.
    bridges : The edges that hold the graph together.

    Notes
    -----
    An articulation point is in several biconnected components: the least number at its arcs is not the greatest.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]))
    >>> gl.articulation_points(G).to_dense().tolist()
    [False, False, True, False]
    """
    numbers = biconnected_components(G, method=method, **options)
    least, most = (numbers.reduce_rowwise(add).new() for add in (monoid.min, monoid.max))
    found = Vector.from_dense(least.to_dense(0) != most.to_dense(0), engine=G.engine)
    return PerVertex("articulation_points", None).call(G, found, "articulation_points")


biconnected_components = BiconnectedComponents(
    "biconnected_components",
    __name__,
    lambda G, _, numbers: _verify.verify(get_simple(G).csr, numbers),
    gives=(PerArc("value", argument="numbers", kinds="iu", arcs=get_simple),),
    domain="undirected",
)
