"""Active vertices push what they have to lower vertices, or rise; searches from the sink renew the heights.

On the CPU a highest active vertex is next. On a GPU all push at once, without locks: a warp pushes along all arcs of
its vertex to lower heads, a block along those of a hub. Two launches alternate, a search of all distances to the sink,
and rounds, as many as the search was deep and some more; the host looks after each pair whether a vertex was active.
What cannot reach the sink then returns to the source in the same way.

Source: Goldberg, Tarjan, J. ACM 35(4), 1988; the highest one first, and work between searches, as in Cherkassky,
Goldberg, "On implementing the push-relabel method for the maximum flow problem", Algorithmica 19, 1997; without locks
as in Hong, He, "An Asynchronous Multithreaded Algorithm for the Maximum Network Flow Problem with Nonblocking Global
Relabeling Heuristic", IEEE TPDS 22(6), 2011; lists of active vertices as in "Engineering A Workload-balanced
Push-Relabel Algorithm for Massive Graphs on GPUs" (WBPR), arXiv:2404.00270, 2024.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from graphla.algorithms.max_flow._answer import MaxFlow, solve_network
from graphla.problem import Method


def run_on_cpu(G: Any, source: int, sink: int) -> tuple[MaxFlow]:
    """The flow and the cut."""
    from graphla.algorithms.max_flow._preflow_cpu import find_flow

    return solve_network(G, find_flow, source, sink)


def run_on_cuda(G: Any, source: int, sink: int) -> tuple[MaxFlow]:
    """The same; the flow stays on the device."""
    from graphla.algorithms.max_flow._preflow_cuda import begin, find_flow

    begin(G)
    return solve_network(G, partial(find_flow, G), source, sink)


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="active vertices push to lower heads or rise, on a GPU all at once; searches from the sink renew the heights",
    source="Goldberg, Tarjan, J. ACM 1988; Cherkassky, Goldberg, 1997; Hong, He, IEEE TPDS 2011; WBPR, 2024",
    rank=90,
)
