"""Breadth-first search: the levels of all vertices that can be reached from a source, and their parents."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Unpack, overload

from graphla.algorithms.bfs import _verify
from graphla.algorithms.bfs._profile import profile
from graphla.algorithms.bfs.algebraic import search_many
from graphla.algorithms.bfs.many import multi_source
from graphla.algorithms.shared.limits import Levels, cut
from graphla.algorithms.shared.nearby import PREFERRED, search_near
from graphla.algorithms.shared.weights import infinity
from graphla.common.arguments import show, to_bool
from graphla.common.errors import NotSupported
from graphla.common.typing import Direction, NoOptions, Vertex, Vertices
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, Request, require_graph
from graphla.problem.answer import PerVertex


class Options(TypedDict, total=False):
    """The options of the methods."""

    direction: Direction | None
    split_degree: int
    gathering: Literal["fine", "serial"]


class Bfs(Problem):
    """Breadth-first search; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        source: Vertex,
        *,
        sources: None = None,
        method: str | None = None,
        parents: Literal[False] = False,
        limit: int | None = None,
        targets: Vertices | None = None,
        **options: Unpack[Options],
    ) -> Vector: ...

    @overload
    def __call__(
        self,
        G: Graph,
        source: Vertex,
        *,
        sources: None = None,
        method: str | None = None,
        parents: Literal[True],
        limit: int | None = None,
        targets: Vertices | None = None,
        **options: Unpack[Options],
    ) -> tuple[Vector, Vector]: ...

    @overload
    def __call__(
        self,
        G: Graph,
        source: Vertex,
        *,
        sources: None = None,
        method: str | None = None,
        parents: bool,
        limit: int | None = None,
        targets: Vertices | None = None,
        **options: Unpack[Options],
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
        limit: int | None = None,
        targets: Vertices | None = None,
        **options: Unpack[NoOptions],
    ) -> Matrix: ...

    def __call__(
        self,
        G: Graph,
        source: Vertex | None = None,
        *,
        sources: Vertices | None = None,
        method: str | None = None,
        parents: bool = False,
        limit: int | None = None,
        targets: Vertices | None = None,
        **options: Unpack[Options],
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
        limit : int, optional
            The last level that is searched: farther vertices have no entry.
        targets : sequence of int, optional
            Vertices to look for: the search ends with the level in which the last of them is found. Farther vertices
            have no entry. If one cannot be reached, all that can be reached is searched.
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
        searched 64 at a time, one bit each, in O(k / 64 · (V + E) · levels) work at most [1]_. On the CPU a search with
        `limit` or `targets` takes time and memory for what it meets alone, and answers of many are sparse rows; on the
        GPU `fused` searches the whole graph and drops the rest.

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
        >>> gl.bfs(G, 0, limit=1).to_dict()
        {0: 0, 1: 1, 3: 1}
        """
        if sources is not None:
            require_graph(G)
            asked = {"parents": to_bool(parents, "parents"), "limit": limit, "targets": targets}
            return self._within_memory(G, self._search_many, source, sources, method, asked, options)
        return self.solve(locals())

    def preferred(self, graph: Any, request: Request) -> tuple[str, str] | None:
        """The method to try first: what is near, if the search ends early.

        Parameters
        ----------
        graph : Graph
            The graph.
        request : mapping
            What is asked for beside the levels, and the options.

        Returns
        -------
        tuple of (str, str) or None
            The name of the method, and the reason.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.bfs.preferred(gl.Graph(([0], [1]), engine="cpu"), {"limit": 2})[0]
        'nearby'
        """
        ends = request.get("limit") is not None or request.get("targets") is not None
        return PREFERRED if ends and graph.engine.name == "cpu" else None

    def _finish(self, G: Any, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The levels as far as the search goes."""
        return cut(found, settings, -1) if settings.ends and len(found) == 2 else found

    def _search_many(self, G: Graph, source: Any, sources: Vertices, method: str | None, asked: Any, more: Any) -> Any:
        """Levels from many sources at once."""
        if source is not None:
            raise NotSupported(f"source={source!r} and sources= were both given: give one of them")
        if not is_default(method) or more or asked["parents"]:
            named = {f"method={show(method)}": method is not None, "parents": asked["parents"]}
            told = ", ".join([*(name for name, given in named.items() if given), *more])
            raise NotSupported(f"many sources take the default, or method='algebraic', for levels alone, not {told}")
        chosen, s = G.vertices(sources, "sources"), Levels.resolve(G, asked)
        if method == "algebraic" or G.engine.name == "mpi":
            rows = search_many(G, chosen, s.limit)
            rows = cut((rows, None), s, -1)[0] if s.ends else rows
        else:
            rows = search_rows(G, chosen, s)
        return self.gives[0].call(G, rows, self.name, chosen)


def search_rows(G: Graph, sources: list[int], s: Levels) -> Matrix:
    """Levels with a row for each source: of what is near alone, or of words of 64 bits."""
    if s.ends and sources and G.engine.name == "cpu":
        near = search_near(G, None, sources, s, infinity("int32"))
        if near is not None:
            return near.to_matrices(G)[0]
    levels = multi_source.search_many(G, sources)
    return Matrix._from_sentinel(cut((levels, None), s, -1)[0] if s.ends else levels, -1, G.engine)


def is_default(method: Any) -> bool:
    """Whether a method of many sources is the default or the algebraic one."""
    return method is None or (isinstance(method, str) and method == "algebraic")


bfs = Bfs(
    "bfs",
    __name__,
    lambda G, s, source, levels, parents: _verify.verify(G.csr, source, levels, parents, s),
    settings=Levels,
    apart=("sources",),
    profile=profile,
    takes=("source",),
    defining=("limit", "targets"),
    gives=(PerVertex("levels"), PerVertex("parents", asked_by="parents", of_vertices=True)),
)
