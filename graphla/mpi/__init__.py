"""Programs of several processes: what the ranks of one ``mpiexec`` solve together.

`bfs`, `sssp`, `closeness` and `betweenness` take a graph that each rank holds whole and share out the sources;
`apsp` shares out the rows of the distances.

Examples
--------
>>> import graphla as gl
>>> gl.mpi.get_world().size
1
"""

from graphla.engine.mpi.world import get_world
from graphla.mpi.all_pairs import apsp
from graphla.mpi.graph500 import graph500
from graphla.mpi.rows import Rows
from graphla.mpi.sources import betweenness, bfs, closeness, sssp

__all__ = ["Rows", "apsp", "betweenness", "bfs", "closeness", "get_world", "graph500", "sssp"]


def __dir__() -> list[str]:
    return __all__
