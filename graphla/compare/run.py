"""The comparison itself: everyone once for the answer, then in turns for the time."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphla import algorithms, peers
from graphla.compare.comparison import Comparison
from graphla.compare.job import Entrant, Job, put_graph
from graphla.compare.judge import difference, fault
from graphla.compare.process import Unanswered, Worker
from graphla.compare.progress import Progress
from graphla.compare.row import Row
from graphla.errors import GraphlaError, NotSupported
from graphla.graph import Graph
from graphla.machine import facts

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
    where = arguments_of(chosen, source)
    if repeat < 1:
        raise GraphlaError(f"repeat={repeat!r}: at least one timed call is needed")
    if not time_limit > 0:
        raise GraphlaError(f"time_limit={time_limit!r}: give a positive number of seconds")
    listed = [graphs] if isinstance(graphs, Graph) else list(graphs)
    rosters = [entrants(chosen, G, methods, peers) for G in listed]
    for G in listed:
        _ = [G.vertex(vertex, "source") for vertex in where]
    with Progress(progress, sum(map(len, rosters)) * (1 + repeat)) as bar:
        rows = [
            row
            for G, roster in zip(listed, rosters, strict=True)
            for row in on_graph(chosen, G, roster, where, options, repeat, time_limit, bar)
        ]
    return Comparison(tuple(rows), {**facts(), "repeat": repeat, "time_limit_seconds": time_limit, **options})


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


def on_graph(
    problem: Any,
    G: Graph,
    roster: list[Entrant],
    where: tuple[Any, ...],
    options: dict[str, Any],
    repeat: int,
    limit: float,
    bar: Progress,
) -> list[Row]:
    """The rows of one graph."""
    host = G.to("cpu")
    package = importlib.import_module(problem.package)
    with tempfile.TemporaryDirectory(prefix="graphla-compare-") as name:
        put_graph(host.csr, Path(name))
        job = Job(problem.package, tuple(package.__path__), name, G.n, G.engine.name, where, options)
        worker = Worker(job)
        try:
            states = [State(entrant, limit) for entrant in roster]
            for state in states:
                state.answer(worker, Path(name), bar)
            judge(problem, host, where, states)
            for _ in range(repeat):
                for state in states:
                    state.time(worker, bar)
        finally:
            worker.end()
    return [state.row(problem, G) for state in states]


class State:
    """How far an entrant has come."""

    def __init__(self, entrant: Entrant, limit: float) -> None:
        self.entrant, self.left = entrant, limit
        self.status: Any = "unchecked"
        self.note = ""
        self.first: float | None = None
        self.memory: int | None = None
        self.times: list[float] = []
        self.arrays: tuple[Any, ...] | None = None

    @property
    def running(self) -> bool:
        return self.arrays is not None and self.status not in ("failed", "stopped")

    def ask(self, worker: Worker, *request: Any) -> Any:
        """Ask within the time that is left; None and a status if there is no answer."""
        started = time.perf_counter()
        if worker.process is None:
            worker.start()
            started = time.perf_counter()
        try:
            return worker.ask(self.left, request[0], self.entrant, *request[1:])
        except Unanswered as error:
            self.status, self.note = error.args
            return None
        finally:
            self.left -= time.perf_counter() - started

    def answer(self, worker: Worker, folder: Path, bar: Progress) -> None:
        """The first call, and the second with its answer."""
        bar.say(f"{self.entrant.name}: first call")
        self.first = self.ask(worker, "first")
        if self.first is not None:
            path = folder / f"{self.entrant.kind}-{self.entrant.name}.npz"
            self.memory = self.ask(worker, "answer", str(path))
            if self.status == "unchecked":
                with np.load(path) as arrays:
                    self.arrays = tuple(arrays.values())
                path.unlink()
        bar.step()

    def time(self, worker: Worker, bar: Progress) -> None:
        """One timed call, if there is time for another like the last."""
        if self.running and (not self.times or self.left > 1.5 * self.times[-1]):
            bar.say(f"{self.entrant.name}: timed call")
            taken = self.ask(worker, "seconds")
            if taken is not None:
                self.times.append(taken)
        bar.step()

    def row(self, problem: Any, G: Graph) -> Row:
        """The line of the table."""
        return Row(
            problem.name,
            G.name or f"n = {G.n:,}",
            G.n,
            G.nvals,
            peers.known()[self.entrant.name].title if self.entrant.kind == "peer" else self.entrant.name,
            self.entrant.kind,
            self.entrant.engine,
            self.status,
            self.note,
            self.first,
            tuple(self.times),
            self.memory,
        )


def judge(problem: Any, G: Graph, where: tuple[Any, ...], states: list[State]) -> None:
    """Verify each method; then compare all with the first that is right."""
    answered = [state for state in states if state.arrays is not None]
    for state in answered:
        if state.entrant.kind == "method":
            state.note = fault(problem, G, where, state.arrays or ()) or ""
            state.status = "wrong" if state.note else "right"
    reference = next((s.arrays[0] for s in answered if s.status == "right" and s.arrays), None)
    if reference is None:
        return
    for state in answered:
        apart = difference(state.arrays[0], reference) if state.arrays else None
        if apart:
            state.note = f"{state.note}; {apart}" if state.note else apart
        state.status = "wrong" if state.note else "right"
