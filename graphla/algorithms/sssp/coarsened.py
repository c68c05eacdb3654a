"""`two_phase` with a coarsening factor: each thread processes several vertices.

The vertices of a thread are one grid width apart, so that the threads of a warp still read adjacent elements.

P. J. Martín, R. Torres, A. Gavilanes, "CUDA solutions for the SSSP problem", ICCS 2009, with the thread
coarsening of the usual CUDA guides.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.search_settings import Settings
from graphla.algorithms.shared.weights import refuses_negative
from graphla.algorithms.sssp._parents import find_parents
from graphla.algorithms.sssp.two_phase import compute_distances
from graphla.problem import Method, Option


def _check_factor(value: Any) -> str | None:
    good = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1024
    return None if good else "the coarsening factor is a whole number from 1 to 1024"


def run(G: Any, source: int, s: Settings, *, factor: int = 4) -> tuple[Any, Any]:
    """Compute distances, and parents if requested."""
    cost = compute_distances(G, source, "Atomic", factor)
    return cost, find_parents(G, source, cost) if s.parents else None


method = Method(
    runs={"cuda": run},
    idea="two_phase with several vertices per thread",
    source="Martín, Torres and Gavilanes, ICCS 2009, coarsened",
    options={"factor": Option(4, None, _check_factor, "vertices per thread")},
    refuses=refuses_negative,
    also=("parents",),
)
