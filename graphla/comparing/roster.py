"""Who takes part in a comparison, and with which arguments."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Sequence
from typing import Any

from graphla import algorithms, peers
from graphla.comparing.job import Entrant
from graphla.errors import GraphlaError, NotSupported
from graphla.graph import Graph


def problem_named(problem: Any) -> Any:
    """The problem of that name, or itself."""
    if not isinstance(problem, str):
        return problem
    names = [module.name for module in pkgutil.iter_modules(algorithms.__path__)]
    if problem not in names:
        raise NotSupported(f"there is no problem {problem!r}; there are: {', '.join(sorted(names))}")
    return getattr(importlib.import_module(f"{algorithms.__name__}.{problem}"), problem)


def arguments_of(problem: Any, source: int | None) -> tuple[Any, ...]:
    """What stands between the graph and the options in a call of the problem."""
    if "source" in inspect.signature(problem).parameters:
        return (0 if source is None else source,)
    if source is not None:
        raise GraphlaError(f"source={source!r}: {problem.name} takes no source")
    return ()


def entrants(problem: Any, G: Graph, methods: str | Sequence[str], wanted: bool | Sequence[str]) -> list[Entrant]:
    """Who takes part on a graph."""
    if methods == "all":
        named = [m for m in problem.methods.values() if G.engine.name in m.engines]
    else:
        named = [problem.methods[name] for name in ([methods] if isinstance(methods, str) else methods)]
    ours = [Entrant(m.name, "method", G.engine.name) for m in named]
    return ours + [
        Entrant(p.name, "peer", p.engine)
        for p in libraries(wanted)
        if problem.name in p.tasks and p.engine in ("cpu", G.engine.name)
    ]


def libraries(wanted: bool | Sequence[str]) -> list[Any]:
    """The peers that take part; one asked for by name must be there."""
    there = peers.installed()
    if isinstance(wanted, bool):
        return list(there.values()) if wanted else []
    for name in wanted:
        if name not in peers.known():
            raise NotSupported(f"there is no peer {name!r}; there are: {', '.join(sorted(peers.known()))}")
        if name not in there:
            raise NotSupported(
                f"peer {name!r} is not installed: pip install the package of {peers.known()[name].title}"
            )
    return [there[name] for name in wanted]


def titles(graphs: Sequence[Graph]) -> list[str]:
    """A name for each graph, no two alike."""
    found: list[str] = []
    for G in graphs:
        name = G.name or "a graph"
        again = sum(each == name or each.startswith(f"{name} #") for each in found)
        found.append(f"{name} #{again + 1}" if again else name)
    return found
