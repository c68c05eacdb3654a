"""Inside the process that works: an entrant made ready once, then called as often as asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from graphla.comparing.clock import BOTH, MEMORY, WHOLE
from graphla.comparing.job import Entrant, Job, get_graph, problem_of
from graphla.peers import Task, known


class Contest:
    """The entrants on one graph."""

    def __init__(self, job: Job) -> None:
        from graphla.containers.matrix import Matrix
        from graphla.engine import engine_named
        from graphla.graph import Graph

        self.job, self.problem, self.csr = job, problem_of(job), get_graph(job)
        host = Matrix._from_storage(self.csr, engine_named("cpu"))
        self.graph = Graph(host).to(job.engine)
        self.ready: dict[Entrant, tuple[Callable[[], Any], Callable[[Any], Any]]] = {}

    def first(self, entrant: Entrant) -> float:
        """Make an entrant ready: take the graph in, then call it once; the seconds of that call."""
        task = self.peer_task(entrant) if entrant.kind == "peer" else self.method_task(entrant)
        call = lambda: task.run(*self.job.where)  # noqa: E731
        _, seconds = WHOLE[entrant.engine](call)
        self.ready[entrant] = call, task.answer
        return seconds

    def again(self, entrant: Entrant) -> Callable[[], Any]:
        """The call of an entrant that is ready."""
        if entrant not in self.ready:
            self.first(entrant)
        return self.ready[entrant][0]

    def answer(self, entrant: Entrant, path: str) -> int | None:
        """Write what an entrant answers to a file; the bytes that it took."""
        raw, memory = MEMORY[entrant.engine](self.again(entrant))
        arrays = self.ready[entrant][1](raw)
        np.savez(Path(path), *(arrays if isinstance(arrays, tuple) else (arrays,)))
        return memory

    def seconds(self, entrant: Entrant) -> tuple[float, float]:
        """The time of a solve, and of a whole call."""
        return BOTH[entrant.engine](self.again(entrant), self.graph.engine)

    def peer_task(self, entrant: Entrant) -> Task:
        """A library with the graph taken in."""
        return known()[entrant.name].tasks[self.problem.name](self.csr)

    def method_task(self, entrant: Entrant) -> Task:
        """A method on the graph; its answers as host arrays with the sentinels of the raw results."""
        method, request, graph = self.problem.methods[entrant.name], self.job.request, self.graph
        why_not = method.refusal(graph, request)
        if why_not:
            raise Refused(why_not)
        return Task(lambda *where: self.problem(graph, *where, method=method.name, **request), self.host_arrays)

    def host_arrays(self, found: Any) -> tuple[Any, ...]:
        """Vectors or matrices as arrays, absent entries filled with what the problem means by them."""
        answers = found if isinstance(found, tuple) else (found,)
        wanted = zip(answers, fills(self.problem, answers[0].dtype), strict=False)
        return tuple(self.graph.engine.to_host(filled(answer, absent)) for answer, absent in wanted)


def filled(answer: Any, absent: Any) -> Any:
    """A vector or a matrix as an array that holds `absent` where there is no entry; an array as it is."""
    return answer.to_dense(absent) if hasattr(answer, "to_dense") else answer


class Refused(Exception):
    """A method does not answer this request; the message says why."""


def fills(problem: Any, dtype: Any) -> tuple[Any, ...]:
    """What stands for an absent entry: −1 for levels and vertices, infinity for distances of this dtype."""
    from graphla.algorithms.sssp._weights import infinity

    return (-1 if problem.name == "bfs" else infinity(getattr(dtype, "numpy", dtype))), -1
