"""scikit-network: SciPy's matrices and compiled loops."""

# its names are found at run time:
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import NotSupported
from graphla.measuring.peers.peer import Peer, Task, convert_components, name_communities, require_undirected
from graphla.measuring.peers.scipy import make_pattern
from graphla.storage import CompressedMatrix


def make_matrix(csr: CompressedMatrix) -> Any:
    """Make a CSR matrix of ones, without loops, of an undirected graph."""
    from scipy.sparse import csr_matrix

    require_undirected(csr, "this task is of undirected graphs")
    A = make_pattern(csr)
    return csr_matrix((A.data.astype(float), A.indices.astype(np.int32), A.indptr.astype(np.int32)), shape=csr.shape)


def make_arcs(csr: CompressedMatrix) -> Any:
    """Make a CSR matrix of ones."""
    from scipy.sparse import csr_matrix

    return csr_matrix((np.ones(csr.nvals), csr.indices, csr.indptr), shape=csr.shape)


def bfs(csr: CompressedMatrix) -> Task:
    """`path.get_distances`, whose −1 are where there is no path."""
    from sknetwork.path import get_distances

    A = make_arcs(csr)
    return Task(lambda source: get_distances(A, source), lambda found: np.asarray(found).astype(np.int32))


def components(csr: CompressedMatrix, kind: str = "weak") -> Task:
    """`topology.get_connected_components`."""
    from sknetwork.topology import get_connected_components

    A = make_arcs(csr)
    return Task(lambda: get_connected_components(A, connection=kind), convert_components)


def triangles(csr: CompressedMatrix, per_vertex: bool = False) -> Task:
    """`topology.count_triangles`."""
    from sknetwork.topology import count_triangles

    if per_vertex:
        raise NotSupported("it counts the triangles of the graph")
    A = make_matrix(csr)
    return Task(lambda: count_triangles(A, parallelize=True), np.asarray)


def solve_clustering(csr: CompressedMatrix, kind: str = "local") -> Task:
    """`topology.get_clustering_coefficient`, the transitivity."""
    from sknetwork.topology import get_clustering_coefficient

    if kind != "transitivity":
        raise NotSupported("it has the coefficient of the graph: kind='transitivity'")
    A = make_matrix(csr)
    return Task(lambda: get_clustering_coefficient(A, parallelize=True), np.asarray)


def solve_cores(csr: CompressedMatrix) -> Task:
    """`topology.get_core_decomposition`."""
    from sknetwork.topology import get_core_decomposition

    A = make_matrix(csr)
    return Task(lambda: get_core_decomposition(A), lambda found: np.asarray(found).astype(np.int32))


def solve_louvain(
    csr: CompressedMatrix,
    resolution: float = 1.0,
    seed: int = 0,
    threshold: float = 0.0,
    max_levels: int | None = None,
) -> Task:
    """`clustering.Louvain`, of weights of one, until nothing is gained."""
    from sknetwork.clustering import Louvain

    if threshold or max_levels is not None or (csr.nvals and (csr.values != 1).any()):
        raise NotSupported("it is compared without weights, and climbs until no vertex gains")
    A = make_matrix(csr)
    solve = Louvain(resolution, tol_optimization=0, tol_aggregation=0, random_state=seed)
    return Task(lambda: solve.fit_predict(A), name_communities)


tasks = {
    "bfs": bfs, "components": components, "triangles": triangles, "clustering": solve_clustering,
    "core_numbers": solve_cores, "louvain": solve_louvain,
}  # fmt: skip
peer = Peer("scikit-network", "sknetwork", "cpu", tasks)
