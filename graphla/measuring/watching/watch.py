"""`Trace`: records and times every operation that runs inside its ``with`` block."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from graphla.engine import tracing
from graphla.engine.protocol import Engine
from graphla.engine.tracing import Profile, Wave
from graphla.measuring import pictures
from graphla.measuring.watching import chrome, level_plot, page, text
from graphla.measuring.watching.compiling import seconds_compiling
from graphla.measuring.watching.operation import MethodCall, Operation, describe_call, describe_plan
from graphla.planning.steps import Plan


class Trace:
    """The operations and methods that ran inside a ``with`` block; `trace` makes one.

    Printed, it is a table. On a GPU times are taken between two events in the stream. The time of an operation includes
    the wait for Python; the time of a compiled method does not, because the device is kept busy until Python has
    launched all of it. The host waits for the events only when times are read. A method that runs operations appears as
    these operations. A compiled method is one row, with the arcs that it relaxed if it counts them, and with its
    levels, derived from its result. The row of a first call says how long it spent compiling. Inside a trace `gl.loop`
    runs statement by statement instead of as one kernel, so that each statement is recorded. A trace belongs to the
    thread or asyncio task that enters the block; what others run is not in it.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2], [1, 2, 3]), n=4, engine="cpu")
    >>> with gl.trace() as t:
    ...     levels = gl.bfs(G, 0, method="algebraic")
    >>> [step.frontier for step in t.levels]
    [1, 1, 1, 1]
    """

    def __init__(self) -> None:
        self._done: list[Operation] = []
        self._pending: list[Callable[[], Operation]] = []
        self._seen = 0
        self._started = 0.0
        self._hooks = self._watch, self._watch_method  # bound once, because hooks are closed by identity

    def __enter__(self) -> Trace:
        self._started = time.perf_counter()
        tracing.watchers.push(self._hooks[0])
        tracing.method_watchers.push(self._hooks[1])
        return self

    def __exit__(self, *error: object) -> None:
        tracing.watchers.remove(self._hooks[0])
        tracing.method_watchers.remove(self._hooks[1])

    def _watch(self, engine: Engine, plan: Plan, run: Callable[[], Any]) -> Any:
        """Run and time a plan."""
        began, compiled = time.perf_counter(), seconds_compiling()
        result, seconds = time_run(engine, run)
        operation = describe_plan(engine, plan, result, began - self._started, seconds_compiling() - compiled)
        self._record(lambda: Operation(**{**vars(operation), "seconds": seconds()}))
        return result

    def _watch_method(self, graph: Any, method: str, run: Callable[[], Any], profile: Profile | None) -> Any:
        """Run and time a method; record it unless it ran operations, which are recorded themselves."""
        began, seen, compiled = time.perf_counter(), self._seen, seconds_compiling()
        counted: list[Any] = []
        with tracing.counters.open(counted):
            result, seconds = time_run(graph.engine, run, AHEAD)
        if self._seen == seen:
            compiling, since = seconds_compiling() - compiled, began - self._started
            call = MethodCall(graph, method, result, counted, profile, since, compiling)
            self._record(lambda: describe_call(call, seconds()))
        return result

    def _record(self, settle: Callable[[], Operation]) -> None:
        """Keep a function that makes a record when the record is read."""
        self._pending.append(settle)
        self._seen += 1

    @property
    def operations(self) -> tuple[Operation, ...]:
        """All recorded operations and methods, in order."""
        self._done += [settle() for settle in self._pending]
        self._pending = []
        return tuple(self._done)

    @property
    def levels(self) -> tuple[Operation, ...]:
        """The matrix-vector products: the levels of a search, or the rounds of a relaxation."""
        return tuple(step for step in self.operations if step.kind == "matvec")

    @property
    def waves(self) -> tuple[Wave, ...]:
        """The levels, or ranges of distance, of the last compiled search, derived from its result."""
        return next((step.waves for step in reversed(self.operations) if step.waves), ())

    @property
    def seconds(self) -> float:
        """The total time of all operations, in seconds."""
        return sum(step.seconds for step in self.operations)

    def __len__(self) -> int:
        return len(self.operations)

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.operations)

    def __str__(self) -> str:
        return text.format_table(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return page.format_table(self)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the operations as plain data, for JSON.

        Returns
        -------
        list of dict
            One dictionary per operation.

        Examples
        --------
        >>> import graphla as gl
        >>> v = gl.Vector.from_coo([0], [1], size=2, engine="cpu")
        >>> with gl.trace() as t:
        ...     w = v.dup()
        >>> [operation["kind"] for operation in t.to_dict()]
        ['copy']
        """
        return [step.to_dict() for step in self.operations]

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the trace as an HTML page, and write it to a file if asked.

        Parameters
        ----------
        path : str or path, optional
            The file to write.

        Returns
        -------
        str
            The page.

        Examples
        --------
        >>> import graphla as gl
        >>> with gl.trace() as t:
        ...     pass
        >>> t.to_html("trace.html")[:15]
        '<!doctype html>'
        """
        return pictures.write_text(page.format_page(self), path)

    def to_chrome(self, path: str | Path | None = None) -> str:
        """Return the trace as JSON for Perfetto (ui.perfetto.dev), and write it to a file if asked.

        Parameters
        ----------
        path : str or path, optional
            The file to write.

        Returns
        -------
        str
            Events in the format of about:tracing of Chrome, which Perfetto opens, too.

        Examples
        --------
        >>> import graphla as gl
        >>> with gl.trace() as t:
        ...     pass
        >>> "traceEvents" in t.to_chrome()
        True
        """
        return pictures.write_text(chrome.format_events(self), path)

    def plot(self, path: Any = None, *, format: str | None = None) -> Any:
        """Plot frontier, direction and time of each level, and write the figure to a file if asked.

        Parameters
        ----------
        path : str, path or binary file, optional
            The file to write: .png, .svg or another format of Matplotlib.
        format : str, optional
            The format; by default the suffix of `path` decides.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 2], [1, 2, 3]), n=4, engine="cpu")
        >>> with gl.trace() as t:
        ...     levels = gl.bfs(G, 0, method="algebraic")
        >>> figure = t.plot("levels.svg")
        """
        figure = level_plot.draw_levels(self)
        pictures.save_figure(figure, path, format)
        return figure


AHEAD = 5e-4
"""Seconds that the device is kept busy before a compiled method, so that its time excludes Python's part."""


