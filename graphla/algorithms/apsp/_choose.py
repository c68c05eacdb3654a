"""Which method answers by default: by vertices, arcs and memory, with the reason."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.apsp._start import dtype_of, non_negative
from graphla.config import config
from graphla.memory import device_free, host_free

DENSE_RATE = {"cpu": 2e10, "cuda": 1.6e13}
"""Updates a second of the blocked Floyd–Warshall: float32 on two cores; on an H200."""
SWEEP_SECONDS_AN_ARC = 1e-8
"""Seconds that a search on two cores takes for each vertex and arc of the graph."""
SWEEP_SECONDS_A_CELL = {4: 5.5e-10, 256: 9e-10}
"""Seconds for each distance of a sweep on an H200, up to so many arcs a vertex (0.3 to 0.6 ns, 0.7 to 1.4 measured)."""


def choose(G: Any, request: Any) -> tuple[str, str]:
    """The name of a method that can answer, and why it is this one.

    Parameters
    ----------
    G : Graph
        The graph.
    request : mapping
        What was asked: `next_hops`, `dtype`, `output` …
    """
    if not G.n:
        return "blocked_floyd_warshall", "there are no vertices"
    if request.get("dtype") is not None:
        return "blocked_floyd_warshall", f"dtype={request['dtype']!r} was asked for"
    dense, sparse = seconds_dense(G), seconds_sparse(G)
    needed = G.n * G.n * (dtype_of(G, None).itemsize + (4 if request.get("next_hops") else 0))
    if request.get("output") is None and request.get("next_hops") and needed > room(G):
        return sweeping(G), f"{needed:,} bytes do not fit; see its output"
    if sparse < dense:
        return sweeping(G), f"a search from each of {G.n:,} vertices over {G.nvals:,} arcs: {estimates(sparse, dense)}"
    return "blocked_floyd_warshall", f"{G.n:,}³ updates: {estimates(dense, sparse)}"


def sweeping(G: Any) -> str:
    """The sweep that takes the weights."""
    return "sssp_sweep" if non_negative(G) else "johnson"


def seconds_dense(G: Any) -> float:
    """What the blocked Floyd–Warshall takes, by its rate."""
    return G.n**3 / DENSE_RATE[G.engine.name]


def seconds_sparse(G: Any) -> float:
    """What a search from every vertex takes, by its rate."""
    if G.engine.name == "cpu":
        return G.n * (G.n + G.nvals) * SWEEP_SECONDS_AN_ARC
    rates = [rate for arcs, rate in SWEEP_SECONDS_A_CELL.items() if G.nvals <= arcs * G.n]
    return G.n * G.n * min(rates, default=float("inf"))


def room(G: Any) -> int:
    """Bytes for a result: on the device, or with the host."""
    return min(max(device_free(G.engine.xp), host_free()), config.memory_limit or 2**62)


def estimates(chosen: float, other: float) -> str:
    return f"about {chosen:.2g} s against {other:.2g} s"
