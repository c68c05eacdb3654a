"""Widest paths: from a source to each vertex a path whose lightest arc is as heavy as can be."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

from graphla.algorithms.shared.search_settings import Settings
from graphla.algorithms.widest_paths import _parents, _verify
from graphla.algorithms.widest_paths.values import find_least
from graphla.common.typing import NoOptions, Vertex
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem
from graphla.problem.answer import Entries, PerVertex


class WidestPaths(Problem):
    """Widest paths from a source; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        source: Vertex,
        *,
        parents: Literal[False] = False,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector: ...

    @overload
    def __call__(
        self,
        G: Graph,
        source: Vertex,
        *,
        parents: Literal[True],
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> tuple[Vector, Vector]: ...

    @overload
    def __call__(
        self, G: Graph, source: Vertex, *, parents: bool, method: str | None = None, **options: Unpack[NoOptions]
    ) -> Vector | tuple[Vector, Vector]: ...

    def __call__(
        self,
        G: Graph,
        source: Vertex,
        *,
        parents: bool = False,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Any:
        """Widest paths: the greatest width of a path from a source to each vertex.

        The width of a path is the least weight of its arcs: what a pipeline, a street or a chain of links can carry. It
        is also called the bottleneck, or the capacity.

        Parameters
        ----------
        G : Graph
            The graph. Weights may be negative; an arc of a pattern has the width True.
        source : int
            The vertex to start from.
        parents : bool
            Whether to return the parents, too.
        method : str, optional
            A name of `widest_paths.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        widths : Vector
            Size n, of the dtype of the weights. Vertices that cannot be reached have no entry. The source has the
            width of the path without arcs: infinity, or the largest number of the dtype.
        parents : Vector
            INT32 of size n, only if `parents` is true: the vertex before each one on a widest path whose every vertex
            is reached by a widest path, too; of such paths it has the fewest arcs. The source is its own parent. (A
            widest path of fewer arcs may lead to one of its vertices by less than the width of that, and no tree of
            parents holds both.)

        Raises
        ------
        InvalidGraph
            If the source is no vertex of G.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        sssp : Paths of the least sum instead.
        spanning_forest : In an undirected graph, the paths of a maximum one are widest paths.

        Notes
        -----
        O(E log V) work by Dijkstra's algorithm [1]_; as many rounds over the graph as widest paths have arcs, and more,
        by the others. The semiring is max.min.

        References
        ----------
        .. [1] M. Pollack, "The Maximum Capacity through a Network", Operations Research 8(5), 1960.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 0, 1], [1, 2, 2], [4, 1, 3]))
        >>> widths, parents = gl.widest_paths(G, 0, parents=True)
        >>> widths.to_dict(), parents.to_dict()
        ({0: 9223372036854775807, 1: 4, 2: 3}, {0: 0, 1: 0, 2: 1})
        """
        return self.solve(locals())

    def _finish(self, G: Graph, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """Find the parents, if they are asked for."""
        return found[0], _parents.find_parents(G, found[0], *takes) if settings.parents else None


class Widths(Entries):
    """A width for each vertex that is reached; no number stands for none, so that arrays are records."""

    each_vertex = True

    def read(self, G: Any, value: Any, settings: Any) -> Any:
        """The records, refused if it is no vector with a place for each vertex."""
        return Answer.read(self, G, value, settings)


widest_paths = WidestPaths(
    "widest_paths",
    __name__,
    lambda G, _, source, widths, parents: _verify.verify(G.csr, source, widths["vertex"], widths["value"], parents),
    settings=Settings,
    takes=("source",),
    gives=(Widths("widths", find_least, kinds="biuf"), PerVertex("parents", asked_by="parents", of_vertices=True)),
)
