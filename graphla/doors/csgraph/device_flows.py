"""Maximum flows on the GPU, with SciPy's checks and its antisymmetric flow.

cupyx has no sparse matrices of integers: capacities are whole numbers in the floats of the matrix, and so are flows.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from graphla.algorithms.max_flow import max_flow
from graphla.containers.matrix import Matrix
from graphla.doors.csgraph.device import make_sparse, require_square
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from semirings import binary

METHODS = "edmonds_karp", "dinic"


def maximum_flow(csgraph: Any, source: int, sink: int, method: str) -> Any:
    """`csgraph.maximum_flow` on the GPU: `flow_value`, and `flow`, where what flows back is negative."""
    check(csgraph, source, sink, method)
    engine, n = get_engine("cuda"), csgraph.shape[0]
    capacities = csgraph.data.astype(np.int64)
    A = Matrix.from_csr(csgraph.indptr, csgraph.indices, capacities, "INT64", ncols=n, engine=engine)
    found = max_flow(Graph(A), source, sink)
    both: Any = binary.plus(found.flow | found.flow.T.apply("ainv")).new()
    csr = Graph(both).csr
    flow = make_sparse(n, csr.indptr, csr.indices, csr.values.astype(csgraph.dtype))
    return SimpleNamespace(flow_value=found.value, flow=flow)


def check(csgraph: Any, source: int, sink: int, method: str) -> None:
    """Refuse what SciPy refuses, with its words."""
    if getattr(csgraph, "format", None) != "csr":
        raise TypeError("graph must be in CSR format")
    if csgraph.dtype.kind not in "biuf" or not bool((csgraph.data == get_engine("cuda").xp.rint(csgraph.data)).all()):
        raise ValueError("graph capacities must be integers")
    n = require_square(csgraph)
    for name, vertex in (("source", source), ("sink", sink)):
        if not 0 <= vertex < n:
            raise ValueError(f"{name} value ({vertex}) must be between 0 and {n - 1}")
    if source == sink:
        raise ValueError("source and sink vertices must differ")
    if method not in METHODS:
        raise ValueError(f"{method} method is not supported yet.")