def time_run(engine: Engine, run: Callable[[], Any], ahead: float = 0.0) -> tuple[Any, Callable[[], float]]:
    """Run a call; return its result and a function that returns its time in seconds."""
    if ahead and engine.xp.__name__ == "cupy":
        device: Any = engine
        device.keep_busy(ahead)
    return time_by_events(engine.xp, run) if engine.xp.__name__ == "cupy" else time_by_clock(run)


def time_by_clock(run: Callable[[], Any]) -> tuple[Any, Callable[[], float]]:
    """Time a call with the host's clock."""
    start = time.perf_counter()
    result = run()
    taken = time.perf_counter() - start
    return result, lambda: taken


def time_by_events(xp: Any, run: Callable[[], Any]) -> tuple[Any, Callable[[], float]]:
    """Time a call with two CUDA events. The returned function waits for the device."""
    start, stop = xp.cuda.Event(), xp.cuda.Event()
    start.record()
    result = run()
    stop.record()

    def seconds() -> float:
        stop.synchronize()
        return float(xp.cuda.get_elapsed_time(start, stop)) / 1e3

    return result, seconds


def trace() -> Trace:
    """Record every operation and every compiled method of a ``with`` block.

    Returns
    -------
    Trace
        To be entered by ``with``; afterwards it holds the operations, their plans, sizes and times, and prints them as
        a table.

    See Also
    --------
    compare : Methods and other libraries side by side.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2], [1, 2, 3]), n=4, engine="cpu")
    >>> with gl.trace() as t:
    ...     levels = gl.bfs(G, 0, method="algebraic")
    >>> [(step.direction, step.frontier) for step in t.levels]
    [('push', 1), ('push', 1), ('push', 1), ('push', 1)]
    """
    return Trace()
