"""cuGraph on the GPU, by its documented calls; vertices without an arc are not in its graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.peers.peer import Peer, Task, as_distances, levels_of
from graphla.storage import CompressedMatrix

EXACT = 2**24
"""Whole numbers up to here are exact in float32."""
ARCS = 2**16
"""So many arcs of a path must be exact at least, for float32 to be offered."""


def digraph(csr: CompressedMatrix, weights: Any = None) -> Any:
    """A directed Graph."""
    import cudf
    import cugraph

    rows = np.repeat(np.arange(csr.nrows, dtype=np.int32), np.diff(csr.indptr))
    columns = {"from": rows, "to": csr.indices.astype(np.int32)}
    attribute = {} if weights is None else {"edge_attr": "weight"}
    columns |= {} if weights is None else {"weight": weights}
    made = cugraph.Graph(directed=True)
    made.from_cudf_edgelist(cudf.DataFrame(columns), source="from", destination="to", renumber=True, **attribute)
    return made


def as_floats(csr: CompressedMatrix) -> Any:
    """The weights as cuGraph takes them: float32 where that is exact or what they are, else float64."""
    values = csr.values
    largest = int(abs(values).max()) if values.dtype.kind != "f" and values.size else 0
    exact = values.dtype.kind != "f" and largest * min(csr.nrows, ARCS) < EXACT
    return values.astype(np.float32 if exact or values.dtype == np.float32 else np.float64)


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
    return Task(
        lambda source: cugraph.bfs(g, start=source, return_predecessors=False),
        lambda found: levels_of(by_vertex(n, found)),
    )


def sssp(csr: CompressedMatrix) -> Task:
    """`cugraph.sssp`."""
    import cugraph

    g, n = digraph(csr, as_floats(csr)), csr.nrows
    return Task(
        lambda source: cugraph.sssp(g, source=source), lambda found: as_distances(by_vertex(n, found), csr.values)
    )


peer = Peer("cuGraph", "cugraph", "cuda", {"bfs": bfs, "sssp": sssp})
