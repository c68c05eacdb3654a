"""The comparison itself: who takes part, and one graph after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphla.comparing.comparison import Comparison
from graphla.comparing.progress import Progress
from graphla.comparing.roster import arguments_of, entrants, problem_named, titles
from graphla.comparing.turns import Terms, on_graph
from graphla.errors import GraphlaError
from graphla.graph import Graph
from graphla.machine import collect_facts

TIME_LIMIT = 120.0
REPEAT = 5


def compare(
    problem: Any,
    graphs: Graph | Iterable[Graph],
    *,
    source: int | None = None,
    methods: str | Sequence[str] = "all",
    peers: bool | Sequence[str] = True,
    repeat: int = REPEAT,
    time_limit: float = TIME_LIMIT,
    progress: bool | None = None,
    **options: Any,
) -> Comparison:
    """Run every method that fits, and the libraries that are installed; verify, time and tabulate.

    The work is done in another process: what hangs or crashes is shown as such, and the others go on. After a first
    call (which compiles) and a second (whose answer is verified and whose memory is measured), all are called in
    turns, so that whatever slows the machine for a while slows them all.

    Parameters
    ----------
    problem : str
        ``"bfs"``, ``"sssp"`` or ``"apsp"``.
    graphs : Graph, or several
        On the engine whose methods are to be compared.
    source : int, optional
        The vertex to start from, where the problem has one; 0 by default.
    methods : "all" or names
        All that claim the engine, or these.
    peers : bool or names
        Whether other libraries take part; or which of those in `graphla.peers.known`.
    repeat : int
        Timed calls of each.
    time_limit : float
        Seconds that each may take in all on a graph. Who has not answered by then is stopped; who has, is called
        no more often than fits.
    progress : bool, optional
        Show a bar on standard error; by default if that is a terminal.
    **options
        For every method, as in ``parents=True``.

    Returns
    -------
    Comparison
        Rows, which show themselves as a table in a terminal and in a notebook, and as JSON, CSV and a picture.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2], [1, 2, 3]), n=4, engine="cpu")
    >>> found = gl.compare("bfs", G, methods=["algebraic"], peers=["scipy"], repeat=1)  # doctest: +SKIP
    >>> [(row.name, row.status) for row in found]                                       # doctest: +SKIP
    [('algebraic', 'right'), ('SciPy', 'right')]
    """
    chosen = problem_named(problem)
    terms = Terms(arguments_of(chosen, source), options, checked_repeat(repeat), checked_limit(time_limit))
    listed = [graphs] if isinstance(graphs, Graph) else list(graphs)
    rosters = [entrants(chosen, G, methods, peers) for G in listed]
    for G in listed:
        _ = [G.vertex(vertex, "source") for vertex in terms.where]
    with Progress(progress, sum(map(len, rosters)) * (1 + repeat)) as bar:
        rows = [
            row
            for G, title, roster in zip(listed, titles(listed), rosters, strict=True)
            for row in on_graph(chosen, G, title, roster, terms, bar)
        ]
    return Comparison(tuple(rows), {**collect_facts(), "repeat": repeat, "time_limit_seconds": time_limit, **options})


def checked_repeat(repeat: int) -> int:
    """A number of calls, at least one."""
    if repeat < 1:
        raise GraphlaError(f"repeat={repeat!r}: at least one timed call is needed")
    return repeat


def checked_limit(seconds: float) -> float:
    """A number of seconds above zero."""
    if not seconds > 0:
        raise GraphlaError(f"time_limit={seconds!r}: give a positive number of seconds")
    return seconds
