"""PageRank: how often a surfer who follows arcs, and sometimes jumps, is at each vertex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, Literal, Unpack, overload

import numpy as np

from graphla.algorithms.pagerank import _ranks, _verify, conjugate
from graphla.algorithms.pagerank._masses import settle_masses
from graphla.algorithms.pagerank.distribution import to_weights
from graphla.algorithms.pagerank.highest import keep_top
from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.weight_range import scale_rows
from graphla.common.typing import ArrayLike, NoOptions, Vertex
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method, Problem, Request
from graphla.problem.answer import PerVertex
from semirings.dtypes import lookup

Convention = Literal["gap", "graphalytics", "networkx"]
Distribution = Mapping[Any, float] | Vector | ArrayLike
Seeds = Sequence[Vertex] | np.ndarray[Any, Any] | Set[Vertex] | Mapping[Any, float] | Vector


DAMPING = 0.85
ROUNDING = 1e-5
"""The difference allowed between two libraries' answers, in addition to the tolerance."""


class Ranks(PerVertex):
    """Ranks of all vertices, or of those that are listed: others have none."""

    def to_array(self, answer: Any) -> Any:
        """The ranks, 0 where none is listed, on the host."""
        return answer.to_numpy(0)


class Pagerank(Problem):
    """PageRank; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        damping: float = DAMPING,
        *,
        tolerance: float | None = None,
        rounds: int | None = None,
        max_rounds: int | None = None,
        personalization: list[Seeds],
        weights: bool | None = None,
        dangling: Literal["teleport", "ignore"] | Distribution | None = None,
        convention: Convention | None = None,
        dtype: Literal["FP32", "FP64"] | None = None,
        top: int | None = None,
        epsilon: float | None = None,
        method: Literal["push"] | None = None,
        **options: Unpack[NoOptions],
    ) -> Matrix: ...

    @overload
    def __call__(
        self,
        G: Graph,
        damping: float = DAMPING,
        *,
        tolerance: float | None = None,
        rounds: int | None = None,
        max_rounds: int | None = None,
        start: Vector | np.ndarray[Any, Any] | None = None,
        personalization: Distribution | Set[Vertex] | None = None,
        weights: bool | None = None,
        dangling: Literal["teleport", "ignore"] | Distribution | None = None,
        convention: Convention | None = None,
        dtype: Literal["FP32", "FP64"] | None = None,
        top: int | None = None,
        epsilon: float | None = None,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector: ...

    def __call__(
        self,
        G: Graph,
        damping: float = DAMPING,
        *,
        tolerance: float | None = None,
        rounds: int | None = None,
        max_rounds: int | None = None,
        start: Vector | np.ndarray[Any, Any] | None = None,
        personalization: Distribution | Set[Vertex] | list[Seeds] | None = None,
        weights: bool | None = None,
        dangling: Literal["teleport", "ignore"] | Distribution | None = None,
        convention: Convention | None = None,
        dtype: Literal["FP32", "FP64"] | None = None,
        top: int | None = None,
        epsilon: float | None = None,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Any:
        """PageRank: the share of its time that a random surfer spends at each vertex.

        With probability `damping` the surfer follows an arc that leaves the vertex, else teleports to any vertex. The
        ranks are computed in rounds until they settle.

        Parameters
        ----------
        G : Graph
            The graph. Of an undirected graph both arcs of an edge count.
        damping : float
            The probability of following an arc, from 0 to 1.
        tolerance : float, optional
            The rounds end when one changes the ranks by no more than this, in the sum of absolute differences, or it is
            certain that a further one would not; by default 1e-6.
        rounds : int, optional
            A number of rounds to run instead, without a look at the change.
        max_rounds : int, optional
            The most rounds that may run before the change is within `tolerance`; by default 100, or more if it takes
            more until `damping`, to the power of the rounds, is that small.
        start : Vector or array of shape (n,), optional
            The ranks that the rounds begin with, as an earlier answer, after which few rounds are left if the graph has
            changed little; by default equal ranks. None may be negative and one must be positive. They are scaled to
            add up to 1; if dangling ranks are ignored, to 1 or less. Where rounds end by their change, the ranks of
            each component are scaled to the sum that they settle at (on one machine; not by the convention of
            NetworkX).
        personalization : mapping, Vector, array of shape (n,), set, or a list of them, optional
            Where teleports go: a weight for each vertex, or for some by their number or label, or a set of vertices
            that are alike; by default all vertices are. A list of seed sets, each a list, an array or a set of
            vertices, a mapping or a Vector, asks for as many rankings, which are computed together.
        weights : bool, optional
            Whether an arc is followed in proportion to its weight; by default all arcs of a vertex are alike.
        dangling : {"teleport", "ignore"}, mapping, Vector or array of shape (n,), optional
            Where the surfer goes on from a vertex without leaving arcs: where teleports go (the default); nowhere, so
            that the ranks add up to less than 1; or to vertices with these weights.
        convention : {"gap", "graphalytics", "networkx"}, optional
            The defaults of others. ``"gap"``: `dangling` is ``"ignore"``, `tolerance` 1e-4. ``"graphalytics"``: FP64,
            and `rounds` must be given. ``"networkx"``: weights count, FP64, and `tolerance` is per vertex: it is
            multiplied by n.
        dtype : {"FP32", "FP64"}, optional
            The dtype of the ranks; by default FP32, or FP64 where the rounding of FP32 hides a change as small as the
            tolerance: where `tolerance` times 1 − `damping` is below 1.2e-7, and where ranks do not settle in FP32.
        top : int, optional
            Answer with the vertices of so many of the highest ranks alone, of equal ranks the lower vertices; fewer
            where fewer have a rank above 0.
        epsilon : float, optional
            The largest residual of a vertex, which a further round would add to its rank, for each of its leaving arcs;
            in place of `tolerance`. By ``method="push"``.
        method : str, optional
            A name of `pagerank.methods`; by default the best one for the engine. ``"push"`` answers with what is near
            to the seeds: it touches no other vertices. Its ranks are lower bounds. With `top` it ends before
            `tolerance` is met once the first ones are certain; so it does with `epsilon` on the CPU, where a GPU pushes
            until that is met.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            Of `dtype` and size n: the rank of each vertex. They add up to 1, unless dangling ranks are ignored. Of a
            list of seed sets a full Matrix with a row for each. With `top`, and by ``"push"``, there are entries for
            the vertices alone that are found.

        Raises
        ------
        NotConverged
            If `max_rounds` rounds were not enough; its `residual` is the change of the last one.
        InvalidGraph
            If weights count and one is not positive, or a vertex does not exist.
        InvalidOption
            If an argument has none of its values, or two contradict each other.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        components : Which vertices are connected.

        Notes
        -----
        O(V + E) per round. The distance to the settled ranks falls at least by the factor `damping` in each round; in
        FP32 the sum of all changes may stay at 1.2e-7 / (1 − `damping`). Weights whose sums or inverses leave the range
        of the dtype are divided by the largest one of their row first.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 2, 3], [1, 2, 0, 0]))
        >>> [round(rank, 2) for rank in gl.pagerank(G, tolerance=1e-8, dtype="FP64").to_dense().tolist()]
        [0.33, 0.32, 0.31, 0.04]
        >>> [round(rank, 3) for rank in gl.pagerank(G, personalization={3: 1}, rounds=2).to_dense().tolist()]
        [0.308, 0.361, 0.181, 0.15]
        >>> R = gl.pagerank(G, personalization=[[3], [0, 1]], rounds=2, dtype="FP64")
        >>> R[:, 3].new().to_dense().round(3).tolist()
        [0.15, 0.0]
        >>> sorted(gl.pagerank(G, personalization={3}, top=2).to_dict())
        [0, 1]
        """
        arguments = locals()
        if not is_list_of_seeds(personalization):
            return self.solve(arguments)
        from graphla.algorithms.pagerank.batch import rank_many  # here, for it is another way down

        return self._within_memory(G, rank_many, self, arguments)

    def _answer(
        self, G: Any, method: str | None, takes: Any, settings: Any, request: Request, options: Request
    ) -> tuple[Any, ...]:
        """The ranks; in FP64 if no dtype is asked for and those in FP32 do not settle."""
        chosen = self._choose(G, method, request)
        if settings.start is not None and chosen.name != "conjugate":
            settings = settle_masses(G, settings)
        found, residual = rank_vertices(G, chosen, settings, options)
        if request["dtype"] is None and not settings.has_converged(residual) and settings.dtype.name == "FP32":
            settings = replace(settings, dtype=lookup("FP64"))
            found, residual = rank_vertices(G, chosen, settings, options)
        settings.require_convergence(residual)
        return (found if settings.top is None else keep_top(G, found, settings.top),)

    def preferred(self, graph: Any, request: Request) -> tuple[str, str] | None:
        """The method to try first: conjugate gradients of undirected graphs, blocks of the matrix on several machines.

        Parameters
        ----------
        graph : Graph
            The graph.
        request : mapping
            What is asked for beside the ranks, and the options.

        Returns
        -------
        tuple of (str, str) or None
            The name of the method, and the reason.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.pagerank.preferred(gl.Graph(([0], [1])), {}) is None
        True
        """
        if graph.engine.name == "mpi" or is_list_of_seeds(request.get("personalization")):
            return _ranks.prefer_blocks(graph) if graph.engine.name == "mpi" else None
        swept = graph.engine.name == "cpu" and graph.nvals < conjugate.SWEPT
        return None if swept else conjugate.prefer(graph, request)

    def split(self, request: Request) -> list[dict[str, Any]] | None:
        """The requests of one ranking each that a list of seed sets stands for.

        Parameters
        ----------
        request : mapping
            Options by name.

        Returns
        -------
        list of dict or None
            One for each row of the answer, in their order; None if one ranking is asked for.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.pagerank.split({"personalization": [[3], {4: 2.0}]})
        [{'personalization': {3: 1}}, {'personalization': {4: 2.0}}]
        """
        seeds: Any = request.get("personalization")
        if not is_list_of_seeds(seeds):
            return None
        return [{**request, "personalization": to_weights(each, "personalization")} for each in seeds]


def is_list_of_seeds(value: Any) -> bool:
    """Whether a list of seed sets was given, not a weight for each vertex."""
    kinds = list, tuple, range, set, frozenset, np.ndarray, Mapping, Vector
    return isinstance(value, list | tuple) and len(value) > 0 and all(isinstance(each, kinds) for each in value)


def rank_vertices(G: Graph, method: Method, s: Settings, options: Mapping[str, Any]) -> tuple[Any, float]:
    """The ranks, and how much the last round changed them; weights that FP32 or FP64 cannot add up are shares first."""
    found, _, residual = method.solve(scale_rows(G, s.dtype) if s.weighted else G, (s,), options)
    return found, residual


def describe_difference(found: Any, reference: Any, request: Request) -> str | None:
    """Describe how ranks differ from right ones, if by more than two answers within the tolerance may."""
    if found.shape != reference.shape:
        return f"its shape is {found.shape}, not {reference.shape}"
    if request.get("epsilon") is not None or request.get("top") is not None:
        return None  # each is right by residuals or bounds of its own, which `verify` looks at
    differences = np.abs(found.astype(float) - reference)
    damping, convention = request.get("damping", DAMPING), request.get("convention")
    tolerance = request.get("tolerance") or {"gap": 1e-4}.get(convention or "", 1e-6)
    change = 0.0 if request.get("rounds") is not None else tolerance * (found.size if convention == "networkx" else 1)
    total, allowed = float(differences.sum()), ROUNDING + 2 * change / max(1 - damping, ROUNDING)
    if total <= allowed:
        return None
    worst = int(differences.argmax())
    return f"by {total:.3g} in all, most at vertex {worst}: {found[worst]:.8g} instead of {reference[worst]:.8g}"


OPTIONS = (
    "damping", "tolerance", "rounds", "max_rounds", "personalization", "weights", "dangling", "convention", "dtype",
    "top", "epsilon", "start",
)  # fmt: skip
pagerank = Pagerank(
    "pagerank",
    __name__,
    lambda G, s, ranks: _verify.verify(G.csr, ranks, s),
    settings=Settings,
    gives=(Ranks("ranks", None),),
    defining=OPTIONS,
    difference=describe_difference,
)
