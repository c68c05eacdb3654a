"""Label propagation: each vertex takes the label that most of its neighbours have, for a number of rounds."""

from __future__ import annotations

from graphla.algorithms.label_propagation import _verify
from graphla.common.arguments import to_int
from graphla.common.typing import OptionValue
from graphla.containers.container import move_storage
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph, require_vectors

ROUNDS = 10
"""The rounds of LDBC Graphalytics."""


class LabelPropagation(Problem):
    """Communities by label propagation; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, rounds: int = ROUNDS, *, method: str | None = None, **options: OptionValue) -> Vector:
        """Communities by label propagation: labels that spread from neighbour to neighbour.

        Each vertex begins with its own number as its label. In each round all vertices at once take the label that most
        of their neighbours have, and of equally frequent labels the smallest. This is the algorithm CDLP of LDBC
        Graphalytics: nothing is drawn at random.

        Parameters
        ----------
        G : Graph
            The graph. Of a directed graph both the vertices that arcs of a vertex lead to and those whose arcs lead to
            it are its neighbours; one that is both counts twice. Weights do not matter.
        rounds : int
            How many rounds to run. Labels may never settle: those of two joined vertices swap in each round.
        method : str, optional
            A name of `label_propagation.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            INT32 of size n: the label of each vertex after the rounds. A vertex without neighbours keeps its own.

        Raises
        ------
        InvalidOption
            If `rounds` is no whole number of 0 or more.
        GraphlaError
            If there is no such method, or it has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        components : The vertices that paths connect.

        Notes
        -----
        O(V + E) per round [1]_, in this synchronous form [2]_. Rounds after one that changed nothing are not run.

        References
        ----------
        .. [1] U. Raghavan, R. Albert, S. Kumara, "Near linear time algorithm to detect community structures in
           large-scale networks", Physical Review E 76, 2007.
        .. [2] A. Iosup et al., "The LDBC Graphalytics Benchmark", arXiv:2011.15028, 2020.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3]), n=7)
        >>> gl.label_propagation(G, 4).to_dense().tolist()
        [0, 0, 0, 2, 2, 2, 6]
        """
        require_graph(G)
        rounds = check_rounds(rounds)
        found = self.choose(G, method, options).run(G, rounds, **options)
        return found if isinstance(found, Vector) else Vector.from_dense(found, engine=G.engine)


def check_rounds(rounds: int) -> int:
    """A number of rounds."""
    return to_int(rounds, "rounds", 0)


def verify(G: Graph, labels: Vector, rounds: int = ROUNDS) -> None:
    """Check labels against those of the same rounds by SciPy.

    Parameters
    ----------
    G : Graph
        The graph.
    labels : Vector
        What `label_propagation` returned.
    rounds : int
        The rounds that it ran.

    Raises
    ------
    VerificationError
        If a label differs; the message names the first vertex that has another one.

    Notes
    -----
    O(V + E) per round, on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3]), n=7)
    >>> gl.label_propagation.verify(G, gl.label_propagation(G, 3, method="algebraic"), 3)
    """
    require_graph(G)
    require_vectors(G, labels=labels)
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    _verify.verify(csr, labels.to_numpy(-1), check_rounds(rounds))


label_propagation = LabelPropagation(
    "label_propagation", __name__, verify, common=("rounds",), gives=(Answer("labels", None),), defining=("rounds",)
)
