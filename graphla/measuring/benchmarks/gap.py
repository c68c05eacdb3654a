"""The GAP Benchmark Suite: six kernels on a graph, from GAP's sources, as often as GAP runs them, each answer verified.

A trial is a whole call of a problem, until the device has finished. What a method prepares once per graph is done in
the first call on a graph of which nothing is known; its seconds are told apart. Specification: Beamer, Asanović,
Patterson, "The GAP Benchmark Suite", arXiv:1508.03619; sources and parameters as in https://github.com/sbeamer/gapbs.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from graphla.common.arguments import to_int
from graphla.common.errors import InvalidOption, NegativeCycle, NotSupported, OutOfMemory, VerificationError
from graphla.containers.container import Container
from graphla.graphs.graph import Graph
from graphla.measuring.benchmarks.clock import time_compiled
from graphla.measuring.benchmarks.gap_graphs import drop_loops, forget_facts
from graphla.measuring.benchmarks.gap_kernels import NAMES, ROUNDS, Kernel, draw_sources, list_kernels, settle_rounds
from graphla.measuring.graph500 import time_call
from graphla.problem import require_graph

Tell = Callable[[str, int, int], None]
Sources = tuple[int, ...]


@dataclass(frozen=True)
class Result:
    """What the trials of a kernel on a graph took.

    Attributes
    ----------
    graph, kernel : str
        The name of the graph, and GAP's name of the kernel.
    method : str
        The method that ran; empty if none could.
    seconds : tuple of float
        The seconds of each trial.
    first_seconds : float or None
        Seconds of the first call on the graph, with all that is prepared once per graph; nothing is compiled in it.
    sources : tuple of tuple of int
        The sources of each trial.
    verified : int
        How many trials have a right answer.
    fault : str
        What is wrong with the first wrong answer, why it could not be checked, or why no method could answer; else
        empty.
    """

    graph: str
    kernel: str
    method: str
    seconds: tuple[float, ...] = ()
    first_seconds: float | None = None
    sources: tuple[Sources, ...] = ()
    verified: int = 0
    fault: str = ""

    @property
    def average(self) -> float | None:
        """The mean of the seconds, which is GAP's figure."""
        return statistics.fmean(self.seconds) if self.seconds else None


def run(
    G: Graph,
    kernels: Sequence[str] = NAMES,
    *,
    trials: int | None = None,
    rounds: int = ROUNDS,
    validate: bool = True,
    progress: Tell = lambda what, done, of: None,
) -> list[Result]:
    """Run kernels on a graph.

    Parameters
    ----------
    G : Graph
        The graph. Its loops are dropped; one without weights gets random ones for `sssp`, and a directed one loses
        its directions for `tc`.
    kernels : sequence of str
        Names of GAP: ``bfs``, ``sssp``, ``pr``, ``cc``, ``bc``, ``tc``.
    trials : int, optional
        The trials of each kernel; by default GAP's 64, 64, 16, 16, 16 and 3.
    rounds : int
        The most rounds of PageRank, which stops earlier if a round changes the ranks by 1e-4 at most.
    validate : bool
        Whether to verify each answer.
    progress : callable (what, done, of)
        Called before each trial.

    Returns
    -------
    list of Result
        One for each kernel, in GAP's order.

    Raises
    ------
    InvalidOption
        If there is no such kernel, or `trials` or `rounds` is not positive.
    InvalidGraph
        If no vertex can be a source.
    """
    require_graph(G)
    counts = None if trials is None else to_int(trials, "trials", 1)
    known = {kernel.name: kernel for kernel in list_kernels(to_int(rounds, "rounds", 1))}
    for name in kernels:
        if name not in known:
            raise InvalidOption(f"kernels: {name!r} is no kernel; there are: {', '.join(known)}")
    G = drop_loops(G)
    chosen = [kernel for name, kernel in known.items() if name in kernels]
    return [run_kernel(kernel, G, counts or kernel.trials, rounds, validate, progress) for kernel in chosen]


def run_kernel(kernel: Kernel, G: Graph, trials: int, rounds: int, validate: bool, progress: Tell) -> Result:
    """Run the trials of a kernel."""
    name = G.name or "graph"
    progress(kernel.name, 0, trials)
    prepared = kernel.prepare(G)
    sources = tuple(group_sources(prepared, kernel.sources, trials))
    try:
        _, request = kernel.make_call(sources[0])
        method = kernel.problem.choose(prepared, None, request).name
        kernel = settle_rounds(kernel, forget_facts(prepared), rounds)
        kernel.solve(forget_facts(prepared), sources[0], method=method)  # compiles
    except (NotSupported, NegativeCycle) as error:
        return Result(name, kernel.name, "", fault=str(error))
    D, xp = forget_facts(prepared), G.engine.xp
    _, first = time_call(xp, partial(kernel.solve, D, sources[0], method=method))
    seconds, judge = [], Judge(kernel, prepared)
    for done, each in enumerate(sources):
        progress(kernel.name, done, trials)
        answers, took = time_compiled(xp, partial(kernel.solve, D, each, method=method))
        seconds.append(took)
        if validate:
            judge.look_at(each, answers)
    return Result(name, kernel.name, method, tuple(seconds), first, sources, judge.right, judge.fault)


def group_sources(G: Graph, count: int, trials: int) -> Iterator[Sources]:
    """The sources of each trial, one after the other as GAP draws them."""
    drawn = draw_sources(G) if count else iter(())
    for _ in range(trials):
        yield tuple(islice(drawn, count))


class Judge:
    """The verifier of a kernel, and what it found; an answer equal to one that was right needs no second look."""

    def __init__(self, kernel: Kernel, G: Graph) -> None:
        self.kernel, self.G = kernel, G
        self.right, self.fault = 0, ""
        self._known: tuple[Sources, tuple[Any, ...]] | None = None

    def look_at(self, sources: Sources, answers: tuple[Any, ...]) -> None:
        """Verify the answers of a trial."""
        if self._known is None or self._known[0] != sources or not all(map(are_equal, self._known[1], answers)):
            try:
                self.kernel.verify(self.G, sources, answers)
            except (VerificationError, OutOfMemory) as error:
                self.fault = self.fault or str(error)
                return
            self._known = sources, answers
        self.right += 1


def are_equal(answer: Any, other: Any) -> bool:
    """Whether two answers are the same, as vectors or as numbers."""
    return answer.isequal(other) if isinstance(answer, Container) else answer == other
