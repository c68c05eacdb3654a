"""Breadth-first search: the levels of all vertices that can be reached from a source, and their parents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphla.algorithms.bfs import _multi_source, _verify
from graphla.algorithms.bfs._profile import profile
from graphla.algorithms.bfs.algebraic import many_sources
from graphla.containers.container import move_storage
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.engine import engine_named
from graphla.errors import NotSupported
from graphla.graph import Graph
from graphla.problem import Problem, require_graph


class Bfs(Problem):
    """Breadth-first search; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        source: int | None = None,
        *,
        sources: Sequence[int] | None = None,
        method: str | None = None,
        parents: bool = False,
        **options: Any,
    ) -> Any:
        """Levels, and parents if asked, of the vertices that can be reached from `source`.

        Parameters
        ----------
        G : Graph
            Only its structure matters: an explicit zero is an edge.
        source : int
            A vertex.
        sources : sequence of int
            Instead of one: many searches at once, 64 to a word; levels come as a matrix with a row for each.
        method : str, optional
            A name of `bfs.methods`; by default the best that fits the engine and the graph.
        parents : bool
            Whether to give the vertex from which each was reached, too. The source is its own parent.
        **options
            Options of the method.

        Returns
        -------
        Vector, or (Vector, Vector) with `parents`; Matrix with `sources`
            INT32 of size n; vertices that cannot be reached have no entry.

        Raises
        ------
        InvalidGraph
            If `source` is no vertex of G.
        NotSupported
            If the method cannot answer; the message says why and which can.

        Notes
        -----
        O(V + E) work in all but the whole-array methods.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 0], [1, 2, 3]), n=5)
        >>> gl.bfs(G, 0).to_dict()
        {0: 0, 1: 1, 2: 2, 3: 1}
        """
        require_graph(G)
        if sources is not None:
            return self.many(G, source, sources, method, {"parents": parents, **options})
        start = G.vertex(source, "source")
        chosen = self.choose(G, method, {"parents": parents, **options})
        levels, found = chosen.run(G, start, parents=parents, **options)
        wrapped = wrap(G, levels), (wrap(G, found) if parents else None)
        return wrapped if parents else wrapped[0]

    def many(
        self, G: Graph, source: Any, sources: Sequence[int], method: str | None, request: dict[str, Any]
    ) -> Matrix:
        """Levels from many sources at once."""
        if source is not None:
            raise NotSupported(f"source={source!r} and sources= were both given: give one of them")
        if method not in (None, "algebraic") or any(request.values()):
            asked = method or ", ".join(name for name, value in request.items() if value)
            raise NotSupported(f"many sources give levels alone, by the default or method='algebraic', not {asked!r}")
        chosen = [G.vertex(v, "sources") for v in sources]
        if method == "algebraic":
            return many_sources(G, chosen)
        return Matrix._from_sentinel(_multi_source.multi_source(G, chosen), -1, G.engine)


def closeness(G: Graph, sources: Sequence[int] | None = None) -> Vector:
    """Closeness centrality of each source, all vertices by default.

    Parameters
    ----------
    G : Graph
    sources : sequence of int, optional
        Vertices whose centrality is wanted.

    Returns
    -------
    Vector
        FP64 of size n: (r − 1)² / ((n − 1) · sum of the distances from the vertex), r vertices being reached
        (Wasserman and Faust); an entry for each source.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.closeness(gl.Graph(([0, 1, 1, 2], [1, 0, 2, 1]))).to_dict()
    {0: 0.6666666666666666, 1: 1.0, 2: 0.6666666666666666}
    """
    require_graph(G)
    chosen = list(range(G.n)) if sources is None else [G.vertex(v, "sources") for v in sources]
    return Vector.from_coo(chosen, _multi_source.closeness(G, chosen), "FP64", size=G.n, engine=G.engine)


def wrap(G: Graph, raw: Any) -> Vector:
    """A vector of an array in which −1 means no entry."""
    return raw if isinstance(raw, Vector) else Vector._from_sentinel(raw, -1, G.engine)


def verify(G: Graph, source: int, levels: Vector, parents: Vector | None = None) -> None:
    """Assert what makes levels and parents those of a breadth-first search (the rules of GAP and Graph500).

    Raises
    ------
    VerificationError
        Naming the first vertex that breaks a property, and the property.
    """
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, engine_named("cpu"))
    _verify.verify(csr, source, levels.to_numpy(-1), None if parents is None else parents.to_numpy(-1))


bfs = Bfs("bfs", __name__, verify, ("parents",), profile)
