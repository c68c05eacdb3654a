"""Trace hooks for operations and methods: a trace watches those of its own thread or asyncio task.

While no trace is active anywhere an operation looks at one attribute.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphla.common.contexts import OpenHere
from graphla.engine.protocol import Engine
from graphla.planning.steps import Plan
from graphla.storage import Deferred


@dataclass(frozen=True)
class Wave:
    """Vertices that a search found together, derived from its result.

    A wave has a name (``level 3``), a number of vertices, and the number of arcs that leave them.
    """

    name: str
    vertices: int
    arcs: int


Profile = Callable[[Any, Any], list[Wave]]
"""Computes the waves of a search from the graph and the result of a method."""
Watcher = Callable[[Any, Plan, Callable[[], Any]], Any]
MethodWatcher = Callable[[Any, str, Callable[[], Any], Profile | None], Any]
watchers: OpenHere[Watcher] = OpenHere("watchers")
method_watchers: OpenHere[MethodWatcher] = OpenHere("method_watchers")
counters: OpenHere[list[Any]] = OpenHere("counters")


def run_plan(engine: Engine, plan: Plan) -> Any:
    """Run a plan, through the innermost watcher if a trace is active."""
    if not watchers.anywhere or (watch := watchers.get_innermost()) is None:
        return engine.run(plan)
    return watch(engine, plan, lambda: resolve_result(engine.run(plan)))


def resolve_result(result: Any) -> Any:
    """Compute deferred entries, because a trace records how many there are."""
    return result.resolve() if isinstance(result, Deferred) else result


def run_method(graph: Any, method: str, run: Callable[[], Any], profile: Profile | None = None) -> Any:
    """Run a method of a problem on a graph, through the innermost watcher if a trace is active."""
    watch = method_watchers.get_innermost() if method_watchers.anywhere else None
    return run() if watch is None else watch(graph, method, run, profile)


def count_relaxed(arcs: Any) -> None:
    """Add to the number of relaxed arcs of the traced method, if a trace is active.

    `arcs` is a number, or an array of one element that the device may still be computing.
    """
    heard = counters.get_innermost() if counters.anywhere else None
    if heard is not None:
        heard.append(arcs)
