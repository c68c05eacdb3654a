"""Every problem × method × engine × graph, through the registry: a new method is measured by being dropped in."""

from __future__ import annotations

from typing import Any

from graphla.errors import NotSupported

from .common import ENGINES, GRAPHS, PROBLEMS, graph, source, synchronise


def cases(problem: str) -> list[tuple[str, str, str]]:
    """(method, engine, graph) for all that the registry offers."""
    methods = PROBLEMS[problem].methods
    return [(m, e, g) for m in methods for e in ENGINES if e in methods[m].engines for g in GRAPHS[problem]]


class Timed:
    """A warm solve, the graph resident."""

    problem: str
    param_names = ("case",)
    number = 1
    warmup_time = 0

    def setup(self, case: tuple[str, str, str]) -> None:
        self.method, self.engine, self.spec = case
        self.G = graph(self.spec, self.engine)
        try:
            self.solve()
        except NotSupported as refusal:
            raise NotImplementedError(str(refusal)) from None

    def solve(self) -> Any:
        start = () if self.problem == "apsp" else (source(self.spec),)
        result = PROBLEMS[self.problem](self.G, *start, method=self.method)
        synchronise(self.engine)
        return result

    def time_solve(self, case: tuple[str, str, str]) -> None:
        self.solve()

    def track_device_bytes(self, case: tuple[str, str, str]) -> int:
        """Bytes that CuPy's pool holds after a solve; 0 on the CPU."""
        if self.engine != "cuda":
            return 0
        import cupy

        return int(cupy.get_default_memory_pool().total_bytes())

    track_device_bytes.unit = "bytes"  # type: ignore[attr-defined]


class Bfs(Timed):
    problem = "bfs"
    params = (cases("bfs"),)


class Sssp(Timed):
    problem = "sssp"
    params = (cases("sssp"),)


class Apsp(Timed):
    problem = "apsp"
    params = (cases("apsp"),)
