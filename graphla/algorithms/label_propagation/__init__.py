"""Label propagation: each vertex takes the label that most of its neighbours have, for a number of rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict, Unpack

from graphla.algorithms.label_propagation import _verify
from graphla.algorithms.shared.seed import to_seed
from graphla.common.arguments import to_int
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, checked
from graphla.problem import Settings as Checked
from graphla.problem.answer import PerVertex

ROUNDS = 10
"""The rounds of LDBC Graphalytics."""


@dataclass(frozen=True)
class Settings(Checked):
    """How long labels spread, and which of equally frequent ones wins."""

    rounds: int = checked(ROUNDS, lambda value, name: to_int(value, name, 0))
    seed: int | None = checked(None, lambda value, name: None if value is None else to_seed(value, name))


class Options(TypedDict, total=False):
    """The options of the methods."""

    histogram: Literal["product", "build"] | None


class LabelPropagation(Problem):
    """Communities by label propagation; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        rounds: int = ROUNDS,
        *,
        seed: int | None = None,
        method: str | None = None,
        **options: Unpack[Options],
    ) -> Vector:
        """Communities by label propagation: labels that spread from neighbour to neighbour.

        Each vertex begins with its own number as its label. In each round all vertices at once take the label that most
        of their neighbours have, and of equally frequent labels the smallest. This is the algorithm CDLP of LDBC
        Graphalytics: nothing is drawn at random, unless there is a `seed`.

        Parameters
        ----------
        G : Graph
            The graph. Of a directed graph both the vertices that arcs of a vertex lead to and those whose arcs lead to
            it are its neighbours; one that is both counts twice. Weights do not matter.
        rounds : int
            How many rounds to run. Labels may never settle: those of two joined vertices swap in each round.
        seed : int, optional
            A number of 32 bits: of equally frequent labels that of the vertex wins that is first in a random order of
            all. The same seed gives the same labels by every method and on every engine.
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
            If `rounds` or `seed` is no whole number of 0 or more.
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
        return self.solve(locals())


label_propagation = LabelPropagation(
    "label_propagation",
    __name__,
    lambda G, s, labels: _verify.verify(G.csr, labels, s.rounds, s.seed),
    settings=Settings,
    gives=(PerVertex("labels", None, of_vertices=True),),
    defining=("rounds", "seed"),
)
