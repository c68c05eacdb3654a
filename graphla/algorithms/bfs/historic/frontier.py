"""Only the vertices of the last level are visited: atomics append them to a list.

Source: Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", ch. 15.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs.historic._queues import search_with
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Method


def run(G: Any, source: int, s: Settings) -> tuple[Any, None]:
    """Levels alone."""
    return search_with(G, source, "frontier")


method = Method(
    runs={"cuda": run},
    idea="a global frontier, appended to with atomics",
    source="Hwu, Kirk, El Hajj, ch. 15",
)
