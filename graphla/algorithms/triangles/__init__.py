"""Triangles: three vertices of which each two are neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack, overload

from graphla.algorithms.shared.undirected import get_simple, prefer_merge, require_undirected
from graphla.algorithms.triangles import _verify
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, Request, flag
from graphla.problem import Settings as Checked
from graphla.problem.answer import NumberOrPerVertex


@dataclass(frozen=True)
class Settings(Checked):
    """What is counted."""

    per_vertex: bool = flag()


EACH = Settings(per_vertex=True)


class Options(TypedDict, total=False):
    """The options of the methods."""

    expression: Literal["burkhardt", "cohen", "sandia_ll", "sandia_uu", "sandia_lut", "sandia_ult", "rows"] | None
    order: Literal["degree", "given"]
    hubs: int | None
    least_degree: int | None


class Triangles(Problem):
    """The number of triangles, of a graph or of each vertex; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self, G: Graph, *, per_vertex: Literal[False] = False, method: str | None = None, **options: Unpack[Options]
    ) -> int: ...

    @overload
    def __call__(
        self, G: Graph, *, per_vertex: Literal[True], method: str | None = None, **options: Unpack[Options]
    ) -> Vector: ...

    @overload
    def __call__(
        self, G: Graph, *, per_vertex: bool, method: str | None = None, **options: Unpack[Options]
    ) -> int | Vector: ...

    def __call__(
        self, G: Graph, *, per_vertex: bool = False, method: str | None = None, **options: Unpack[Options]
    ) -> Any:
        """Triangles: how many sets of three vertices are neighbours of each other.

        Parameters
        ----------
        G : Graph
            An undirected graph: each arc has its reverse. Weights do not matter and may differ between the two; an
            explicit zero is an arc. Loops are in no triangle.
        per_vertex : bool
            Whether to count the triangles of each vertex instead.
        method : str, optional
            A name of `triangles.methods`; by default the best one for the engine and the graph.
        **options
            Options of the method; see the notes.

        Returns
        -------
        int or Vector
            The number of triangles; if `per_vertex` is true, INT64 of size n: how many triangles each vertex is in. The
            sum of these is three times the number of triangles.

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
        clustering : The share of the pairs of neighbours that are neighbours; of directed graphs, too.

        Notes
        -----
        Counts are exact up to 2**63. With the arcs that lead to the vertex of higher degree, O(E^1.5) work; the methods
        prepare these arcs once per graph.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]))
        >>> gl.triangles(G)
        1
        >>> gl.triangles(G, per_vertex=True).to_dense().tolist()
        [1, 1, 1, 0]
        """
        return self.solve(locals())

    def _require(self, G: Graph, settings: Any) -> None:
        """Refuse a directed graph."""
        require_undirected(G, "triangles")

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
            A name of `triangles.methods`.
        reason : str
            Why it is this one. None instead of both if the best method for the engine is to run.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.triangles.preferred(gl.generate.path(4), {})[0]
        'merge'
        """
        return prefer_merge(self.methods, graph)


def verify(G: Graph, s: Settings, counts: Any) -> None:
    """Check the number of triangles, or those of each vertex."""
    (_verify.verify_counts if s.per_vertex else _verify.verify_total)(get_simple(G).csr, counts)


triangles = Triangles(
    "triangles",
    __name__,
    verify,
    settings=Settings,
    gives=(
        NumberOrPerVertex("triangles", None, argument="counts", column="triangles", per_vertex=lambda s: s.per_vertex),
    ),
    domain="undirected",
    defining=("per_vertex",),
)
