"""All-pairs shortest paths: the distances between all vertices, and the next hops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, Literal, TypedDict, Unpack, overload

import numpy as np

from graphla.algorithms.apsp import choice
from graphla.algorithms.apsp.elimination.predict import predict
from graphla.algorithms.apsp.initial import choose_dtype
from graphla.algorithms.apsp.settings import Settings
from graphla.algorithms.shared.distance_range import solve_in_range
from graphla.algorithms.shared.weights import infinity
from graphla.common.arguments import show, speaks, to_bool
from graphla.common.errors import DimensionMismatch
from graphla.common.typing import DTypeLike
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Problem, Request
from graphla.problem.answer import Rows
from graphla.storage import Array


class Options(TypedDict, total=False):
    """The options of the methods."""

    output: str | PathLike[str] | None
    progress: Callable[[int, int], object] | None


class Explained(Options, total=False):
    """What `explain` is asked about."""

    next_hops: bool
    dtype: DTypeLike | None


class Apsp(Problem):
    """All-pairs shortest paths; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        method: str | None = None,
        next_hops: Literal[False] = False,
        dtype: DTypeLike | None = None,
        dense: Literal[False] = False,
        **options: Unpack[Options],
    ) -> Matrix: ...

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        method: str | None = None,
        next_hops: Literal[True],
        dtype: DTypeLike | None = None,
        dense: Literal[False] = False,
        **options: Unpack[Options],
    ) -> tuple[Matrix, Matrix]: ...

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        method: str | None = None,
        next_hops: Literal[False] = False,
        dtype: DTypeLike | None = None,
        dense: Literal[True],
        **options: Unpack[Options],
    ) -> Array: ...

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        method: str | None = None,
        next_hops: Literal[True],
        dtype: DTypeLike | None = None,
        dense: Literal[True],
        **options: Unpack[Options],
    ) -> tuple[Array, Array]: ...

    def __call__(
        self,
        G: Graph,
        *,
        method: str | None = None,
        next_hops: bool = False,
        dtype: DTypeLike | None = None,
        dense: bool = False,
        **options: Unpack[Options],
    ) -> Any:
        """All-pairs shortest paths: the least sum of weights on a path between each pair of vertices.

        Parameters
        ----------
        G : Graph
            The graph. Weights may be zero or negative; an arc of a pattern weighs 1.
        method : str, optional
            A name of `apsp.methods`; by default the best one for the engine, the graph and the memory.
        next_hops : bool
            Whether to return the next hops, too: H[i, j] is the vertex after i on a shortest path to j.
        dtype : dtype, optional
            Compute and return the distances in this dtype: FP32, FP64, INT16, INT32, INT64, UINT32 or UINT64. INT16
            doubles the rate of a GPU. Not every method takes it.
        dense : bool
            Return the arrays that the method filled, without a copy, instead of matrices.
        **options
            Options of the method; see the notes.

        Returns
        -------
        distances : Matrix, or array if `dense`
            Shape (n, n). A matrix has entries for the pairs with a path; an array holds inf for the others, or the
            largest value of an integer dtype. Without `dtype`, the dtype is that of the weights if they are
            floating-point numbers or integers of 64 bits or UINT32, and INT32 for other integers. If a distance does
            not fit, all are computed in INT64, and those of FP32 weights in FP64.
        next_hops : Matrix, or array if `dense`
            INT32 of shape (n, n), only if `next_hops` is true. H[i, i] = i. Where there is no path a matrix has no
            entry, and an array holds −1.

        Raises
        ------
        NegativeCycle
            If there is a cycle of negative weight; the error holds its vertices.
        NotSupported
            If the method cannot answer; the message says why, and which method can.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If n² values do not fit in memory; none were allocated.
        DomainMismatch
            If a weight does not fit the `dtype` that was asked for.
        Overflow
            If a distance does not fit that dtype, or no dtype at all; the message names an arc on its path.

        See Also
        --------
        sssp : The distances from one vertex, or from some.
        factorize : Rows, cells and paths again and again, without all n² distances.

        Notes
        -----
        O(V³) work, or a search per vertex where the graph is sparse, or an elimination where small
        separators cut it into parts, as in road networks.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2], [1, 2]))
        >>> gl.apsp(G).to_dicts()
        {0: {0: 0, 1: 1, 2: 3}, 1: {1: 0, 2: 2}, 2: {2: 0}}
        >>> distances, next_hops = gl.apsp(G, next_hops=True, dense=True)
        >>> next_hops.tolist()
        [[0, 1, 1], [-1, 1, 2], [-1, -1, 2]]
        """
        if not to_bool(dense, "dense"):
            return self.solve(locals())
        return self._within_memory(G, self._solve_dense, locals())

    def _solve_dense(self, G: Graph, arguments: Mapping[str, Any]) -> Any:
        """The arrays themselves, without a copy."""
        found, request = self._find(G, arguments)
        return tuple(map(to_array, found)) if request["next_hops"] else to_array(found[0])

    def _answer(self, G: Any, method: Any, takes: Any, settings: Any, *request: Any) -> tuple[Any, ...]:
        """Distances, and next hops if asked, with wider weights if they do not fit and no dtype is asked for."""
        answer = super()._answer
        if settings.dtype is not None:
            return answer(G, method, takes, settings, *request)
        return solve_in_range(G, lambda wider: answer(wider, method, takes, settings, *request))

    def preferred(self, graph: Graph, request: Request) -> tuple[str, str]:
        """The method that suits the vertices, arcs and memory, and the reason.

        Parameters
        ----------
        graph : Graph
            The graph.
        request : mapping
            What is asked of the method: `next_hops`, `dtype`, `output` …

        Returns
        -------
        name : str
            A name of `apsp.methods`.
        reason : str
            Why it is this one.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.apsp.preferred(gl.generate.path(100), {})[0]
        'blocked_floyd_warshall'
        """
        return choice.choose(graph, request)

    def explain(self, G: Graph, *, method: str | None = None, **request: Unpack[Explained]) -> str:
        """Say which method would run, and for an elimination what it would cost, without running it.

        Parameters
        ----------
        G : Graph
            The graph.
        method : str, optional
            A name of `apsp.methods`; by default the one that would be chosen.
        **request
            The other arguments of the call: `next_hops`, `dtype`, `output` …

        Returns
        -------
        str
            The method and the reason. For an elimination also the order, the fill, bytes, updates and seconds that its
            symbolic phase predicts.

        Raises
        ------
        NotSupported
            If no method can answer; the message says why.

        Notes
        -----
        The order and the symbolic phase are computed, and cached with the graph.

        Examples
        --------
        >>> import graphla as gl
        >>> print(gl.apsp.explain(gl.generate.grid2d(30, 30, engine="cpu"), method="elimination"))
        ... # doctest: +ELLIPSIS
        elimination: requested by the caller
        elimination of 900 vertices and 3,480 arcs on 'cpu', int32
        order        nested dissection: ... fronts of up to ... vertices at ... depths of their tree
        fill         ... cells of the factor, ... per arc
        memory       ... bytes of the factor, ... while it is made
        elimination  ... updates, ... operations, about ... s
        a row        ... updates, 3,600 bytes, about ... s among many
        all rows     ... updates, 3,240,000 bytes, about ... s
        """
        name = self.choose(G, method, request).name
        reason = "requested by the caller" if method else choice.choose(G, request)[1]
        said = f"{name}: {reason}"
        if name != "elimination":
            return said
        return f"{said}\n{predict(G, choose_dtype(G, request.get('dtype'))).describe()}"


