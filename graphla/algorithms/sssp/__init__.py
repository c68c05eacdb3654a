"""Single-source shortest paths: the distances of all vertices from a source, and their parents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphla.algorithms.sssp import _batched, _path, _verify
from graphla.algorithms.sssp._profile import profile
from graphla.algorithms.sssp._weights import distance_dtype, infinity
from graphla.algorithms.sssp.algebraic import many_sources
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.errors import GraphlaError, NotSupported
from graphla.graph import Graph
from graphla.problem import Problem, require_graph


class Sssp(Problem):
    """Single-source shortest paths; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        source: int | None = None,
        *,
        sources: Sequence[int] | None = None,
        method: str | None = None,
        parents: bool = False,
        predecessors: bool | None = None,
        **options: Any,
    ) -> Any:
        """Distances, and parents if asked, of the vertices that can be reached from `source`.

        Parameters
        ----------
        G : Graph
            The weights may be zero or, for methods that take them, negative; a pattern weighs 1 an edge.
        source : int
            A vertex.
        sources : sequence of int
            Instead of one: many sources at once; the answer is a matrix with a row for each.
        method : str, optional
            A name of `sssp.methods`; by default the best that fits the engine and the graph.
        parents : bool
            Whether to return the search tree, too: for each vertex the one before it on a shortest path. The source
            is its own parent.
        predecessors : bool, optional
            Another word for `parents`; give one of them.
        **options
            Options of the method.

        Returns
        -------
        Vector, or (Vector, Vector) with `parents`; a Matrix, or two, with `sources`
            Distances in the dtype of floating-point weights; INT32 (UINT32, INT64, UINT64) for integers, where a
            sum that leaves the type is infinite. Vertices that cannot be reached have no entry.

        Raises
        ------
        InvalidGraph
            If `source` is no vertex of G.
        NegativeCycle
            If a cycle of negative weight can be reached.
        NotSupported
            If the method cannot answer; the message says why and which can.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 0, 1], [1, 2, 2], [4, 9, 3]))
        >>> gl.sssp(G, 0).to_dict()
        {0: 0, 1: 4, 2: 7}
        """
        require_graph(G)
        parents = either(parents, predecessors)
        if sources is not None:
            return self.many(G, source, sources, method, parents, options)
        start = G.vertex(source, "source")
        chosen = self.choose(G, method, {"parents": parents, **options})
        distances, found = chosen.run(G, start, parents=parents, **options)
        if not isinstance(distances, Vector):
            distances = Vector._from_sentinel(distances, infinity(distances.dtype), G.engine)
        if not parents:
            return distances
        return distances, found if isinstance(found, Vector) else Vector._from_sentinel(found, -1, G.engine)

    def many(
        self, G: Graph, source: Any, sources: Sequence[int], method: str | None, parents: bool, options: Any
    ) -> Any:
        """Distances (and parents) from many sources at once."""
        if source is not None:
            raise NotSupported(f"source={source!r} and sources= were both given: give one of them")
        if method not in (None, "algebraic") or options or (method and parents):
            asked = ", ".join([*([f"method={method!r}"] if method else []), *options]) or "parents"
            raise NotSupported(f"many sources take the default, or method='algebraic' for distances alone, not {asked}")
        chosen = [G.vertex(v, "sources") for v in sources]
        if method == "algebraic" or (G.min_weight or 0) < 0:
            if parents:
                raise NotSupported("many sources with negative weights give distances alone: take one source at a time")
            return many_sources(G, chosen)
        d, p = _batched.distances(G, chosen, parents=parents)
        rows = Matrix._from_sentinel(d, infinity(d.dtype), G.engine)
        return (rows, Matrix._from_sentinel(p, -1, G.engine)) if parents else rows


def either(parents: bool, predecessors: bool | None) -> bool:
    """`parents`, or its synonym."""
    if predecessors is None:
        return parents
    if parents:
        raise GraphlaError(f"parents={parents!r}, predecessors={predecessors!r}: both name the search tree; give one")
    return predecessors


def shortest_path(G: Graph, source: int, target: int, *, method: str | None = None) -> list[int]:
    """The vertices of a shortest path, both ends with it; an empty list if there is no path.

    Parameters
    ----------
    G : Graph
    source, target : int
        Vertices.
    method : str, optional
        A method of `sssp` that gives parents.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.shortest_path(gl.Graph(([0, 0, 1], [1, 2, 2], [4, 9, 3])), 0, 2)
    [0, 1, 2]
    """
    require_graph(G)
    end = G.vertex(target, "target")
    _, found = sssp(G, source, method=method, parents=True)
    return _path.walk(found.to_numpy(-1), G.vertex(source, "source"), end)


def verify(G: Graph, source: int, distances: Vector, parents: Vector | None = None) -> None:
    """Assert that the distances are a fixed point that arcs bear out, and the parents a tree of such arcs.

    Raises
    ------
    VerificationError
        Naming the first vertex that breaks a property, and the property.
    """
    host = [G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values)]
    d = distances.to_numpy(infinity(distance_dtype(host[2].dtype)))
    p = None if parents is None else parents.to_numpy(-1)
    _verify.verify(G.n, *host, source, d, p)


sssp = Sssp("sssp", __name__, verify, ("parents",), profile)
