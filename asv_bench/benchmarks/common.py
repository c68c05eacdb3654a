"""Engines, graphs and sources that the benchmarks share; made once in a process."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import graphla as gl
from graphla.engine import gpu_is_there
from graphla.generators import from_spec

ENGINES = ("cpu", *(("cuda",) if gpu_is_there() else ()))
PROBLEMS = {"bfs": gl.bfs, "sssp": gl.sssp, "apsp": gl.apsp}
GRAPHS = {
    "bfs": ("kron:16", "grid3d:64", "ny"),
    "sssp": ("kron:16?weights=1..255", "grid3d:64?weights=1..255"),
    "apsp": ("kron:9?weights=1..255",),
}


@cache
def graph(spec: str, engine: str) -> gl.Graph:
    """The graph of a generator's text, or the shipped sample."""
    G = gl.read(gl.datasets.new_york(), engine=engine) if spec == "ny" else gl.Graph(from_spec(spec), engine=engine)
    _ = G.csc
    return G


@cache
def source(spec: str) -> int:
    """A vertex of the largest degree, which every part of a Kronecker graph can reach."""
    return int(graph(spec, "cpu").degrees.argmax())


def synchronise(engine: str) -> None:
    """Wait for the device."""
    if engine == "cuda":
        import cupy

        cupy.cuda.get_current_stream().synchronize()


def ratio(ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int = 7) -> float:
    """Median time of ours over that of theirs, measured in turn after a warm-up."""
    ours()
    theirs()
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(repeats)]
    return float(np.median([a for a, _ in pairs]) / np.median([b for _, b in pairs]))


def seconds(run: Callable[[], Any]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
