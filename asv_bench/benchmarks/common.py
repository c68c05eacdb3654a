"""Engines, graphs and sources that the benchmarks share; created once per process."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import graphla as gl
from graphla.engine import get_engine, has_gpu
from graphla.graphs.generators import from_spec
from graphla.problem import all_problems

ENGINES = ("cpu", "cuda")
PROBLEMS = all_problems()
GRAPHS = {
    ("bfs", "cpu"): ("kron:16", "grid3d:64", "ny"),
    ("bfs", "cuda"): ("kron:20", "grid3d:100", "ny"),
    ("sssp", "cpu"): ("kron:16?weights=1..255", "grid3d:32?weights=1..255", "ny"),
    ("sssp", "cuda"): ("kron:20?weights=1..255", "grid3d:100?weights=1..255", "ny"),
    ("apsp", "cpu"): ("kron:9?weights=1..255",),
    ("apsp", "cuda"): ("kron:12?weights=1..255",),
    ("components", "cpu"): ("kron:16", "grid3d:64", "ny"),
    ("components", "cuda"): ("kron:20", "grid3d:100", "ny"),
    ("pagerank", "cpu"): ("kron:16", "grid3d:64", "ny"),
    ("pagerank", "cuda"): ("kron:20", "grid3d:100", "ny"),
    ("betweenness", "cpu"): ("kron:14", "ny"),
    ("betweenness", "cuda"): ("kron:20", "ny"),
    ("closeness", "cpu"): ("kron:14", "ny"),
    ("closeness", "cuda"): ("kron:20", "ny"),
    ("katz", "cpu"): ("kron:16",),
    ("katz", "cuda"): ("kron:20",),
    ("eigenvector", "cpu"): ("kron:16",),
    ("eigenvector", "cuda"): ("kron:20",),
    ("hits", "cpu"): ("kron:16",),
    ("hits", "cuda"): ("kron:20",),
    ("triangles", "cpu"): ("kron:16", "grid3d:64", "ny"),
    ("triangles", "cuda"): ("kron:20", "grid3d:100", "ny"),
    ("clustering", "cpu"): ("kron:14",),
    ("clustering", "cuda"): ("kron:18",),
    ("label_propagation", "cpu"): ("kron:16", "ny"),
    ("label_propagation", "cuda"): ("kron:20", "ny"),
    ("matching", "cpu"): ("kron:16", "ny"),
    ("matching", "cuda"): ("kron:20", "ny"),
    ("spanning_forest", "cpu"): ("kron:16?weights=1..255", "ny"),
    ("spanning_forest", "cuda"): ("kron:20?weights=1..255", "ny"),
    ("coloring", "cpu"): ("kron:16", "ny"),
    ("coloring", "cuda"): ("kron:20", "ny"),
    ("truss_numbers", "cpu"): ("kron:12", "ny"),
    ("truss_numbers", "cuda"): ("kron:16", "ny"),
    ("core_numbers", "cpu"): ("kron:16", "ny"),
    ("core_numbers", "cuda"): ("kron:20", "ny"),
    ("independent_set", "cpu"): ("kron:16", "ny"),
    ("independent_set", "cuda"): ("kron:20", "ny"),
    ("eccentricity", "cpu"): ("kron:12",),
    ("eccentricity", "cuda"): ("kron:14",),
    ("similarity", "cpu"): ("kron:14", "ny"),
    ("similarity", "cuda"): ("kron:18", "ny"),
    ("widest_paths", "cpu"): ("kron:16?weights=1..255", "ny"),
    ("widest_paths", "cuda"): ("kron:20?weights=1..255", "ny"),
    ("transitive_closure", "cpu"): ("acyclic-kron:11",),
    ("transitive_closure", "cuda"): ("acyclic-kron:13",),
    ("random_walks", "cpu"): ("kron:12", "ny"),
    ("random_walks", "cuda"): ("kron:16", "ny"),
    ("dominators", "cpu"): ("kron:10",),
    ("dominators", "cuda"): ("kron:12",),
    ("diameter", "cpu"): ("kron:12",),
    ("diameter", "cuda"): ("kron:14",),
    ("topological_order", "cpu"): ("acyclic-kron:16", "acyclic-ny"),
    ("topological_order", "cuda"): ("acyclic-kron:20", "acyclic-ny"),
    ("louvain", "cpu"): ("kron:16", "ny"),
    ("louvain", "cuda"): ("kron:20", "ny"),
    ("leiden", "cpu"): ("kron:16", "ny"),
    ("leiden", "cuda"): ("kron:20", "ny"),
    ("max_flow", "cpu"): ("kron:16?weights=1..255", "ny"),
    ("max_flow", "cuda"): ("kron:20?weights=1..255", "ny"),
}
SAMPLING = (3, 10, float(os.environ.get("GRAPHLA_BENCH_SECONDS", 3)))
"""Minimum and maximum number of samples of a case, and the seconds after which no further sample starts."""
ROOT = Path(gl.__file__).parents[1]
"""The root of the measured graphla, which child processes import, too."""


@cache
def present(engine: str) -> bool:
    """Whether an engine works here; first called when a benchmark starts, so that a forked process calls it first."""
    return has_gpu() if engine == "cuda" else importlib.util.find_spec("numba") is not None


def needs(engine: str) -> None:
    """Skip a benchmark if its engine is missing."""
    if not present(engine):
        raise NotImplementedError(f"no engine {engine!r} here")


@cache
def graph(spec: str, engine: str) -> gl.Graph:
    """Return the graph of a generator specification, or the sample that ships with graphla.

    Of one whose name begins with ``acyclic-`` the arcs to larger vertices are left.
    """
    chosen = get_engine(engine)
    if spec.startswith("acyclic-"):
        return gl.Graph(gl.select.triu(graph(spec.removeprefix("acyclic-"), engine).A, 1).new())
    if spec == "ny":
        return gl.read(gl.datasets.new_york(), engine=chosen)
    return gl.Graph(from_spec(spec, xp=chosen.xp), engine=chosen)


@cache
def source(spec: str, engine: str) -> int:
    """Return a vertex of the largest degree, which is in the largest component of a Kronecker graph."""
    return int(graph(spec, engine).degrees.argmax())


@cache
def sink(spec: str, engine: str) -> int:
    """Return a vertex of the second largest degree."""
    degrees = graph(spec, engine).degrees.copy()
    degrees[degrees.argmax()] = -1
    return int(degrees.argmax())


def synchronise(engine: str) -> None:
    """Wait for the device."""
    if engine == "cuda":
        import cupy

        cupy.cuda.get_current_stream().synchronize()


def device_peak(run: Callable[[], Any]) -> float:
    """Return the peak number of bytes that a call takes from CuPy's pool."""
    import cupy

    class Live(cupy.cuda.MemoryHook):
        """Adds up allocated and freed bytes."""

        name = "live bytes"
        now = most = 0

        def malloc_postprocess(self, **block: int) -> None:
            self.now += block["mem_size"]
            self.most = max(self.most, self.now)

        def free_postprocess(self, **block: int) -> None:
            self.now -= block["mem_size"]

    with Live() as live:
        run()
    return float(live.most)


def ratio(ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int = 7) -> float:
    """Return the median time of `ours` divided by that of `theirs`, measured in turn after a warm-up."""
    ours()
    theirs()
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(repeats)]
    return float(np.median([a for a, _ in pairs]) / np.median([b for _, b in pairs]))


def seconds(run: Callable[[], Any]) -> float:
    """Return the wall-clock seconds of one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def told_by_python(code: str, **environment: str) -> float:
    """Run code in a new Python process; return the last number that it prints."""
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    where = {**os.environ, "PYTHONPATH": paths, **environment}
    return float(subprocess.check_output([sys.executable, "-c", code], env=where, text=True).split()[-1])
