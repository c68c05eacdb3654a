"""All-pairs shortest paths: the distances between all vertices, and the next hops."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.apsp import _choose
from graphla.algorithms.sssp._weights import infinity
from graphla.containers.matrix import Matrix
from graphla.graph import Graph
from graphla.problem import Problem, Request


class Apsp(Problem):
    """All-pairs shortest paths; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        *,
        method: str | None = None,
        next_hops: bool = False,
        dense: bool = False,
        **options: Any,
    ) -> Any:
        """Distances between all vertices, and next hops if asked.

        Parameters
        ----------
        G : Graph
            The weights may be zero or negative; a pattern weighs 1 an edge.
        method : str, optional
            A name of `apsp.methods`; by default the best that fits engine, graph and memory.
        next_hops : bool
            Whether to return the next hops, too: H[i, j] is the vertex after i on a shortest path to j; H[i, i] = i.
        dense : bool
            Return the arrays that the method filled, without a copy, instead of matrices.
        **options
            Options of the method.

        Returns
        -------
        Matrix, or (Matrix, Matrix) with `next_hops`
            n × n; an entry for each pair with a path. Distances have the dtype of floating-point weights, and INT32
            (UINT32, INT64, UINT64) for integers; next hops are INT32.
        array, or (array, array) with `next_hops`, if `dense`
            NumPy or CuPy arrays of shape (n, n). Where there is no path, the distance is inf, or the largest value of
            an integer dtype, and the next hop is −1.

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
        >>> gl.apsp(G).to_dicts()
        {0: {0: 0, 1: 1, 2: 3}, 1: {0: 5, 1: 0, 2: 2}, 2: {0: 3, 1: 4, 2: 0}}
        >>> gl.apsp(gl.Graph(([0], [1], [0.5])), dense=True).tolist()
        [[0.0, 0.5], [inf, 0.0]]
        """
        request = {"next_hops": next_hops, **options}
        chosen = self.choose(G, method, request)
        distances, hops = chosen.run(G, **request)
        if dense:
            return (array_of(distances), array_of(hops)) if next_hops else array_of(distances)
        D = matrix_of(G, distances, infinity(array_of(distances).dtype))
        return (D, matrix_of(G, hops, -1)) if next_hops else D

    def preferred(self, graph: Graph, request: Request) -> tuple[str, str]:
        """The method that vertices, arcs and memory call for, and why.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.apsp.preferred(gl.generate.path(100), {})[0]
        'blocked_floyd_warshall'
        """
        return _choose.choose(graph, request)


def array_of(answer: Any) -> Any:
    """The array that a method filled."""
    return answer._storage.values if isinstance(answer, Matrix) else answer


def matrix_of(G: Graph, answer: Any, absent: Any) -> Matrix:
    """The same array as a matrix, with no entry where it holds `absent`."""
    engine = answer.engine if isinstance(answer, Matrix) else G.engine
    return Matrix._from_sentinel(array_of(answer), absent, engine, "dense=True returns the array itself")


def on_host(G: Graph, answer: Any, absent: Any) -> Any:
    """A matrix, or an array, as a NumPy array."""
    return answer.to_numpy(absent) if isinstance(answer, Matrix) else G.engine.to_host(answer)


def verify(G: Graph, distances: Any, next_hops: Any = None) -> None:
    """Assert that the distances are a fixed point that arcs bear out, and that the hops walk them.

    Parameters
    ----------
    G : Graph
        The graph.
    distances : Matrix or array
        What `apsp` returned, with or without ``dense=True``.
    next_hops : Matrix or array, optional
        The next hops that it returned.

    Raises
    ------
    VerificationError
        Naming the first pair that breaks a property, and the property.
    """
    from graphla.algorithms.apsp import _verify

    host = [G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values)]
    dtype = distances.dtype.numpy if isinstance(distances, Matrix) else distances.dtype
    D = on_host(G, distances, infinity(dtype))
    _verify.verify(G.n, *host, D, None if next_hops is None else on_host(G, next_hops, -1))


apsp = Apsp("apsp", __name__, verify, ("next_hops", "dtype"))
