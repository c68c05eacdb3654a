"""A thread for every vertex; the unreached look for a tail in the last level and stop at the first.

It walks the rows of the transpose, and does well once most of the graph is in the frontier.

Source: Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", ch. 15.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs.historic._sweeps import sweep_vertices
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Method


def run(G: Any, source: int, s: Settings) -> tuple[Any, None]:
    """Levels alone."""
    return sweep_vertices(G, source, "vertex_pull", G.csc)


method = Method(
    runs={"cuda": run},
    idea="sweep over heads: each unreached vertex looks for a tail in the last level",
    source="Hwu, Kirk, El Hajj, ch. 15",
)
