"""A thread for every vertex; those of the last level mark their unreached heads.

Only threads of the frontier walk their rows, so it does well where degrees are low and alike.

Source: Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", ch. 15.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs.historic._sweeps import sweep_vertices
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Method


def run(G: Any, source: int, s: Settings) -> tuple[Any, None]:
    """Levels alone."""
    return sweep_vertices(G, source, "vertex_push", G.csr)


method = Method(
    runs={"cuda": run},
    idea="sweep over tails: those of the last level mark their heads",
    source="Hwu, Kirk, El Hajj, ch. 15",
)
