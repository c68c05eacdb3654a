"""The time before a first result: compiling, with an empty and a filled cache, and reading; and peak memory."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import graphla as gl
from graphla.graphs.io import formats, read_coo, write_coo

from .common import ENGINES, from_spec, needs, told_by_python

IMPORT = "import time; t = time.perf_counter(); import graphla; print(time.perf_counter() - t)"
FIRST = """
import time, graphla as gl
G = gl.Graph(([0, 1, 2], [1, 2, 0], [1, 2, 3]), engine={engine!r})
t = time.perf_counter()
gl.{problem}(G, {start}method={method!r})
if {engine!r} == "cuda":
    import cupy
    cupy.cuda.get_current_stream().synchronize()
print(time.perf_counter() - t)
"""
PEAK = """
import re, graphla as gl
from pathlib import Path
from graphla.generators import from_spec

def told(what):
    return int(re.search(what + r":\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024

G = gl.Graph(from_spec("kron:16?weights=1..255"), engine="cpu")
G.csc
Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
before = told("VmRSS")
gl.{problem}(G, 0)
print(told("VmHWM") - before)
"""
TEXT = "kron:14?weights=1..255"


COMPILED = ("bfs", "sssp", "apsp", "components", "pagerank", "label_propagation")
"""Problems whose first calls are measured; the other centralities run the kernels of the last."""


class FirstCall:
    """Seconds of the first call of a problem in a process, which compiles or loads compiled code from the cache."""

    params = ([f"{problem} {method}" for problem in COMPILED for method in ("algebraic", "best")], list(ENGINES))
    param_names = ("call", "engine")
    timeout, unit = 300, "s"

    def setup(self, call: str, engine: str) -> None:
        needs(engine)
        problem, method = call.split()
        start = "0, " if problem in ("bfs", "sssp") else ""
        self.code = FIRST.format(
            engine=engine, problem=problem, start=start, method=None if method == "best" else method
        )

    def first(self, folder: str) -> float:
        """The seconds with every cache of compiled code in `folder`."""
        caches = ("GRAPHLA_CACHE", "NUMBA_CACHE_DIR", "CUPY_CACHE_DIR", "CUDA_CACHE_PATH")
        return told_by_python(self.code, **dict.fromkeys(caches, folder))

    def track_cold(self, call: str, engine: str) -> float:
        """The first process, whose cache is empty."""
        with tempfile.TemporaryDirectory() as folder:
            return self.first(folder)

    def track_warm(self, call: str, engine: str) -> float:
        """The second process, which compiles nothing."""
        with tempfile.TemporaryDirectory() as folder:
            self.first(folder)
            return self.first(folder)


class Peak:
    """Peak bytes of a first solve beyond the graph: the engine's code, work space and result."""

    params = (["bfs", "sssp"],)
    param_names = ("problem",)
    unit = "bytes"

    def track_host_peak(self, problem: str) -> float:
        needs("cpu")
        if not os.access("/proc/self/clear_refs", os.W_OK):
            raise NotImplementedError("this system does not tell the peak of a process")
        return told_by_python(PEAK.format(problem=problem))


class Read:
    """Reading a file of each format, and the (compressed) sample that ships with graphla."""

    params = ([*sorted(formats()), "ny"],)
    param_names = ("format",)
    number, rounds, repeat, warmup_time = 1, 1, (3, 5, 2.0), 0

    def setup(self, name: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path, self.format = gl.datasets.new_york(), None
        if name != "ny":
            self.format, self.path = name, Path(self.folder.name) / f"graph{formats()[name].suffixes[0]}"
            coo = from_spec(TEXT.split("?")[0] if name == "pace" else TEXT)  # PACE has no weights
            write_coo(self.path, coo, name)

    def teardown(self, name: str) -> None:
        self.folder.cleanup()

    def time_read(self, name: str) -> None:
        read_coo(self.path, self.format)
