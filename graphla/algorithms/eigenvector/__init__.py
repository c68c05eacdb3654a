"""Eigenvector centrality: a vertex counts as much as its in-neighbours do."""

from __future__ import annotations

from typing import Any, Literal, Unpack

import numpy as np

from graphla.algorithms.eigenvector.settings import Settings
from graphla.algorithms.eigenvector.shift import make_step, move_on
from graphla.algorithms.shared import fixed_point
from graphla.algorithms.shared.fixed_point import Power
from graphla.algorithms.shared.weight_range import find_power
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem.answer import PerVertex


class Eigenvector(fixed_point.Centrality):
    """Eigenvector centrality; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        *,
        tolerance: float | None = None,
        rounds: int | None = None,
        max_rounds: int | None = None,
        start: Vector | np.ndarray[Any, Any] | None = None,
        weights: bool = False,
        dtype: Literal["FP32", "FP64"] = "FP64",
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector:
        """Eigenvector centrality: values in proportion to the sum of those of the in-neighbours.

        The values satisfy λ x = Aᵀ x for the largest eigenvalue λ. They are computed by powers of Aᵀ + σ I, which has
        the same eigenvectors and settles where those of Aᵀ alternate. In each round σ is an eighth of what the round
        before says of λ, so that the unit of the weights does not matter.

        Parameters
        ----------
        G : Graph
            The graph. Of an undirected graph both arcs of an edge count.
        tolerance : float, optional
            The rounds end when two in a row change the values by no more than this, in the sum of absolute differences
            over the sum of the values; by default 1e-6.
        rounds : int, optional
            A number of rounds to run instead, without a look at the change.
        max_rounds : int, optional
            The most rounds that may run before the change is within `tolerance`; by default 1000.
        start : Vector or array of shape (n,), optional
            The values that the rounds begin with, as an earlier answer, after which few rounds are left if the graph
            has changed little; by default equal values. None may be negative and one must be positive; only their
            proportions count.
        weights : bool
            Whether arcs count by their weights; these must be positive then.
        dtype : {"FP32", "FP64"}
            The dtype of the values.
        method : str, optional
            A name of `eigenvector.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            Of `dtype` and size n, with Euclidean norm 1.

        Raises
        ------
        NotConverged
            If `max_rounds` rounds were not enough; its `residual` is the change of the last one.
        InvalidGraph
            If weights count and one is not positive.
        InvalidOption
            If an argument has none of its values, or two contradict each other.
        GraphlaError
            If there is no such method, or it has no such option.

        See Also
        --------
        pagerank : Settles on every graph.

        Notes
        -----
        O(V + E) per round. On graphs that are not strongly connected the values may depend on the
        start, and those whose largest eigenvalues are nearly equal settle slowly. Weights that leave the range in which
        their sums have squares are divided by a power of two first.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2], [1, 0, 2, 1]))
        >>> [round(x, 3) for x in gl.eigenvector(G).to_dense().tolist()]
        [0.5, 0.707, 0.5]
        """
        return self.solve(locals())


def verify(G: Graph, s: Power, values: np.ndarray) -> None:
    """Check that a round in float64 does not change x, as far as the tolerance says; and the norm of x."""
    unit = find_power(G) if s.weighted else 1.0
    B = fixed_point.host_matrix(G, s.weighted, unit).T.tocsr()
    first, norm = s.begin(G, 1 / max(1, G.n) ** 0.5), np.linalg.norm
    shift = move_on(0.0, norm(B @ values), 1.0) if s.tolerance is not None else 1.0
    step = make_step(lambda x: B @ x, lambda y: norm(y) or 1.0, shift, 1.0)
    fixed_point.verify_fixed_point("eigenvector", values, step, first, s, norm)


eigenvector = Eigenvector(
    "eigenvector",
    __name__,
    verify,
    settings=Settings,
    gives=(PerVertex("values", None),),
    defining=("start", *fixed_point.OPTIONS),
    difference=fixed_point.describe_difference,
)
