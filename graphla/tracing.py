"""Where operations and methods pass: the place from which `trace` watches. Costs a comparison when nobody does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphla.planning.steps import Plan
from graphla.storage import Deferred


@dataclass(frozen=True)
class Wave:
    """Vertices that a search found together, as its answer tells: their name (``level 3``), how many they are, and
    how many arcs leave them."""

    name: str
    vertices: int
    arcs: int


Profile = Callable[[Any, Any], list[Wave]]
"""What the waves of an answer are: a function of the graph and of what a method gave."""
Watcher = Callable[[Any, Plan, Callable[[], Any]], Any]
MethodWatcher = Callable[[Any, str, Callable[[], Any], Profile | None], Any]
watchers: list[Watcher] = []
method_watchers: list[MethodWatcher] = []
counters: list[list[Any]] = []


def observed(engine: Any, plan: Plan) -> Any:
    """Run the plan, through the innermost watcher if there is one."""
    if not watchers:
        return engine.run(plan)
    return watchers[-1](engine, plan, lambda: finished(engine.run(plan)))


def finished(result: Any) -> Any:
    """A result whose entries have been counted: who watches wants to know."""
    return result.resolve() if isinstance(result, Deferred) else result


def called(graph: Any, method: str, run: Callable[[], Any], profile: Profile | None = None) -> Any:
    """Run a method of a problem on a graph, through the innermost watcher if there is one."""
    if not method_watchers:
        return run()
    return method_watchers[-1](graph, method, run, profile)


def relaxed(arcs: Any) -> None:
    """Tell the innermost listener how many arcs were relaxed: a number, or an array of one, maybe still on its way."""
    if counters:
        counters[-1].append(arcs)
