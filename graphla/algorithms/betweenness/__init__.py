"""Betweenness: how many shortest paths lead over a vertex or an edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack, overload

import numpy as np

from graphla.algorithms.betweenness import _verify
from graphla.algorithms.betweenness.settings import Settings
from graphla.common.typing import NoOptions, Vertex
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, Request
from graphla.storage import CompressedMatrix
from graphla.storage.convert import scale

Sources = int | Sequence[Vertex] | None
Precision = Literal["FP32", "FP64"]


class Betweenness(Problem):
    """Betweenness centrality; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        sources: Sources = None,
        seed: int = 0,
        weights: bool = False,
        normalized: bool = True,
        endpoints: bool = False,
        edges: Literal[False] = False,
        directed: bool | None = None,
        dtype: Precision = "FP32",
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector: ...

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        sources: Sources = None,
        seed: int = 0,
        weights: bool = False,
        normalized: bool = True,
        endpoints: bool = False,
        edges: Literal[True],
        directed: bool | None = None,
        dtype: Precision = "FP32",
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Matrix: ...

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        sources: Sources = None,
        seed: int = 0,
        weights: bool = False,
        normalized: bool = True,
        endpoints: bool = False,
        edges: bool,
        directed: bool | None = None,
        dtype: Precision = "FP32",
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector | Matrix: ...

    def __call__(
        self,
        G: Graph,
        *,
        sources: Sources = None,
        seed: int = 0,
        weights: bool = False,
        normalized: bool = True,
        endpoints: bool = False,
        edges: bool = False,
        directed: bool | None = None,
        dtype: Precision = "FP32",
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Any:
        """Betweenness centrality: the share of shortest paths that lead over each vertex, or over each edge.

        For every source s and target t, a vertex v between them gets σ(s, t, v) / σ(s, t), where σ(s, t) counts the
        shortest paths from s to t and σ(s, t, v) those over v. Directions, ends and factors are those of NetworkX.

        Parameters
        ----------
        G : Graph
            The graph. A loop is on no shortest path; vertices without a path between them count for nothing.
        sources : int or sequence of int, optional
            Where the paths begin: at all vertices by default, at those of a sequence (one that occurs twice counts
            twice), or at a random sample of so many vertices if it is a number.
        seed : int
            Which sample; the same that NetworkX draws with this seed from the vertices 0 … n − 1.
        weights : bool
            Whether weights are the lengths of arcs; these must be positive then. By default each arc is one long.
        normalized : bool
            Whether to divide by the number of pairs that could lie at the ends: (n − 1)(n − 2), n(n − 1) for edges or
            with endpoints.
        endpoints : bool
            Whether the two ends of a path lie on it, too. Not with edges.
        edges : bool
            Whether to return the betweenness of edges instead of vertices.
        directed : bool, optional
            Whether each arc is counted for itself. By default unless the matrix equals its transpose: then pairs that
            are not normalized are counted once, and both arcs of an edge have the sum of the two.
        dtype : {"FP32", "FP64"}
            The dtype of the answer. FP32 is within 1e-4 of the exact value.
        method : str, optional
            A name of `betweenness.methods`; by default the best one for the engine and the request.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector or Matrix
            Of `dtype`: a value for each vertex, of size n; or for each arc, of the shape and structure of A. Sums over
            a sample are scaled to stand for all sources; those over a sequence are not. A sample of one vertex tells
            nothing of that vertex itself: NaN.

        Raises
        ------
        InvalidGraph
            If weights count and one is not positive, or a source does not exist.
        InvalidOption
            If an argument has none of its values, or two contradict each other.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        Overflow
            If weights count and a distance does not fit 64 bits.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        closeness : How near a vertex is to the others.

        Notes
        -----
        O(V + E) work per source, with weights that of `sssp` and of a sort. On the CPU sums are added up in the same
        order on any number of threads, and a call gives the same bits on each run; on a GPU rows of hubs are added up
        by atomics, and the last bits may differ from run to run. Paths are equally long if their lengths,
        added from the source on, are equal numbers; FP32 lengths are added in FP64 [1]_ [2]_.

        References
        ----------
        .. [1] U. Brandes, "A Faster Algorithm for Betweenness Centrality", J. Math. Sociol. 25(2), 2001.
        .. [2] U. Brandes, "On Variants of Shortest-Path Betweenness Centrality and their Generic Computation", Social
           Networks 30(2), 2008.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]))
        >>> gl.betweenness(G, normalized=False).to_dense().tolist()
        [0.0, 2.0, 2.0, 0.0]
        >>> gl.betweenness(G, sources=[0], edges=True, normalized=False, directed=True).to_dicts()[1]
        {0: 0.0, 2: 2.0}
        """
        return self.solve(locals())

    def _finish(self, G: Graph, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The answer, from sums over the sources."""
        return ((wrap_edges if settings.edges else wrap)(G, found[0], settings),)


def wrap(G: Graph, sums: Any, s: Settings) -> Vector:
    """The answer, from sums over the sources."""
    factor, own = s.scale(G.n)
    if own == factor:
        return Vector.from_dense(scale(sums, factor, s.dtype.numpy), engine=G.engine)
    values = sums * factor
    values[G.engine.xp.asarray(s.sources)] = sums[G.engine.xp.asarray(s.sources)] * own
    return Vector.from_dense(values.astype(s.dtype.numpy), engine=G.engine)


def wrap_edges(G: Graph, sums: Any, s: Settings) -> Matrix:
    """The answer for edges; both arcs of an undirected edge have the sum of theirs."""
    values, csr = sums * s.scale(G.n)[0], G.csr
    if not s.directed:
        arcs = CompressedMatrix(G.n, G.n, csr.indptr, csr.indices, values)
        values = values + G.engine.transpose(arcs).values
    arcs = CompressedMatrix(G.n, G.n, csr.indptr, csr.indices, values.astype(s.dtype.numpy))
    return Matrix._from_storage(arcs, G.engine)


def describe_difference(found: Any, reference: Any, request: Request) -> str | None:
    """Describe how an answer differs from a right one, if by more than the precision of FP32 allows."""
    if found.shape != reference.shape:
        return f"its shape is {found.shape}, not {reference.shape}"
    wrong = np.flatnonzero(~_verify.compare(found, reference, request.get("dtype", "FP32")))
    if not wrong.size:
        return None
    first = int(wrong[0])
    return f"first at {first}: {found.flat[first]:.8g} instead of {reference.flat[first]:.8g} ({wrong.size:,} differ)"


class Values(Answer):
    """A value for each vertex, or for each arc: the verifier takes the vector or the matrix itself."""

    each_vertex = True

    def read(self, G: Any, value: Any, settings: Any) -> Any:
        """What was given."""
        return value


betweenness = Betweenness(
    "betweenness",
    __name__,
    lambda G, s, values: _verify.verify(G, values, s),
    settings=Settings,
    gives=(Values("values"),),
    defining=("sources", "seed", "weights", "normalized", "endpoints", "edges", "directed", "dtype"),
    difference=describe_difference,
)
