"""Katz centrality: how many walks end at each vertex, longer ones counting less."""

from __future__ import annotations

from typing import Any, Literal, Unpack

import numpy as np

from graphla.algorithms.katz.settings import Settings
from graphla.algorithms.shared import fixed_point
from graphla.algorithms.shared.weight_range import find_unit
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem.answer import PerVertex


class Katz(fixed_point.Centrality):
    """Katz centrality; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        alpha: float = 0.1,
        beta: float = 1.0,
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
        """Katz centrality: how many walks end at each vertex, each arc of a walk counting `alpha`.

        The values satisfy x = alpha Aᵀ x + beta: a vertex has `beta` of its own, and `alpha` of what each of its
        in-neighbours has.

        Parameters
        ----------
        G : Graph
            The graph. Of an undirected graph both arcs of an edge count.
        alpha : float
            What an arc hands on; at most 1 over the largest eigenvalue of A, else the values grow without end.
        beta : float
            What each vertex has of its own.
        tolerance : float, optional
            The rounds end when one changes the values by no more than this, in the sum of absolute differences over the
            sum of the values; by default 1e-6.
        rounds : int, optional
            A number of rounds to run instead, without a look at the change.
        max_rounds : int, optional
            The most rounds that may run before the change is within `tolerance`; by default 1000.
        start : Vector or array of shape (n,), optional
            The values that the rounds begin with, as an earlier answer, after which few rounds are left if the graph
            has changed little; by default 0. They may have any sign.
        weights : bool
            Whether arcs count by their weights; these must be positive then.
        dtype : {"FP32", "FP64"}
            The dtype of the values.
        method : str, optional
            A name of `katz.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            Of `dtype` and size n. NetworkX divides it by its Euclidean norm.

        Raises
        ------
        NotConverged
            If `max_rounds` rounds were not enough, or the values grow without end; its `residual` is the change of the
            last round.
        Overflow
            If a number of `rounds` was asked for, and a value grows beyond the dtype.
        InvalidGraph
            If weights count and one is not positive.
        InvalidOption
            If an argument has none of its values, or two contradict each other.
        GraphlaError
            If there is no such method, or it has no such option.

        See Also
        --------
        pagerank : The same with what a vertex has divided among its arcs.

        Notes
        -----
        O(V + E) per round, from `start` on [1]_.

        References
        ----------
        .. [1] L. Katz, "A New Status Index Derived from Sociometric Analysis", Psychometrika 18, 1953.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.katz(gl.Graph(([0, 1, 0], [1, 2, 2]))).to_dense().tolist()
        [1.0, 1.1, 1.21]
        """
        return self.solve(locals())


def verify(G: Graph, s: Settings, values: np.ndarray) -> None:
    """Check that x = alpha Aᵀ x + beta in float64, as far as the tolerance says, or that x is that of the rounds."""
    unit = find_unit(G, s.dtype) if s.weighted else 1.0
    B = fixed_point.host_matrix(G, s.weighted, unit).T.tocsr()
    fixed_point.verify_fixed_point("katz", values, lambda x: s.alpha * unit * (B @ x) + s.beta, s.begin(G, 0), s)


katz = Katz(
    "katz",
    __name__,
    verify,
    settings=Settings,
    gives=(PerVertex("values", None),),
    defining=("alpha", "beta", "start", *fixed_point.OPTIONS),
    difference=fixed_point.describe_difference,
)
