"""One way to solve a problem: what runs where, what it refuses, where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from graphla import tracing
from graphla.engine.protocol import Engine
from graphla.memory import convert_memory_error
from graphla.problem.option import Option


class GraphLike(Protocol):
    """What the registry needs to know of a graph."""

    @property
    def engine(self) -> Engine: ...


Request = Mapping[str, Any]


def _nothing_refused(graph: Any, request: Request) -> str | None:
    return None


def _no_options() -> dict[str, Option]:
    return {}


@dataclass(frozen=True)
class Method:
    """One way to solve a problem.

    Parameters
    ----------
    runs : mapping of engine name to function
        What to call on each engine that the method claims.
    idea : str
        The idea in one line.
    source : str
        The paper, book or talk it comes from.
    options : mapping of name to Option, optional
        Keyword options beyond the problem's own.
    refuses : callable (graph, request) -> str or None, optional
        The reason why this method cannot answer a request, and which method can.
    also : tuple of str
        What it can give beside the main answer, e.g. ``("parents",)``.
    rank : int
        The method with the highest rank that fits is the default.
    """

    runs: Mapping[str, Callable[..., Any]]
    idea: str
    source: str
    options: Mapping[str, Option] = field(default_factory=_no_options)
    refuses: Callable[[Any, Request], str | None] = _nothing_refused
    also: tuple[str, ...] = ()
    rank: int = 0
    name: str = ""
    problem: str = ""
    profile: tracing.Profile | None = None

    @property
    def engines(self) -> tuple[str, ...]:
        """The names of the engines on which it runs."""
        return tuple(self.runs)

    def refusal(self, graph: GraphLike, request: Request) -> str | None:
        """Why this method cannot answer, or None."""
        if graph.engine.name not in self.runs:
            return f"it runs on {', '.join(self.runs)}, and the graph is on {graph.engine.name!r}"
        for extra in ("parents", "next_hops"):
            if request.get(extra) and extra not in self.also:
                return f"it gives no {extra.replace('_', ' ')}"
        return self.refuses(graph, request)

    def run(self, graph: GraphLike, *args: Any, **request: Any) -> Any:
        """Run on the graph's engine with the options checked and the defaults filled in."""
        own = {name: option.default for name, option in self.options.items()}
        for name in request.keys() & self.options.keys():
            own[name] = self.options[name].checked(name, request[name])
        run = self.runs[graph.engine.name]
        told = f"{self.problem} {self.name}"
        try:
            return tracing.run_method(graph, told, lambda: run(graph, *args, **{**request, **own}), self.profile)
        except MemoryError as error:
            raise convert_memory_error(error, graph.engine, told) from None
