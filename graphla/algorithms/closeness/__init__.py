"""Closeness: how near a vertex is to the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from graphla.algorithms.closeness import _verify
from graphla.algorithms.closeness.settings import DEFAULTS, resolve
from graphla.common.typing import OptionValue
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph

Way = Literal["in", "out"]


class Closeness(Problem):
    """Closeness centrality; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        sources: Sequence[int] | None = None,
        *,
        weights: bool = False,
        harmonic: bool = False,
        improved: bool = True,
        direction: Way = "in",
        method: str | None = None,
        **options: OptionValue,
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
        require_graph(G)
        asked = {
            "sources": sources,
            "weights": weights,
            "harmonic": harmonic,
            "improved": improved,
            "direction": direction,
        }
        settings = resolve(G, asked)
        chosen = self.choose(G, method, {**asked, **options})
        reached, sums = chosen.run(G, settings, **options)
        return Vector.from_coo(settings.sources, settings.rate(G, reached, sums), "FP64", size=G.n, engine=G.engine)


def verify(
    G: Graph,
    values: Vector,
    sources: Sequence[int] | None = None,
    *,
    weights: bool = False,
    harmonic: bool = False,
    improved: bool = True,
    direction: Way = "in",
) -> None:
    """Check closeness centralities against SciPy's distances.

    Parameters
    ----------
    G : Graph
        The graph.
    values : Vector
        What `closeness` returned.
    sources, weights, harmonic, improved, direction
        What was asked of it.

    Raises
    ------
    VerificationError
        If a value differs by more than 1e-9 of itself; the message names the first one.

    Notes
    -----
    O(V + E) work per source, with weights O(E + V log V), on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2], [1, 2, 3]))
    >>> gl.closeness.verify(G, gl.closeness(G, method="algebraic"))
    """
    asked: dict[str, Any] = {name: value for name, value in locals().items() if name not in ("G", "values")}
    require_graph(G)
    _verify.verify(G, values, resolve(G, asked))


OPTIONS = tuple(DEFAULTS)
closeness = Closeness("closeness", __name__, verify, common=OPTIONS, gives=(Answer("values"),), defining=OPTIONS)
