"""GAP's six kernels as requests to graphla's problems: on which graph, with which options, and how often."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphla.algorithms.betweenness import betweenness
from graphla.algorithms.bfs import bfs
from graphla.algorithms.components import components
from graphla.algorithms.pagerank import pagerank
from graphla.algorithms.sssp import sssp
from graphla.algorithms.triangles import triangles
from graphla.common.errors import InvalidGraph, NotConverged
from graphla.graphs.graph import Graph
from graphla.measuring.benchmarks.gap_graphs import add_weights, make_undirected
from graphla.measuring.benchmarks.mersenne_twister import draw_words
from graphla.problem import Problem

SEED = 27491095
"""The seed of GAP's sources."""
ROUNDS = 20
"""The most rounds of PageRank, as GAP's `pr` has them by default."""


def keep(G: Graph) -> Graph:
    """The graph as it is."""
    return G


@dataclass(frozen=True)
class Kernel:
    """One of GAP's kernels.

    Attributes
    ----------
    name : str
        GAP's name for it.
    problem : Problem
        What it asks of graphla.
    trials : int
        How often GAP runs it.
    sources : int
        The sources of a trial, which are drawn anew for each.
    request : mapping
        The options of the problem.
    prepare : callable (Graph) -> Graph
        The graph that it runs on.
    as_option : bool
        Whether the problem takes the sources as an option.
    """

    name: str
    problem: Problem
    trials: int
    sources: int = 0
    request: Mapping[str, Any] = field(default_factory=dict)
    prepare: Callable[[Graph], Graph] = keep
    as_option: bool = False

    def make_call(self, sources: Sequence[int]) -> tuple[tuple[int, ...], dict[str, Any]]:
        """What the problem takes beside the graph: by place, and by name."""
        if self.as_option:
            return (), {**self.request, "sources": list(sources)}
        return tuple(sources), dict(self.request)

    def solve(self, G: Graph, sources: Sequence[int], **more: Any) -> tuple[Any, ...]:
        """The answers, one or two."""
        solve: Any = self.problem
        places, options = self.make_call(sources)
        found = solve(G, *places, **options, **more)
        return found if isinstance(found, tuple) else (found,)

    def verify(self, G: Graph, sources: Sequence[int], answers: tuple[Any, ...]) -> None:
        """Raise `VerificationError` if the problem's verifier refuses the answers."""
        places, options = self.make_call(sources)
        self.problem.verify(G, *places, *answers, **self.problem.definition(options))


def list_kernels(rounds: int = ROUNDS) -> tuple[Kernel, ...]:
    """GAP's kernels in its order, with at most so many rounds of PageRank."""
    rank = {"convention": "gap", "max_rounds": rounds}
    return (
        Kernel("bfs", bfs, 64, 1, {"parents": True}),
        Kernel("sssp", sssp, 64, 1, prepare=add_weights),
        Kernel("pr", pagerank, 16, request=rank),
        Kernel("cc", components, 16),
        Kernel("bc", betweenness, 16, 4, {"normalized": False}, as_option=True),
        Kernel("tc", triangles, 3, prepare=make_undirected),
    )


NAMES = tuple(kernel.name for kernel in list_kernels())


def draw_sources(G: Graph) -> Iterator[int]:
    """The vertices that GAP draws on a graph with these degrees: uniform, and again if no arc leaves one."""
    degrees = G.engine.to_host(G.degrees)
    if not degrees.any():
        raise InvalidGraph(f"{G.name or 'the graph'}: no vertex has an arc to another, and a source needs one")
    return (v for v in draw_below(G.n) if degrees[v])


def draw_below(n: int) -> Iterator[int]:
    """GAP's draws from [0, n): the low 32 bits of the twister, those refused that would favour small numbers."""
    remainder = ((1 << 64) - 1) % n
    limit = 1 << 32 if remainder == n - 1 else ((1 << 64) - 1 - remainder) & 0xFFFFFFFF
    words = (word & 0xFFFFFFFF for word in draw_words(SEED))
    return (word % n for word in words if word < limit)


def settle_rounds(kernel: Kernel, G: Graph, rounds: int) -> Kernel:
    """The kernel, or of PageRank one that stops after so many rounds if it does not converge in them."""
    if kernel.problem is not pagerank:
        return kernel
    try:
        kernel.solve(G, ())
    except NotConverged:
        request = {"convention": "gap", "rounds": rounds}
        return Kernel(kernel.name, kernel.problem, kernel.trials, request=request)
    return kernel
