"""Hubs and authorities: a good hub points to good authorities, and those are pointed to by good hubs."""

from __future__ import annotations

from typing import Literal, Unpack

import numpy as np

from graphla.algorithms.shared import fixed_point
from graphla.algorithms.shared.fixed_point import Power
from graphla.algorithms.shared.weight_range import find_unit
from graphla.common.errors import VerificationError
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem.answer import PerVertex


class Hits(fixed_point.Centrality):
    """Hubs and authorities; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        *,
        tolerance: float | None = None,
        rounds: int | None = None,
        max_rounds: int | None = None,
        weights: bool = False,
        dtype: Literal["FP32", "FP64"] = "FP64",
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> tuple[Vector, Vector]:
        """Hubs and authorities (HITS): two values that define each other.

        The authority of a vertex is in proportion to the sum of the hub values of its in-neighbours, and its hub value
        to the sum of the authorities of its out-neighbours.

        Parameters
        ----------
        G : Graph
            The graph. In an undirected graph the two are the same.
        tolerance : float, optional
            The rounds end when one changes the values by no more than this, in the sum of absolute differences over the
            sum of the values; by default 1e-6.
        rounds : int, optional
            A number of rounds to run instead, without a look at the change.
        max_rounds : int, optional
            The most rounds that may run before the change is within `tolerance`; by default 1000.
        weights : bool
            Whether arcs count by their weights; these must be positive then.
        dtype : {"FP32", "FP64"}
            The dtype of the values.
        method : str, optional
            A name of `hits.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        hubs : Vector
            Of `dtype` and size n; the values add up to 1, or are all 0 in a graph without arcs.
        authorities : Vector
            The same.

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
        pagerank : One value per vertex, which settles on every graph.

        Notes
        -----
        O(V + E) per round, from equal hub values on; two products each. The tolerance is about the hub values. Weights
        that leave the range of their sums are divided by a power of two first.

        Examples
        --------
        >>> import graphla as gl
        >>> hubs, authorities = gl.hits(gl.Graph(([0, 0, 1], [1, 2, 2])))
        >>> [round(h, 3) for h in hubs.to_dense().tolist()], [round(a, 3) for a in authorities.to_dense().tolist()]
        ([0.618, 0.382, 0.0], [0.0, 0.382, 0.618])
        """
        return self.solve(locals())


def verify(G: Graph, s: Power, hubs: np.ndarray, authorities: np.ndarray) -> None:
    """Check by products in float64 that a round does not change hubs, and that authorities are what they say."""
    A = fixed_point.host_matrix(G, s.weighted, find_unit(G, s.dtype) if s.weighted else 1.0)
    B = A.T.tocsr()

    def step(h: np.ndarray) -> np.ndarray:
        return divide_by_sum(A @ divide_by_sum(B @ h))

    first = np.full(G.n, 1 / max(1, G.n) if G.nvals else 0.0)
    fixed_point.verify_fixed_point("hits", hubs, step, first, s, np.sum if G.nvals else None)
    expected = divide_by_sum(B @ hubs.astype(float))
    allowed = 1e-5 + 10 * (s.tolerance or 0)
    if authorities.shape != expected.shape or not fixed_point.change_of_arrays(authorities, expected) <= allowed:
        raise VerificationError("hits: authorities are not the sums of the hub values of in-neighbours")


def divide_by_sum(x: np.ndarray) -> np.ndarray:
    """x over its sum, or zeros."""
    return x / (x.sum() or 1)


hits = Hits(
    "hits",
    __name__,
    verify,
    settings=fixed_point.Power,
    gives=(PerVertex("hubs", None), PerVertex("authorities", None, column="authority")),
    defining=fixed_point.OPTIONS,
    difference=fixed_point.describe_difference,
)
