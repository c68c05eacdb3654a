"""The watcher: stands where every operation passes, and takes the time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from graphla import pictures, tracing
from graphla.planning.steps import Plan
from graphla.tracing import Profile, Wave
from graphla.watching import chrome, page, picture, text
from graphla.watching.compiling import seconds_compiling
from graphla.watching.operation import Call, Operation, described, described_call


class Trace:
    """What ran between the beginning and the end of a ``with`` block.

    On the GPU the times lie between two events in its stream: of an operation with its wait for Python, of a compiled
    method without, as the device is kept busy until Python has asked for it all. Nothing waits for them before they are
    read. A method that runs operations is shown by them; a compiled one is one row,
    with the arcs it relaxed if it counts them, and its levels as the answer tells them. A first call compiles: its row
    says how long. What `gl.loop` would run as one kernel runs statement by statement, so that each is seen.

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
        self._waiting: list[Callable[[], Operation]] = []
        self._seen = 0
        self._started = 0.0

    def __enter__(self) -> Trace:
        self._started = time.perf_counter()
        tracing.watchers.append(self._watch)
        tracing.method_watchers.append(self._watch_method)
        return self

    def __exit__(self, *error: object) -> None:
        tracing.watchers.remove(self._watch)
        tracing.method_watchers.remove(self._watch_method)

    def _watch(self, engine: Any, plan: Plan, run: Callable[[], Any]) -> Any:
        """Run the plan between two looks at the clock."""
        began, compiled = time.perf_counter(), seconds_compiling()
        result, seconds = timed(engine, run)
        draft = described(engine, plan, result, began - self._started, seconds_compiling() - compiled)
        self._keep(lambda: Operation(**{**vars(draft), "seconds": seconds()}))
        return result

    def _watch_method(self, graph: Any, method: str, run: Callable[[], Any], profile: Profile | None) -> Any:
        """Run the method between two looks at the clock; what ran inside it stands for it, if anything did."""
        began, seen, compiled = time.perf_counter(), self._seen, seconds_compiling()
        counted: list[Any] = []
        tracing.counters.append(counted)
        try:
            result, seconds = timed(graph.engine, run, AHEAD)
        finally:
            tracing.counters.pop()
        if self._seen == seen:
            compiling, since = seconds_compiling() - compiled, began - self._started
            call = Call(graph, method, result, counted, profile, since, compiling)
            self._keep(lambda: described_call(call, seconds()))
        return result

    def _keep(self, settle: Callable[[], Operation]) -> None:
        """A record that is made when it is looked at."""
        self._waiting.append(settle)
        self._seen += 1

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Everything that ran, in order."""
        self._done += [settle() for settle in self._waiting]
        self._waiting = []
        return tuple(self._done)

    @property
    def levels(self) -> tuple[Operation, ...]:
        """The products of a matrix and a vector: the levels of a search, the rounds of a relaxation."""
        return tuple(step for step in self.operations if step.kind == "matvec")

    @property
    def waves(self) -> tuple[Wave, ...]:
        """The levels, or ranges of distance, of the last compiled search, as its answer tells them."""
        return next((step.waves for step in reversed(self.operations) if step.waves), ())

    @property
    def seconds(self) -> float:
        """The time of all operations together."""
        return sum(step.seconds for step in self.operations)

    def __len__(self) -> int:
        return len(self.operations)

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.operations)

    def __str__(self) -> str:
        return text.table(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return page.table(self)

    def to_dict(self) -> list[dict[str, Any]]:
        """Plain data, for JSON."""
        return [step.to_dict() for step in self.operations]

    def to_html(self, path: str | Path | None = None) -> str:
        """A page that a browser shows; written to `path` if given."""
        return pictures.write_text(page.document(self), path)

    def to_chrome(self, path: str | Path | None = None) -> str:
        """Events for Perfetto (ui.perfetto.dev) and Chrome's about:tracing; written to `path` if given."""
        return pictures.write_text(chrome.events(self), path)

    def plot(self, path: Any = None, *, format: str | None = None) -> Any:
        """A picture of the levels: frontier, direction and time of each; written to `path` (.png, .svg) if given."""
        made = picture.levels(self)
        pictures.save(made, path, format)
        return made


AHEAD = 5e-4
"""Seconds by which the host gets ahead of a compiled method, so that Python's part is not in its time."""


def timed(engine: Any, run: Callable[[], Any], ahead: float = 0.0) -> tuple[Any, Callable[[], float]]:
    """The result, and a function that gives the seconds it took."""
    if ahead and engine.xp.__name__ == "cupy":
        engine.keep_busy(ahead)
    return timed_by_events(engine.xp, run) if engine.xp.__name__ == "cupy" else timed_by_clock(run)


def timed_by_clock(run: Callable[[], Any]) -> tuple[Any, Callable[[], float]]:
    """The same by the host's clock."""
    start = time.perf_counter()
    result = run()
    taken = time.perf_counter() - start
    return result, lambda: taken


def timed_by_events(xp: Any, run: Callable[[], Any]) -> tuple[Any, Callable[[], float]]:
    """The result, and a function that waits for the device and gives the seconds between two events."""
    start, stop = xp.cuda.Event(), xp.cuda.Event()
    start.record()
    result = run()
    stop.record()

    def seconds() -> float:
        stop.synchronize()
        return float(xp.cuda.get_elapsed_time(start, stop)) / 1e3

    return result, seconds


def trace() -> Trace:
    """Watch every operation and every compiled method of a ``with`` block; see `Trace`."""
    return Trace()
