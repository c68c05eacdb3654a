"""Independent sets: vertices of which no two are neighbours, as many as fit beside each other."""

from __future__ import annotations

from typing import Any, Unpack

from graphla.algorithms.independent_set import _verify
from graphla.algorithms.shared.seed import Settings
from graphla.algorithms.shared.undirected import get_simple, require_undirected
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.problem.answer import PerVertex


class IndependentSet(Problem):
    """A maximal independent set; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, *, seed: int = 0, method: str | None = None, **options: Unpack[NoOptions]) -> Vector:
        """Maximal independent set: vertices of which no two are neighbours, and to which none can be added.

        It is maximal, not of the greatest size, which would take exponential time. Vertices with few neighbours are
        preferred, so that it becomes large.

        Parameters
        ----------
        G : Graph
            An undirected graph: each arc has its reverse. Weights do not matter; loops do not count.
        seed : int
            Which set: a number of 32 bits, from which the priorities of the vertices are made.
        method : str, optional
            A name of `independent_set.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            BOOL of size n: whether each vertex is chosen.

        Raises
        ------
        InvalidGraph
            If the graph is directed; the message says how to make it undirected.
        InvalidOption
            If `seed` is no whole number of 0 or more.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        core_numbers : How deep in the graph each vertex lies.

        Notes
        -----
        All methods choose the same vertices: those that a loop over the vertices by falling priority would choose [1]_.
        A vertex of fewer neighbours goes first, and among some with about as many a hash of its number decides.

        References
        ----------
        .. [1] G. Blelloch, J. Fineman, J. Shun, "Greedy Sequential Maximal Independent Set and Matching are Parallel on
           Average", SPAA 2012.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 0, 2, 0, 3], [1, 0, 2, 0, 3, 0]), n=5)
        >>> gl.independent_set(G).to_dense().tolist()
        [False, True, True, True, True]
        """
        return self.solve(locals())

    def _require(self, G: Graph, settings: Any) -> None:
        """Refuse a directed graph."""
        require_undirected(G, "independent_set", "independent sets")


independent_set = IndependentSet(
    "independent_set",
    __name__,
    lambda G, _, chosen: _verify.verify(get_simple(G).csr, chosen),
    settings=Settings,
    gives=(PerVertex("chosen", None, kinds="b"),),
    domain="undirected",
)
