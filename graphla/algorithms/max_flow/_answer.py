"""The flow and the cut of a graph, from what a method leaves of a network's capacities.

Where the flow is small beside the largest capacity, it is sought again in a smaller unit, with the capacities cut off
above it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.max_flow._network import Network, build_network, make_network
from graphla.common.errors import InvalidGraph, Overflow
from graphla.containers import display
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix

Array = Any
SMALL = 2.0**-10
"""A flow below this part of the largest capacity is sought again."""


@dataclass(frozen=True)
class MaxFlow:
    """A maximum flow and a minimum cut.

    Attributes
    ----------
    value : int or float
        What flows from the source to the sink: as much as the capacities of the arcs that the cut severs.
    flow : Matrix
        INT64 or FP64 of shape (n, n): what flows along each arc, where that is more than nothing.
    cut : Vector
        BOOL of size n: whether a vertex is on the side of the source. On the other side are the vertices from which
        more could still flow to the sink.
    """

    value: int | float
    flow: Matrix
    cut: Vector

    def __repr__(self) -> str:
        return f"MaxFlow of {self.value}\nflow: {self.flow}\ncut: {self.cut}"

    def _repr_html_(self) -> str:
        return display.format_facts(f"MaxFlow of {self.value}", flow=self.flow, cut=self.cut)


def solve_network(
    G: Graph, find_flow: Callable[[Network, int, int], tuple[Array, int, Array]], source: int, sink: int
) -> tuple[MaxFlow]:
    """The flow and the cut by a method, which gives residual capacities, the value, and who can reach the sink.

    A smallest cut takes at most half a unit more per arc than what its rounded capacities are.
    """
    network = make_network(G)
    while True:
        residual, value, reaches = find_flow(network, source, sink)
        with np.errstate(over="ignore"):
            most = float(np.ldexp(float(value + network.capacity.nvals + 1), -(network.exponent or 0)))
        if most >= SMALL * network.largest:
            return (make_answer(G, network, residual, value, reaches),)
        network = build_network(G, most)


def read_flow(G: Graph, capacity: Array, residual: Array, reaches: Array) -> tuple[Array, Array]:
    """What moved along each arc, and the vertices that do not reach the sink."""
    if G.engine.name != "cuda":
        return np.maximum(capacity - residual, 0), ~reaches
    from graphla.algorithms.max_flow import _preflow_cuda

    return _preflow_cuda.read_flow(G.engine, capacity, residual, reaches)


def make_answer(G: Graph, network: Network, residual: Array, value: int, reaches: Array) -> MaxFlow:
    """The flow and the cut of residual capacities; `reaches` says from which vertices the sink can be reached.

    Raises
    ------
    InvalidGraph
        If the flow has no bound.
    """
    xp, capacity = G.engine.xp, network.capacity
    if network.infinite and value > network.finite:
        raise InvalidGraph("max_flow: a path of infinite capacities leads from source to sink: no flow is the largest")
    moved, apart = read_flow(G, capacity.values, residual, reaches)
    held = CompressedMatrix(G.n, G.n, capacity.indptr, capacity.indices, moved)
    F = Matrix._from_storage(held, G.engine).select("valuegt", 0).new()
    cut = Vector.from_dense(apart, engine=G.engine)
    if network.exponent is None:
        return MaxFlow(value, F, cut)
    csr = Graph(F).csr
    values = xp.ldexp(csr.values.astype(np.float64), -network.exponent)
    with np.errstate(over="ignore"):
        total = float(np.ldexp(float(value), -network.exponent))
    if not np.isfinite(total):
        raise Overflow("max_flow: the flow is beyond FP64; divide the capacities by a power of two")
    flow = Matrix.from_csr(csr.indptr, csr.indices, values, "FP64", ncols=G.n, engine=G.engine)
    return MaxFlow(total, flow, cut)
