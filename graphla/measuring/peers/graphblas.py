"""SuiteSparse:GraphBLAS through python-graphblas: the equations of graphla's algebraic methods, on all cores."""

# its names are found at run time:
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalCall=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import distance_dtype
from graphla.measuring.peers.peer import Peer, Task, convert_distances
from graphla.storage import CompressedMatrix


def make_matrix(csr: CompressedMatrix, dtype: Any) -> Any:
    """Make a GraphBLAS Matrix, stored by rows."""
    import graphblas as gb

    pointers, columns = csr.indptr.astype(np.uint64), csr.indices.astype(np.uint64)
    return gb.Matrix.from_csr(pointers, columns, csr.values.astype(dtype), nrows=csr.nrows, ncols=csr.ncols)


def bfs(csr: CompressedMatrix) -> Task:
    """Levels by the semiring any.pair; the mask keeps reached vertices out of the frontier."""
    import graphblas as gb

    A, n = make_matrix(csr, bool), csr.nrows
    any_pair = gb.semiring.any_pair

    def run(source: int) -> Any:
        q = gb.Vector.from_coo([source], [True], size=n)
        level, depth = gb.Vector(int, n), 0
        while q.nvals:
            level(q.S) << depth
            q(~level.S, replace=True) << any_pair(q @ A)
            depth += 1
        return level

    return Task(run, lambda level: level.to_dense(-1, dtype="INT32"))


def sssp(csr: CompressedMatrix) -> Task:
    """Bellman–Ford with a frontier of the vertices whose distance decreased."""
    import graphblas as gb

    dtype = distance_dtype(csr.values.dtype)
    A, n = make_matrix(csr, np.float64 if dtype.kind != "f" else dtype), csr.nrows
    min_plus, less, shorter = gb.semiring.min_plus, gb.binary.lt, gb.binary.min

    def run(source: int) -> Any:
        d = gb.Vector.from_coo([source], [0.0], dtype=A.dtype, size=n)
        q = d.dup()
        while q.nvals:
            reached = min_plus(q @ A).new()
            fell = reached.ewise_union(d, less, np.inf, np.inf).new()
            q = reached.dup(mask=fell.V)
            d(shorter) << q
        return d

    return Task(run, lambda d: convert_distances(d.to_dense(np.inf, dtype="FP64"), csr.values))


peer = Peer("GraphBLAS", "graphblas", "cpu", {"bfs": bfs, "sssp": sssp})
