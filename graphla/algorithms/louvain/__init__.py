"""Louvain: communities of high modularity, by moves of vertices and mergers of communities."""

from __future__ import annotations

from typing import Any, Unpack

from graphla.algorithms.shared.communities import verify as verifying
from graphla.algorithms.shared.communities.climb import Rules
from graphla.algorithms.shared.communities.labels import to_labels
from graphla.algorithms.shared.communities.level import build_level
from graphla.common.errors import VerificationError
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.problem.answer import PerVertex


class Louvain(Problem):
    """Communities by Louvain's method; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        resolution: float = 1.0,
        seed: int = 0,
        *,
        threshold: float = 0.0,
        max_levels: int | None = None,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector:
        """Communities by Louvain's method: groups of vertices with more weight among them than chance would put there.

        Each vertex moves to the community next to it that raises the modularity most, until none gains. Then each
        community becomes a vertex, and all begins anew, until no two communities gain if joined.

        Parameters
        ----------
        G : Graph
            The graph, directed or not, with weights of zero or more. An arc counts once, a loop too.
        resolution : float
            Of the modularity: above one communities become smaller, below one larger.
        seed : int
            The order of moves: a number of 32 bits. The same seed gives the same communities.
        threshold : float
            A level that raises the modularity by no more than this is the last; with 0 the climb ends when none moves.
        max_levels : int, optional
            The most levels; by default as many as there are.
        method : str, optional
            A name of `louvain.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            INT32 of size n: the number of the community of each vertex. The largest community is 0, and of equal ones
            that of the smallest vertex comes first.

        Raises
        ------
        InvalidGraph
            If a weight is negative or infinite.
        InvalidOption
            If `resolution` or `threshold` is no finite number of zero or more, `seed` no whole number of zero or more,
            or `max_levels` none of one or more.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        modularity : How good communities are.
        leiden : The same, but each community is connected.

        Notes
        -----
        O(E) per pass [1]_. By `parallel` and by `algebraic`, where half of the vertices and an eighth of the hubs move
        at a time, the communities of a seed are the same on every engine and any number of threads. `sequential` moves
        them one by one and finds others of about the same modularity.
        Weights are rounded to 52 bits of their sum, so that sums are exact in any order.

        References
        ----------
        .. [1] V. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre, "Fast unfolding of communities in large
           networks", Journal of Statistical Mechanics, 2008.

        Examples
        --------
        >>> import graphla as gl
        >>> tails, heads = [0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3]
        >>> G = gl.Graph((tails + heads, heads + tails))
        >>> labels = gl.louvain(G)
        >>> labels.to_dense().tolist(), round(gl.modularity(G, labels), 3)
        ([0, 0, 0, 1, 1, 1], 0.357)
        """
        return self.solve(locals())


def find_fault(found: Any, reference: Any, request: Any) -> str | None:
    """What is wrong with the names of communities; two right partitions may differ in all else."""
    try:
        verifying.verify_names("communities", found)
    except VerificationError as error:
        return str(error)
    return None if found.shape == reference.shape else f"there are {found.size} labels, not {reference.size}"


DEFINING = "resolution", "seed", "threshold", "max_levels"


def verify(G: Graph, rules: Rules, labels: Any) -> None:
    """Check that communities are numbered by size, and that no two gain if joined."""
    found = to_labels(G, labels).astype("int64")
    verifying.verify_names("louvain", found)
    verifying.verify_height("louvain", build_level(G), found, rules.resolution, rules.finished)


louvain = Louvain(
    "louvain",
    __name__,
    verify,
    settings=Rules,
    gives=(PerVertex("label", None, argument="labels"),),
    defining=DEFINING,
    difference=find_fault,
)
