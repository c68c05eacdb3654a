"""Topological order: vertices so arranged that every arc leads forward; or a cycle, which makes that impossible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Unpack, overload

from graphla.algorithms.topological_order import _cycle, _verify
from graphla.common.errors import CyclicGraph
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, flag, require_graph
from graphla.problem import Settings as Checked
from graphla.problem.answer import PerVertex


@dataclass(frozen=True)
class Settings(Checked):
    """What is asked of an order; all methods find the levels."""

    levels: bool = flag()


class TopologicalOrder(Problem):
    """A topological order; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self, G: Graph, *, levels: Literal[False] = False, method: str | None = None, **options: Unpack[NoOptions]
    ) -> Vector: ...

    @overload
    def __call__(
        self, G: Graph, *, levels: Literal[True], method: str | None = None, **options: Unpack[NoOptions]
    ) -> tuple[Vector, Vector]: ...

    @overload
    def __call__(
        self, G: Graph, *, levels: bool, method: str | None = None, **options: Unpack[NoOptions]
    ) -> Vector | tuple[Vector, Vector]: ...

    def __call__(
        self, G: Graph, *, levels: bool = False, method: str | None = None, **options: Unpack[NoOptions]
    ) -> Any:
        """Topological order: the vertices so arranged that every arc leads to a later one.

        The level of a vertex is the number of arcs of the longest path that ends there. Vertices are ordered by their
        levels, and those of one level by their numbers: the order is the same by every method.

        Parameters
        ----------
        G : Graph
            A directed graph without cycles. Weights do not matter; an explicit zero is an arc, and a loop is a cycle.
        levels : bool
            Whether to return the levels, too.
        method : str, optional
            A name of `topological_order.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        order : Vector
            INT32 of size n: the entry at k is the k-th vertex of the order, from 0.
        levels : Vector
            INT32 of size n, only if `levels` is true: the level of each vertex, 0 if no arc enters it.

        Raises
        ------
        CyclicGraph
            If the graph has a cycle. Its attribute `vertices` holds one.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        find_cycle : A cycle, or none.
        components : Of kind "strong", the parts within which paths lead both ways.

        Notes
        -----
        O(V + E) work [1]_, and what the method does for each level.

        References
        ----------
        .. [1] A. Kahn, "Topological Sorting of Large Networks", Communications of the ACM 5(11), 1962.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([2, 2, 0, 3], [0, 1, 3, 1]))
        >>> order, levels = gl.topological_order(G, levels=True)
        >>> order.to_dense().tolist(), levels.to_dense().tolist()
        ([2, 0, 3, 1], [1, 3, 0, 2])
        """
        return self.solve(locals())

    def _finish(self, G: Graph, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """Refuse a cycle, of which no order is the end."""
        order, levels = found
        if order.size < G.n:
            raise CyclicGraph(_cycle.trace_cycle(G, levels))
        return found


def find_cycle(G: Graph, *, method: str | None = None, **options: Unpack[NoOptions]) -> list[Any]:
    """A cycle: vertices each of which has an arc to the next one, and the last one to the first.

    Parameters
    ----------
    G : Graph
        A directed graph. Of an undirected one each edge is a cycle of two arcs. A loop is a cycle of one.
    method : str, optional
        A name of `topological_order.methods`, which find the vertices that no order can hold.
    **options
        Options of the method.

    Returns
    -------
    list
        The vertices of one cycle in the order of its arcs, the smallest of them first; none if there is no cycle. Their
        labels if the graph has labels.
        The cycle is the same by every method.

    Raises
    ------
    NotSupported
        If the method cannot answer; the message says why.
    GraphlaError
        If the method has no such option.

    See Also
    --------
    topological_order : The order that there is without a cycle.
    sssp : Its error `NegativeCycle` names a cycle of negative weight.

    Notes
    -----
    O(V + E) work. Vertices that no arc enters any more are removed until none is left. Each vertex that remains has a
    predecessor that remains; along the smallest of these, from the smallest vertex, one comes to a cycle.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.find_cycle(gl.Graph(([0, 1, 2, 3], [1, 2, 1, 0])))
    [1, 2]
    >>> gl.find_cycle(gl.Graph(([0, 1], [1, 2])))
    []
    """
    require_graph(G)
    order, levels = topological_order.choose(G, method, options).solve(G, (Settings(),), options)
    return [] if order.size == G.n else G._call_vertices(list(_cycle.trace_cycle(G, levels)))


topological_order = TopologicalOrder(
    "topological_order",
    __name__,
    lambda G, _, order, levels: _verify.verify(G.csr, order, levels),
    settings=Settings,
    gives=(
        PerVertex("vertices", None, argument="order", column="vertex", index=("position",), of_vertices=True),
        PerVertex("levels", None, "levels"),
    ),
    domain="acyclic",
)
