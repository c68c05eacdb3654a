"""Problems of graph theory: a call that chooses a method and runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal, TypeAlias, cast

from graphla.common.arguments import show
from graphla.common.errors import DimensionMismatch, GraphlaError, NotSupported
from graphla.common.forks import cached_property
from graphla.common.memory import convert_memory_error, is_memory_error
from graphla.engine import tracing
from graphla.problem.answer import Answer
from graphla.problem.describe import ComposedDoc, describe_problem
from graphla.problem.method import GraphLike, Method, Request
from graphla.problem.methods import Methods

Domain: TypeAlias = Literal["", "undirected", "acyclic"]


def report_out_of_memory(solve: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for the call of a problem: what does not fit in memory is an `OutOfMemory` with the problem's name."""

    @wraps(solve)
    def solve_or_refuse(problem: Problem, *args: Any, **how: Any) -> Any:
        try:
            return solve(problem, *args, **how)
        except (MemoryError, ValueError) as error:
            graph: Any = args[0] if args else how.get("G")
            if not is_memory_error(error) or not hasattr(graph, "engine"):
                raise
            raise convert_memory_error(error, graph.engine, problem.name) from None

    return solve_or_refuse


def require_graph(G: Any) -> None:
    """Refuse what is no graph.

    Parameters
    ----------
    G : object
        What a caller gave.

    Raises
    ------
    GraphlaError
        If it is no `Graph`; the message says how to make one.

    Examples
    --------
    >>> import graphla as gl
    >>> from graphla.problem import require_graph
    >>> require_graph(gl.Graph(([0], [1])))
    """
    kind = cast("type[object]", type(G))
    if not hasattr(kind, "csr"):
        raise GraphlaError(
            f"G={show(G)}: {kind.__name__} is no Graph: gl.Graph(…) makes one of a matrix, an array or arcs"
        )


def require_vectors(G: Any, *optional: str, **vectors: Any) -> None:
    """Refuse what is no vector with a place for each vertex of a graph.

    Parameters
    ----------
    G : Graph
        The graph.
    *optional : str
        The names of the arguments that may be left out, and are None then.
    **vectors : Vector or None
        What a caller gave, by the names of the arguments.

    Raises
    ------
    DimensionMismatch
        If one is no vector of numbers of size n.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1], [1, 2]))
    >>> require_vectors(G, "parents", levels=gl.bfs(G, 0), parents=None)
    """
    for name, value in vectors.items():
        numbers = hasattr(value, "to_numpy") and not isinstance(value, type) and value.dtype.kind in "iuf"
        fits = getattr(value, "shape", None) == (G.n,) if numbers else value is None and name in optional
        if not fits:
            raise DimensionMismatch(
                f"{name}={show(value)}: give a vector of numbers of size {G.n:,}, as the problem returns it"
            )


@dataclass(frozen=True)
class Problem:
    """A problem of graph theory: a name, what it means, its methods and its verifier.

    A subclass defines `__call__`; its docstring and the registered methods make the docstring of the problem.

    Parameters
    ----------
    name : str
        The name under which users call it.
    package : str
        The package whose modules are its methods.
    verify : callable
        Raises `VerificationError` if an answer breaks a property that defines it.
    common : tuple of str
        The options that belong to the problem, whatever the method.
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
    ('bfs', ('parents',))
    """

    name: str
    package: str
    verify: Callable[..., None]
    common: tuple[str, ...] = ()
    profile: tracing.Profile | None = None
    elsewhere: Mapping[str, str] = field(default_factory=dict[str, str])
    defining: tuple[str, ...] = ()
    difference: Callable[[Any, Any, Request], str | None] | None = None
    takes: tuple[str, ...] = ()
    gives: tuple[Answer, ...] = ()
    domain: Domain = ""

    def __init_subclass__(cls) -> None:
        if "__call__" in vars(cls):
            cls.__call__ = report_out_of_memory(vars(cls)["__call__"])  # type: ignore[method-assign]
        cls.__doc__ = ComposedDoc(cls.__doc__)  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<problem {self.name}>"

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
        return {name: request[name] for name in self.defining if name in request}

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
        return Methods(self.name, self.package, self.profile)

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
        if method is not None:
            return self._check_named(graph, self.methods[method], request)
        self._require_written(graph)
        first = self.preferred(graph, request)
        order = [self.methods[first[0]]] if first is not None else []
        fitting = None
        for candidate in (*order, *self.methods.found.values()):
            if candidate.refusal(graph, request) is None:
                if not self._list_unknown(candidate, request):
                    return candidate
                fitting = fitting or candidate
        if fitting is not None:
            self._check_options(fitting, request)
        reasons = self._list_reasons(graph, request)
        raise NotSupported(f"no method of {self.name} answers this request on {graph.engine.name!r}{reasons}")

    def _list_reasons(self, graph: GraphLike, request: Request) -> str:
        """Why the methods that run on the engine refuse a request."""
        there = [each for each in self.methods.values() if each.find_run(graph.engine.name) is not None]
        return "".join(f"; {each.name}: {each.refusal(graph, request)}" for each in there)

    def _require_written(self, graph: GraphLike) -> None:
        """Refuse a graph that is spread over ranks if no method runs on one."""
        if graph.engine.name != "mpi" or any(each.on_ranks for each in self.methods.values()):
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
        return sorted(request.keys() - set(self.common) - method.options.keys())

    def _point_elsewhere(self, request: Request) -> None:
        """Refuse an option that users look for here, and say where it is."""
        for name in request.keys() & self.elsewhere.keys():
            raise GraphlaError(f"{self.name} has no option {name!r}: {self.elsewhere[name]}")

    def _check_options(self, method: Method, request: Request) -> None:
        self._point_elsewhere(request)
        for name in self._list_unknown(method, request):
            offered = ", ".join(sorted({*method.options, *self.common})) or "none"
            raise GraphlaError(f"{self.name}: method {method.name!r} has no option {name!r}; it has: {offered}")
