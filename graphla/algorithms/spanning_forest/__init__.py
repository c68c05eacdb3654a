"""Spanning forests: as few edges as connect what the graph connects, the lightest or the heaviest such ones."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from graphla.algorithms.shared.edge_order import require_edges
from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs
from graphla.algorithms.spanning_forest import _verify
from graphla.common.arguments import show, to_choice
from graphla.common.errors import DimensionMismatch
from graphla.common.typing import OptionValue
from graphla.containers.container import move_storage
from graphla.containers.matrix import Matrix
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, Request, require_graph
from graphla.storage import CompressedMatrix

Kind = Literal["minimum", "maximum"]
KINDS = "minimum", "maximum"
ROUNDING = 1e-9
"""Relative difference allowed between the weights of two libraries' forests, which they add in different orders."""


class SpanningForest(Problem):
    """Minimum and maximum spanning forests; call it, or ask it for its `methods`."""

    def __call__(
        self, G: Graph, *, kind: Kind = "minimum", method: str | None = None, **options: OptionValue
    ) -> Matrix:
        """Spanning forest: edges without a cycle that connect what the graph connects, of least or greatest weight.

        Parameters
        ----------
        G : Graph
            An undirected graph: each arc has its reverse, of the same weight. Loops are in no forest; an explicit zero
            is an edge, and weights may be negative.
        kind : {"minimum", "maximum"}
            Whether the sum of the weights is the least or the greatest.
        method : str, optional
            A name of `spanning_forest.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Matrix
            Shape (n, n), of the dtype of the weights: both arcs of each edge, so that ``gl.Graph`` makes an
            undirected graph of it. It has n − c edges if the graph has c components.

        Raises
        ------
        InvalidGraph
            If an arc has no reverse of the same weight; the message says how to make a graph undirected.
        InvalidOption
            If `kind` is neither.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        components : The vertices that the forest connects.

        Notes
        -----
        Of edges of one weight the one between smaller vertices comes first: first the smaller end decides, then the
        larger one. So the forest is unique, and all methods find the same. O(E log V) work.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2], [4, 4, 2, 2, 3, 3]), n=4)
        >>> gl.spanning_forest(G).to_dicts()
        {0: {2: 3}, 1: {2: 2}, 2: {0: 3, 1: 2}}
        """
        require_graph(G)
        to_choice(kind, "kind", KINDS)
        chosen = self.choose(G, method, {"kind": kind, **options})
        require_edges(G)
        return select_arcs(G, chosen.run(G, kind=kind, **options))


def select_arcs(G: Graph, arcs: Any) -> Matrix:
    """The matrix of some arcs, given by their positions in ``G.csr`` in order."""
    csr = G.csr
    indptr = point_to_rows(G, arcs).astype(np.int32 if arcs.size < 1 << 31 else np.int64, copy=False)
    return Matrix._from_storage(CompressedMatrix(G.n, G.n, indptr, csr.indices[arcs], csr.values[arcs]), G.engine)


def point_to_rows(G: Graph, arcs: Any) -> Any:
    """Where the arcs of each vertex begin among these. On a GPU counting would wait for the device, so it searches."""
    xp, csr = G.engine.xp, G.csr
    if G.engine.name == "cuda":
        return xp.searchsorted(arcs, csr.indptr)
    return np.append(0, np.cumsum(np.bincount(find_sources_of_arcs(G)[arcs], minlength=G.n)))


def pack(forest: Matrix) -> Any:
    """The arcs of a forest as records of tail, head and weight, on the host."""
    return pack_arcs(*(forest.engine.to_host(part) for part in forest.to_coo()))


def pack_arcs(tails: Any, heads: Any, weights: Any) -> Any:
    """Records of tail, head and weight."""
    arcs = np.empty(tails.size, [("tail", np.int32), ("head", np.int32), ("weight", weights.dtype)])
    arcs["tail"], arcs["head"], arcs["weight"] = tails, heads, weights
    return arcs


def unpack(G: Graph, arcs: Any) -> Matrix:
    """The matrix of such records."""
    shape = {"nrows": G.n, "ncols": G.n, "engine": G.engine}
    return Matrix.from_coo(arcs["tail"], arcs["head"], arcs["weight"], G.dtype, **shape)


def describe_difference(found: Any, reference: Any, request: Request) -> str | None:
    """How the weight of a forest differs from that of a right one; ties may be broken in another way."""
    found, reference = (arcs["weight"][arcs["tail"] < arcs["head"]].astype(float) for arcs in (found, reference))
    if found.size != reference.size:
        return f"{found.size:,} edges instead of {reference.size:,}"
    mine, right, size = found.sum(), reference.sum(), np.abs(reference).sum()
    return None if mine == right or abs(mine - right) <= ROUNDING * size else f"the weight {mine} instead of {right}"


def verify(G: Graph, forest: Matrix, *, kind: Kind = "minimum") -> None:
    """Check a spanning forest against that of SciPy, with ties broken as here.

    Parameters
    ----------
    G : Graph
        The graph.
    forest : Matrix
        What `spanning_forest` returned.
    kind : {"minimum", "maximum"}
        Which forest it is.

    Raises
    ------
    VerificationError
        If an edge is missing, or is none of the forest, or has another weight than in the graph; the message names it.
    DimensionMismatch
        If `forest` is no matrix of the shape of the graph's.

    Notes
    -----
    O(E log E), on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2], [4, 4, 2, 2, 3, 3]))
    >>> gl.spanning_forest.verify(G, gl.spanning_forest(G, kind="maximum"), kind="maximum")
    """
    require_graph(G)
    to_choice(kind, "kind", KINDS)
    if not isinstance(forest, Matrix) or forest.shape != (G.n, G.n):
        raise DimensionMismatch(
            f"forest={show(forest)}: give the matrix of shape {(G.n, G.n)} that the problem returns"
        )
    require_edges(G)
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    _verify.verify(csr, tuple(forest.engine.to_host(part) for part in forest.to_coo()), kind)


spanning_forest = SpanningForest(
    "spanning_forest",
    __name__,
    verify,
    old=True,
    common=("kind",),
    gives=(Answer("value", pack=pack, unpack=unpack),),
    domain="undirected",
    defining=("kind",),
    difference=describe_difference,
)
