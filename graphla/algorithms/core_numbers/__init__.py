"""Core numbers: how deep in the graph each vertex lies, as vertices of few neighbours are peeled off."""

from __future__ import annotations

from graphla.algorithms.core_numbers import _verify
from graphla.algorithms.shared.undirected import find_neighbours, require_undirected
from graphla.common.arguments import to_int
from graphla.common.typing import OptionValue
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph, require_vectors
from semirings import any_first, any_second


class CoreNumbers(Problem):
    """The core number of each vertex; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, *, method: str | None = None, **options: OptionValue) -> Vector:
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
        require_graph(G)
        chosen = self.choose(G, method, options)
        require_undirected(G, "core_numbers", "cores")
        found = chosen.run(G, **options)
        return found if isinstance(found, Vector) else Vector.from_dense(found, engine=G.engine)


def k_core(G: Graph, k: int | None = None, *, method: str | None = None, **options: OptionValue) -> Matrix:
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
    return any_first(any_second(D @ G.A).new() @ D).new()


def verify(G: Graph, cores: Vector) -> None:
    """Check core numbers against their definition.

    Each vertex has as many neighbours of its own number or more as its number says; and peeling the graph level by
    level removes each vertex at its number.

    Parameters
    ----------
    G : Graph
        The graph.
    cores : Vector
        What `core_numbers` returned.

    Raises
    ------
    VerificationError
        If a number is too large or too small; the message names a vertex.

    Notes
    -----
    O(V + E) and the rounds of peeling, on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3], [1, 0, 2, 1, 0, 2, 3, 2]), n=5)
    >>> gl.core_numbers.verify(G, gl.core_numbers(G, method="algebraic"))
    """
    require_graph(G)
    require_undirected(G, "core_numbers", "cores")
    require_vectors(G, cores=cores)
    _verify.verify(Graph(find_neighbours(G).to("cpu")).csr, cores.to_numpy(-1))


core_numbers = CoreNumbers("core_numbers", __name__, verify, gives=(Answer("cores", None),), domain="undirected")
