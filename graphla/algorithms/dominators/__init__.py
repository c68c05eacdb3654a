"""Dominators: the vertex that every path from a source to a vertex passes last before it."""

from __future__ import annotations

from graphla.algorithms.dominators import _verify
from graphla.common.typing import OptionValue, Position
from graphla.containers.container import move_storage
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph, require_vectors


class Dominators(Problem):
    """Immediate dominators; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, source: Position, *, method: str | None = None, **options: OptionValue) -> Vector:
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
        O(E log V) work on the CPU [1]_. The algebra holds a bit for each pair of vertices.

        References
        ----------
        .. [1] T. Lengauer, R. Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", ACM TOPLAS 1(1), 1979.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.dominators(gl.Graph(([0, 0, 1, 2, 3], [1, 2, 3, 3, 4]), n=6), 0).to_dict()
        {0: 0, 1: 0, 2: 0, 3: 0, 4: 3}
        """
        require_graph(G)
        start = G.vertex(source, "source")
        return Vector._from_sentinel(self.choose(G, method, options).run(G, start, **options), -1, G.engine)


def verify(G: Graph, source: int, found: Vector) -> None:
    """Check immediate dominators against those of a plain iteration.

    The dominators of a vertex are itself and what dominates all of its predecessors: from any guess that is none too
    small the iteration of Cooper, Harvey and Kennedy comes to the right tree.

    Parameters
    ----------
    G : Graph
        The graph.
    source : int
        The vertex at which all paths begin.
    found : Vector
        What `dominators` returned.

    Raises
    ------
    VerificationError
        If a vertex has another immediate dominator; the message names it.
    DimensionMismatch
        If `found` is no vector of numbers of size n.

    Notes
    -----
    O(E) steps for each round over the vertices, and two or three rounds as a rule, in Python on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 0, 1, 2, 3], [1, 2, 3, 3, 4]), n=6)
    >>> gl.dominators.verify(G, 0, gl.dominators(G, 0, method="algebraic"))
    """
    require_graph(G)
    source = G.vertex(source, "source")
    require_vectors(G, found=found)
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    _verify.verify(csr, source, found.to_numpy(-1))


dominators = Dominators("dominators", __name__, verify, takes=("source",), gives=(Answer("dominators"),))
