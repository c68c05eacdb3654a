"""cuGraph on the GPU, through its documented API. Its graphs do not contain vertices without arcs."""

# its names are found at run time:
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.measuring.peers.peer import Peer, Task, convert_distances, convert_levels
from graphla.storage import CompressedMatrix

EXACT = 2**24
"""Integers up to this one are exact in float32."""
ARCS = 2**16
"""Weights are passed as float32 only if the length of a path of so many arcs is exact."""


def make_digraph(csr: CompressedMatrix, weights: Any = None) -> Any:
    """Make a directed cuGraph Graph."""
    import cudf
    import cugraph

    rows = np.repeat(np.arange(csr.nrows, dtype=np.int32), np.diff(csr.indptr))
    columns = {"from": rows, "to": csr.indices.astype(np.int32)}
    attribute = {} if weights is None else {"edge_attr": "weight"}
    columns |= {} if weights is None else {"weight": weights}
    graph = cugraph.Graph(directed=True)
    graph.from_cudf_edgelist(cudf.DataFrame(columns), source="from", destination="to", renumber=True, **attribute)
    return graph


def convert_weights(csr: CompressedMatrix) -> Any:
    """Convert the weights for cuGraph: float32 if that is exact or their own dtype, else float64."""
    values = csr.values
    largest = int(abs(values).max()) if values.dtype.kind != "f" and values.size else 0
    exact = values.dtype.kind != "f" and largest * min(csr.nrows, ARCS) < EXACT
    return values.astype(np.float32 if exact or values.dtype == np.float32 else np.float64)


def order_by_vertex(n: int, found: Any) -> Any:
    """Return the column `distance` in vertex order; the largest value, which means no path, becomes inf."""
    vertices, values = found["vertex"].to_numpy(), found["distance"].to_numpy()
    largest = np.finfo(values.dtype).max if values.dtype.kind == "f" else np.iinfo(values.dtype).max
    distances = np.full(n, np.inf)
    distances[vertices] = np.where(values == largest, np.inf, values)
    return distances


def bfs(csr: CompressedMatrix) -> Task:
    """`cugraph.bfs`."""
    import cugraph

    g, n = make_digraph(csr), csr.nrows
    return Task(
        lambda source: cugraph.bfs(g, start=source, return_predecessors=False),
        lambda found: convert_levels(order_by_vertex(n, found)),
    )


def sssp(csr: CompressedMatrix) -> Task:
    """`cugraph.sssp`."""
    import cugraph

    g, n = make_digraph(csr, convert_weights(csr)), csr.nrows
    return Task(
        lambda source: cugraph.sssp(g, source=source),
        lambda found: convert_distances(order_by_vertex(n, found), csr.values),
    )


peer = Peer("cuGraph", "cugraph", "cuda", {"bfs": bfs, "sssp": sssp})
