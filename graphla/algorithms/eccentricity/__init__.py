"""Eccentricity: how far the farthest vertex is; and what follows from it: radius, center and periphery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from graphla.algorithms.bfs.many.multi_source import WORD
from graphla.algorithms.eccentricity import _verify
from graphla.algorithms.eccentricity.settings import Settings
from graphla.common.typing import NoOptions, Vertices
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.problem.answer import OfSome


class Eccentricity(Problem):
    """Eccentricities; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        sources: Vertices | None = None,
        *,
        weights: bool = False,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector:
        """Eccentricity: the largest distance from a vertex to any vertex that it reaches.

        Parameters
        ----------
        G : Graph
            The graph. Of a directed one distances along the arcs count; ``gl.Graph(G.A.T.new())`` turns them around.
        sources : sequence of int, optional
            The vertices whose eccentricity is wanted; by default all.
        weights : bool
            Whether weights are the lengths of arcs; none may be negative then. By default each arc is one long.
        method : str, optional
            A name of `eccentricity.methods`; by default the best one for the engine and the number of sources.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            Of size n, with an entry for each source: INT32, and with weights INT64 or FP64. Vertices without a path
            from the source do not count, so that a vertex without arcs has 0.

        Raises
        ------
        InvalidGraph
            If a source is no vertex of G, or weights count and one is negative.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If there is no such method, or it has no such option.
        Overflow
            If weights count and a distance does not fit 64 bits.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        diameter : The largest eccentricity, without the others.
        radius : The smallest one.
        closeness : The mean distance instead of the largest.

        Notes
        -----
        O(V · E) work at most. Bounds [1]_ leave a small share of it: 1,062 searches tell the eccentricities of the
        264,346 crossings of New York's roads.

        References
        ----------
        .. [1] F. Takes, W. Kosters, "Computing the Eccentricity Distribution of Large Graphs", Algorithms 6(1), 2013.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2], [4, 4, 1, 1, 2, 2]))
        >>> gl.eccentricity(G).to_dense().tolist(), gl.eccentricity(G, [0], weights=True).to_dict()
        ([3, 2, 2, 3], {0: 7})
        """
        return self.solve(locals())

    def _finish(self, G: Graph, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The eccentricities of all vertices, or of the sources alone."""
        if settings.sources is None:
            return (Vector.from_dense(found[0], engine=G.engine),)
        return (Vector.from_coo(settings.sources, found[0], size=G.n, engine=G.engine),)

    def preferred(self, graph: Any, request: Mapping[str, Any]) -> tuple[str, str] | None:
        """A word of searches for few sources.

        Parameters
        ----------
        graph : Graph
            The graph.
        request : mapping
            What is asked of the method.

        Returns
        -------
        tuple of (str, str) or None
            A name of `eccentricity.methods`, and the reason; None if the best method for the engine is to run.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.eccentricity.preferred(gl.generate.path(4), {"sources": [2]})
        ('searches', 'at most 64 sources')
        """
        return ("searches", f"at most {WORD} sources") if is_few(request.get("sources")) else None


def is_few(sources: Vertices | None) -> bool:
    """Whether one word of searches answers."""
    return sources is not None and len(sources) <= WORD


def radius(G: Graph, *, weights: bool = False, method: str | None = None, **options: Unpack[NoOptions]) -> int | float:
    """The radius: the smallest eccentricity.

    Parameters
    ----------
    G : Graph
        The graph. A vertex that reaches no other has eccentricity 0, and so the radius is 0 if there is one.
    weights : bool
        Whether weights are the lengths of arcs.
    method : str, optional
        A name of `eccentricity.methods`.
    **options
        Options of the method.

    Returns
    -------
    int or float
        The radius; 0 of a graph without vertices.

    Raises
    ------
    InvalidGraph
        If weights count and one is negative.
    Overflow
        If weights count and a distance does not fit 64 bits.

    See Also
    --------
    eccentricity : Those of all vertices.
    center : The vertices that have it.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.radius(gl.generate.path(5))
    2
    """
    values = eccentricity(G, None, weights=weights, method=method, **options)
    return values.reduce("min").new().get(0) if G.n else 0


def center(G: Graph, *, weights: bool = False, method: str | None = None, **options: Unpack[NoOptions]) -> Vector:
    """The center: the vertices whose eccentricity is the radius.

    Parameters
    ----------
    G : Graph
        The graph.
    weights : bool
        Whether weights are the lengths of arcs.
    method : str, optional
        A name of `eccentricity.methods`.
    **options
        Options of the method.

    Returns
    -------
    Vector
        Of size n, with an entry for each vertex of the center: its eccentricity.

    Raises
    ------
    InvalidGraph
        If weights count and one is negative.
    Overflow
        If weights count and a distance does not fit 64 bits.

    See Also
    --------
    periphery : The vertices of the largest eccentricity.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.center(gl.generate.path(4)).to_dict()
    {1: 2, 2: 2}
    """
    return select_extreme(eccentricity(G, None, weights=weights, method=method, **options), "min")


def periphery(G: Graph, *, weights: bool = False, method: str | None = None, **options: Unpack[NoOptions]) -> Vector:
    """The periphery: the vertices whose eccentricity is the diameter.

    Parameters
    ----------
    G : Graph
        The graph.
    weights : bool
        Whether weights are the lengths of arcs.
    method : str, optional
        A name of `eccentricity.methods`.
    **options
        Options of the method.

    Returns
    -------
    Vector
        Of size n, with an entry for each vertex of the periphery: its eccentricity.

    Raises
    ------
    InvalidGraph
        If weights count and one is negative.
    Overflow
        If weights count and a distance does not fit 64 bits.

    See Also
    --------
    center : The vertices of the smallest eccentricity.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.periphery(gl.generate.path(4)).to_dict()
    {0: 3, 3: 3}
    """
    return select_extreme(eccentricity(G, None, weights=weights, method=method, **options), "max")


def select_extreme(values: Vector, monoid: str) -> Vector:
    """The entries that are the least or the largest; floats but for their rounding."""
    if not values.nvals:
        return values
    extreme = values.reduce(monoid).new().get(0)
    if values.dtype.kind != "f":
        return values.select("valueeq", extreme).new()._name_columns(values._names)
    low, high = extreme * (1 - _verify.TOLERANCE), extreme * (1 + _verify.TOLERANCE)
    return values.select("valuege", low).new().select("valuele", high).new()._name_columns(values._names)


eccentricity = Eccentricity(
    "eccentricity",
    __name__,
    lambda G, s, values: _verify.verify(G, values, s),
    settings=Settings,
    gives=(OfSome("distances", argument="values"),),
    defining=("sources", "weights"),
)
