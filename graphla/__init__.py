"""graphla: graph problems as semiring algebra over sparse matrices, on the GPU and on the CPU.

Examples
--------
>>> import graphla as gl
>>> G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=4)
>>> gl.bfs(G, 0).to_dict()
{0: 0, 1: 1, 2: 2}
"""

import sys

from graphla import errors, mpi, problem, typing  # noqa: F401
from graphla.algorithms.apsp import apsp
from graphla.algorithms.apsp.elimination.factor import Factor, factorize
from graphla.algorithms.apsp.elimination.linear_factor import LinearFactor
from graphla.algorithms.betweenness import betweenness
from graphla.algorithms.bfs import bfs
from graphla.algorithms.bfs.neighbourhoods import ego, k_hop, subgraph
from graphla.algorithms.biconnected_components import articulation_points, biconnected_components, bridges
from graphla.algorithms.closeness import closeness
from graphla.algorithms.clustering import clustering
from graphla.algorithms.coloring import coloring
from graphla.algorithms.components import components
from graphla.algorithms.core_numbers import core_numbers, k_core
from graphla.algorithms.diameter import diameter
from graphla.algorithms.dominators import dominators
from graphla.algorithms.eccentricity import center, eccentricity, periphery, radius
from graphla.algorithms.eigenvector import eigenvector
from graphla.algorithms.hits import hits
from graphla.algorithms.independent_set import independent_set
from graphla.algorithms.katz import katz
from graphla.algorithms.label_propagation import label_propagation
from graphla.algorithms.leiden import leiden
from graphla.algorithms.louvain import louvain
from graphla.algorithms.matching import matching
from graphla.algorithms.max_flow import max_flow
from graphla.algorithms.pagerank import pagerank
from graphla.algorithms.random_walks import random_walks
from graphla.algorithms.shared.communities.modularity import modularity
from graphla.algorithms.similarity import jaccard, similarity
from graphla.algorithms.spanning_forest import spanning_forest
from graphla.algorithms.spectrum.eigenvectors import laplacian_eigenvectors, smallest_eigenvectors
from graphla.algorithms.spectrum.electrical import (
    current_flow_betweenness,
    current_flow_closeness,
    effective_resistance,
)
from graphla.algorithms.spectrum.embedding import spectral_clustering, spectral_embedding
from graphla.algorithms.spectrum.harmonic import harmonic
from graphla.algorithms.sssp import shortest_path, sssp
from graphla.algorithms.topological_order import find_cycle, topological_order
from graphla.algorithms.transitive_closure import transitive_closure
from graphla.algorithms.triangles import triangles
from graphla.algorithms.truss_numbers import k_truss, truss_numbers
from graphla.algorithms.widest_paths import widest_paths
from graphla.common.config import config
from graphla.containers.aggregators import agg
from graphla.containers.loop import loop
from graphla.containers.matrix import Matrix
from graphla.containers.scalar import Scalar
from graphla.containers.select import select
from graphla.containers.vector import Vector
from graphla.graphs import datasets, generators, io
from graphla.graphs.graph import Graph
from graphla.graphs.reading import generate, load, read, save, write
from graphla.language.masks import replace
from graphla.measuring import caching, comparing, watching
from graphla.measuring.comparing import compare
from graphla.measuring.watching import trace
from semirings import binary, indexunary, monoid, semiring, unary

__all__ = [
    "Factor",
    "Graph",
    "LinearFactor",
    "Matrix",
    "Scalar",
    "Vector",
    "agg",
    "apsp",
    "articulation_points",
    "betweenness",
    "bfs",
    "biconnected_components",
    "binary",
    "bridges",
    "caching",
    "center",
    "closeness",
    "clustering",
    "coloring",
    "compare",
    "components",
    "config",
    "core_numbers",
    "current_flow_betweenness",
    "current_flow_closeness",
    "datasets",
    "diameter",
    "dominators",
    "eccentricity",
    "effective_resistance",
    "ego",
    "eigenvector",
    "errors",
    "factorize",
    "find_cycle",
    "generate",
    "harmonic",
    "hits",
    "independent_set",
    "indexunary",
    "io",
    "jaccard",
    "k_core",
    "k_hop",
    "k_truss",
    "katz",
    "label_propagation",
    "laplacian_eigenvectors",
    "leiden",
    "load",
    "loop",
    "louvain",
    "matching",
    "max_flow",
    "modularity",
    "monoid",
    "mpi",
    "pagerank",
    "periphery",
    "radius",
    "random_walks",
    "read",
    "replace",
    "save",
    "select",
    "semiring",
    "shortest_path",
    "similarity",
    "smallest_eigenvectors",
    "spanning_forest",
    "spectral_clustering",
    "spectral_embedding",
    "sssp",
    "subgraph",
    "topological_order",
    "trace",
    "transitive_closure",
    "triangles",
    "truss_numbers",
    "unary",
    "widest_paths",
    "write",
]

__version__ = "0.2.0"


for _module in (
    caching,
    comparing,
    datasets,
    generators,
    io,
    watching,
):  # `from graphla.io import formats`, as before they moved
    sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> problem.Problem:
    """A problem that is a folder of `graphla.algorithms` and is not listed above."""
    try:
        return problem.get_problem(name)
    except KeyError:
        raise AttributeError(f"module 'graphla' has no attribute {name!r}") from None
