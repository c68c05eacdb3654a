"""Each block collects its finds in shared memory and appends them to the frontier in one piece.

One global atomic a block instead of one a vertex.

Source: Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", ch. 15.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs.historic._queues import search_with
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Method


def run(G: Any, source: int, s: Settings) -> tuple[Any, None]:
    """Levels alone."""
    return search_with(G, source, "frontier_private")


method = Method(
    runs={"cuda": run},
    idea="block-private frontiers in shared memory",
    source="Hwu, Kirk, El Hajj, ch. 15",
)
