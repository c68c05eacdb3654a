"""Clusters of cells by the Leiden method, with the arguments of `scanpy.tl.leiden`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.algorithms.leiden import MOST_ITERATIONS, leiden
from graphla.common.arguments import show, to_bool, to_int
from graphla.common.errors import InvalidGraph
from graphla.common.extras import require
from graphla.common.typing import SparseMatrix
from graphla.graphs.graph import Graph
from semirings import binary

if TYPE_CHECKING:
    from pandas import Categorical


def cluster_cells(
    adjacency: SparseMatrix,
    resolution: float = 1.0,
    *,
    random_state: int = 0,
    n_iterations: int = 2,
    use_weights: bool = True,
    directed: bool = False,
) -> Categorical:
    """Clusters of cells by the Leiden method: a category for each row of a matrix of connectivities.

    It takes the arguments of ``scanpy.tl.leiden`` with its defaults to come (``flavor="igraph"``):
    ``adata.obs["leiden"] = cluster_cells(adata.obsp["connectivities"])``.

    Parameters
    ----------
    adjacency : sparse matrix
        Of SciPy, or of cupyx: then the GPU computes. Weights of zero or more, of shape (cells, cells).
    resolution : float
        Of the modularity: above one clusters become smaller, below one larger.
    random_state : int
        The seed: the same one gives the same clusters on every machine, with any number of threads and on a GPU.
    n_iterations : int
        How often to climb; -1 for as often as something changes, 1,000 times at most.
    use_weights : bool
        Whether weights count; else each entry is one.
    directed : bool
        Whether entries are arcs from rows to columns; else both directions are added up.

    Returns
    -------
    pandas.Categorical
        Of length cells, with the categories "0", "1", …, the largest first, of equal ones that of the first cell.

    Raises
    ------
    InvalidGraph
        If it is no square sparse matrix, or a weight is negative or infinite.
    InvalidOption
        If another argument is none of those that are allowed.
    NotSupported
        If pandas is not installed.

    See Also
    --------
    graphla.leiden : The same of a graph, with all options.

    Examples
    --------
    >>> from scipy.sparse import coo_array
    >>> from graphla.communities import cluster_cells
    >>> near = coo_array(([1.0] * 6, ([0, 1, 2, 3, 3, 4], [1, 0, 3, 2, 4, 3])), shape=(5, 5))
    >>> cluster_cells(near).tolist()  # doctest: +SKIP
    ['1', '1', '0', '0', '0']
    """
    pandas = require("pandas", "pandas", "a categorical")
    if not hasattr(adjacency, "tocoo"):
        raise InvalidGraph(f"adjacency={show(adjacency)}: give a sparse matrix, as adata.obsp['connectivities']")
    count = to_int(n_iterations, "n_iterations", -1)
    iterations = MOST_ITERATIONS if count == -1 else to_int(count, "n_iterations", 1, MOST_ITERATIONS)
    G = orient(Graph(adjacency), to_bool(use_weights, "use_weights"), to_bool(directed, "directed"))
    labels = leiden(G, resolution, to_int(random_state, "random_state", 0), iterations=iterations).to_numpy()
    return pandas.Categorical.from_codes(labels, [str(k) for k in range(int(labels.max(initial=-1)) + 1)])


def orient(G: Graph, weighted: bool, directed: bool) -> Graph:
    """The graph with weights or ones, and with the sum of both directions unless it is directed."""
    A: Any = G.A if weighted else G.A.apply("one").new("FP64")
    if directed or G.symmetric:
        return G if weighted else Graph(A)
    return Graph(binary.plus(A | A.T).new())
