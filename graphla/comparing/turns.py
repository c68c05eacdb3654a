"""One graph: everyone once for the answer, then in turns for the time."""

from __future__ import annotations

import importlib
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphla import peers
from graphla.comparing.job import Entrant, Job, put_graph
from graphla.comparing.judge import difference, fault
from graphla.comparing.process import Unanswered, Worker
from graphla.comparing.progress import Progress
from graphla.comparing.row import Row
from graphla.graph import Graph

ANOTHER = 1.5
"""A call is made only if this many times the seconds of the last one are left."""


@dataclass(frozen=True)
class Terms:
    """What holds for everyone: the arguments after the graph, the options, timed calls, seconds for each."""

    where: tuple[Any, ...]
    options: dict[str, Any]
    repeat: int
    limit: float


class Contestant:
    """An entrant, and how far it has come."""

    def __init__(self, entrant: Entrant, limit: float) -> None:
        self.entrant, self.left = entrant, limit
        self.status: Any = "unchecked"
        self.note = ""
        self.first: float | None = None
        self.memory: int | None = None
        self.times: list[tuple[float, float]] = []
        self.answered = False

    def ask(self, worker: Worker, *request: Any) -> Any:
        """Ask within the time that is left; None and a status if there is no answer."""
        worker.ready()
        started = time.perf_counter()
        try:
            return worker.exchange(self.left, request[0], self.entrant, *request[1:])
        except Unanswered as error:
            self.status, self.note = error.args
            self.answered = False
            return None
        finally:
            self.left -= time.perf_counter() - started

    def answer(self, worker: Worker, folder: Path) -> tuple[Any, ...] | None:
        """The first call, and the second with its answer."""
        self.first = self.ask(worker, "first")
        if self.first is None:
            return None
        path = folder / "answer.npz"
        self.memory = self.ask(worker, "answer", str(path))
        if self.status != "unchecked":
            return None
        self.answered = True
        with np.load(path) as arrays:
            return tuple(arrays.values())

    def time(self, worker: Worker) -> None:
        """One timed call, if there is time for another like the last."""
        if self.answered and (not self.times or self.left > ANOTHER * sum(self.times[-1])):
            taken = self.ask(worker, "seconds")
            self.times += [] if taken is None else [taken]

    def row(self, problem: Any, G: Graph, title: str) -> Row:
        """The line of the table."""
        kind, name = self.entrant.kind, self.entrant.name
        return Row(
            problem.name,
            title,
            G.n,
            G.nvals,
            peers.known()[name].title if kind == "peer" else name,
            kind,
            self.entrant.engine,
            self.status,
            self.note,
            self.first,
            tuple(solve for solve, _ in self.times),
            tuple(whole for _, whole in self.times),
            self.memory,
        )


class Judge:
    """Verifies each method, and holds everyone against the first right answer; keeps no more than that one."""

    def __init__(self, problem: Any, G: Graph, where: tuple[Any, ...]) -> None:
        self.problem, self.G, self.where = problem, G, where
        self.right: Any = None
        self.early: list[tuple[Contestant, Any]] = []

    def hear(self, one: Contestant, arrays: tuple[Any, ...]) -> None:
        """Judge an answer; one that comes before the first right one is held against it later."""
        if one.entrant.kind == "method":
            one.note = fault(self.problem, self.G, self.where, arrays) or ""
            one.status = "wrong" if one.note else "right"
        if self.right is not None:
            self.confront(one, arrays[0])
        elif one.status == "right":
            self.right = arrays[0]
            for other, found in self.early:
                self.confront(other, found)
            self.early = []
        else:
            self.early.append((one, arrays[0]))

    def confront(self, one: Contestant, found: Any) -> None:
        """Add where an answer departs from the right one."""
        one.note = "; ".join(filter(None, [one.note, difference(found, self.right)]))
        one.status = "wrong" if one.note else "right"


def on_graph(problem: Any, G: Graph, title: str, roster: list[Entrant], terms: Terms, bar: Progress) -> list[Row]:
    """The rows of one graph."""
    host = G.to("cpu")
    folders = tuple(importlib.import_module(problem.package).__path__)
    with tempfile.TemporaryDirectory(prefix="graphla-compare-") as folder:
        put_graph(host.csr, Path(folder))
        job = Job(problem.package, folders, folder, G.n, G.engine.name, terms.where, terms.options)
        worker = Worker(job, quiet=bar.shown)
        contestants = [Contestant(entrant, terms.limit) for entrant in roster]
        try:
            answers(contestants, worker, Judge(problem, host, terms.where), bar)
            times(contestants, worker, terms.repeat, bar)
        finally:
            worker.end()
    return [one.row(problem, G, title) for one in contestants]


def answers(contestants: list[Contestant], worker: Worker, judge: Judge, bar: Progress) -> None:
    """Everyone's answer, judged."""
    for one in contestants:
        bar.say(f"{one.entrant.name}: first call, which may compile")
        arrays = one.answer(worker, Path(worker.job.folder))
        if arrays is not None:
            judge.hear(one, arrays)
        bar.step()


def times(contestants: list[Contestant], worker: Worker, repeat: int, bar: Progress) -> None:
    """Everyone's times, in turns."""
    for _ in range(repeat):
        for one in contestants:
            bar.say(f"{one.entrant.name}: timed call")
            one.time(worker)
            bar.step()
