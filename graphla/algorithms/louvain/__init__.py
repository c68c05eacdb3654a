"""Louvain: communities of high modularity, by moves of vertices and mergers of communities."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

import numpy as np

from graphla.algorithms.shared.communities import verify as verifying
from graphla.algorithms.shared.communities.climb import Rules
from graphla.algorithms.shared.communities.levels import Communities, Levels, LevelsAnswer
from graphla.algorithms.shared.communities.null_models import Quality
from graphla.common.errors import VerificationError
from graphla.common.typing import NoOptions, Vertices
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem.answer import PerVertex


class Louvain(Communities):
    """Communities by Louvain's method; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        resolution: float = 1.0,
        seed: int = 0,
        *,
        threshold: float = 0.0,
        max_levels: int | None = None,
        quality: Quality = "modularity",
        start: Vector | np.ndarray[Any, Any] | None = None,
        fixed: Vertices | Vector | None = None,
        max_community_size: int | None = None,
        levels: Literal[False] = False,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector: ...

    @overload
    def __call__(
        self,
        G: Graph,
        resolution: float = 1.0,
        seed: int = 0,
        *,
        threshold: float = 0.0,
        max_levels: int | None = None,
        quality: Quality = "modularity",
        start: Vector | np.ndarray[Any, Any] | None = None,
        fixed: Vertices | Vector | None = None,
        max_community_size: int | None = None,
        levels: Literal[True],
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> tuple[Vector, Levels]: ...

    def __call__(
        self,
        G: Graph,
        resolution: float = 1.0,
        seed: int = 0,
        *,
        threshold: float = 0.0,
        max_levels: int | None = None,
        quality: Quality = "modularity",
        start: Vector | np.ndarray[Any, Any] | None = None,
        fixed: Vertices | Vector | None = None,
        max_community_size: int | None = None,
        levels: bool = False,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Any:
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
        quality : {"modularity", "cpm", "erdos_renyi"}
            What is to be high, as `modularity` explains it: modularity (RB configuration), the constant Potts model, or
            the model of Reichardt and Bornholdt with the null model of Erdős and Rényi.
        start : Vector or array, optional
            A whole number for each vertex: the communities to begin with. By default each vertex is alone.
        fixed : sequence of int or Vector, optional
            Vertices that stay where they begin, or a truth for each vertex: two of them share a community if they do in
            `start`. Others may join them.
        max_community_size : int, optional
            The most vertices of a community.
        levels : bool
            Whether to return the levels, too.
        method : str, optional
            A name of `louvain.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            INT32 of size n: the number of the community of each vertex. The largest community is 0, and of equal ones
            that of the smallest vertex comes first.
        Levels
            If `levels`: the partition of each level, its quality, and ``levels.cut(count)``.

        Raises
        ------
        InvalidGraph
            If a weight is negative or infinite.
        DimensionMismatch
            If `start` has no whole number for each vertex.
        InvalidOption
            If `resolution` or `threshold` is no finite number of zero or more, `seed` no whole number of zero or more,
            `quality` none of these words, `start` has a community that is larger than `max_community_size`,
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
        at a time, the communities of a seed are the same on every engine and any number of threads. `parallel` finds
        them on any number of ranks, too. `sequential` moves vertices one by one and finds others of about the same
        modularity.
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


DEFINING = ("resolution", "seed", "threshold", "max_levels", "quality", "start", "fixed", "max_community_size")


def verify(G: Graph, rules: Rules, labels: Any, levels: Any = None) -> None:
    """Check that communities are numbered by size, within the limits, and that no two gain if joined."""
    found = labels.astype("int64")
    verifying.verify_names("louvain", found)
    verifying.verify("louvain", G, found, levels, rules)


louvain = Louvain(
    "louvain",
    __name__,
    verify,
    settings=Rules,
    gives=(PerVertex("label", None, argument="labels"), LevelsAnswer("levels", asked_by="levels")),
    defining=DEFINING,
    difference=find_fault,
)
