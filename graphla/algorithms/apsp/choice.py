"""Choose the default method by vertices, arcs and memory, with the reason."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.apsp.elimination.predict import Prediction, predict
from graphla.algorithms.apsp.initial import choose_dtype, is_non_negative
from graphla.common.config import config
from graphla.common.memory import device_free
from graphla.common.system import host_free

DENSE_RATE = {"cpu": 2e10, "cuda": 1.6e13}
"""Updates per second of the blocked Floyd–Warshall: float32 on two cores; on an H200."""
SWEEP_SECONDS_PER_ARC = 1e-8
"""Seconds that a search on two cores takes per vertex and arc of the graph."""
SWEEP_SECONDS_PER_CELL = {4: 5.5e-10, 256: 9e-10}
"""Seconds per distance of a sweep on an H200, by the maximum of arcs per vertex (measured: 0.3–0.6 ns, 0.7–1.4 ns)."""

ORDER_SECONDS_PER_ARC = 1e-6
"""Seconds per vertex and arc of the order and the symbolic phase (measured: 0.65e-6 on New York's roads)."""
SHARE_FOR_ORDER = 0.1
"""An order is computed if it takes at most this part of what the other methods take: it may turn out useless."""
WORTH_AN_ORDER = 2
"""Seconds of the other methods below which loading the compiled functions is not worth it; compiling them takes 15."""


def choose(G: Any, request: Any) -> tuple[str, str]:
    """Return the name of a method that supports the request, and the reason for the choice.

    Parameters
    ----------
    G : Graph
        The graph.
    request : mapping
        The keyword arguments of the call: `next_hops`, `dtype`, `output` …
    """
    if not G.n:
        return "blocked_floyd_warshall", "there are no vertices"
    if request.get("dtype") is not None:
        return choose_for_dtype(G, request["dtype"])
    dense, sparse = estimate_dense_seconds(G), estimate_sparse_seconds(G)
    needed = G.n * G.n * (choose_dtype(G, None).itemsize + (4 if request.get("next_hops") else 0))
    if request.get("output") is None and request.get("next_hops") and needed > find_room(G):
        return choose_sweep(G), f"{needed:,} bytes do not fit; see its output"
    third = predict_elimination(G, min(dense, sparse), None)
    if third is not None and third.seconds < min(dense, sparse):
        return "elimination", f"{third}: {format_estimates(third.seconds, min(dense, sparse))}"
    if sparse < dense:
        return choose_sweep(
            G
        ), f"a search from each of {G.n:,} vertices over {G.nvals:,} arcs: {format_estimates(sparse, dense)}"
    return "blocked_floyd_warshall", f"{G.n:,}³ updates: {format_estimates(dense, sparse)}"


def choose_for_dtype(G: Any, dtype: Any) -> tuple[str, str]:
    """Choose among the methods that take a dtype."""
    asked, dense = f"dtype={dtype!r} was requested", estimate_dense_seconds(G)
    other = predict_elimination(G, dense, dtype)
    if other is not None and other.seconds < dense:
        return "elimination", f"{asked}; {other}: {format_estimates(other.seconds, dense)}"
    return "blocked_floyd_warshall", asked


def predict_elimination(G: Any, other: float, dtype: Any) -> Prediction | None:
    """Predict the work of an elimination; None if that takes long beside `other` seconds."""
    order = (G.n + G.nvals) * ORDER_SECONDS_PER_ARC
    if other < WORTH_AN_ORDER or order > SHARE_FOR_ORDER * other:
        return None
    found = predict(G, choose_dtype(G, dtype))
    return found if found.nbytes < find_room(G) else None


def choose_sweep(G: Any) -> str:
    """Choose the sweep that supports the weights."""
    return "sssp_sweep" if is_non_negative(G) else "johnson"


def estimate_dense_seconds(G: Any) -> float:
    """Estimate the seconds of the blocked Floyd–Warshall from its rate."""
    return G.n**3 / DENSE_RATE[G.engine.name]


def estimate_sparse_seconds(G: Any) -> float:
    """Estimate the seconds of a search from every vertex from its rate."""
    if G.engine.name == "cpu":
        return G.n * (G.n + G.nvals) * SWEEP_SECONDS_PER_ARC
    rates = [rate for arcs, rate in SWEEP_SECONDS_PER_CELL.items() if G.nvals <= arcs * G.n]
    return G.n * G.n * min(rates, default=float("inf"))


def find_room(G: Any) -> int:
    """Return the bytes available for a result, on the device or on the host."""
    return min(max(device_free(G.engine.xp), host_free()), config.memory_limit or 2**62)


def format_estimates(chosen: float, other: float) -> str:
    return f"about {chosen:.2g} s against {other:.2g} s"
