"""Breadth-first search on a GPU: every method on many graphs, verified, then timed with CUDA events.

    python asv_bench/gpu/bfs.py kron:20 kron:22 grid3d:100 roads.gr.xz --method fused --sources 16

For each graph and method: whether levels (and parents) are right, then the median, least and most milliseconds of a
solve, the graph resident, preparation outside, the result left on the device.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import graphla as gl
from graphla.algorithms.bfs import bfs

BUSY = cp.RawKernel(
    'extern "C" __global__ void busy(long long c) { for (long long t = clock64(); clock64() - t < c;) {} }', "busy"
)


def read(name: str) -> Any:
    """A file, or a generator with its size."""
    return (
        gl.read(name, engine="cuda")
        if Path(name).exists()
        else gl.Graph(gl.generate.from_spec(name, xp=cp), engine="cuda")
    )


def milliseconds(solve: Callable[[int], Any], sources: list[int]) -> list[float]:
    """Of one solve each, begun while the device is busy so that the host is ahead of it."""
    begin, end, times = cp.cuda.Event(), cp.cuda.Event(), []
    for source in sources:
        BUSY((1,), (1,), (np.int64(200_000),))
        begin.record()
        result = solve(source)
        end.record()
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(begin, end))
        del result
    return times


def report(G: Any, name: str, parents: bool, sources: list[int]) -> None:
    """One line: right or wrong, and how fast."""
    method = bfs.methods[name]
    found = bfs(G, sources[0], method=name, parents=parents)
    bfs.verify(G, sources[0], *(found if parents else (found,)))
    times = milliseconds(lambda source: method.run(G, source, parents=parents), sources)
    what = "parents" if parents else "levels"
    print(f"  {name:22} {what:8} {np.median(times):9.4f} ({min(times):.4f} to {max(times):.4f})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--method", action="append", help="by default all that run on the GPU")
    parser.add_argument("--sources", type=int, default=16)
    arguments = parser.parse_args()
    for name in arguments.graphs:
        G = read(name)
        print(f"{name}: {G!r}")
        candidates = cp.asnumpy(cp.flatnonzero(G.degrees))
        sources = [int(v) for v in np.random.default_rng(7).choice(candidates, arguments.sources)]
        for method in arguments.method or list(bfs.methods):
            for parents in (False, True):
                if bfs.methods[method].refusal(G, {"parents": parents}) is None:
                    report(G, method, parents, sources)


if __name__ == "__main__":
    main()
