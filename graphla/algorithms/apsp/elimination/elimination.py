"""Eliminate the vertices in an order with little fill, then sweep over the tree of fronts for all sources together.

Eliminating k adds the arcs i → j of weight w(i, k) + w(k, j) between its neighbours that come later. In an order by
nested dissection a road network gains few: the factor has some tens of arcs per vertex. Vertices with the same later
neighbours form a supernode, whose dense front is closed by Floyd–Warshall. A shortest path then goes up in the order
and down again, so that a row takes one pass up the tree from its source, and one down to all vertices: n² distances
cost n times the arcs of the factor.

R. E. Tarjan, "A unified approach to path problems", J. ACM 28(3), 1981; A. George, "Nested dissection of a regular
finite element mesh", SIAM J. Numer. Anal. 10(2), 1973.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp import _trace
from graphla.algorithms.apsp._row_writer import FileSink, MemorySink, write_rows
from graphla.algorithms.apsp.batches import report_progress, wrap_rows
from graphla.algorithms.apsp.distance_file import ALONE, OUTPUT, PROGRESS, open_output
from graphla.algorithms.apsp.elimination.eliminate import eliminate, get_structure, make_sweeps
from graphla.algorithms.apsp.initial import choose_dtype, require_room
from graphla.algorithms.apsp.settings import Settings
from graphla.algorithms.shared.distance_range import require_range
from graphla.common.errors import NegativeCycle
from graphla.common.memory import allocate, budget
from graphla.problem import Method

SHARE_OF_MEMORY = 0.7
"""The share of a device's free memory that all distances may take beside the factor and the rows in work."""


def run(G: Any, s: Settings, *, output: Any = None, progress: Any = None) -> tuple[Any, Any]:
    """Compute distances, and next hops if requested."""
    chosen = choose_dtype(G, s.dtype)
    if output is not None:
        return solve_in_file(G, chosen, output, progress), None
    streamed = not (s.next_hops or G.engine.name == "cpu" or fits(G, chosen))
    require_room(G, chosen, s.next_hops, np if streamed else None)
    sweeps = make_sweeps(G, eliminate(G, chosen, get_structure(G)))
    if streamed:
        return solve_in_host_memory(G, chosen, sweeps, progress), None
    D = allocate((G.n, G.n), chosen, "the distances", G.engine.xp)
    sweeps.compute(np.arange(G.n), None, D, lambda done: report_progress(progress, done, G.n))
    require_range(G, D)
    return D, trace_hops(G, D) if s.next_hops else None


def fits(G: Any, dtype: np.dtype[Any]) -> bool:
    """Whether all distances fit on the device beside the factor and the rows in work."""
    return G.n * G.n * dtype.itemsize <= SHARE_OF_MEMORY * budget(G.engine.xp)


def solve_in_host_memory(G: Any, dtype: np.dtype[Any], sweeps: Any, progress: Any) -> Any:
    """Compute rows that do not fit on the device into host memory; return a matrix on the CPU."""
    D = allocate((G.n, G.n), dtype, "the distances")
    write_rows(G, sweeps, MemorySink(D), dtype, progress)
    return wrap_rows(D)


def trace_hops(G: Any, D: Any) -> Any:
    """Trace the next hops on the engine of the graph."""
    if G.engine.name == "cpu":
        from graphla.algorithms.apsp import trace_cpu

        return trace_cpu.trace_hops(G, D)
    return _trace.trace_hops(G, D)


def solve_in_file(G: Any, dtype: np.dtype[Any], output: Any, progress: Any) -> Any:
    """Write the rows to a file; a stopped run eliminates again and resumes after its last finished rows."""
    with open_output(output, G, dtype, "elimination") as file:
        try:
            sweeps = make_sweeps(G, eliminate(G, dtype, get_structure(G)))
        except NegativeCycle:
            file.delete()
            raise
        write_rows(G, sweeps, FileSink(file), dtype, progress, file.begun or 0)
        return wrap_rows(file.finish())


def refuses(G: Any, request: Any) -> str | None:
    return ALONE if request.get("output") is not None and request.get("next_hops") else None


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="eliminate the vertices by nested dissection, then sweep up and down the tree for all sources together",
    source="Tarjan, J. ACM 1981; George, SIAM J. Numer. Anal. 1973",
    options={"output": OUTPUT, "progress": PROGRESS},
    refuses=refuses,
    also=("next_hops",),
    rank=10,
)
