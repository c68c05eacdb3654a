"""Single-source shortest paths: the distances of all vertices from a source, and their parents."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Unpack, overload

from graphla.algorithms.shared.distance_range import require_range, solve_in_range
from graphla.algorithms.shared.limits import Limits, cut
from graphla.algorithms.shared.nearby import PREFERRED
from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp import _path, _verify, batched, nearby
from graphla.algorithms.sssp._profile import compute_waves
from graphla.algorithms.sssp.algebraic import search_many
from graphla.common.arguments import show, to_bool
from graphla.common.errors import GraphlaError, NotSupported
from graphla.common.typing import ArrayLike, Direction, NoOptions, Vertex, Vertices
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, Request, require_graph
from graphla.problem.answer import PerVertex


class Options(TypedDict, total=False):
    """The options of the methods."""

    delta: float | None
    direction: Direction | None
    factor: int
    loads: Literal["read_only", "plain"]
    segments: int
    variant: Literal["atomic", "racy"]


class Sssp(Problem):
    """Single-source shortest paths; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        source: Vertex,
        *,
        sources: None = None,
        method: str | None = None,
        parents: Literal[False] = False,
        predecessors: Literal[False] | None = None,
        limit: float | None = None,
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
        predecessors: bool | None = None,
        limit: float | None = None,
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
        parents: bool = False,
        predecessors: Literal[True],
        limit: float | None = None,
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
        parents: bool = False,
        predecessors: bool | None = None,
        limit: float | None = None,
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
        predecessors: Literal[False] | None = None,
        limit: float | None = None,
        targets: Vertices | None = None,
        **options: Unpack[NoOptions],
    ) -> Matrix: ...

    @overload
    def __call__(
        self,
        G: Graph,
        source: None = None,
        *,
        sources: Vertices,
        method: str | None = None,
        parents: Literal[True],
        predecessors: bool | None = None,
        limit: float | None = None,
        targets: Vertices | None = None,
        **options: Unpack[NoOptions],
    ) -> tuple[Matrix, Matrix]: ...

    @overload
    def __call__(
        self,
        G: Graph,
        source: None = None,
        *,
        sources: Vertices,
        method: str | None = None,
        parents: bool = False,
        predecessors: Literal[True],
        limit: float | None = None,
        targets: Vertices | None = None,
        **options: Unpack[NoOptions],
    ) -> tuple[Matrix, Matrix]: ...

    def __call__(
        self,
        G: Graph,
        source: Vertex | None = None,
        *,
        sources: Vertices | None = None,
        method: str | None = None,
        parents: bool = False,
        predecessors: bool | None = None,
        limit: float | None = None,
        targets: Vertices | None = None,
        **options: Unpack[Options],
    ) -> Any:
        """Single-source shortest paths: the least sum of weights on a path from a source to each vertex.

        The distance of a vertex is the length of a shortest path to it, where the length is the sum of the weights. Its
        parent is the vertex before it on such a path; the parents form a tree with the source as root.

        Parameters
        ----------
        G : Graph
            The graph. Weights may be zero and, for methods that take them, negative; an arc of a pattern weighs 1.
        source : int, optional
            The vertex to start from. Give `source` or `sources`.
        sources : sequence of int, optional
            k vertices to start from, in k searches at once. They take no options.
        method : str, optional
            A name of `sssp.methods`; by default the best one for the engine and the graph.
        parents : bool
            Whether to return the parents, too.
        predecessors : bool, optional
            A synonym of `parents`; give one of them.
        limit : float, optional
            The greatest distance that is searched, in the unit of the weights: farther vertices have no entry.
        targets : sequence of int, optional
            Vertices to look for: the search ends once the farthest of them is reached. Farther vertices have no entry.
            If one cannot be reached, all that can be reached is searched.
        **options
            Options of the method; see the notes.

        Returns
        -------
        distances : Vector or Matrix
            Size n, and for `sources` shape (k, n), one row per source. Vertices that cannot be reached have no entry.
            The dtype is that of the weights if they are floating-point numbers or integers of 64 bits or UINT32, and
            INT32 for other integers. If a distance does not fit, all are computed in INT64, and those of FP32 weights
            in FP64. An arc of infinite weight leads nowhere.
        parents : Vector or Matrix
            INT32 of the same shape, only if `parents` is true. The source is its own parent.

        Raises
        ------
        InvalidGraph
            If a source is no vertex of G.
        NegativeCycle
            If a cycle of negative weight can be reached; the error holds its vertices.
        NotSupported
            If the method cannot answer; the message says why, and which method can. If `limit` or `targets` is given
            and a weight is negative, for a path to what is near may then lead through what is far.
        InvalidOption
            If `limit` is no number from 0 on.
        GraphlaError
            If the method has no such option, or `parents` and `predecessors` are both given.
        OutOfMemory
            If the arrays of the search do not fit in memory.
        Overflow
            If a distance does not fit the widest dtype; the message names an arc on its path.

        See Also
        --------
        shortest_path : The vertices on a path to one target.
        apsp : The distances between all pairs of vertices.

        Notes
        -----
        On the CPU a search with `limit` or `targets` takes time and memory for what it meets alone, and answers of many
        are sparse rows; on the GPU `fused` searches the whole graph and drops the rest, and `delta_stepping` stops.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 0, 1], [1, 2, 2], [4, 9, 3]))
        >>> gl.sssp(G, 0).to_dict()
        {0: 0, 1: 4, 2: 7}
        >>> distances, parents = gl.sssp(G, 0, parents=True)
        >>> parents.to_dict()
        {0: 0, 1: 0, 2: 1}
        >>> gl.sssp(G, sources=[0, 1]).to_dicts()
        {0: {0: 0, 1: 4, 2: 7}, 1: {1: 0, 2: 3}}
        >>> gl.sssp(G, 0, limit=5).to_dict()
        {0: 0, 1: 4}
        """
        require_graph(G)
        parents = either(to_bool(parents, "parents"), predecessors)
        if sources is not None:
            asked = {"parents": parents, "limit": limit, "targets": targets}
            return self._within_memory(G, self._search_many, source, sources, method, asked, options)
        return self.solve(locals())

    def _answer(self, G: Any, *call: Any) -> tuple[Any, ...]:
        """Distances, and parents if asked, with wider weights if they do not fit."""
        answer = super()._answer
        return solve_in_range(G, lambda wider: answer(wider, *call))

    def preferred(self, graph: Any, request: Request) -> tuple[str, str] | None:
        """The method to try first: what is near, if the search ends early.

        Parameters
        ----------
        graph : Graph
            The graph.
        request : mapping
            What is asked for beside the distances, and the options.

        Returns
        -------
        tuple of (str, str) or None
            The name of the method, and the reason.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.sssp.preferred(gl.Graph(([0], [1]), engine="cpu"), {"targets": (1,)})[0]
        'nearby'
        """
        ends = request.get("limit") is not None or request.get("targets") is not None
        return PREFERRED if ends and graph.engine.name == "cpu" else None

    def _require(self, G: Any, settings: Any) -> None:
        """Refuse an end where a path to what is near may lead through what is far."""
        if settings.ends and (G.min_weight or 0) < 0:
            raise NotSupported(
                f"limit= and targets= end a search, and with the weight {G.min_weight} a path may come back from "
                "beyond the end: leave them out, and take what is near of the answer, as d.select('valuele', limit)"
            )

    def _finish(self, G: Any, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The distances as far as the search goes; refuse those that do not fit the dtype of the weights."""
        return finish(G, settings, *found)

    def _search_many(self, G: Graph, source: Any, sources: Vertices, method: str | None, asked: Any, more: Any) -> Any:
        """Distances (and parents) from many sources at once."""
        if source is not None:
            raise NotSupported(f"source={source!r} and sources= were both given: give one of them")
        self._point_elsewhere(more)
        named, parents = method is not None, asked["parents"]
        if more or (named and parents) or (named and not (isinstance(method, str) and method == "algebraic")):
            told = ", ".join([*([f"method={show(method)}"] if method is not None else []), *more]) or "parents"
            raise NotSupported(f"many sources take the default, or method='algebraic' for distances alone, not {told}")
        chosen, s = G.vertices(sources, "sources"), Limits.resolve(G, asked)
        self._require(G, s)
        spread = G.engine.name == "mpi"
        if method == "algebraic" or spread or (G.min_weight or 0) < 0:
            if parents:
                why = "in a graph that is spread over ranks" if spread else "with negative weights"
                raise NotSupported(f"many sources {why} give distances alone: take one source at a time")
            rows = solve_in_range(G, lambda wider: finish(wider, s, search_many(wider, chosen, s), None)[0])
            return self.gives[0].call(G, rows, self.name, chosen)
        found = solve_in_range(G, lambda wider: search_batch(wider, chosen, s))
        asked_for = zip(self.gives, found[: 1 + parents], strict=False)
        rows = [each.call(G, held, self.name, chosen) for each, held in asked_for]
        return tuple(rows) if parents else rows[0]


def finish(G: Graph, s: Limits, distances: Any, parents: Any, ended: bool = False) -> tuple[Any, Any]:
    """Distances and parents as far as the search goes, if they fit their dtype; `ended` where they are that already.

    None is lost where the search ends: beyond a limit that the dtype holds, and once all targets are found.
    """
    none = infinity(distances.dtype.numpy if hasattr(distances.dtype, "numpy") else distances.dtype)
    if not s.ends:
        return require_range(G, distances), parents
    if not ended:
        distances, parents = cut((distances, parents), s, none)
    if s.find_last(none.dtype) == none and not s.reach_all(distances, none):
        require_range(G, distances)
    return distances, parents


def search_batch(G: Graph, sources: list[int], s: Limits) -> tuple[Any, Any]:
    """Distances from many sources, and parents if asked, in the dtype of the weights."""
    if s.ends and sources and G.engine.name == "cpu":
        near = nearby.search(G, sources, s)
        if near is not None:
            return finish(G, s, *near.to_matrices(G), ended=True)
    d, p = finish(G, s, *batched.compute_distances(G, sources, parents=s.parents))
    tree = None if p is None else Matrix._from_sentinel(p, -1, G.engine)
    return Matrix._from_sentinel(d, infinity(d.dtype), G.engine), tree


def either(parents: bool, predecessors: bool | None) -> bool:
    """`parents`, or its synonym."""
    if predecessors is None:
        return parents
    if parents:
        raise GraphlaError(f"parents={parents!r}, predecessors={predecessors!r}: both name the search tree; give one")
    return to_bool(predecessors, "predecessors")


def shortest_path(
    G: Graph,
    source: Vertex,
    target: Vertex,
    *,
    method: str | None = None,
    heuristic: Vector | ArrayLike | None = None,
) -> list[Any]:
    """The vertices on a shortest path from one vertex to another.

    Parameters
    ----------
    G : Graph
        The graph, as `sssp` takes it.
    source : int
        The first vertex of the path.
    target : int
        The last vertex of the path.
    method : str, optional
        A method of `sssp` that gives parents; by default the best one.
    heuristic : Vector or array of shape (n,), optional
        A lower bound of the distance from each vertex to the target, in the unit of the weights; inf where there is no
        path, and in a Vector 0 where there is no entry. Then A* searches, on a GPU with one block, and gives way to
        `sssp` where it meets too much of the graph. If a bound is above the distance, the path may not be a shortest
        one; a bound that proves to be, for the path that is found, is refused.

    Returns
    -------
    list
        The vertices in their order, `source` and `target` included; empty if there is no path. Their labels if the
        graph has labels.

    Raises
    ------
    InvalidGraph
        If `source` or `target` is no vertex of G.
    NegativeCycle
        If a cycle of negative weight can be reached from `source`.
    NotSupported
        If the method cannot answer. With `heuristic`, if a weight is negative, the graph is spread over ranks, or a
        method is named.
    InvalidOption
        If `heuristic` has no number from 0 on for each vertex, and 0 for the target; or a bound on the path that is
        found is above the distance.
    Overflow
        If there is no shortest path whose length fits; with `heuristic`, if a path may be too long for INT64.

    See Also
    --------
    sssp : The distances to all vertices.
    k_shortest_paths : More paths than one.

    Notes
    -----
    It solves `sssp` from `source` until the target is reached, then walks back along the parents. With `heuristic` of
    several shortest paths that one is given, on every engine, which from the target back goes each time to the least
    vertex that is nearer to `source`; where only arcs of weight 0 lead there, to one that was reached by fewer of them.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 0, 1], [1, 2, 2], [4, 9, 3]), engine="cpu")
    >>> gl.shortest_path(G, 0, 2)
    [0, 1, 2]
    >>> gl.shortest_path(G, 0, 2, heuristic=[6, 3, 0])
    [0, 1, 2]
    """
    require_graph(G)
    end = G.vertex(target, "target")
    if heuristic is not None:
        from graphla.algorithms.sssp._toward import find_path  # here, for few calls need it

        if method is not None:
            raise NotSupported(f"method={show(method)} and heuristic= were both given: a heuristic leads A*; give one")
        begin = G.vertex(source, "source")
        return G._call_vertices(sssp._within_memory(G, find_path, begin, end, heuristic))
    ends = None if (G.min_weight or 0) < 0 else [target]
    _, found = sssp(G, source, method=method, parents=True, targets=ends)
    return G._call_vertices(_path.walk(found.to_numpy(-1), G.vertex(source, "source"), end))


def verify(G: Graph, s: Limits, source: int, distances: Any, parents: Any) -> None:
    """Check distances and parents by the properties of shortest paths."""
    csr = G.csr
    _verify.verify(G.n, csr.indptr, csr.indices, csr.values, source, distances, parents, s)


sssp = Sssp(
    "sssp",
    __name__,
    verify,
    settings=Limits,
    defining=("limit", "targets"),
    apart=("sources", "predecessors"),
    profile=compute_waves,
    takes=("source",),
    gives=(PerVertex("distances", infinity), PerVertex("parents", asked_by="parents", of_vertices=True)),
    elsewhere={"target": "gl.shortest_path(G, source, target) gives a path; targets=[…] ends a search"},
)
