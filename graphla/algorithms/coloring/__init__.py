"""Colorings: a color for each vertex such that neighbours differ, of few colors."""

from __future__ import annotations

from typing import Any, Unpack

from graphla.algorithms.coloring import _verify
from graphla.algorithms.shared.seed import Settings
from graphla.algorithms.shared.undirected import get_simple, require_undirected
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, Request
from graphla.problem.answer import PerVertex

MOST = 2.0
"""Two libraries' numbers of colors may differ by this factor: each goes through the vertices in its own order."""


class Coloring(Problem):
    """A coloring of the vertices; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, *, seed: int = 0, method: str | None = None, **options: Unpack[NoOptions]) -> Vector:
        """Greedy coloring: a color for each vertex such that neighbours have different ones.

        The least number of colors would take exponential time to find. Here each vertex gets the least color that none
        of its neighbours before it has, and vertices with many neighbours go first.

        Parameters
        ----------
        G : Graph
            An undirected graph: each arc has its reverse. Weights do not matter; loops do not count.
        seed : int
            Which coloring: a number of 32 bits, from which the order of vertices with as many neighbours is made.
        method : str, optional
            A name of `coloring.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            INT32 of size n: the color of each vertex, from 0 on.

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
        independent_set : Vertices that could all have one color.

        Notes
        -----
        All methods give the same colors, those of a loop over the vertices by falling priority [1]_: a vertex of more
        neighbours goes first, and among some with about as many a hash of its number decides. No color is larger than
        the number of neighbours of its vertex.

        References
        ----------
        .. [1] D. Welsh, M. Powell, "An Upper Bound for the Chromatic Number of a Graph and its Application to
           Timetabling Problems", The Computer Journal 10(1), 1967.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 0, 2, 0, 3, 1, 2], [1, 0, 2, 0, 3, 0, 2, 1]), n=5)
        >>> colors = gl.coloring(G)
        >>> int(colors.get(0)), int(colors.get(3)), int(colors.reduce("max").new().get(0)) + 1
        (0, 1, 3)
        """
        return self.solve(locals())

    def _require(self, G: Graph, settings: Any) -> None:
        """Refuse a directed graph."""
        require_undirected(G, "coloring", "colorings")


def describe_difference(found: Any, reference: Any, request: Request) -> str | None:
    """Whether another library needs many more colors; another order of the vertices gives other colors."""
    mine, right = int(found.max(initial=-1)) + 1, int(reference.max(initial=-1)) + 1
    return None if mine <= MOST * right and right <= MOST * mine else f"{mine} colors instead of about {right}"


coloring = Coloring(
    "coloring",
    __name__,
    lambda G, _, colors: _verify.verify(get_simple(G).csr, colors),
    settings=Settings,
    gives=(PerVertex("colors", None, kinds="iu"),),
    domain="undirected",
    difference=describe_difference,
)
