"""Clustering: how many of the pairs of a vertex's neighbours are neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Unpack, overload

from graphla.algorithms.clustering import _verify
from graphla.algorithms.clustering._shares import count_pairs, find_shares
from graphla.algorithms.shared.undirected import find_degrees, prefer_merge
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, Request, choice
from graphla.problem import Settings as Checked
from graphla.problem.answer import NumberOrPerVertex

Kind = Literal["local", "average", "transitivity"]


@dataclass(frozen=True)
class Settings(Checked):
    """Which coefficients are asked for."""

    kind: Kind = choice("local", "average", "transitivity")


class Clustering(Problem):
    """Clustering coefficients, of each vertex or of the graph; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self, G: Graph, *, kind: Literal["local"] = "local", method: str | None = None, **options: Unpack[NoOptions]
    ) -> Vector: ...

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        kind: Literal["average", "transitivity"],
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> float: ...

    @overload
    def __call__(
        self, G: Graph, *, kind: Kind, method: str | None = None, **options: Unpack[NoOptions]
    ) -> Vector | float: ...

    def __call__(
        self, G: Graph, *, kind: Kind = "local", method: str | None = None, **options: Unpack[NoOptions]
    ) -> Any:
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
        return self.solve(locals())

    def _finish(self, G: Graph, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The coefficients, or the number that is asked for, of the arcs between the neighbours of each vertex."""
        (closed,) = found
        return (summarise(G, closed.to_dense() if isinstance(closed, Vector) else closed, settings.kind),)

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


def summarise(G: Graph, closed: Any, kind: Kind) -> Any:
    """The coefficients, or the number that is asked for, of the arcs between the neighbours of each vertex."""
    possible = count_pairs(G.engine, find_degrees(G))
    if kind == "transitivity":
        total = int(possible.sum())
        return int(closed.sum()) / total if total else 0.0
    local = find_shares(G.engine, closed, possible)
    if kind == "average":
        return float(local.sum()) / G.n if G.n else 0.0
    return local


def verify(G: Graph, s: Settings, found: Any) -> None:
    """Check the coefficients, or the number."""
    if s.kind == "local":
        _verify.verify_local(G.csr, found)
    else:
        _verify.verify_number(G.csr, found, s.kind)


clustering = Clustering(
    "clustering",
    __name__,
    verify,
    settings=Settings,
    gives=(NumberOrPerVertex("coefficients", None, per_vertex=lambda s: s.kind == "local"),),
    defining=("kind",),
)
