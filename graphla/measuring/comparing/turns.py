"""Compare the participants on one graph: each once for its answer, then all in turns for the times."""

from __future__ import annotations

import importlib
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphla.graphs.graph import Graph
from graphla.measuring import peers
from graphla.measuring.comparing.job import Entrant, Job, save_graph
from graphla.measuring.comparing.judge import describe_difference, find_fault
from graphla.measuring.comparing.process import Unanswered, Worker
from graphla.measuring.comparing.progress import Progress
from graphla.measuring.comparing.row import Row

RESERVE = 1.5
"""A participant is called again only if so many times the seconds of its last call are left."""


@dataclass(frozen=True)
class Settings:
    """Settings for all participants: arguments after the graph, options, timed calls, and time limit in seconds."""

    where: tuple[Any, ...]
    options: dict[str, Any]
    repeat: int
    limit: float


class Contestant:
    """A participant, and its results so far."""

    def __init__(self, entrant: Entrant, limit: float) -> None:
        self.entrant, self.seconds_left = entrant, limit
        self.status: Any = "unchecked"
        self.note = ""
        self.first: float | None = None
        self.memory: int | None = None
        self.times: list[tuple[float, float]] = []
        self.answered = False

    def ask(self, worker: Worker, *request: Any) -> Any:
        """Send a request within the remaining time; return None and set the status if there is no answer."""
        worker.ready()
        started = time.perf_counter()
        try:
            return worker.exchange(self.seconds_left, request[0], self.entrant, *request[1:])
        except Unanswered as error:
            self.status, self.note = error.args
            self.answered = False
            return None
        finally:
            self.seconds_left -= time.perf_counter() - started

    def request_answer(self, worker: Worker, folder: Path) -> tuple[Any, ...] | None:
        """Request the first call, then a second one for the answer; return the arrays of the answer or None."""
        self.first = self.ask(worker, "prepare")
        if self.first is None:
            return None
        path = folder / "answer.npz"
        self.memory = self.ask(worker, "write_answer", str(path))
        if self.status != "unchecked":
            return None
        self.answered = True
        with np.load(path) as arrays:
            return tuple(arrays.values())

    def request_time(self, worker: Worker) -> None:
        """Request a timed call, if enough time is left for one like the last."""
        if self.answered and (not self.times or self.seconds_left > RESERVE * sum(self.times[-1])):
            taken = self.ask(worker, "time")
            self.times += [] if taken is None else [taken]

    def make_row(self, problem: Any, G: Graph, title: str) -> Row:
        """Make the row of the comparison."""
        kind, name = self.entrant.kind, self.entrant.name
        return Row(
            problem.name,
            title,
            G.n,
            G.nvals,
            peers.list_known()[name].title if kind == "peer" else name,
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
    """Verifies the answers of methods, and compares all answers with the first right one."""

    def __init__(self, problem: Any, G: Graph, settings: Settings) -> None:
        self.problem, self.G, self.settings = problem, G, settings
        self.right: Any = None
        self.early: list[tuple[Contestant, Any]] = []

    def judge(self, one: Contestant, arrays: tuple[Any, ...]) -> None:
        """Judge an answer. One that comes before the first right answer is compared with it later."""
        if one.entrant.kind == "method":
            one.note = find_fault(self.problem, self.G, self.settings.where, self.settings.options, arrays) or ""
            one.status = "wrong" if one.note else "right"
        if self.right is not None:
            self.compare(one, arrays[0])
        elif one.status == "right":
            self.right = arrays[0]
            for other, found in self.early:
                self.compare(other, found)
            self.early = []
        else:
            self.early.append((one, arrays[0]))

    def compare(self, one: Contestant, found: Any) -> None:
        """Compare an answer with the right one; set status and note."""
        difference = describe_difference(self.problem, found, self.right, self.settings.options)
        one.note = "; ".join(filter(None, [one.note, difference]))
        one.status = "wrong" if one.note else "right"


def compare_on_graph(
    problem: Any, G: Graph, title: str, roster: list[Entrant], settings: Settings, bar: Progress
) -> list[Row]:
    """Compare all participants on one graph; return their rows."""
    host = G.to("cpu")
    folders = tuple(importlib.import_module(problem.package).__path__)
    with tempfile.TemporaryDirectory(prefix="graphla-compare-") as folder:
        save_graph(host.csr, Path(folder))
        job = Job(problem.package, folders, folder, G.n, G.engine.name, settings.where, settings.options)
        worker = Worker(job, quiet=bar.shown)
        contestants = [Contestant(entrant, settings.limit) for entrant in roster]
        try:
            collect_answers(contestants, worker, Judge(problem, host, settings), bar)
            collect_times(contestants, worker, settings.repeat, bar)
        finally:
            worker.end()
    return [one.make_row(problem, G, title) for one in contestants]


def collect_answers(contestants: list[Contestant], worker: Worker, judge: Judge, bar: Progress) -> None:
    """Collect and judge the answer of each participant."""
    for one in contestants:
        bar.say(f"{one.entrant.name}: first call, which may compile")
        arrays = one.request_answer(worker, Path(worker.job.folder))
        if arrays is not None:
            judge.judge(one, arrays)
        bar.step()


def collect_times(contestants: list[Contestant], worker: Worker, repeat: int, bar: Progress) -> None:
    """Collect the times of all participants, in turns."""
    for _ in range(repeat):
        for one in contestants:
            bar.say(f"{one.entrant.name}: timed call")
            one.request_time(worker)
            bar.step()
