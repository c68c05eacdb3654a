"""What the commands that find communities have in common."""

from __future__ import annotations

import math
from typing import Any

from graphla.doors.cli._solve import Solution, deliver, solve

RULES = "resolution", "seed", "threshold", "max_levels", "iterations"


def report(problem: Any, asked: dict[str, Any]) -> None:
    """Solve, and say how many communities there are, how large, and how good."""
    import graphla as gl

    request = {name: asked.pop(name) for name in RULES if name in asked}
    found = solve(problem, (), request, asked)
    labels = found.answers[0]
    sizes = found.graph.engine.xp.bincount(labels.to_dense()) if labels.size else labels.to_dense()
    reached = gl.modularity(found.graph, labels, request["resolution"])
    facts = {
        "resolution": request["resolution"],
        "seed": request["seed"],
        "communities": int((sizes > 0).sum()),
        "largest": int(sizes.max()) if labels.size else 0,
        "modularity": None if math.isnan(reached) else reached,
    }
    deliver(Solution(found.graph, found.answers, {**found.facts, **facts}), ("label",), -1, asked)
