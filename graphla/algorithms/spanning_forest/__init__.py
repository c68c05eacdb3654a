"""Spanning forests: as few edges as connect what the graph connects, the lightest or the heaviest such ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np

from graphla.algorithms.shared.edge_order import require_edges
from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs
from graphla.algorithms.spanning_forest import _verify
from graphla.common.typing import NoOptions
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Problem, Request, choice
from graphla.problem import Settings as Checked
from graphla.problem.answer import Entries
from graphla.storage import CompressedMatrix
from graphla.storage.convert import cast_indices, gather, make_row_pointers

Kind = Literal["minimum", "maximum"]
ROUNDING = 1e-9
"""Relative difference allowed between the weights of two libraries' forests, which they add in different orders."""


@dataclass(frozen=True)
class Settings(Checked):
    """Which forests are wanted."""

    kind: Kind = choice("minimum", "maximum")


class SpanningForest(Problem):
    """Minimum and maximum spanning forests; call it, or ask it for its `methods`."""

    def __call__(
        self, G: Graph, *, kind: Kind = "minimum", method: str | None = None, **options: Unpack[NoOptions]
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
        return self.solve(locals())

    def _require(self, G: Graph, settings: Any) -> None:
        """Refuse a directed graph, and two weights of one edge."""
        require_edges(G)

    def _finish(self, G: Graph, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The matrix of the arcs whose positions a method finds."""
        return (select_arcs(G, found[0]),)


def select_arcs(G: Graph, arcs: Any) -> Matrix:
    """The matrix of some arcs, given by their positions in ``G.csr`` in order."""
    csr, places = G.csr, cast_indices(arcs, "int64")
    tails, heads, values = (gather(each, places) for each in (find_sources_of_arcs(G), csr.indices, csr.values))
    indptr = make_row_pointers(G.engine.xp, tails, G.n)
    return Matrix._from_storage(CompressedMatrix(G.n, G.n, indptr, heads, values), G.engine)


def describe_difference(found: Any, reference: Any, request: Request) -> str | None:
    """How the weight of a forest differs from that of a right one; ties may be broken in another way."""
    found, reference = (arcs["value"][arcs["tail"] < arcs["head"]].astype(float) for arcs in (found, reference))
    if found.size != reference.size:
        return f"{found.size:,} edges instead of {reference.size:,}"
    mine, right, size = found.sum(), reference.sum(), np.abs(reference).sum()
    return None if mine == right or abs(mine - right) <= ROUNDING * size else f"the weight {mine} instead of {right}"


def verify(G: Graph, s: Settings, arcs: Any) -> None:
    """Check a forest against that of SciPy, with ties broken as here."""
    _verify.verify(G.csr, (arcs["tail"], arcs["head"], arcs["value"]), s.kind)


spanning_forest = SpanningForest(
    "spanning_forest",
    __name__,
    verify,
    settings=Settings,
    gives=(Entries("value", argument="forest"),),
    domain="undirected",
    defining=("kind",),
    difference=describe_difference,
)
