"""Runs in the worker process: prepares each entrant once, then calls it for its answer and its times."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np

from graphla.common.errors import NotSupported
from graphla.measuring.comparing.clock import MEASURE_MEMORY, TIME_BOTH, TIME_CALL
from graphla.measuring.comparing.job import DEFAULT, Entrant, Job, load_graph, load_problem
from graphla.measuring.peers import Task, list_known


class Contest:
    """The prepared entrants on one graph."""

    def __init__(self, job: Job) -> None:
        from graphla.containers.matrix import Matrix
        from graphla.engine import get_engine
        from graphla.graphs.graph import Graph

        self.job, self.problem, self.csr = job, load_problem(job), load_graph(job)
        host = Matrix._from_storage(self.csr, get_engine("cpu"))
        self.graph = Graph(host).to(job.engine)
        self.ready: dict[Entrant, tuple[Callable[[], Any], Callable[[Any], Any]]] = {}

    def prepare(self, entrant: Entrant) -> float:
        """Prepare an entrant: hand it the graph and call it once. Return the seconds of that call."""
        task = self.make_peer_task(entrant) if entrant.kind == "peer" else self.make_method_task(entrant)
        call = lambda: task.run(*self.job.where)  # noqa: E731
        _, seconds = TIME_CALL[entrant.engine](call)
        self.ready[entrant] = call, task.answer
        return seconds

    def get_call(self, entrant: Entrant) -> Callable[[], Any]:
        """Return the call of an entrant, prepared if necessary."""
        if entrant not in self.ready:
            self.prepare(entrant)
        return self.ready[entrant][0]

    def write_answer(self, entrant: Entrant, path: str) -> int | None:
        """Write the answer of an entrant to a file; return the bytes of memory that the call took."""
        raw, memory = MEASURE_MEMORY[entrant.engine](self.get_call(entrant))
        arrays = self.ready[entrant][1](raw)
        np.savez(Path(path), *(arrays if isinstance(arrays, tuple) else (arrays,)))
        return memory

    def time(self, entrant: Entrant) -> tuple[float, float]:
        """Return the seconds of a solve and of a whole call."""
        return TIME_BOTH[entrant.engine](self.get_call(entrant), self.graph.engine)

    def make_peer_task(self, entrant: Entrant) -> Task:
        """Hand the graph to another library; return its task."""
        load = list_known()[entrant.name].tasks[self.problem.name]
        parts = self.problem.split(self.job.request)
        if parts is None:
            return self.load_into(load, self.problem.definition(self.job.request))
        asked = [self.problem.definition(part) for part in parts]
        where = [tuple(each.pop(name) for name in self.problem.takes) for each in asked]
        tasks = [self.load_into(load, each) for each in asked[: 1 if self.problem.takes else None]]
        calls = list(zip(tasks * len(asked) if self.problem.takes else tasks, where, strict=True))
        return Task(lambda: [task.run(*each) for task, each in calls], lambda found: stack_rows(calls, found))

    def load_into(self, load: Callable[..., Task], asked: dict[str, Any]) -> Task:
        """Hand the graph to another library, with options that it takes."""
        known = signature(load).parameters
        unknown = sorted(f"{name}=" for name in asked.keys() - known.keys())
        if unknown and all(each.kind is not Parameter.VAR_KEYWORD for each in known.values()):
            raise NotSupported(f"it is compared without {', '.join(unknown)}")
        return load(self.csr, **asked)

    def make_method_task(self, entrant: Entrant) -> Task:
        """Return the task of a method of graphla. Its answers are host arrays, filled where an entry is absent."""
        named, request, graph = None if entrant.name == DEFAULT else entrant.name, self.job.request, self.graph
        why_not = None if named is None else self.problem.methods[named].refusal(graph, request)
        if why_not:
            raise Refused(why_not)
        return Task(lambda *where: self.problem(graph, *where, method=named, **request), self.copy_to_host)

    def copy_to_host(self, result: Any) -> tuple[Any, ...]:
        """Copy result vectors or matrices into host arrays; absent entries are filled as the problem says."""
        answers = result if isinstance(result, tuple) else (result,)
        return tuple(given.to_array(answer) for given, answer in zip(self.problem.gives, answers, strict=False))


def stack_rows(calls: list[Any], found: list[Any]) -> Any:
    """The answers of several calls of a library, a row for each."""
    rows = [task.answer(each) for (task, _), each in zip(calls, found, strict=True)]
    return np.stack(rows) if rows else np.empty((0, 0))


class Refused(Exception):
    """A method refuses the request; the message says why."""
