"""One way to solve a problem: what runs where, what it refuses, where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from graphla.common.config import blocks, compute_freely, process
from graphla.common.memory import convert_memory_error, is_memory_error
from graphla.engine import tracing
from graphla.engine.protocol import Engine
from graphla.problem.option import Option


class GraphLike(Protocol):
    """What the registry needs to know of a graph: its engine, and itself with vertices that are numbers alone."""

    @property
    def engine(self) -> Engine: ...

    @property
    def plain(self) -> Any: ...


Request = Mapping[str, Any]


def _refuse_nothing(graph: Any, request: Request) -> str | None:
    return None


@dataclass(frozen=True)
class Method:
    """One way to solve a problem.

    A module of the problem's folder that defines ``method = Method(…)`` is a method, and has its file's name.

    Parameters
    ----------
    runs : mapping of str to callable
        For each engine, by its name, the function ``run(G, *takes, settings, **options)`` that solves the problem
        there. It gets the graph; the vertices that the problem takes, as ints; the record of the problem's settings,
        if the problem has any; and by name the options of this method. It returns a tuple: what the problem gives, in
        that order, each as an array of the engine (or a container), None where the settings do not ask for it; after
        these, what the problem reads itself, such as the last change.
    idea : str
        The idea in one line.
    source : str
        The paper, book or talk it comes from.
    options : mapping of str to Option, optional
        Options beyond those of the problem, by name.
    refuses : callable (graph, request) -> str or None, optional
        Why this method cannot answer a request, and which method can; None if it can.
    also : tuple of str
        What it can give beside the main answer, if some methods of the problem cannot: ``("parents",)``.
    rank : int
        Among the methods that can answer, the one of the highest rank is the default.
    on_ranks : callable, optional
        The function of a graph that is spread over many ranks (``engine="mpi"``), as those of `runs`. All ranks call
        it; it returns vectors that are spread over them.
    name : str
        The name of its module, filled in by the registry.
    problem : str
        The name of the problem, filled in by the registry.
    profile : callable, optional
        What a trace shows of an answer, filled in by the registry.
    extras : tuple of str
        What some methods of the problem give beside the main answer, filled in by the registry.
    resolve : callable (G, asked) -> tuple, optional
        The settings of the problem for the options that are given, filled in by the registry.

    Examples
    --------
    >>> from graphla.problem import Method
    >>> def run(G, source, settings):
    ...     levels = G.engine.xp.full(G.n, -1, "int32")
    ...     levels[source] = 0
    ...     return levels, None
    >>> Method(runs={"cpu": run}, idea="a search that ends at once", source="nowhere").engines
    ('cpu',)
    """

    runs: Mapping[str, Callable[..., Any]]
    idea: str
    source: str
    options: Mapping[str, Option] = field(default_factory=dict[str, Option])
    refuses: Callable[[Any, Request], str | None] = _refuse_nothing
    also: tuple[str, ...] = ()
    rank: int = 0
    on_ranks: Callable[..., Any] | None = None
    name: str = ""
    problem: str = ""
    profile: tracing.Profile | None = None
    extras: tuple[str, ...] = ()
    resolve: Callable[[Any, Request], tuple[Any, ...]] | None = None

    @property
    def engines(self) -> tuple[str, ...]:
        """The names of the engines on which it runs."""
        return tuple(self.runs)

    def find_run(self, engine: str) -> Callable[..., Any] | None:
        """The function that runs on an engine.

        Parameters
        ----------
        engine : str
            The name of the engine.

        Returns
        -------
        callable or None
            None if the method does not run there.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.bfs.methods["fused"].find_run("cpu") is None
        True
        """
        return self.on_ranks if engine == "mpi" else self.runs.get(engine)

    def refusal(self, graph: GraphLike, request: Request) -> str | None:
        """Say why this method cannot answer a request.

        Parameters
        ----------
        graph : Graph
            The graph.
        request : mapping
            What is asked for beside the main answer, and the options.

        Returns
        -------
        str or None
            The reason; None if the method can answer.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0], [1], [-1]), engine="cpu")
        >>> gl.sssp.methods["delta_stepping"].refusal(G, {})
        "the smallest weight is -1; method 'algebraic' takes negative weights"
        """
        if self.find_run(graph.engine.name) is None:
            return f"it runs on {', '.join(self.runs)}, and the graph is on {graph.engine.name!r}"
        for extra in self.extras:
            if request.get(extra) and extra not in self.also:
                return f"it gives no {extra.replace('_', ' ')}"
        return self.refuses(graph, request)

    def run(self, graph: GraphLike, *takes: Any, **request: Any) -> Any:
        """Run on the graph's engine, with the options checked and the defaults filled in.

        Parameters
        ----------
        graph : Graph
            The graph.
        *takes
            The vertices that the problem takes beside it, such as a source.
        **request
            The options of the problem and of the method.

        Returns
        -------
        tuple of arrays
            What the problem gives (None where it is not asked for), as the function of the engine returned it.

        Raises
        ------
        NotSupported
            If an option is none of its choices.
        InvalidOption
            If an option has a value that the method cannot use.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 0, 1], [1, 2, 2], [4, 9, 3]), engine="cpu")
        >>> distances, parents = gl.sssp.methods["delta_stepping"].run(G, 0)
        >>> distances.tolist(), parents
        ([0, 4, 7], None)
        """
        own = {name: request[name] for name in request if name in self.options or self.resolve is None}
        asked = {name: request[name] for name in request if name not in own}
        return self.solve(graph, takes + (self.resolve(graph, asked) if self.resolve else ()), own)

    def solve(self, graph: GraphLike, arguments: tuple[Any, ...], options: Request) -> Any:
        """Run with settings that are resolved already, as a problem does.

        Parameters
        ----------
        graph : Graph
            The graph.
        arguments : tuple
            The vertices that the problem takes, and its settings.
        options : mapping
            The options of this method that are given.

        Returns
        -------
        tuple of arrays
            As the function of the engine returned it.

        Raises
        ------
        NotSupported
            If an option is none of its choices.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2]), engine="cpu")
        >>> gl.bfs.methods["direction_optimized"].solve(G, (0, gl.bfs.resolve(G)), {})[0].tolist()
        [0, 1, 2]
        """
        graph = graph.plain  # methods number vertices
        own = {name: option.default for name, option in self.options.items()}
        for name, value in options.items():
            own[name] = self.options[name].checked(name, value) if name in own else value
        run = self.find_run(graph.engine.name) or self.runs[graph.engine.name]
        told = f"{self.problem} {self.name}"
        try:
            if process["autocompute"] and not (blocks.anywhere or tracing.method_watchers.anywhere):
                return run(graph, *arguments, **own)  # nothing is open anywhere
            with compute_freely():
                return tracing.run_method(graph, told, lambda: run(graph, *arguments, **own), self.profile)
        except (MemoryError, ValueError) as error:
            if not is_memory_error(error):
                raise
            raise convert_memory_error(error, graph.engine, told) from None
