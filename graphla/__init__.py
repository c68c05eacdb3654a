"""graphla: graph problems as semiring algebra over sparse matrices, on the GPU and on the CPU.

Examples
--------
>>> import graphla as gl
>>> G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=4)
>>> gl.bfs(G, 0).to_dict()
{0: 0, 1: 1, 2: 2}
"""

from graphla import errors
from graphla.aggregate import agg
from graphla.algorithms.apsp import apsp
from graphla.algorithms.bfs import bfs, closeness
from graphla.algorithms.sssp import shortest_path, sssp
from graphla.comparing import compare
from graphla.config import config
from graphla.container import replace
from graphla.graph import Graph
from graphla.looping import loop
from graphla.matrix import Matrix
from graphla.reading import datasets, generate, read, write
from graphla.scalar import Scalar
from graphla.selection import select
from graphla.vector import Vector
from graphla.watching import trace
from semirings import binary, indexunary, monoid, semiring, unary

__all__ = [
    "Graph",
    "Matrix",
    "Scalar",
    "Vector",
    "agg",
    "apsp",
    "bfs",
    "binary",
    "closeness",
    "compare",
    "config",
    "datasets",
    "errors",
    "generate",
    "indexunary",
    "loop",
    "monoid",
    "read",
    "replace",
    "select",
    "semiring",
    "shortest_path",
    "sssp",
    "trace",
    "unary",
    "write",
]

__version__ = "0.1.0"
