"""Single-source shortest paths: the distances of all vertices from a source, and their predecessors."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.sssp import _verify
from graphla.algorithms.sssp._weights import distance_dtype, infinity
from graphla.graph import Graph
from graphla.problem import Problem
from graphla.vector import Vector


class Sssp(Problem):
    """Single-source shortest paths; call it, or ask it for its `methods`."""

    def __call__(
        self, G: Graph, source: int, *, method: str | None = None, predecessors: bool = False, **options: Any
    ) -> Any:
        """Distances, and predecessors if asked, of the vertices that can be reached from `source`.

        Parameters
        ----------
        G : Graph
            The weights may be zero or, for methods that take them, negative; a pattern weighs 1 an edge.
        source : int
            A vertex.
        method : str, optional
            A name of `sssp.methods`; by default the best that fits the engine and the graph.
        predecessors : bool
            Whether to give the vertex before each on a shortest path, too. The source is its own predecessor.
        **options
            Options of the method.

        Returns
        -------
        Vector, or (Vector, Vector) with `predecessors`
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
        start = G.vertex(source, "source")
        chosen = self.choose(G, method, {"predecessors": predecessors, **options})
        distances, found = chosen.run(G, start, predecessors=predecessors, **options)
        if not isinstance(distances, Vector):
            distances = Vector.from_sentinel(distances, infinity(distances.dtype), G.engine)
        if not predecessors:
            return distances
        return distances, found if isinstance(found, Vector) else Vector.from_sentinel(found, -1, G.engine)


def verify(G: Graph, source: int, distances: Vector, predecessors: Vector | None = None) -> None:
    """Assert that the distances are a fixed point that arcs bear out, and the predecessors a tree of such arcs.

    Raises
    ------
    VerificationError
        Naming the first vertex that breaks a property, and the property.
    """
    host = [G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values)]
    d = distances.to_numpy(infinity(distance_dtype(host[2].dtype)))
    p = None if predecessors is None else predecessors.to_numpy(-1)
    _verify.verify(G.n, *host, source, d, p)


sssp = Sssp("sssp", __name__, verify)
