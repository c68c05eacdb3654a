"""Breadth-first search on a GPU: every method on many graphs, verified, then timed with CUDA events.

    python asv_bench/gpu/bfs.py kron:20 kron:22 grid3d:100 roads.gr.xz --method fused --sources 16 --many 64
    python asv_bench/gpu/bfs.py kron:20 road:4000000 --historic

For each graph and method: whether levels (and parents) are right, then the median, least and most milliseconds of a
solve, the graph resident, preparation outside, the result left on the device. With --many, that many sources at once;
with --historic, `fused` against the fastest of the others (a method is left once it takes ten times as long).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import graphla as gl
from graphla.algorithms.bfs import bfs
from graphla.algorithms.bfs._multi_source import multi_source
from graphla.errors import VerificationError
from graphla.generators.spec import from_spec

BUSY = cp.RawKernel(
    'extern "C" __global__ void busy(long long c) { for (long long t = clock64(); clock64() - t < c;) {} }', "busy"
)


def read(name: str) -> Any:
    """A file, or a generator with its size."""
    return gl.read(name, engine="cuda") if Path(name).exists() else gl.Graph(from_spec(name, xp=cp), engine="cuda")


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


def report_many(G: Any, sources: list[int]) -> None:
    """All sources at once: each row is the search of its source, and the median of nine runs."""
    rows = multi_source(G, sources)
    for row, source in zip(rows, sources, strict=True):
        if not bool((row == bfs.methods["fused"].run(G, source, parents=False)[0]).all()):
            raise VerificationError(f"from source {source}: the levels are not those of `fused`")
    times = milliseconds(lambda _: multi_source(G, sources), [0] * 9)
    print(
        f"  {len(sources):4} sources at once   {np.median(times):9.4f} ({min(times):.4f} to {max(times):.4f})",
        flush=True,
    )


def report_historic(G: Any, sources: list[int]) -> float:
    """How many times the fastest other method's median `fused` takes."""
    medians: dict[str, float] = {}
    names = [name for name in bfs.methods if bfs.methods[name].refusal(G, {"parents": False}) is None]
    for name in sorted(names, key=lambda name: name != "fused"):
        run = partial(bfs.methods[name].run, G, parents=False)
        run(sources[0])
        once = milliseconds(run, sources[:1])
        slow = medians and once[0] > 10 * medians["fused"]
        medians[name] = float(np.median(once if slow else milliseconds(run, sources)))
    others = {name: took for name, took in medians.items() if name != "fused"}
    best = min(others, key=lambda name: others[name])
    print(f"  fused {medians['fused']:.4f}, best of the others {best} {others[best]:.4f}", flush=True)
    return medians["fused"] / others[best]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--method", action="append", help="by default all that run on the GPU")
    parser.add_argument("--sources", type=int, default=16)
    parser.add_argument("--many", type=int, action="append", default=[], help="so many sources at once, too")
    parser.add_argument("--historic", action="store_true", help="only `fused` against the best of the others")
    arguments = parser.parse_args()
    ratios: dict[str, float] = {}
    for name in arguments.graphs:
        G = read(name)
        print(f"{name}: {G!r}", flush=True)
        candidates = cp.asnumpy(cp.flatnonzero(G.degrees))
        sources = [int(v) for v in np.random.default_rng(7).choice(candidates, max(64, arguments.sources))]
        if arguments.historic:
            ratios[name] = report_historic(G, sources[: arguments.sources])
            continue
        for method in arguments.method or list(bfs.methods):
            for parents in (False, True):
                if bfs.methods[method].refusal(G, {"parents": parents}) is None:
                    report(G, method, parents, sources[: arguments.sources])
        for count in arguments.many:
            report_many(G, sources[:count])
    if ratios:
        worst = max(ratios, key=lambda name: ratios[name])
        print(f"the worst ratio of fused to the best of the others: {ratios[worst]:.3f}, on {worst}")


if __name__ == "__main__":
    main()
