"""The participants of a comparison and their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphla.common.arguments import show, to_list
from graphla.common.errors import GraphlaError, NotSupported
from graphla.containers.labels import Number
from graphla.graphs.graph import Graph
from graphla.measuring import peers
from graphla.measuring.comparing.job import DEFAULT, Entrant
from graphla.problem import Problem, all_problems


def find_problem(problem: Any) -> Any:
    """Return the problem named `problem`, or `problem` itself if it is one."""
    if isinstance(problem, Problem):
        return problem
    found = all_problems()
    if not isinstance(problem, str) or problem not in found:
        raise NotSupported(f"problem={show(problem)}: there are: {', '.join(found)}")
    return found[problem]


def make_arguments(problem: Any, source: Any, options: dict[str, Any]) -> tuple[Any, ...]:
    """Take the vertices that the problem takes from the options of a comparison; the source is 0 if none is given."""
    if source is not None and "source" not in problem.takes:
        raise GraphlaError(f"source={source!r}: {problem.name} takes no source")
    if problem.split(options) is not None:
        if source is not None:
            raise NotSupported(f"source={source!r} and sources= were both given: give one of them")
        return ()
    given = {"source": Number(0) if source is None else source, **options}
    for name in problem.takes:
        if name not in given:
            raise GraphlaError(f"{problem.name} takes a {name}: give {name}=, a vertex")
        options.pop(name, None)
    return tuple(given[name] for name in problem.takes)


def list_entrants(
    problem: Any, G: Graph, methods: str | Sequence[str], wanted: bool | Sequence[str], many: bool
) -> list[Entrant]:
    """List the methods and peers that take part on a graph; where many answers are asked for, the default one too."""
    if isinstance(methods, str) and methods == "all":
        named = [DEFAULT] * many + [m.name for m in problem.methods.values() if G.engine.name in m.engines]
    else:
        named = [n if many and n == DEFAULT else problem.methods[n].name for n in list_names(methods, "methods")]
    methods_of_ours = [Entrant(name, "method", G.engine.name) for name in named]
    return methods_of_ours + [
        Entrant(p.name, "peer", p.engine)
        for p in list_peers(wanted)
        if problem.name in p.tasks and p.engine in ("cpu", G.engine.name)
    ]


def list_peers(wanted: bool | Sequence[str]) -> list[Any]:
    """List the peers that take part; a peer requested by name must be installed."""
    installed = peers.list_installed()
    if isinstance(wanted, bool):
        return list(installed.values()) if wanted else []
    wanted = list_names(wanted, "peers")
    for name in wanted:
        if not isinstance(name, str) or name not in peers.list_known():
            raise NotSupported(f"there is no peer {show(name)}; there are: {', '.join(sorted(peers.list_known()))}")
        if name not in installed:
            raise NotSupported(
                f"peer {name!r} is not installed: pip install the package of {peers.list_known()[name].title}"
            )
    return [installed[name] for name in wanted]


def list_names(names: Any, what: str) -> list[Any]:
    """The names in an argument that is one, or a sequence of them."""
    return [names] if isinstance(names, str) else to_list(names, what, "names")


def list_graphs(graphs: Any) -> list[Graph]:
    """The graphs in an argument that is one, or an iterable of them."""
    listed = [graphs] if isinstance(graphs, Graph) else to_list(graphs, "graphs", "Graphs")
    for G in listed:
        if not isinstance(G, Graph):
            raise GraphlaError(
                f"graphs: {show(G)}: {type(G).__name__} is no Graph: gl.Graph(…) makes one of a matrix or arcs"
            )
    return listed


def make_titles(graphs: Sequence[Graph]) -> list[str]:
    """Return a distinct title for each graph."""
    titles: list[str] = []
    for G in graphs:
        name = G.name or "a graph"
        repeats = sum(each == name or each.startswith(f"{name} #") for each in titles)
        titles.append(f"{name} #{repeats + 1}" if repeats else name)
    return titles
