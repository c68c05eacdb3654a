"""SciPy's csgraph: compiled loops on one core."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import NotSupported
from graphla.common.system import host_free
from graphla.measuring.peers.peer import Peer, Task, convert_components, convert_distances, convert_forest, pack_value
from graphla.storage import CompressedMatrix

ENTRY_BYTES = 24
"""Bytes per entry of a product: an int64 and its column, and as much while they are multiplied by a matrix."""


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


def make_pattern(csr: CompressedMatrix) -> Any:
    """Make a CSR array of ones, without loops."""
    from scipy.sparse import csr_array

    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    other = tails != csr.indices
    return csr_array((np.ones(int(other.sum()), np.int64), (tails[other], csr.indices[other])), shape=csr.shape)


def check_product(A: Any, B: Any) -> None:
    """Refuse a product whose entries may not fit in memory: SciPy has no masks."""
    terms = int(np.diff(B.indptr).astype(np.int64)[A.indices].sum())
    needed, free = ENTRY_BYTES * min(terms, A.shape[0] * B.shape[1]), host_free()
    if needed > free:
        raise NotSupported(f"the product has no mask and may take {needed:,} bytes, and {free:,} are free")


def triangles(csr: CompressedMatrix, per_vertex: bool = False) -> Task:
    """The sums of ``(L @ L) * L``, or of the rows of ``(A @ A) * A``."""
    from scipy.sparse import tril

    A = make_pattern(csr)
    if per_vertex:
        check_product(A, A)
        return Task(lambda: ((A @ A) * A).sum(axis=1), lambda found: np.asarray(found).ravel() // 2)
    L = tril(A, -1).tocsr()
    check_product(L, L)
    return Task(lambda: ((L @ L) * L).sum(), np.asarray)


def solve_clustering(csr: CompressedMatrix, kind: str = "local") -> Task:
    """The sums of the rows of ``(N @ A) * N``, over the numbers of pairs of neighbours."""
    A = make_pattern(csr)
    N = (A + A.T).tocsr()
    N.data[:] = 1
    check_product(N, A)
    degrees = np.diff(N.indptr).astype(np.int64)
    possible = degrees * (degrees - 1)

    def answer(found: Any) -> Any:
        closed = np.asarray(found).ravel()
        local = closed / np.maximum(possible, 1)
        numbers = {"average": local.mean, "transitivity": lambda: closed.sum() / max(1, possible.sum())}
        return local if kind == "local" else np.asarray(numbers[kind]())

    return Task(lambda: ((N @ A) * N).sum(axis=1), answer)


def solve_forest(csr: CompressedMatrix, kind: str = "minimum") -> Task:
    """`minimum_spanning_tree`, of the negated weights if the greatest is asked for; to it a zero is no edge."""
    from scipy.sparse.csgraph import minimum_spanning_tree

    A = make_matrix(csr)
    A.data *= -1 if kind == "maximum" else 1
    if not A.data.all():
        A.data += 1 - A.data.min()

    def answer(found: Any) -> Any:
        edges = found.tocoo()
        return convert_forest(csr, edges.row, edges.col)

    return Task(lambda: minimum_spanning_tree(A), answer)


def solve_flow(csr: CompressedMatrix) -> Task:
    """`maximum_flow`, of whole capacities of 32 bits."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    if csr.values.dtype.kind == "f" or (csr.nvals and csr.values.max() > np.iinfo(np.int32).max):
        raise NotSupported("its capacities are whole numbers of 32 bits")
    A = csr_array((csr.values.astype(np.int32), csr.indices, csr.indptr), shape=csr.shape)
    return Task(lambda source, sink: maximum_flow(A, source, sink), lambda found: pack_value(found.flow_value))


tasks = {
    "bfs": bfs, "sssp": sssp, "apsp": apsp, "components": components, "triangles": triangles,
    "clustering": solve_clustering, "spanning_forest": solve_forest, "max_flow": solve_flow,
}  # fmt: skip
peer = Peer("SciPy", "scipy", "cpu", tasks)
