"""Programs of several processes: what the ranks of one ``mpiexec`` solve together.

`bfs`, `sssp`, `closeness` and `betweenness` take a graph that each rank holds whole and share out the sources;
`apsp` shares out the rows of the distances. A graph that is itself spread over the ranks lives on the engine ``"mpi"``:
`graphla.read` and `graphla.generate` make one in parts, `from_arcs` makes one of the arcs of each rank.

Examples
--------
>>> import graphla as gl
>>> gl.mpi.get_world().size
1
"""

from typing import Any

from graphla.algorithms.bfs.ranks.run import explain as explain_search
from graphla.common.arguments import show
from graphla.common.errors import InvalidOption
from graphla.engine import get_engine
from graphla.engine.mpi.world import get_world
from graphla.graphs.graph import Graph
from graphla.mpi.all_pairs import apsp
from graphla.mpi.arcs import from_arcs
from graphla.mpi.graph500 import graph500
from graphla.mpi.rows import Rows
from graphla.mpi.sources import betweenness, bfs, closeness, sssp

__all__ = ["Rows", "apsp", "betweenness", "bfs", "closeness", "explain", "from_arcs", "get_world", "graph500", "sssp"]


def explain(G: Graph | None = None) -> str:
    """Say how many ranks there are, on which grid, which engine computes on each, and why.

    Parameters
    ----------
    G : Graph, optional
        A graph on the engine ``"mpi"``. Then also how the ranks search it, which is prepared if it was not searched
        yet: O(V + E) work.

    Returns
    -------
    str
        A sentence; every rank calls this, and gets that of its own.

    Raises
    ------
    InvalidOption
        If the graph lives on another engine.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.mpi.explain().partition(",")[0]
    '1 rank on a grid of 1 × 1'
    """
    engine: Any = get_engine("mpi")
    if G is None:
        return engine.explain()
    if not isinstance(G, Graph) or G.engine.name != "mpi":
        raise InvalidOption(f"G={show(G)}: give a graph on the engine 'mpi', such as G.to('mpi')")
    return f"{engine.explain()}; gl.bfs: {explain_search(G)}"


def __dir__() -> list[str]:
    return __all__
