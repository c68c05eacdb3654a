"""Closeness: how near a vertex is to the others."""

from __future__ import annotations

from typing import Any, Literal, Unpack

from graphla.algorithms.closeness import _verify
from graphla.algorithms.closeness.settings import Settings
from graphla.common.typing import NoOptions, Vertices
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.problem.answer import OfSome

Way = Literal["in", "out"]


class Closeness(Problem):
    """Closeness centrality; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        sources: Vertices | None = None,
        *,
        weights: bool = False,
        harmonic: bool = False,
        improved: bool = True,
        direction: Way = "in",
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector:
        """Closeness centrality: how near a vertex is to the vertices that it is connected with.

        Where r vertices reach the vertex, itself included, and s is the sum of their distances to it, its closeness is
        (r − 1) / s · (r − 1) / (n − 1), and 0 if s is 0.

        Parameters
        ----------
        G : Graph
            The graph.
        sources : sequence of int, optional
            The vertices whose centrality is wanted; by default all.
        weights : bool
            Whether weights are the lengths of arcs; none may be negative then. By default each arc is one long.
        harmonic : bool
            Whether to return the sum of 1 / distance over the other vertices instead; those at distance 0 or without a
            path count for nothing.
        improved : bool
            Whether the second factor counts, of Wasserman and Faust [1]_, by which vertices of small components are
            less close. Without it a vertex is compared with its own component only. It means nothing if `harmonic`.
        direction : {"in", "out"}
            Which distances: to the vertex, as in NetworkX, or from it. Those of an undirected graph are the same.
        method : str, optional
            A name of `closeness.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            FP64 of size n, with an entry for each source.

        Raises
        ------
        InvalidGraph
            If a source is no vertex of G, or weights count and one is negative.
        InvalidOption
            If an argument has none of its values.
        GraphlaError
            If there is no such method, or it has no such option.
        Overflow
            If weights count and a distance does not fit 64 bits.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        bfs : The distances themselves.
        betweenness : How many shortest paths lead over a vertex.

        Notes
        -----
        O(k / 64 · (V + E) · levels) work at most for k sources: 64 searches at a time, one bit each. With weights the
        work of `sssp` for each source.

        References
        ----------
        .. [1] S. Wasserman, K. Faust, *Social Network Analysis: Methods and Applications*, 1994.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.closeness(gl.Graph(([0, 1, 1, 2], [1, 0, 2, 1]))).to_dict()
        {0: 0.6666666666666666, 1: 1.0, 2: 0.6666666666666666}
        >>> gl.closeness(gl.Graph(([0, 1], [1, 2], [4, 2])), weights=True, harmonic=True).to_dense().tolist()
        [0.0, 0.25, 0.6666666666666666]
        """
        return self.solve(locals())

    def _finish(self, G: Graph, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The centralities of the sources, of the vertices that each reaches and the sum of their distances."""
        values = settings.rate(G, *map(G.engine.to_host, found))  # few of them: on the host no kernel is compiled
        return (Vector.from_coo(settings.sources, values, "FP64", size=G.n, engine=G.engine),)


closeness = Closeness(
    "closeness",
    __name__,
    lambda G, s, values: _verify.verify(G.csr, values, s),
    settings=Settings,
    gives=(OfSome("values"),),
    defining=("sources", "weights", "harmonic", "improved", "direction"),
)
