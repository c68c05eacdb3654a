"""Widest paths: from a source to each vertex a path whose lightest arc is as heavy as can be."""

from __future__ import annotations

from typing import Any, Literal, overload

from graphla.algorithms.widest_paths import _parents, _verify
from graphla.algorithms.widest_paths.values import find_least
from graphla.common.arguments import to_bool
from graphla.common.typing import OptionValue, Position
from graphla.containers.container import move_storage
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph, require_vectors


class WidestPaths(Problem):
    """Widest paths from a source; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        source: Position,
        *,
        parents: Literal[False] = False,
        method: str | None = None,
        **options: OptionValue,
    ) -> Vector: ...

    @overload
    def __call__(
        self, G: Graph, source: Position, *, parents: Literal[True], method: str | None = None, **options: OptionValue
    ) -> tuple[Vector, Vector]: ...

    @overload
    def __call__(
        self, G: Graph, source: Position, *, parents: bool, method: str | None = None, **options: OptionValue
    ) -> Vector | tuple[Vector, Vector]: ...

    def __call__(
        self,
        G: Graph,
        source: Position,
        *,
        parents: bool = False,
        method: str | None = None,
        **options: OptionValue,
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
        require_graph(G)
        start = G.vertex(source, "source")
        parents = to_bool(parents, "parents")
        chosen = self.choose(G, method, {"parents": parents, **options})
        widths = chosen.run(G, start, parents=parents, **options)
        return (widths, _parents.find_parents(G, widths, start)) if parents else widths


def verify(G: Graph, source: int, widths: Vector, parents: Vector | None = None) -> None:
    """Check widths, and parents, by what defines them.

    No arc leads to a vertex of less width than it could give; and along arcs that give exactly the width of their head,
    the source reaches all that have one. Each parent has such an arc to its vertex, and the parents lead to the source
    by as few of these arcs as can be.

    Parameters
    ----------
    G : Graph
        The graph.
    source : int
        The vertex from which the paths start.
    widths : Vector
        The widths that `widest_paths` returned.
    parents : Vector, optional
        The parents that it returned.

    Raises
    ------
    VerificationError
        If a property does not hold; the message names a vertex or an arc.
    DimensionMismatch
        If an argument is no vector of numbers of size n.

    Notes
    -----
    O(V + E), on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 0, 1], [1, 2, 2], [4, 1, 3]))
    >>> gl.widest_paths.verify(G, 0, *gl.widest_paths(G, 0, parents=True, method="algebraic"))
    """
    require_graph(G)
    source = G.vertex(source, "source")
    require_vectors(G, "parents", widths=widths.apply("one").new("INT8") if is_pattern(widths) else widths)
    require_vectors(G, "parents", parents=parents)
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    there, values = (G.engine.to_host(part) for part in widths.to_coo())
    _verify.verify(csr, source, there, values, None if parents is None else parents.to_numpy(-1))


def is_pattern(widths: Any) -> bool:
    """Whether widths are truths, as those of a pattern are."""
    return isinstance(widths, Vector) and widths.dtype == "BOOL"


def pack(answer: Any) -> Any:
    """What a comparison stores: vertices and widths as records, on the host."""
    import numpy as np

    there, values = (answer.engine.to_host(part) for part in answer.to_coo())
    found = np.empty(there.size, [("vertex", np.int32), ("width", values.dtype)])
    found["vertex"], found["width"] = there, values
    return found


def unpack(G: Graph, found: Any) -> Vector:
    """The vector of such records."""
    return Vector.from_coo(found["vertex"], found["width"], size=G.n, engine=G.engine)


widest_paths = WidestPaths(
    "widest_paths",
    __name__,
    verify,
    old=True,
    common=("parents",),
    takes=("source",),
    gives=(Answer("widths", find_least, pack=pack, unpack=unpack), Answer("parents", asked_by="parents")),
)