def to_array(answer: Any) -> Any:
    """The array that a method filled."""
    return answer._storage.values if isinstance(answer, Matrix) else answer


class Distances(Rows):
    """Rows of distances, or of next hops: a matrix, or with ``dense`` the array itself."""

    def from_array(self, G: Any, array: Any) -> Matrix:
        """The same array as a matrix, with no entry where it holds `absent`."""
        engine, array = array.engine if isinstance(array, Matrix) else G.engine, to_array(array)
        return Matrix._from_sentinel(
            array, self.find_absent(array.dtype), engine, "dense=True returns the array itself"
        )

    def read(self, G: Any, value: Any, settings: Any) -> Any:
        """A matrix or an array on the host, refused if it has no cell for each pair of vertices."""
        fits = isinstance(value, Matrix | np.ndarray) or speaks(value, "__cuda_array_interface__")
        if not fits or value.dtype.kind not in "iuf" or value.shape != (G.n, G.n):
            shape = (G.n, G.n)
            raise DimensionMismatch(f"{self.name}={show(value)}: give a matrix or an array of shape {shape}")
        return self.to_array(value) if isinstance(value, Matrix | np.ndarray) else value.get()


def verify(G: Graph, _: Settings, distances: Any, next_hops: Any) -> None:
    """Check distances and next hops by the properties of shortest paths."""
    from graphla.algorithms.apsp import _verify

    csr = G.csr
    _verify.verify(G.n, csr.indptr, csr.indices, csr.values, distances, next_hops)


apsp = Apsp(
    "apsp",
    __name__,
    verify,
    settings=Settings,
    apart=("dense",),
    gives=(Distances("distances", infinity), Distances("next_hops", asked_by="next_hops", of_vertices=True)),
)
