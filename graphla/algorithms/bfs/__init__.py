"""Breadth-first search: the levels of all vertices that can be reached from a source, and their parents."""

from __future__ import annotations

from typing import Any, Literal, overload

from graphla.algorithms.bfs import _verify
from graphla.algorithms.bfs._profile import profile
from graphla.algorithms.bfs.algebraic import search_many
from graphla.algorithms.bfs.many import multi_source
from graphla.common.arguments import show, to_bool
from graphla.common.errors import NotSupported
from graphla.common.typing import OptionValue, Position, Vertices
from graphla.containers.container import move_storage
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph, require_vectors


class Bfs(Problem):
    """Breadth-first search; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        source: Position,
        *,
        sources: None = None,
        method: str | None = None,
        parents: Literal[False] = False,
        **options: OptionValue,
    ) -> Vector: ...

    @overload
    def __call__(
        self,
        G: Graph,
        source: Position,
        *,
        sources: None = None,
        method: str | None = None,
        parents: Literal[True],
        **options: OptionValue,
    ) -> tuple[Vector, Vector]: ...

    @overload
    def __call__(
        self,
        G: Graph,
        source: Position,
        *,
        sources: None = None,
        method: str | None = None,
        parents: bool,
        **options: OptionValue,
    ) -> Vector | tuple[Vector, Vector]: ...

    @overload
    def __call__(
        self,
        G: Graph,
        source: None = None,
        *,
        sources: Vertices,
        method: str | None = None,
        parents: Literal[False] = False,
        **options: OptionValue,
    ) -> Matrix: ...

    def __call__(
        self,
        G: Graph,
        source: Position | None = None,
        *,
        sources: Vertices | None = None,
        method: str | None = None,
        parents: bool = False,
        **options: OptionValue,
    ) -> Any:
        """Breadth-first search: how many arcs away from a source each vertex is.

        The search visits the source, then the vertices that its arcs lead to, then those that their arcs lead to, and
        so on. A vertex that is found in the k-th step has level k: the shortest path to it has k arcs. Its parent is
        the vertex from which it was found; the parents form a tree with the source as root.

        Parameters
        ----------
        G : Graph
            The graph. Its weights do not matter; an explicit zero is an arc.
        source : int, optional
            The vertex to start from. Give `source` or `sources`.
        sources : sequence of int, optional
            k vertices to start from, in k searches at once. There are no parents then, and no options.
        method : str, optional
            A name of `bfs.methods`; by default the best one for the engine and the graph.
        parents : bool
            Whether to return the parents, too.
        **options
            Options of the method; see the notes.

        Returns
        -------
        levels : Vector or Matrix
            INT32 of size n, and for `sources` of shape (k, n), one row per source. Vertices that the search does not
            reach have no entry.
        parents : Vector
            INT32 of size n, only if `parents` is true. The source is its own parent.

        Raises
        ------
        InvalidGraph
            If a source is no vertex of G.
        NotSupported
            If the method cannot answer; the message says why, and which method can.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the search do not fit in memory.

        See Also
        --------
        sssp : The same with weights.
        closeness : A centrality of vertices, from many searches.

        Notes
        -----
        O(V + E) work, but for the methods that sweep over all vertices or arcs in every level. Many sources are
        searched 64 at a time, one bit each, in O(k / 64 · (V + E) · levels) work at most [1]_.

        References
        ----------
        .. [1] M. Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", PVLDB 8(4), 2014.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 0], [1, 2, 3]), n=5)
        >>> gl.bfs(G, 0).to_dict()
        {0: 0, 1: 1, 2: 2, 3: 1}
        >>> levels, parents = gl.bfs(G, 0, parents=True, method="algebraic")
        >>> parents.to_dict()
        {0: 0, 1: 0, 2: 1, 3: 0}
        >>> gl.bfs(G, sources=[0, 1]).to_dicts()
        {0: {0: 0, 1: 1, 2: 2, 3: 1}, 1: {1: 0, 2: 1}}
        """
        require_graph(G)
        parents = to_bool(parents, "parents")
        if sources is not None:
            return self._search_many(G, source, sources, method, parents, options)
        start = G.vertex(source, "source")
        chosen = self.choose(G, method, {"parents": parents, **options})
        levels, found = chosen.run(G, start, parents=parents, **options)
        wrapped = wrap(G, levels), (wrap(G, found) if parents else None)
        return wrapped if parents else wrapped[0]

    def _search_many(
        self, G: Graph, source: Any, sources: Vertices, method: str | None, parents: bool, options: Any
    ) -> Matrix:
        """Levels from many sources at once."""
        if source is not None:
            raise NotSupported(f"source={source!r} and sources= were both given: give one of them")
        if not is_default(method) or options or parents:
            named = {f"method={show(method)}": method is not None, "parents": parents}
            asked = ", ".join([*(name for name, given in named.items() if given), *options])
            raise NotSupported(f"many sources take the default, or method='algebraic', for levels alone, not {asked}")
        chosen = G.vertices(sources, "sources")
        if method == "algebraic" or G.engine.name == "mpi":
            return search_many(G, chosen)
        return Matrix._from_sentinel(multi_source.search_many(G, chosen), -1, G.engine)


def is_default(method: Any) -> bool:
    """Whether a method of many sources is the default or the algebraic one."""
    return method is None or (isinstance(method, str) and method == "algebraic")


def wrap(G: Graph, raw: Any) -> Vector:
    """A vector of an array in which −1 means no entry."""
    return raw if isinstance(raw, Vector) else Vector._from_sentinel(raw, -1, G.engine)


def verify(G: Graph, source: int, levels: Vector, parents: Vector | None = None) -> None:
    """Check that levels and parents are those of a breadth-first search, by the rules of GAP and Graph500.

    The source has level 0; no arc leads more than one level down; each other vertex has a parent, with an arc to it,
    one level above; exactly the vertices that can be reached have a level.

    Parameters
    ----------
    G : Graph
        The graph.
    source : int
        The vertex from which the search started.
    levels : Vector
        The levels that `bfs` returned.
    parents : Vector, optional
        The parents that it returned.

    Raises
    ------
    VerificationError
        If a property does not hold; the message names the first vertex that breaks it.

    Notes
    -----
    O(V + E), on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 0], [1, 2, 3]), n=5)
    >>> gl.bfs.verify(G, 0, *gl.bfs(G, 0, parents=True, method="algebraic"))
    """
    require_graph(G)
    source = G.vertex(source, "source")
    require_vectors(G, "parents", levels=levels, parents=parents)
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    _verify.verify(csr, source, levels.to_numpy(-1), None if parents is None else parents.to_numpy(-1))


bfs = Bfs(
    "bfs",
    __name__,
    verify,
    old=True,
    common=("parents",),
    profile=profile,
    takes=("source",),
    gives=(Answer("levels"), Answer("parents", asked_by="parents")),
)
