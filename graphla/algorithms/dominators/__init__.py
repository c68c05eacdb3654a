"""Dominators: the vertex that every path from a source to a vertex passes last before it."""

from __future__ import annotations

from typing import Unpack

from graphla.algorithms.dominators import _verify
from graphla.common.typing import NoOptions, Vertex
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.problem.answer import PerVertex


class Dominators(Problem):
    """Immediate dominators; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, source: Vertex, *, method: str | None = None, **options: Unpack[NoOptions]) -> Vector:
        """Immediate dominators: for each vertex the last one that all paths to it pass.

        A vertex d dominates v if each path from the source to v passes d. The immediate dominator of v is the one that
        all other dominators of v, but v itself, dominate; they form a tree with the source as root.

        Parameters
        ----------
        G : Graph
            A directed graph, such as the flow of a program. Weights do not matter; an explicit zero is an arc.
        source : int
            The vertex at which all paths begin.
        method : str, optional
            A name of `dominators.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            INT32 of size n: the immediate dominator of each vertex that the source reaches. The source is its own.

        Raises
        ------
        InvalidGraph
            If the source is no vertex of G.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        bfs : The parents of a search, of which each lies on one path only.

        Notes
        -----
        O(E log V) work on one core of the host [1]_, where a graph on a GPU is copied once. The algebra holds a bit for
        each pair of vertices, and stays on the device.

        References
        ----------
        .. [1] T. Lengauer, R. Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", ACM TOPLAS 1(1), 1979.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.dominators(gl.Graph(([0, 0, 1, 2, 3], [1, 2, 3, 3, 4]), n=6), 0).to_dict()
        {0: 0, 1: 0, 2: 0, 3: 0, 4: 3}
        """
        return self.solve(locals())


dominators = Dominators(
    "dominators",
    __name__,
    lambda G, _, source, found: _verify.verify(G.csr, source, found),
    takes=("source",),
    gives=(PerVertex("dominators", argument="found", of_vertices=True),),
)
