"""Similarity of vertices: by the neighbours that they have in common."""

from __future__ import annotations

from typing import Any, Unpack, overload

from graphla.algorithms.shared.undirected import get_simple, require_undirected
from graphla.algorithms.similarity import _verify
from graphla.algorithms.similarity.highest import keep_highest
from graphla.algorithms.similarity.settings import Hops, Kind, Settings
from graphla.common.arguments import show
from graphla.common.errors import DimensionMismatch
from graphla.common.typing import NoOptions
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.graphs.pairs import Pairs
from graphla.problem import Answer, Problem
from graphla.problem.answer import Entries
from graphla.problem.difference import find_difference


class Similarity(Problem):
    """Similarities of pairs of vertices; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        pairs: Matrix | Hops | None = None,
        *,
        kind: Kind = "jaccard",
        top: int | None = None,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Matrix: ...

    @overload
    def __call__(
        self,
        G: Graph,
        pairs: Pairs,
        *,
        kind: Kind = "jaccard",
        top: None = None,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector: ...

    def __call__(
        self,
        G: Graph,
        pairs: Any = None,
        *,
        kind: Kind = "jaccard",
        top: int | None = None,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Any:
        """Similarity: how alike two vertices are, by the neighbours that they have in common.

        Let u have d neighbours and v e, of which c are common. The kinds [1]_ are: common_neighbors, c; jaccard,
        c / (d + e − c); sorensen, 2 c / (d + e); cosine (or Salton), c / √(d e); overlap (or hub promoted),
        c / min(d, e); hub_depressed, c / max(d, e); adamic_adar and resource_allocation, the sums over the common
        neighbours z of 1 / log deg z and of 1 / deg z; preferential_attachment, d e. 0 / 0 counts as 0.

        Parameters
        ----------
        G : Graph
            An undirected graph: each arc has its reverse. Weights do not matter; an explicit zero is an arc. Loops do
            not count.
        pairs : Matrix, "two_hops", "distance_two", sequence or array, optional
            Which pairs: the entries of a matrix of shape (n, n); all pairs of different vertices that have a neighbour
            in common; those of them that no arc joins, as for the prediction of links; pairs (u, v), tuples or an array
            of shape (k, 2); or a tuple of two lists or arrays, the first and the second vertices. By default the pairs
            that arcs join.
        kind : str
            Which similarity, as above.
        top : int, optional
            How many pairs of each first vertex to keep, those of the highest scores; of equal ones those with the lower
            second vertices. By default all.
        method : str, optional
            A name of `similarity.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Matrix or Vector
            FP64: for k pairs a vector of size k, in their order; otherwise a matrix of shape (n, n) with an entry
            for each pair, also if it is 0, or for the `top` pairs of each row.

        Raises
        ------
        InvalidGraph
            If the graph is directed, or a pair holds no vertex.
        InvalidOption
            If there is no such kind, or `top` is no whole number from 1 on, or given for a list of pairs.
        DimensionMismatch
            If `pairs` is none of the above.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the pairs do not fit in memory.

        See Also
        --------
        jaccard : The same for the kind that most ask for.
        triangles : The common neighbours of the ends of all arcs, counted together.

        Notes
        -----
        O(d + e) work per pair at most. In adamic_adar a vertex with one neighbour counts 0; it is a common neighbour
        only of that one with itself.

        References
        ----------
        .. [1] L. Lü, T. Zhou, "Link Prediction in Complex Networks: A Survey", Physica A 390, 2011.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]))
        >>> gl.similarity(G, [(0, 1), (1, 3)], kind="common_neighbors").to_dense().tolist()
        [1.0, 1.0]
        >>> gl.similarity(G, "two_hops", kind="overlap").to_dicts()[3]
        {0: 1.0, 1: 1.0}
        >>> gl.similarity(G, "two_hops", top=1).to_dicts()
        {0: {3: 0.5}, 1: {3: 0.5}, 2: {0: 0.25}, 3: {0: 0.5}}
        >>> gl.similarity(G, "distance_two").to_dicts()
        {0: {3: 0.5}, 1: {3: 0.5}, 3: {0: 0.5, 1: 0.5}}
        """
        return self.solve(locals())

    def _require(self, G: Graph, settings: Any) -> None:
        """Refuse a directed graph."""
        require_undirected(G, "similarity", "similarities")

    def _finish(self, G: Graph, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The scores as a matrix of the pairs, or as a vector in their order."""
        if settings.top is not None:
            return (keep_highest(G, settings.pairs, found[0], settings.top),)
        return (settings.pairs.wrap(G, found[0]),)


@overload
def jaccard(G: Graph, pairs: Matrix | Hops | None = None, *, method: str | None = None) -> Matrix: ...


@overload
def jaccard(G: Graph, pairs: Pairs, *, method: str | None = None) -> Vector: ...


def jaccard(G: Graph, pairs: Any = None, *, method: str | None = None) -> Any:
    """Jaccard's coefficients: the common neighbours of two vertices, of all their neighbours.

    Parameters
    ----------
    G : Graph
        An undirected graph, as `similarity` takes it.
    pairs : Matrix, "two_hops", "distance_two", sequence or array, optional
        Which pairs, as for `similarity`; by default those that arcs join.
    method : str, optional
        A name of `similarity.methods`.

    Returns
    -------
    Matrix or Vector
        FP64, from 0 to 1, as `similarity` returns it.

    Raises
    ------
    InvalidGraph
        If the graph is directed, or a pair holds no vertex.
    DimensionMismatch
        If `pairs` is none of the above.

    See Also
    --------
    similarity : Other kinds.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]))
    >>> gl.jaccard(G, [(0, 1), (1, 3)]).to_dense().tolist()
    [0.3333333333333333, 0.5]
    """
    return similarity(G, pairs, kind="jaccard", method=method)


class Scores(Answer):
    """A score for each pair, in their order: a matrix whose entries are the pairs, or a vector."""

    def call(self, G: Any, answer: Vector | Matrix, problem: str, sources: Any = None) -> Any:
        """The scores, with the labels of vertices, or with the numbers of the pairs."""
        scores = Answer("scores", index=("pair",) if isinstance(answer, Vector) else ())
        return scores.call(G, answer, problem)

    def from_array(self, G: Any, array: Any) -> Vector | Matrix:
        """The vector of the scores, or the matrix of records."""
        if isinstance(array, Vector | Matrix):
            return array
        return Entries("scores").from_array(G, array) if array.dtype.names else super().from_array(G, array)

    def to_array(self, answer: Vector | Matrix) -> Any:
        """The scores on the host: of a matrix records, with both vertices."""
        return answer.to_numpy(0) if isinstance(answer, Vector) else Entries("scores").to_array(answer)

    def read(self, G: Any, value: Any, settings: Settings) -> Any:
        """The scores, refused if there are more or fewer than pairs."""
        if settings.top is not None:
            return Entries("scores").read(G, value, settings)
        count = settings.pairs.tails.size
        if not isinstance(value, Vector | Matrix) or value.nvals != count:
            raise DimensionMismatch(f"scores={show(value)}: give a score for each of {count:,} pairs")
        return value.to_numpy(0) if isinstance(value, Vector) else value.engine.to_host(value.to_coo()[2])


def describe_difference(found: Any, reference: Any, request: Any) -> str | None:
    """How scores differ; of the highest alone those that rounding orders may be others, which `verify` looks at."""
    return None if request.get("top") is not None else find_difference(found, reference)


def verify(G: Graph, s: Settings, scores: Any) -> None:
    """Check the scores against products of rows."""
    csr = get_simple(G).csr
    if s.top is not None:
        _verify.verify_top(csr.indptr, csr.indices, s.pairs.tails, s.pairs.heads, scores, s.kind, s.top)
        return
    _verify.verify(csr.indptr, csr.indices, s.pairs.tails, s.pairs.heads, scores, s.kind)


similarity = Similarity(
    "similarity",
    __name__,
    verify,
    settings=Settings,
    gives=(Scores("value", None, argument="scores"),),
    domain="undirected",
    defining=("pairs", "kind", "top"),
    difference=describe_difference,
)
