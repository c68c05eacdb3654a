"""Matchings: edges of which no two have an end in common."""

from __future__ import annotations

from typing import Any, Unpack

from graphla.algorithms.matching import _verify
from graphla.algorithms.matching.settings import Kind, Settings
from graphla.algorithms.matching.sides import find_sides
from graphla.algorithms.shared.edge_order import require_edges
from graphla.algorithms.shared.undirected import get_simple, require_undirected
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, Request
from graphla.problem.answer import PerVertex


class Matching(Problem):
    """A matching; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        *,
        kind: Kind = "maximal",
        weights: bool = False,
        seed: int = 0,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector:
        """Matching: edges of which no two have an end in common, none to be added, or as many as there can be.

        Parameters
        ----------
        G : Graph
            An undirected graph: each arc has its reverse. Loops do not count.
        kind : {"maximal", "maximum"}
            Whether no edge can be added, or there is no matching of more edges. Maximum ones are of bipartite graphs.
        weights : bool
            Whether heavy edges go first: then the matching weighs at least half as much as the heaviest one, if no
            weight is negative. Both arcs of an edge must have one weight. Only of maximal matchings.
        seed : int
            Which maximal matching: a number of 32 bits, from which the order of edges of one weight is made.
        method : str, optional
            A name of `matching.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            INT32 of size n: the mate of each vertex, the other end of its edge. Vertices without one have no entry.

        Raises
        ------
        InvalidGraph
            If the graph is directed, or not bipartite where it must be; the message names an arc.
        InvalidOption
            If `kind` is neither, `seed` is no whole number of 0 or more, or `weights` or `seed` are given where they
            choose nothing.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        independent_set : Vertices of which no two are neighbours.
        graphla.csgraph.maximum_bipartite_matching : The same of a matrix of rows and columns.

        Notes
        -----
        All methods find the same maximal matching: that of a loop over the edges by falling weight, and of one weight
        by a hash that differs for any two edges [1]_. Which maximum matching is found depends on the method, and on
        a GPU it may differ from run to run.

        References
        ----------
        .. [1] R. Preis, "Linear Time 1/2-Approximation Algorithm for Maximum Weighted Matching in General Graphs",
           STACS 1999.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2], [1, 1, 9, 9, 1, 1]))
        >>> gl.matching(G, kind="maximum").to_dict()
        {0: 1, 1: 0, 2: 3, 3: 2}
        >>> gl.matching(G, weights=True).to_dict()
        {1: 2, 2: 1}
        """
        return self.solve(locals())

    def _require(self, G: Graph, settings: Any) -> None:
        """Refuse a directed graph, and two weights of one edge if they count."""
        if settings.weights:
            require_edges(G, "matching", "a heavy matching")
        else:
            require_undirected(G, "matching", "matchings")


def describe_difference(found: Any, reference: Any, request: Request) -> str | None:
    """How the sizes of two matchings differ; of two maximal ones none has more than twice the edges of the other."""
    mine, right = (int((mates >= 0).sum()) // 2 for mates in (found, reference))
    most = 1 if request.get("kind") == "maximum" else 2
    return None if mine <= most * right and right <= most * mine else f"{mine} edges instead of {right}"


def verify(G: Graph, s: Settings, mates: Any) -> None:
    """Check that mates are mutual and neighbours, and that there are as many as the kind says."""
    host = get_simple(G)
    left = find_sides(host) if s.kind == "maximum" else None
    _verify.verify(host.csr, mates, s.kind, host.csr.values if s.weights else None, left)


matching = Matching(
    "matching",
    __name__,
    verify,
    settings=Settings,
    gives=(PerVertex("mates", kinds="iu", of_vertices=True),),
    domain="undirected",
    defining=("kind", "weights"),
    difference=describe_difference,
)
