"""SciPy's csgraph: compiled loops on one core."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.peers.peer import Peer, Task, convert_components, convert_distances
from graphla.storage import CompressedMatrix


def make_matrix(csr: CompressedMatrix) -> Any:
    """Make a float64 CSR array, so that csgraph need not convert it in each call."""
    from scipy.sparse import csr_array

    return csr_array((csr.values.astype(np.float64), csr.indices, csr.indptr), shape=csr.shape)


def bfs(csr: CompressedMatrix) -> Task:
    """`breadth_first_order`, which returns predecessors; the levels are counted afterwards, untimed."""
    from scipy.sparse.csgraph import breadth_first_order

    A = make_matrix(csr)
    return Task(lambda source: breadth_first_order(A, source), lambda found: count_depths(*found))


def count_depths(order: Any, predecessors: Any) -> Any:
    """Count the steps from each vertex to the source by pointer doubling."""
    up = predecessors.astype(np.int64)
    up[order[0]] = order[0]
    reached = up >= 0
    up[~reached] = np.flatnonzero(~reached)
    steps = (up != np.arange(up.size)).astype(np.int32)
    while (far := up[up]).tobytes() != up.tobytes():
        steps += steps[up]
        up = far
    return np.where(reached, steps, -1).astype(np.int32)


def sssp(csr: CompressedMatrix) -> Task:
    """`dijkstra`, or `bellman_ford` if a weight is negative."""
    from scipy.sparse.csgraph import bellman_ford, dijkstra

    A = make_matrix(csr)
    solve = bellman_ford if A.nnz and A.data.min() < 0 else dijkstra
    return Task(lambda source: solve(A, indices=source), lambda found: convert_distances(found, csr.values))


def apsp(csr: CompressedMatrix) -> Task:
    """`shortest_path`, which chooses between Dijkstra and Floyd–Warshall."""
    from scipy.sparse.csgraph import shortest_path

    A = make_matrix(csr)
    return Task(lambda: shortest_path(A), lambda found: convert_distances(found, csr.values))


def components(csr: CompressedMatrix, kind: str = "weak") -> Task:
    """`connected_components`."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    A = csr_array((np.ones(csr.nvals), csr.indices, csr.indptr), shape=csr.shape)
    return Task(
        lambda: connected_components(A, directed=True, connection=kind), lambda found: convert_components(found[1])
    )


peer = Peer("SciPy", "scipy", "cpu", {"bfs": bfs, "sssp": sssp, "apsp": apsp, "components": components})
