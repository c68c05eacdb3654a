"""Truss numbers: how deep in the graph each edge lies, as edges in few triangles are peeled off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from graphla.algorithms.shared.undirected import get_simple, require_undirected
from graphla.algorithms.truss_numbers import _verify
from graphla.common.arguments import to_int
from graphla.common.typing import NoOptions
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Problem, require_graph
from graphla.problem import Settings as Checked
from graphla.problem.answer import PerArc


@dataclass(frozen=True)
class Settings(Checked):
    """All numbers are asked for, or whether they are less than one: then k where they are not."""

    k: int | None = None

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """No option of a caller."""
        return asked


class TrussNumbers(Problem):
    """The truss number of each edge; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, *, method: str | None = None, **options: Unpack[NoOptions]) -> Matrix:
        """Truss numbers: the largest k for which an edge is in a k-truss.

        The k-truss is the largest part of a graph in which each edge is in k − 2 triangles or more. It is what is left
        when edges in fewer triangles are removed, one after the other, until there is none.

        Parameters
        ----------
        G : Graph
            An undirected graph: each arc has its reverse. Weights do not matter and may differ between the two; an
            explicit zero is an arc. Loops do not count.
        method : str, optional
            A name of `truss_numbers.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Matrix
            INT32 of shape (n, n): the truss number at both arcs of each edge, 2 for an edge in no triangle. Loops have
            no entry.

        Raises
        ------
        InvalidGraph
            If the graph is directed; the message says how to make it undirected.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        k_truss : The arcs of a truss.
        core_numbers : The same of vertices and their neighbours.

        Notes
        -----
        Of a graph of E edges at most O(E √E) triangles are looked at [1]_, and more rows beside them.

        References
        ----------
        .. [1] J. Wang, J. Cheng, "Truss Decomposition in Massive Networks", PVLDB 5(9), 2012.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]))
        >>> gl.truss_numbers(G).to_dicts()
        {0: {1: 3, 2: 3}, 1: {0: 3, 2: 3}, 2: {0: 3, 1: 3, 3: 2}, 3: {2: 2}}
        """
        return self.solve(locals())

    def _require(self, G: Graph, settings: Any) -> None:
        """Refuse a directed graph."""
        require_undirected(G, "truss_numbers", "trusses")


def k_truss(G: Graph, k: int | None = None, *, method: str | None = None, **options: Unpack[NoOptions]) -> Matrix:
    """The k-truss: the largest part of a graph in which each edge is in k − 2 triangles or more.

    Parameters
    ----------
    G : Graph
        An undirected graph, as `truss_numbers` takes it.
    k : int, optional
        Two more than the least number of triangles; by default the largest truss number, which gives the innermost
        truss.
    method : str, optional
        A name of `truss_numbers.methods`.
    **options
        Options of the method.

    Returns
    -------
    Matrix
        Shape (n, n), of the dtype of the weights: the arcs of the truss, without loops. Vertices keep their numbers.

    Raises
    ------
    InvalidOption
        If `k` is no whole number of 0 or more.
    InvalidGraph
        If the graph is directed; the message says how to make it undirected.
    NotSupported
        If the method cannot answer; the message says why.

    See Also
    --------
    truss_numbers : The largest k of each edge.

    Notes
    -----
    For a given k edges are removed at one level only, which is faster than all truss numbers.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]))
    >>> gl.k_truss(G, 3).nvals, gl.k_truss(G, 2).nvals
    (6, 8)
    """
    require_graph(G)
    least = None if k is None else max(2, min(to_int(k, "k", 0), G.n + 1))
    chosen = truss_numbers.choose(G, method, options)
    require_undirected(G, "k_truss", "trusses")
    numbers = truss_numbers.gives[0].from_array(G, chosen.solve(G, (Settings(least),), options)[0])
    if least is None:
        least = int(numbers.reduce_scalar("max").new().get(0))
    return get_simple(G).A.dup(mask=numbers.select("valuege", least).new().S)._name_columns(G.A._names)


truss_numbers = TrussNumbers(
    "truss_numbers",
    __name__,
    lambda G, _, numbers: _verify.verify(get_simple(G).csr, numbers),
    settings=Settings,
    gives=(PerArc("value", argument="numbers", kinds="iu", arcs=get_simple),),
    domain="undirected",
)
