"""Core numbers: how deep in the graph each vertex lies, as vertices of few neighbours are peeled off."""

from __future__ import annotations

from typing import Any, Unpack

from graphla.algorithms.core_numbers import _verify
from graphla.algorithms.shared.undirected import get_simple, require_undirected
from graphla.common.arguments import to_int
from graphla.common.typing import NoOptions
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.problem.answer import PerVertex
from semirings import any_first, any_second


class CoreNumbers(Problem):
    """The core number of each vertex; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, *, method: str | None = None, **options: Unpack[NoOptions]) -> Vector:
        """Core numbers: the largest k for which a vertex is in a k-core.

        The k-core is the largest part of a graph in which each vertex has k neighbours or more. It is what is left when
        vertices with fewer neighbours are removed, one after the other, until there is none.

        Parameters
        ----------
        G : Graph
            An undirected graph: each arc has its reverse. Weights do not matter and may differ between the two; an
            explicit zero is an arc. Loops do not count.
        method : str, optional
            A name of `core_numbers.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Vector
            INT32 of size n: the core number of each vertex, 0 for one without neighbours.

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
        k_core : The arcs of a core.

        Notes
        -----
        O(V + E) work [1]_, and what the method does for each level.

        References
        ----------
        .. [1] D. Matula, L. Beck, "Smallest-Last Ordering and Clustering and Graph Coloring Algorithms", J. ACM 30(3),
           1983.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]), n=5)
        >>> gl.core_numbers(G).to_dense().tolist()
        [2, 2, 2, 1, 0]
        """
        return self.solve(locals())

    def _require(self, G: Graph, settings: Any) -> None:
        """Refuse a directed graph."""
        require_undirected(G, "core_numbers", "cores")


def k_core(G: Graph, k: int | None = None, *, method: str | None = None, **options: Unpack[NoOptions]) -> Matrix:
    """The k-core: the largest part of a graph in which each vertex has k neighbours or more.

    Parameters
    ----------
    G : Graph
        An undirected graph, as `core_numbers` takes it.
    k : int, optional
        The least number of neighbours; by default the largest core number, which gives the innermost core.
    method : str, optional
        A name of `core_numbers.methods`.
    **options
        Options of the method.

    Returns
    -------
    Matrix
        Shape (n, n), of the dtype of the weights: the arcs between vertices of the core, loops among them. Vertices
        keep their numbers.

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
    core_numbers : The largest k of each vertex.

    Notes
    -----
    O(V + E) work after that of `core_numbers`: F = D A D, where D is diagonal and has an entry for each vertex of the
    core.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]), n=5)
    >>> gl.k_core(G, 2).nvals, gl.k_core(G, 1).nvals
    (6, 8)
    """
    least = None if k is None else to_int(k, "k", 0)
    cores = core_numbers(G, method=method, **options)
    if least is None:
        least = int(cores.reduce("max").new().get(0))
    D = cores.select("valuege", least).new().apply("one").new(G.dtype).diag()
    return any_first(any_second(D @ G.A).new() @ D).new()._name_columns(G.A._names)


core_numbers = CoreNumbers(
    "core_numbers",
    __name__,
    lambda G, _, cores: _verify.verify(get_simple(G).csr, cores),
    gives=(PerVertex("cores", None),),
    domain="undirected",
)
