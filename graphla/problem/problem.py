"""Problems of graph theory: a call that chooses a method and runs it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from inspect import Parameter, signature
from operator import is_
from typing import Any, Literal, TypeAlias

from graphla.common.arguments import suggest, to_list
from graphla.common.errors import GraphlaError, InvalidGraph, NotSupported
from graphla.common.forks import cached_property
from graphla.common.interrupts import find_interrupt
from graphla.common.memory import LARGE, convert_memory_error, is_memory_error, require_large
from graphla.engine import tracing
from graphla.graphs.graph import require_graph
from graphla.problem.answer import Answer
from graphla.problem.describe import ComposedDoc, describe_problem
from graphla.problem.method import GraphLike, Method, Request
from graphla.problem.methods import Methods
from graphla.problem.settings import Settings
from graphla.problem.verifying import make_verifier

log = logging.getLogger("graphla")
Domain: TypeAlias = Literal["", "undirected", "acyclic"]


LEAST_BYTES = 16
"""Bytes for each vertex that the least problem takes: an answer, and a list of vertices beside it."""
NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Problem:
    """A problem of graph theory: a name, what it means, its methods and its verifier.

    A subclass defines `__call__`, whose signature and docstring are those of the problem and whose body is
    ``return self.solve(locals())``; the registered methods complete the docstring. It may say by `preferred` which
    method to try first, by `_require` which graphs it refuses, and by `_finish` what follows from what a method fills.

    Parameters
    ----------
    name : str
        The name under which users call it.
    package : str
        The package whose modules are its methods.
    check : callable (G, settings, *takes, *answers)
        Raises `VerificationError` if an answer breaks a property that defines it. It gets the graph on the host, the
        settings, and the arrays of the answers as `Answer.read` makes them, None of those that were not asked for.
    settings : type of Settings, optional
        The options of the problem, whatever the method.
    apart : tuple of str
        The arguments of the call that it sees to itself, and that are no options of the problem.
    profile : callable, optional
        What a trace shows of the answer of a compiled method.
    elsewhere : mapping of str to str
        What users may look for here, and where it is: ``{"target": "gl.shortest_path(…) …"}``.
    defining : tuple of str
        The options that decide which answer is right; the verifier takes them, too, and so do other libraries that are
        compared.
    difference : callable (found, reference, request) -> str or None, optional
        How an answer differs from a right one, both as arrays, in a sentence; None if by no more than two right answers
        may. By default no entry may differ, and floats only by rounding.
    takes : tuple of str
        The positional arguments after the graph that a caller must give, all vertices: ``("source",)``.
    gives : tuple of Answer
        What it gives, in this order.
    domain : {"", "undirected", "acyclic"}
        The graphs that it is about, if not all.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.bfs.name, gl.bfs.common
    ('bfs', ('parents', 'limit', 'targets'))
    """

    name: str
    package: str
    check: Callable[..., None]
    settings: type[Settings] | None = None
    apart: tuple[str, ...] = ()
    profile: tracing.Profile | None = None
    elsewhere: Mapping[str, str] = field(default_factory=dict[str, str])
    defining: tuple[str, ...] = ()
    difference: Callable[[Any, Any, Request], str | None] | None = None
    takes: tuple[str, ...] = ()
    gives: tuple[Answer, ...] = ()
    domain: Domain = ""

    def __init_subclass__(cls) -> None:
        cls.__doc__ = ComposedDoc(cls.__doc__)  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<problem {self.name}>"

    def __reduce__(self) -> tuple[Callable[[str], Problem], tuple[str]]:
        """Another process finds the problem by its name."""
        return import_module("graphla.problem.registry").get_problem, (self.name,)

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The options of the problem, as the signature of its call says them, with their defaults."""
        call: Any = type(self).__call__
        others = {"self", "G", "method", *self.takes, *self.apart}
        found = [each for each in signature(call).parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        return {each.name: each.default for each in found if each.name not in others}

    @cached_property
    def common(self) -> tuple[str, ...]:
        """The names of these options."""
        return tuple(self.defaults)

    @cached_property
    def verify(self) -> Callable[..., None]:
        """Check an answer: ``verify(G, *takes, *answers, **options)``; what it returns is None, or it raises."""
        return make_verifier(self)

    def solve(self, arguments: Mapping[str, Any]) -> Any:
        """Check the arguments of a call, choose a method, run it, and wrap what it finds.

        Parameters
        ----------
        arguments : mapping
            The arguments of `__call__` by name: its ``locals()``.

        Returns
        -------
        object
            The answer, or a tuple of those that are asked for.

        Raises
        ------
        GraphlaError
            If an argument is wrong, or no method can answer.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2]), engine="cpu")
        >>> gl.components.solve({"G": G, "method": None, **gl.components.defaults}).to_dict()
        {0: 0, 1: 0, 2: 0}
        """
        return self._within_memory(arguments["G"], self._solve, arguments)

    def _within_memory(self, G: Any, work: Callable[..., Any], *arguments: Any) -> Any:
        """What work with a graph returns; too little memory is an `OutOfMemory` that names the problem."""
        require_graph(G)
        try:
            n = G.n
            if LEAST_BYTES * n >= LARGE:
                require_large(LEAST_BYTES * n, "an answer for {:,} vertices", n, G.engine.xp)
            return work(G, *arguments)
        except SystemError as error:
            raise find_interrupt(error) from None
        except (MemoryError, ValueError) as error:
            if not is_memory_error(error):
                raise
            raise convert_memory_error(error, G.engine, self.name) from None

    def _solve(self, G: Any, arguments: Mapping[str, Any]) -> Any:
        """Find the answers, and wrap those that are asked for; a tuple if that are several."""
        found, request = self._find(G, arguments)
        first, *others = self.gives
        answer = first.call(G, first.from_array(G, found[0]), self.name)
        if not others:
            return answer
        more = [each for each in enumerate(others, 1) if not each[1].asked_by or request[each[1].asked_by]]
        return (
            (answer, *(each.call(G, each.from_array(G, found[k]), self.name) for k, each in more)) if more else answer
        )

    def _find(self, G: Any, arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], Request]:
        """Resolve the settings once, choose a method and run it: the arrays of the answers, and the options."""
        takes = self._read_takes(G, arguments)
        settings, request = self._read_settings(G, {name: arguments[name] for name in self.common})
        options: Mapping[str, Any] = arguments.get("options", NOTHING)
        asked = {**request, **options} if options else request
        return self._answer(G, arguments["method"], takes, settings, asked, options), request

    def _answer(
        self, G: Any, method: str | None, takes: tuple[int, ...], settings: Any, request: Request, options: Request
    ) -> tuple[Any, ...]:
        """Choose a method for a request, and run it with its own options: what the problem gives."""
        chosen = self._choose(G, method, request)
        self._require(G, settings)
        arguments = takes if settings is None else (*takes, settings)
        return self._finish(G, takes, settings, chosen.solve(G, arguments, options))

    def _read_settings(self, G: Any, request: Request) -> tuple[Any, Request]:
        """The settings, and the options as methods are told them; the graph keeps those of a call that gives none."""
        kind = self.settings
        if kind is None:
            return None, request

        def resolve(G: Any) -> tuple[Settings, Request]:
            settings = kind.resolve(G, request)
            return settings, settings.tell(request)

        keeps = kind.lasts and all(map(is_, request.values(), self.defaults.values()))
        return G.cached(f"{self.name}.settings", resolve) if keeps else resolve(G)

    def _read_takes(self, G: Any, arguments: Mapping[str, Any]) -> tuple[int, ...]:
        """The vertices that the problem takes, checked."""
        return tuple([G.vertex(arguments[name], name) for name in self.takes])

    def _require(self, G: Any, settings: Any) -> None:
        """Refuse a graph that the problem is not about; by default none."""

    def _finish(self, G: Any, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """What the problem gives, of what a method fills; by default that itself."""
        return found

    def resolve(self, G: Any, **asked: Any) -> Any:
        """The settings of a call.

        Parameters
        ----------
        G : Graph
            The graph.
        **asked
            Options of the problem; the others have their defaults.

        Returns
        -------
        Settings or None
            None if the problem has no options.

        Raises
        ------
        GraphlaError
            If the problem has no such option.
        InvalidOption
            If the value of one is none of those that are allowed.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.components.resolve(gl.Graph(([0], [1]))).kind
        'weak'
        """
        for name in asked.keys() - self.defaults.keys():
            raise GraphlaError(f"{self.name} has no option {name!r}; it has: {', '.join(self.defaults) or 'none'}")
        return None if self.settings is None else self.settings.resolve(G, {**self.defaults, **asked})

    def describe(self) -> str:
        """The docstring of the call, with the methods and their options.

        Returns
        -------
        str
            What ``help`` shows.

        Examples
        --------
        >>> import graphla as gl
        >>> print(gl.sssp.describe()[:36])
        Single-source shortest paths: the le
        """
        solve: Any = self
        return describe_problem(self.name, solve.__call__, self.methods)

    def definition(self, request: Request) -> dict[str, Any]:
        """The options of a request that decide which answer is right.

        Parameters
        ----------
        request : mapping
            Options by name.

        Returns
        -------
        dict
            What `verify` takes by name beside the answer.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.components.definition({"kind": "strong", "sizes": True})
        {'kind': 'strong'}
        """
        return {name: request[name] for name in (*self.takes, *self.defining) if name in request}

    def split(self, request: Request) -> list[dict[str, Any]] | None:
        """The requests of one answer each that a request of many stands for: those of each of its `sources`.

        Parameters
        ----------
        request : mapping
            Options by name.

        Returns
        -------
        list of dict or None
            One for each row of the answer, in their order; None if one answer is asked for.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.bfs.split({"sources": [4, 7], "limit": 2})
        [{'limit': 2, 'source': 4}, {'limit': 2, 'source': 7}]
        """
        if "sources" not in self.apart or request.get("sources") is None:
            return None
        others = {name: value for name, value in request.items() if name != "sources"}
        listed = to_list(request["sources"], "sources", "vertices", InvalidGraph)
        return [{**others, "source": source} for source in listed]

    def list_given(self, request: Request) -> tuple[Answer, ...]:
        """What a request is answered with.

        Parameters
        ----------
        request : mapping
            Options by name.

        Returns
        -------
        tuple of Answer
            What is always given, and what the options ask for.

        Examples
        --------
        >>> import graphla as gl
        >>> [answer.name for answer in gl.bfs.list_given({"parents": True})]
        ['levels', 'parents']
        """
        return tuple(answer for answer in self.gives if not answer.asked_by or request.get(answer.asked_by))

    @cached_property
    def methods(self) -> Methods:
        """The methods by name, the preferred one first."""
        return Methods(self.name, self.package, self.profile, self._resolve_for)

    def _resolve_for(self, G: Any, asked: Request) -> tuple[Any, ...]:
        """The settings as a method takes them."""
        settings = self.resolve(G, **asked)
        return () if settings is None else (settings,)

    def preferred(self, graph: Any, request: Request) -> tuple[str, str] | None:
        """The method to try first; None leaves the choice to the ranks.

        Parameters
        ----------
        graph : Graph
            The graph.
        request : mapping
            What is asked for beside the main answer, and the options.

        Returns
        -------
        tuple of (str, str) or None
            The name of the method, and the reason.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.bfs.preferred(gl.Graph(([0], [1])), {}) is None
        True
        """
        return None

    def choose(self, graph: GraphLike, method: str | None, request: Request) -> Method:
        """Choose the named method, or the best one that can answer.

        Parameters
        ----------
        graph : Graph
            The graph.
        method : str or None
            The name of a method; None chooses one.
        request : mapping
            What is asked for beside the main answer, and the options.

        Returns
        -------
        Method
            A method that can answer.

        Raises
        ------
        NotSupported
            If the method cannot answer, or none can; the message says why.
        GraphlaError
            If `graph` is none, or the method has no such option.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.sssp.choose(gl.Graph(([0], [1], [-1]), engine="cpu"), None, {}).name
        'algebraic'
        """
        require_graph(graph)
        return self._choose(graph, method, request)

    def _choose(self, graph: GraphLike, method: str | None, request: Request) -> Method:
        """Choose for a graph, and say so in the log."""
        chosen = self._find_fitting(graph, method, request)
        if log.isEnabledFor(logging.DEBUG):
            log.debug("%s: method %s, because %s", self.name, chosen.name, self._explain_choice(graph, method, request))
        return chosen

    def _find_fitting(self, graph: GraphLike, method: str | None, request: Request) -> Method:
        """The named method, or the best one that can answer, of a graph."""
        if method is not None:
            return self._check_named(graph, self.methods[method], request)
        if graph.engine.name == "mpi":
            self._require_written()
        first = self.preferred(graph, request)
        order = self.methods.found.values()
        fitting = None
        for candidate in order if first is None else (self.methods[first[0]], *order):
            if candidate.refusal(graph, request) is None:
                if not self._list_unknown(candidate, request):
                    return candidate
                fitting = fitting or candidate
        if fitting is not None:
            self._check_options(fitting, request)
        reasons = self._list_reasons(graph, request)
        raise NotSupported(f"no method of {self.name} answers this request on {graph.engine.name!r}{reasons}")

    def _explain_choice(self, graph: GraphLike, method: str | None, request: Request) -> str:
        """Why a method was chosen."""
        if method is not None:
            return "the call names it"
        first = self.preferred(graph, request)
        reason = f"{first[0]} is preferred: {first[1]}" if first else "it is the first that refuses nothing"
        refusals = [f"{each.name}: {why}" for each in self.methods.values() if (why := each.refusal(graph, request))]
        return "; ".join([reason, *refusals])

    def _list_reasons(self, graph: GraphLike, request: Request) -> str:
        """Why the methods that run on the engine refuse a request."""
        there = [each for each in self.methods.values() if each.find_run(graph.engine.name) is not None]
        return "".join(f"; {each.name}: {each.refusal(graph, request)}" for each in there)

    def _require_written(self) -> None:
        """Refuse graphs that are spread over ranks if no method runs on one."""
        if any(each.on_ranks for each in self.methods.values()):
            return
        raise NotSupported(
            f"{self.name} is not written for graphs that are spread over ranks, on 'mpi': its methods read the arrays "
            "of the whole; G.to('cpu') collects the graph on each rank, if it fits there, and gl.mpi shares out the "
            "sources of bfs, sssp, closeness, betweenness and apsp in such a graph"
        )

    def _check_named(self, graph: GraphLike, chosen: Method, request: Request) -> Method:
        self._check_options(chosen, request)
        why_not = chosen.refusal(graph, request)
        if why_not:
            raise NotSupported(f"{self.name}: method {chosen.name!r} cannot answer this: {why_not}")
        return chosen

    def _list_unknown(self, method: Method, request: Request) -> list[str]:
        known = self.common
        return sorted([name for name in request if name not in known and name not in method.options])

    def _point_elsewhere(self, request: Request) -> None:
        """Refuse an option that users look for here, and say where it is."""
        for name in request.keys() & self.elsewhere.keys():
            raise GraphlaError(f"{self.name} has no option {name!r}: {self.elsewhere[name]}")

    def _check_options(self, method: Method, request: Request) -> None:
        self._point_elsewhere(request)
        for name in self._list_unknown(method, request):
            offered = sorted({*method.options, *self.common})
            listed = f"{', '.join(offered) or 'none'}{suggest(name, offered)}"
            raise GraphlaError(f"{self.name}: method {method.name!r} has no option {name!r}; it has: {listed}")
