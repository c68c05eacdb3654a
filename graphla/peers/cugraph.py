"""cuGraph on the GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.peers.peer import Peer, Task, as_distances, levels_of
from graphla.storage import CompressedMatrix


def digraph(csr: CompressedMatrix) -> Any:
    """A directed Graph with weights of float32."""
    import cudf
    import cugraph

    rows = np.repeat(np.arange(csr.nrows, dtype=np.int32), np.diff(csr.indptr))
    columns = {"from": rows, "to": csr.indices.astype(np.int32), "weight": csr.values.astype(np.float32)}
    made = cugraph.Graph(directed=True)
    made.from_cudf_edgelist(cudf.DataFrame(columns), source="from", destination="to", edge_attr="weight", renumber=True)
    return made


def by_vertex(n: int, found: Any) -> Any:
    """The column `distance` in the order of the vertices; inf for the largest value, which means no path."""
    vertices, values = found["vertex"].to_numpy(), found["distance"].to_numpy()
    largest = np.finfo(values.dtype).max if values.dtype.kind == "f" else np.iinfo(values.dtype).max
    made = np.full(n, np.inf)
    made[vertices] = np.where(values == largest, np.inf, values)
    return made


def bfs(csr: CompressedMatrix) -> Task:
    """`cugraph.bfs`."""
    import cugraph

    g, n = digraph(csr), csr.nrows
    return Task(lambda source: cugraph.bfs(g, start=source), lambda found: levels_of(by_vertex(n, found)))


def sssp(csr: CompressedMatrix) -> Task:
    """`cugraph.sssp`."""
    import cugraph

    g, n = digraph(csr), csr.nrows
    return Task(
        lambda source: cugraph.sssp(g, source=source), lambda found: as_distances(by_vertex(n, found), csr.values)
    )


peer = Peer("cuGraph", "cugraph", "cuda", {"bfs": bfs, "sssp": sssp})
