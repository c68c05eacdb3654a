"""A search backward from the sink gives levels; a blocking flow fills all shortest paths; both until none is left.

The search ends at the level of the source. The flow walks from the source along falling levels, which only paths to the
sink have, and each arc is looked at once per search. Few searches do on most graphs. Where paths are long and many,
push and relabel goes on from the flow so far. O(V² E) on one core.

Source: Dinic, "Algorithm for solution of a problem of maximum flow in a network with power estimation", Soviet Math.
Doklady 11, 1970; Cherkassky, "Solving problems on networks", 1977, for paths kept on a stack.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.max_flow._answer import MaxFlow, solve_network
from graphla.problem import Method


def run(G: Any, source: int, sink: int) -> tuple[MaxFlow]:
    """The flow and the cut."""
    from graphla.algorithms.max_flow._dinic_cpu import find_flow

    return solve_network(G, find_flow, source, sink)


method = Method(
    runs={"cpu": run},
    idea="searches backward from the sink, and flows that fill all shortest paths; push and relabel if these are many",
    source="Dinic, Soviet Math. Doklady 1970",
    rank=100,
)
