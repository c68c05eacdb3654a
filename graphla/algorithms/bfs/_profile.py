"""The levels of a search, read from its answer: the size of each, and the arcs that leave it."""

from __future__ import annotations

from typing import Any

from graphla.containers.vector import Vector
from graphla.engine.tracing import Wave


def profile(G: Any, answer: tuple[Any, ...]) -> list[Wave]:
    """A wave for each level; which way the levels were searched is not in the answer."""
    levels = answer[0].to_dense(-1) if isinstance(answer[0], Vector) else answer[0]
    reached = levels >= 0
    depths, xp = levels[reached], G.engine.xp
    vertices, arcs = xp.bincount(depths), xp.bincount(depths, weights=G.degrees[reached])
    return [Wave(f"level {d}", int(v), int(a)) for d, (v, a) in enumerate(zip(vertices, arcs, strict=True))]
