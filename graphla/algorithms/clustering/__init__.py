"""Clustering: how many of the pairs of a vertex's neighbours are neighbours."""

from __future__ import annotations

from typing import Any, Literal, overload

from graphla.algorithms.clustering import _verify
from graphla.algorithms.shared.undirected import find_degrees, prefer_merge
from graphla.common.arguments import to_choice, to_real
from graphla.common.typing import OptionValue
from graphla.containers.container import move_storage
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, Request, require_graph, require_vectors

Kind = Literal["local", "average", "transitivity"]
KINDS = "local", "average", "transitivity"


class Clustering(Problem):
    """Clustering coefficients, of each vertex or of the graph; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self, G: Graph, *, kind: Literal["local"] = "local", method: str | None = None, **options: OptionValue
    ) -> Vector: ...

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        kind: Literal["average", "transitivity"],
        method: str | None = None,
        **options: OptionValue,
    ) -> float: ...

    @overload
    def __call__(
        self, G: Graph, *, kind: Kind, method: str | None = None, **options: OptionValue
    ) -> Vector | float: ...

    def __call__(self, G: Graph, *, kind: Kind = "local", method: str | None = None, **options: OptionValue) -> Any:
        """Clustering: the share of the ordered pairs of a vertex's neighbours that an arc joins.

        The neighbours of a vertex are those that an arc leads to or comes from, the vertex itself not counted. If there
        are d of them, d (d - 1) arcs can join them. Of an undirected graph the coefficient is the number of triangles
        of the vertex over the number of pairs of its neighbours.

        Parameters
        ----------
        G : Graph
            The graph, directed or not. Weights do not matter; an explicit zero is an arc, and loops are none.
        kind : {"local", "average", "transitivity"}
            The coefficient of each vertex; their mean; or all the arcs that join neighbours over all that could.
        method : str, optional
            A name of `clustering.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector or float
            FP64 of size n, from 0 to 1; 0 for a vertex with fewer than two neighbours. A number if `kind` is
            ``"average"`` (of all vertices; 0 of none) or ``"transitivity"`` (0 if no vertex has two neighbours).

        Raises
        ------
        InvalidOption
            If `kind` is none of these.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        triangles : How many triangles there are, in all or of each vertex.

        Notes
        -----
        The coefficients are those of LDBC Graphalytics [1]_, of directed and of undirected graphs. NetworkX agrees on
        undirected graphs; of directed ones it counts triangles by their orientations. Arcs are counted exactly.

        References
        ----------
        .. [1] A. Iosup et al., "The LDBC Graphalytics Benchmark", arXiv:2011.15028, section 2.3.6.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]))
        >>> gl.clustering(G).to_dense().round(3).tolist()
        [1.0, 1.0, 0.333, 0.0]
        >>> round(gl.clustering(G, kind="average"), 3), gl.clustering(G, kind="transitivity")
        (0.583, 0.6)
        """
        require_graph(G)
        to_choice(kind, "kind", KINDS)
        chosen = self.choose(G, method, {"kind": kind, **options})
        found = chosen.run(G, **options)
        closed = found.to_dense() if isinstance(found, Vector) else found
        return summarise(G, closed, kind)

    def preferred(self, graph: Graph, request: Request) -> tuple[str, str] | None:
        """Merging, for graphs of low degree.

        Parameters
        ----------
        graph : Graph
            The graph.
        request : mapping
            What is asked of the method.

        Returns
        -------
        name : str
            A name of `clustering.methods`.
        reason : str
            Why it is this one. None instead of both if the best method for the engine is to run.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.clustering.preferred(gl.generate.path(4), {})[0]
        'merge'
        """
        return prefer_merge(self.methods, graph)


def summarise(G: Graph, closed: Any, kind: Kind) -> Vector | float:
    """The coefficients, or the number that is asked for, of the arcs between the neighbours of each vertex."""
    xp, degrees = G.engine.xp, find_degrees(G)
    possible = degrees * (degrees - 1)
    if kind == "transitivity":
        total = int(possible.sum())
        return int(closed.sum()) / total if total else 0.0
    local = closed / xp.maximum(possible, 1)
    if kind == "average":
        return float(local.mean()) if G.n else 0.0
    return Vector.from_dense(local, engine=G.engine)


def verify(G: Graph, coefficients: Vector | float, *, kind: Kind = "local") -> None:
    """Check clustering coefficients by products of SciPy.

    Parameters
    ----------
    G : Graph
        The graph.
    coefficients : Vector or float
        What `clustering` returned.
    kind : {"local", "average", "transitivity"}
        What that is.

    Raises
    ------
    VerificationError
        If one is off by more than rounding; the message names the first vertex of a wrong one.

    Notes
    -----
    O(E^1.5) of an undirected graph, on the host; of a directed one the sum of the squares of the degrees.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 0, 1], [1, 2, 2]))
    >>> gl.clustering.verify(G, gl.clustering(G, method="algebraic"))
    """
    require_graph(G)
    to_choice(kind, "kind", KINDS)
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    if kind == "local":
        require_vectors(G, coefficients=coefficients)
        _verify.verify_local(csr, coefficients.to_numpy(-1))  # type: ignore[union-attr]
    else:
        _verify.verify_number(csr, to_real(coefficients, "coefficients"), kind)


clustering = Clustering(
    "clustering", __name__, verify, common=("kind",), gives=(Answer("coefficients"),), defining=("kind",)
)
