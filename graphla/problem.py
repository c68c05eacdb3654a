"""Problems and their methods: the registry is the folder.

A problem is a package `graphla.algorithms.<problem>`; each of its modules that defines `method` is a
method, and the file's name is the method's name. Dropping a file in is all it takes.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from graphla import tracing
from graphla.errors import GraphlaError, NotSupported
from graphla.memory import convert_memory_error


class EngineLike(Protocol):
    """What a method needs to know of an engine."""

    @property
    def name(self) -> str: ...

    @property
    def xp(self) -> Any: ...

    def release(self) -> None: ...


class GraphLike(Protocol):
    """What the registry needs to know of a graph."""

    @property
    def engine(self) -> EngineLike: ...


@dataclass(frozen=True)
class Option:
    """An option of a method: its default and what it may be."""

    default: Any
    choices: tuple[Any, ...] | None = None
    check: Callable[[Any], str | None] | None = None
    text: str = ""

    def checked(self, name: str, value: Any) -> Any:
        """`value` if it is allowed; else an error that says what is."""
        if self.choices is not None and value not in self.choices:
            raise NotSupported(f"{name}={value!r} is not one of {', '.join(map(repr, self.choices))}")
        problem = self.check(value) if self.check is not None else None
        if problem:
            raise ValueError(f"{name}={value!r}: {problem}")
        return value


def Choice(*choices: Any, text: str = "") -> Option:
    """An option that is one of `choices`; the first is the default."""
    return Option(choices[0], choices, None, text)


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


@dataclass(frozen=True)
class Methods(Mapping[str, Method]):
    """The methods of a problem by name, in the order of their rank."""

    problem: str
    package: str
    profile: tracing.Profile | None = None

    @cached_property
    def found(self) -> dict[str, Method]:
        folder = importlib.import_module(self.package).__path__
        names = [module.name for module in pkgutil.iter_modules(folder) if not module.name.startswith("_")]
        modules = {name: importlib.import_module(f"{self.package}.{name}") for name in names}
        methods = [
            replace(m.method, name=name, problem=self.problem, profile=self.profile)
            for name, m in modules.items()
            if hasattr(m, "method")
        ]
        return {m.name: m for m in sorted(methods, key=lambda m: (-m.rank, m.name))}

    def __getitem__(self, name: str) -> Method:
        if name not in self.found:
            raise NotSupported(f"{self.problem} has no method {name!r}; there are: {', '.join(sorted(self.found))}")
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def require_graph(G: Any) -> None:
    """Refuse what is no graph."""
    if not hasattr(G, "csr"):
        raise GraphlaError(f"{type(G).__name__} is no Graph: gl.Graph(…) makes one of a matrix, an array or arcs")


@dataclass(frozen=True)
class Problem:
    """A problem of graph theory: a name, what it means, its methods and its verifier.

    `common` names the options that belong to the problem, whatever the method; `profile` says what a trace shows of
    the answer of a compiled method.
    """

    name: str
    package: str
    verify: Callable[..., None]
    common: tuple[str, ...] = ()
    profile: tracing.Profile | None = None

    @cached_property
    def methods(self) -> Methods:
        return Methods(self.name, self.package, self.profile)

    def preferred(self, graph: Any, request: Request) -> tuple[str, str] | None:
        """The name of the method to try first, and why; None leaves it to the ranks."""
        return None

    def choose(self, graph: GraphLike, method: str | None, request: Request) -> Method:
        """The named method, or the best that fits; an error says why not."""
        require_graph(graph)
        if method is not None:
            return self._named(graph, self.methods[method], request)
        first = self.preferred(graph, request)
        order = [self.methods[first[0]]] if first is not None else []
        fitting = None
        for candidate in (*order, *self.methods.found.values()):
            if candidate.refusal(graph, request) is None:
                if not self._unknown(candidate, request):
                    return candidate
                fitting = fitting or candidate
        if fitting is not None:
            self._check_options(fitting, request)
        raise NotSupported(f"no method of {self.name} answers this request on {graph.engine.name!r}")

    def _named(self, graph: GraphLike, chosen: Method, request: Request) -> Method:
        self._check_options(chosen, request)
        why_not = chosen.refusal(graph, request)
        if why_not:
            raise NotSupported(f"{self.name}: method {chosen.name!r} cannot answer this: {why_not}")
        return chosen

    def _unknown(self, method: Method, request: Request) -> list[str]:
        return sorted(request.keys() - set(self.common) - method.options.keys())

    def _check_options(self, method: Method, request: Request) -> None:
        for name in self._unknown(method, request):
            offered = ", ".join(sorted({*method.options, *self.common})) or "none"
            raise GraphlaError(f"{self.name}: method {method.name!r} has no option {name!r}; it has: {offered}")
