"""Independent sets: vertices of which no two are neighbours, as many as fit beside each other."""

from __future__ import annotations

import numpy as np

from graphla.algorithms.independent_set import _verify
from graphla.algorithms.shared.undirected import find_neighbours, require_undirected
from graphla.common.arguments import show, to_int
from graphla.common.errors import DimensionMismatch
from graphla.common.typing import OptionValue
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph


class IndependentSet(Problem):
    """A maximal independent set; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, *, seed: int = 0, method: str | None = None, **options: OptionValue) -> Vector:
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
        require_graph(G)
        seed = to_seed(seed)
        chosen = self.choose(G, method, {"seed": seed, **options})
        require_undirected(G, "independent_set", "independent sets")
        return Vector.from_dense(chosen.run(G, seed=seed, **options), engine=G.engine)


def to_seed(seed: int) -> int:
    """A seed of 32 bits."""
    return to_int(seed, "seed", 0) & 0xFFFFFFFF


def verify(G: Graph, chosen: Vector) -> None:
    """Check that no two chosen vertices are neighbours, and that each other vertex is beside a chosen one.

    Parameters
    ----------
    G : Graph
        The graph.
    chosen : Vector
        What `independent_set` returned.

    Raises
    ------
    VerificationError
        If the set is not independent or not maximal; the message names a vertex.
    DimensionMismatch
        If `chosen` is no vector of truths with a place for each vertex.

    Notes
    -----
    O(V + E), on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 0, 2, 0, 3], [1, 0, 2, 0, 3, 0]), n=5)
    >>> gl.independent_set.verify(G, gl.independent_set(G, seed=7, method="algebraic"))
    """
    require_graph(G)
    require_undirected(G, "independent_set", "independent sets")
    if not isinstance(chosen, Vector) or chosen.size != G.n or chosen.dtype != "BOOL":
        raise DimensionMismatch(f"chosen={show(chosen)}: give a BOOL vector of size {G.n:,}, as the problem returns it")
    _verify.verify(Graph(find_neighbours(G).to("cpu")).csr, np.asarray(chosen.to_numpy(False), bool))


independent_set = IndependentSet(
    "independent_set", __name__, verify, common=("seed",), gives=(Answer("chosen", None),), domain="undirected"
)
