"""Calls of updates, for what compiles or times first calls: see `all_examples`."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.following.follower import follow
from graphla.graphs.graph import Graph

CHANGES: dict[str, Any] = {"insert": ([0], [5], [1]), "delete": ([0], [1]), "undirected": True}


def follow_ranks(G: Graph) -> Any:
    """Follow ranks over an update; return those that are new."""
    return follow("pagerank", G).update(**CHANGES).values


EXAMPLES = {"update": lambda G: G.update(**CHANGES), "follow": follow_ranks}
