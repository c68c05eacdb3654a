"""All-pairs shortest paths: the distances between all vertices, and the next hops."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.apsp import _choose
from graphla.containers.matrix import Matrix
from graphla.graph import Graph
from graphla.problem import Problem, Request
from graphla.storage import FullMatrix


class Apsp(Problem):
    """All-pairs shortest paths; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, *, method: str | None = None, next_hops: bool = False, **options: Any) -> Any:
        """Distances between all vertices, and next hops if asked.

        Parameters
        ----------
        G : Graph
            The weights may be zero or negative; a pattern weighs 1 an edge.
        method : str, optional
            A name of `apsp.methods`; by default the best that fits engine, graph and memory.
        next_hops : bool
            Whether to give the vertex after i on a shortest path to j, too: H[i, i] = i, −1 without a path.
        **options
            Options of the method.

        Returns
        -------
        Matrix, or (Matrix, Matrix) with `next_hops`
            Full matrices of n². Infinity (the largest value of an integer dtype) stands where there is no path.

        Raises
        ------
        NegativeCycle
            If there is a cycle of negative weight.
        OutOfMemory
            If n² values do not fit; nothing was allocated.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 2], [1, 2, 0], [1, 2, 3]))
        >>> gl.apsp(G).to_numpy().tolist()
        [[0, 1, 3], [5, 0, 2], [3, 4, 0]]
        """
        request = {"next_hops": next_hops, **options}
        chosen = self.choose(G, method, request)
        distances, hops = chosen.run(G, **request)
        wrapped = wrap(G, distances), (wrap(G, hops) if next_hops else None)
        return wrapped if next_hops else wrapped[0]

    def preferred(self, graph: Graph, request: Request) -> tuple[str, str]:
        """The method that vertices, arcs and memory call for, and why.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.apsp.preferred(gl.generate.path(100), {})[0]
        'blocked_floyd_warshall'
        """
        return _choose.choose(graph, request)


def wrap(G: Graph, raw: Any) -> Matrix:
    """A full matrix of an array."""
    return raw if isinstance(raw, Matrix) else Matrix._from_storage(FullMatrix(raw), G.engine)


def verify(G: Graph, distances: Matrix, next_hops: Matrix | None = None) -> None:
    """Assert that the distances are a fixed point that arcs bear out, and that the hops walk them.

    Raises
    ------
    VerificationError
        Naming the first pair that breaks a property, and the property.
    """
    from graphla.algorithms.apsp import _verify

    host = [G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values)]
    _verify.verify(G.n, *host, distances.to_numpy(), None if next_hops is None else next_hops.to_numpy())


apsp = Apsp("apsp", __name__, verify, ("next_hops", "dtype"))
