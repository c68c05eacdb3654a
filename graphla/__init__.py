"""graphla: graph problems as semiring algebra over sparse matrices, on the GPU and on the CPU.

Examples
--------
>>> import graphla as gl
>>> G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=4)
>>> gl.bfs(G, 0).to_dict()
{0: 0, 1: 1, 2: 2}
"""

from importlib import import_module
from typing import Any

MODULES = ["caching", "comparing", "datasets", "errors", "generators", "io", "mpi", "problem", "roads", "typing"]
MODULES += ["watching"]
HOMES = {
    "graphla.algorithms.apsp": "apsp",
    "graphla.algorithms.apsp.elimination.factor": "Factor factorize",
    "graphla.algorithms.apsp.elimination.linear_factor": "LinearFactor",
    "graphla.algorithms.betweenness": "betweenness",
    "graphla.algorithms.bfs": "bfs",
    "graphla.algorithms.bfs.neighbourhoods": "ego k_hop subgraph",
    "graphla.algorithms.biconnected_components": "articulation_points biconnected_components bridges",
    "graphla.algorithms.closeness": "closeness",
    "graphla.algorithms.clustering": "clustering",
    "graphla.algorithms.coloring": "coloring",
    "graphla.algorithms.components": "components",
    "graphla.algorithms.core_numbers": "core_numbers k_core",
    "graphla.algorithms.diameter": "diameter",
    "graphla.algorithms.dominators": "dominators",
    "graphla.algorithms.eccentricity": "center eccentricity periphery radius",
    "graphla.algorithms.eigenvector": "eigenvector",
    "graphla.algorithms.embeddings.fastrp": "fastrp",
    "graphla.algorithms.embeddings.propagation": "propagate",
    "graphla.algorithms.embeddings.similar": "similar",
    "graphla.algorithms.following.follower": "follow",
    "graphla.algorithms.hits": "hits",
    "graphla.algorithms.independent_set": "independent_set",
    "graphla.algorithms.katz": "katz",
    "graphla.algorithms.label_propagation": "label_propagation",
    "graphla.algorithms.layout.arrange": "layout",
    "graphla.algorithms.leiden": "leiden",
    "graphla.algorithms.leiden.consensus": "consensus",
    "graphla.algorithms.louvain": "louvain",
    "graphla.algorithms.matching": "matching",
    "graphla.algorithms.max_flow": "max_flow",
    "graphla.algorithms.pagerank": "pagerank",
    "graphla.algorithms.random_walks": "random_walks",
    "graphla.algorithms.random_walks.batches": "WalkBatches",
    "graphla.algorithms.sampling.negative": "sample_negative_edges",
    "graphla.algorithms.sampling.neighbors": "sample_neighbors",
    "graphla.algorithms.shared.communities.agreement": "Agreement compare_partitions",
    "graphla.algorithms.shared.communities.contract": "contract",
    "graphla.algorithms.shared.communities.levels": "Levels",
    "graphla.algorithms.shared.communities.modularity": "modularity",
    "graphla.algorithms.similarity": "jaccard similarity",
    "graphla.algorithms.spanning_forest": "spanning_forest",
    "graphla.algorithms.spectrum.eigenvectors": "laplacian_eigenvectors smallest_eigenvectors",
    "graphla.algorithms.spectrum.electrical": "current_flow_betweenness current_flow_closeness effective_resistance",
    "graphla.algorithms.spectrum.embedding": "spectral_clustering spectral_embedding",
    "graphla.algorithms.spectrum.harmonic": "harmonic",
    "graphla.algorithms.sssp": "shortest_path sssp",
    "graphla.algorithms.sssp.k_shortest": "k_shortest_paths",
    "graphla.algorithms.topological_order": "find_cycle topological_order",
    "graphla.algorithms.transitive_closure": "transitive_closure",
    "graphla.algorithms.triangles": "triangles",
    "graphla.algorithms.truss_numbers": "k_truss truss_numbers",
    "graphla.algorithms.widest_paths": "widest_paths",
    "graphla.common.config": "config",
    "graphla.containers.aggregators": "agg",
    "graphla.containers.loop": "loop",
    "graphla.containers.matrix": "Matrix",
    "graphla.containers.scalar": "Scalar",
    "graphla.containers.select": "select",
    "graphla.containers.vector": "Vector",
    "graphla.graphs.graph": "Graph",
    "graphla.graphs.reading": "generate load read save write",
    "graphla.language.masks": "replace",
    "graphla.measuring.comparing": "compare",
    "graphla.measuring.watching": "trace",
    "semirings": "binary indexunary monoid semiring unary",
}
"""Where the names are that users know here, but those of problems alone; `__init__.pyi` has them for type checkers."""

_homes = {name: home for home, names in HOMES.items() for name in names.split()}
_unlisted = {"comparing", "generators", "problem", "typing", "watching"}
__all__ = sorted({*_homes, *MODULES} - _unlisted)  # pyright: ignore[reportUnsupportedDunderAll]
__version__ = "0.2.0"


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """What is behind a name: it is imported when it is used first."""
    if name in MODULES:
        return import_module(f"{__name__}.{name}")
    value = getattr(import_module(_homes[name]), name) if name in _homes else find_problem(name)
    globals()[name] = value
    return value


def find_problem(name: str) -> Any:
    """A problem that is a folder of `graphla.algorithms` and is not listed above."""
    try:
        return import_module("graphla.problem").get_problem(name)
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
