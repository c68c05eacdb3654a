"""Louvain: communities of high modularity, by moves of vertices and mergers of communities."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.independent_set import to_seed
from graphla.algorithms.shared.communities import verify as verifying
from graphla.algorithms.shared.communities.labels import to_labels
from graphla.algorithms.shared.communities.level import build_level
from graphla.algorithms.shared.communities.modularity import to_resolution
from graphla.common.arguments import to_int, to_real
from graphla.common.errors import VerificationError
from graphla.common.typing import OptionValue
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph


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
        **options: OptionValue,
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
            INT32 of size n: the smallest vertex of the community of each vertex.

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
        O(E) per pass [1]_. Vertices move one by one in `sequential`, half of them at a time in the other methods: all
        of those find the same communities on every engine, and `sequential` others of about the same modularity.
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
        ([0, 0, 0, 3, 3, 3], 0.357)
        """
        require_graph(G)
        rules = to_rules(resolution, seed, threshold, max_levels)
        found = self.choose(G, method, {**rules, **options}).run(G, **rules, **options)
        return Vector.from_dense(found, engine=G.engine)


def to_rules(resolution: Any, seed: Any, threshold: Any, max_levels: Any) -> dict[str, Any]:
    """The arguments of a climb, checked."""
    return {
        "resolution": to_resolution(resolution),
        "seed": to_seed(seed),
        "threshold": to_real(threshold, "threshold", 0.0),
        "max_levels": None if max_levels is None else to_int(max_levels, "max_levels", 1),
    }


def verify(
    G: Graph,
    labels: Vector,
    resolution: float = 1.0,
    seed: int = 0,
    threshold: float = 0.0,
    max_levels: int | None = None,
) -> None:
    """Check that labels name communities by their smallest vertices, and that no two gain if joined.

    Parameters
    ----------
    G : Graph
        The graph.
    labels : Vector
        What `louvain` returned.
    resolution : float
        The resolution that it was asked for.
    seed : int
        The seed, which does not matter.
    threshold : float
        The threshold. With one above zero the climb may end while communities would gain if joined.
    max_levels : int, optional
        The most levels; with a bound the same holds.

    Raises
    ------
    VerificationError
        If a label is not the smallest vertex of its community, the modularity is less than that of single vertices, or
        two communities would gain if joined.
    DimensionMismatch
        If `labels` are no whole number for each vertex.

    Notes
    -----
    O(E log E), on the host. A partition of the greatest modularity would take exponential time to find; what is checked
    is what the method promises.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2, 3], [1, 0, 3, 2]))
    >>> gl.louvain.verify(G, gl.louvain(G, method="algebraic"))
    """
    require_graph(G)
    rules = to_rules(resolution, seed, threshold, max_levels)
    host = G.to("cpu")
    found = to_labels(host, labels).astype("int64")
    verifying.verify_names("louvain", found)
    finished = not rules["threshold"] and rules["max_levels"] is None
    verifying.verify_height("louvain", build_level(host), found, rules["resolution"], finished)


def find_fault(found: Any, reference: Any, request: Any) -> str | None:
    """What is wrong with the names of communities; two right partitions may differ in all else."""
    try:
        verifying.verify_names("communities", found)
    except VerificationError as error:
        return str(error)
    return None if found.shape == reference.shape else f"there are {found.size} labels, not {reference.size}"


DEFINING = "resolution", "seed", "threshold", "max_levels"
louvain = Louvain(
    "louvain",
    __name__,
    verify,
    old=True,
    common=DEFINING,
    gives=(Answer("label", None),),
    defining=DEFINING,
    difference=find_fault,
)
