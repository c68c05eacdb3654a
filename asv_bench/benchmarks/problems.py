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
        for spec in GRAPHS[problem, engine]
    ]


SOURCED = "bfs", "dominators", "sssp", "widest_paths", "max_flow"
"""Problems that begin at a vertex."""


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
        start = (source(self.spec, self.engine),) if self.problem in SOURCED else ()
        start += (sink(self.spec, self.engine),) if self.problem == "max_flow" else ()
        result = PROBLEMS[self.problem](self.G, *start, method=self.method, **self.request)
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


class Bfs(_Solve):
    problem = "bfs"
    params = (cases("bfs"),)


class Sssp(_Solve):
    problem = "sssp"
    params = (cases("sssp"),)


class Apsp(_Solve):
    problem = "apsp"
    params = (cases("apsp"),)


class Components(_Solve):
    problem = "components"
    params = (cases("components"),)


class StrongComponents(_Solve):
    problem = "components"
    request = MappingProxyType({"kind": "strong"})
    params = (cases("components"),)


class Pagerank(_Solve):
    """Twenty rounds."""

    problem = "pagerank"
    request = MappingProxyType({"rounds": 20})
    params = (cases("pagerank"),)


class Katz(_Solve):
    """Twenty rounds."""

    problem = "katz"
    request = MappingProxyType({"rounds": 20})
    params = (cases("katz"),)


class Eigenvector(_Solve):
    """Twenty rounds."""

    problem = "eigenvector"
    request = MappingProxyType({"rounds": 20})
    params = (cases("eigenvector"),)


class Hits(_Solve):
    """Twenty rounds."""

    problem = "hits"
    request = MappingProxyType({"rounds": 20})
    params = (cases("hits"),)


class Triangles(_Solve):
    problem = "triangles"
    params = (cases("triangles"),)


class TrianglesPerVertex(_Solve):
    problem = "triangles"
    request = MappingProxyType({"per_vertex": True})
    params = (cases("triangles"),)


class Clustering(_Solve):
    problem = "clustering"
    params = (cases("clustering"),)


class Betweenness(_Solve):
    """Four random sources."""

    problem = "betweenness"
    request = MappingProxyType({"sources": 4})
    params = (cases("betweenness"),)


class Closeness(_Solve):
    """Of 64 vertices."""

    problem = "closeness"
    request = MappingProxyType({"sources": tuple(range(64))})
    params = (cases("closeness"),)


class LabelPropagation(_Solve):
    """Ten rounds."""

    problem = "label_propagation"
    request = MappingProxyType({"rounds": 10})
    params = (cases("label_propagation"),)


class Matching(_Solve):
    problem = "matching"
    params = (cases("matching"),)


class TrussNumbers(_Solve):
    problem = "truss_numbers"
    params = (cases("truss_numbers"),)


class SpanningForest(_Solve):
    problem = "spanning_forest"
    params = (cases("spanning_forest"),)


class CoreNumbers(_Solve):
    problem = "core_numbers"
    params = (cases("core_numbers"),)


class IndependentSet(_Solve):
    problem = "independent_set"
    params = (cases("independent_set"),)


class TopologicalOrder(_Solve):
    problem = "topological_order"
    params = (cases("topological_order"),)


class Coloring(_Solve):
    problem = "coloring"
    params = (cases("coloring"),)


class Louvain(_Solve):
    problem = "louvain"
    params = (cases("louvain"),)


class Leiden(_Solve):
    problem = "leiden"
    params = (cases("leiden"),)


class Eccentricity(_Solve):
    problem = "eccentricity"
    params = (cases("eccentricity"),)


class Diameter(_Solve):
    problem = "diameter"
    params = (cases("diameter"),)


class Similarity(_Solve):
    problem = "similarity"
    params = (cases("similarity"),)


class WidestPaths(_Solve):
    problem = "widest_paths"
    params = (cases("widest_paths"),)


class MaxFlow(_Solve):
    problem = "max_flow"
    params = (cases("max_flow"),)


class TransitiveClosure(_Solve):
    problem = "transitive_closure"
    params = (cases("transitive_closure"),)


class RandomWalks(_Solve):
    """Ten steps from every vertex."""

    problem = "random_walks"
    request = MappingProxyType({"length": 10})
    params = (cases("random_walks"),)


class Dominators(_Solve):
    problem = "dominators"
    params = (cases("dominators"),)
