"""Every problem × method × engine × graph, from the registry: a new method is measured without further edits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from graphla.common.errors import NotSupported

from .common import ENGINES, GRAPHS, PROBLEMS, SAMPLING, device_peak, graph, needs, sink, source, synchronise


def cases(problem: str) -> list[str]:
    """List ``method engine graph`` for every registered method; cases of a missing engine are skipped, not omitted."""
    methods = PROBLEMS[problem].methods
    return [
        f"{name} {engine} {spec}"
        for name in sorted(methods)
        for engine in ENGINES
        if engine in methods[name].engines
        for spec in get_specs(problem, engine)
    ]


def get_specs(problem: str, engine: str) -> tuple[str, ...]:
    """The graphs that a problem is measured on: those of the table, or of a size that suits most."""
    most = ("kron:12", "ny") if engine == "cpu" else ("kron:16", "ny")
    usual = tuple(f"acyclic-{spec}" if PROBLEMS[problem].domain == "acyclic" else spec for spec in most)
    return GRAPHS.get((problem, engine), usual)


END = {"source": source, "sink": sink}


class _Solve:
    """A warm solve: the graph is on the device, and the result stays there."""

    problem = ""
    request: Mapping[str, Any] = MappingProxyType({})
    param_names = ("case",)
    number, rounds, repeat, warmup_time, timeout = 1, 1, SAMPLING, 0, 300

    def setup(self, case: str) -> None:
        self.method, self.engine, self.spec = case.split()
        needs(self.engine)
        self.G = graph(self.spec, self.engine)
        if refusal := warmed(type(self), case):
            raise NotImplementedError(refusal)

    def solve(self) -> Any:
        problem = PROBLEMS[self.problem]
        ends = (END[what](self.spec, self.engine) for what in problem.takes)
        result = problem(self.G, *ends, method=self.method, **self.request)
        synchronise(self.engine)
        return result

    def time_solve(self, case: str) -> None:
        self.solve()

    def track_device_bytes(self, case: str) -> float:
        """The most bytes of CuPy's pool that a solve holds at once, the result included, the graph left out."""
        return device_peak(self.solve) if self.engine == "cuda" else float("nan")

    track_device_bytes.unit = "bytes"  # type: ignore[attr-defined]


@cache
def warmed(benchmark: type[_Solve], case: str) -> str:
    """Solve once per process instead of before each sample; return why the method refuses, or an empty string."""
    first = benchmark()
    first.method, first.engine, first.spec = case.split()
    first.G = graph(first.spec, first.engine)
    try:
        first.solve()
    except NotSupported as refusal:
        return str(refusal)
    return ""


REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "pagerank": {"rounds": 20},
    "katz": {"rounds": 20},
    "eigenvector": {"rounds": 20},
    "hits": {"rounds": 20},
    "betweenness": {"sources": 4},
    "closeness": {"sources": tuple(range(64))},
    "label_propagation": {"rounds": 10},
    "random_walks": {"length": 10},
}
"""What is asked of a problem, where that is not the default."""
VARIANTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "StrongComponents": ("components", {"kind": "strong"}),
    "TrianglesPerVertex": ("triangles", {"per_vertex": True}),
}
"""What else is asked of some."""


def make_benchmark(title: str, problem: str, request: Mapping[str, Any]) -> type[_Solve]:
    """The benchmark of a problem; asv finds it by its name in this module."""
    held = {"problem": problem, "request": MappingProxyType(dict(request)), "params": (cases(problem),)}
    return type(title, (_Solve,), {"__module__": __name__, **held})


for _name in PROBLEMS:
    _title = _name.title().replace("_", "")
    globals()[_title] = make_benchmark(_title, _name, REQUESTS.get(_name, {}))
for _title, _asked in VARIANTS.items():
    globals()[_title] = make_benchmark(_title, *_asked)
