"""`compare`: list the participants, then compare them on one graph after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from graphla.common.arguments import to_bool, to_int, to_real
from graphla.common.errors import GraphlaError, NotSupported
from graphla.common.typing import Vertex
from graphla.graphs.graph import Graph
from graphla.measuring.comparing.comparison import Comparison
from graphla.measuring.comparing.numbering import number_vertices
from graphla.measuring.comparing.progress import Progress
from graphla.measuring.comparing.roster import find_problem, list_entrants, list_graphs, make_arguments, make_titles
from graphla.measuring.comparing.turns import Settings, compare_on_graph
from graphla.measuring.machine import collect_facts

TIME_LIMIT = 120.0
REPEAT = 5


def compare(
    problem: Any,
    graphs: Graph | Iterable[Graph],
    *,
    source: Vertex | None = None,
    methods: str | Sequence[str] = "all",
    peers: bool | Sequence[str] = True,
    repeat: int = REPEAT,
    time_limit: float = TIME_LIMIT,
    progress: bool | None = None,
    **options: Any,
) -> Comparison:
    """Run the methods of a problem and other libraries side by side; verify, time and tabulate them.

    Another process does the work: a method that hangs or crashes is reported, and the comparison continues. Each
    participant is called once (which compiles), then once for its answer, which is verified, and its memory. Then all
    participants are timed in turns, so that a slow phase of the machine affects all of them.

    Parameters
    ----------
    problem : str or Problem
        Its name, as in ``"bfs"`` or ``"components"``.
    graphs : Graph or iterable of Graph
        The graphs, on the engine whose methods are compared.
    source : object, optional
        The source vertex, if the problem has one; 0 by default.
    methods : str or sequence of str
        ``"all"`` methods that support the engine, or the names of some. Where an option asks for many answers at once,
        as ``sources=[0, 7]``, ``"default"`` is the call that names no method.
    peers : bool or sequence of str
        Whether other libraries take part, or the names of those that do;
        `graphla.measuring.peers.list_known` lists them.
    repeat : int
        Number of timed calls of each participant.
    time_limit : float
        Seconds that each participant may take in total on a graph. A participant without an answer by then is
        stopped; one with an answer gets only as many timed calls as fit.
    progress : bool, optional
        Show a bar on standard error; by default only if that is a terminal.
    **options
        Keyword arguments of every method, as in ``parents=True``.

    Returns
    -------
    Comparison
        The rows, which print as a table in a terminal or a notebook and convert to JSON, CSV and a plot.

    Raises
    ------
    NotSupported
        If there is no such problem, method or library.
    InvalidGraph
        If `source` is no vertex of a graph.
    GraphlaError
        If the problem takes no source, or `repeat` or `time_limit` is not positive.

    See Also
    --------
    trace : What a single call does, operation by operation.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2], [1, 2, 3]), n=4, engine="cpu")
    >>> found = gl.compare("bfs", G, methods=["algebraic"], peers=["scipy"], repeat=1)
    >>> [(row.name, row.status) for row in found]
    [('algebraic', 'right'), ('SciPy', 'right')]
    """
    chosen = find_problem(problem)
    settings = Settings(
        make_arguments(chosen, source, options), options, check_repeat(repeat), check_time_limit(time_limit)
    )
    listed = list_graphs(graphs)
    for G in listed:
        refuse_ranks(G)
    progress = None if progress is None else to_bool(progress, "progress")
    many = chosen.split(options) is not None
    rosters = [list_entrants(chosen, G, methods, peers, many) for G in listed]
    _ = [name_by_number(G, settings) for G in listed]
    with Progress(progress, sum(map(len, rosters)) * (1 + repeat)) as bar:
        rows = [
            row
            for G, title, roster in zip(listed, make_titles(listed), rosters, strict=True)
            for row in compare_on_graph(chosen, G.plain, title, roster, name_by_number(G, settings), bar)
        ]
    return Comparison(tuple(rows), {**collect_facts(), "repeat": repeat, "time_limit_seconds": time_limit, **options})


def name_by_number(G: Graph, settings: Settings) -> Settings:
    """The settings with the numbers of vertices, which other libraries take, in place of labels."""
    where = tuple(G.vertex(vertex, "source") for vertex in settings.where)
    return replace(settings, where=where, options=number_vertices(G, settings.options))


def refuse_ranks(G: Graph) -> None:
    """Refuse a graph that is spread over ranks: each participant runs in one process of its own."""
    if G.engine.name == "mpi":
        raise NotSupported("a comparison runs in one process, and this graph is spread over ranks: give G.to('cpu')")


def check_repeat(repeat: int) -> int:
    """Return `repeat`, or raise if it is less than one."""
    return to_int(repeat, "repeat", 1)


def check_time_limit(seconds: float) -> float:
    """Return `seconds`, or raise if it is not positive."""
    if not to_real(seconds, "time_limit") > 0:
        raise GraphlaError(f"time_limit={seconds!r}: give a positive number of seconds")
    return seconds
