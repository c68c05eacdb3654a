"""Where every operation passes: the place from which `trace` watches. Costs one comparison when nobody does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.steps import Plan

Watcher = Callable[[Any, Plan, Callable[[], Any]], Any]
watchers: list[Watcher] = []


def observed(engine: Any, plan: Plan) -> Any:
    """Run the plan, through the innermost watcher if there is one."""
    if not watchers:
        return engine.run(plan)
    return watchers[-1](engine, plan, lambda: engine.run(plan))
