"""Breadth-first search on a GPU: every method on many graphs, verified, then timed with CUDA events.

    python asv_bench/gpu/bfs.py kron:20 kron:22 grid3d:100 roads.gr.xz --method fused --sources 16 --many 64
    python asv_bench/gpu/bfs.py kron:20 road:4000000 --historic --check
    python asv_bench/gpu/bfs.py shapes --historic --check

For each graph and method: whether levels (and parents) are right, then the median, least and most milliseconds of a
solve, the graph resident, preparation outside, the result left on the device. With --many, that many sources at once;
with --historic, `fused` against the fastest of the others, whose levels must be the same: a method is left once it
takes ten times as long, and is not begun where its read-backs alone take longer. `shapes` stands for `shapes.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np
from shapes import SHAPES, widen_pointers

import graphla as gl
from graphla.algorithms.bfs import bfs
from graphla.algorithms.bfs.many.multi_source import search_many
from graphla.common.errors import VerificationError
from graphla.graphs.generators.spec import from_spec

READ_BACK = 0.008  # milliseconds a level of a method that asks the host: a launch and 4 bytes take 0.0107
IN_ONE_LAUNCH = ("frontier_multi_level", "hierarchical")  # small levels, without the host

BUSY = cp.RawKernel(
    'extern "C" __global__ void busy(long long c) { for (long long t = clock64(); clock64() - t < c;) {} }', "busy"
)


def read(name: str) -> Any:
    """Read a file, or make the graph of a shape or of a generator specification."""
    if Path(name).exists():
        return gl.read(name, engine="cuda")
    return gl.Graph(SHAPES[name]() if name in SHAPES else from_spec(name, xp=cp), engine="cuda")


def measure_milliseconds(solve: Callable[[int], Any], sources: list[int]) -> list[float]:
    """Time one solve per source, started while the device is busy, so that the host is ahead of it."""
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


def draw_sources(G: Any, count: int) -> list[int]:
    """Draw sources that have an arc, the same in each run."""
    begun = cp.asnumpy(cp.flatnonzero(G.degrees))
    return [int(v) for v in np.random.default_rng(7).choice(begun, max(64, count))][:count]


def measure_verified(G: Any, name: str, parents: bool, sources: list[int]) -> list[float]:
    """Return the milliseconds of one solve from each source, after verifying the first."""
    method = bfs.methods[name]
    found = bfs(G, sources[0], method=name, parents=parents)
    bfs.verify(G, sources[0], *(found if parents else (found,)))
    return measure_milliseconds(lambda source: method.run(G, source, parents=parents), sources)


def report(G: Any, name: str, parents: bool, sources: list[int]) -> None:
    """Verify and time a method; print one line."""
    times = measure_verified(G, name, parents, sources)
    what = "parents" if parents else "levels"
    print(f"  {name:22} {what:8} {np.median(times):9.4f} ({min(times):.4f} to {max(times):.4f})", flush=True)


def report_many(G: Any, sources: list[int]) -> None:
    """Search from all sources at once: check each row against its own search; print the median of nine runs."""
    rows = search_many(G, sources)
    for row, source in zip(rows, sources, strict=True):
        if not bool((row == bfs.methods["fused"].run(G, source, parents=False)[0]).all()):
            raise VerificationError(f"from source {source}: the levels are not those of `fused`")
    times = measure_milliseconds(lambda _: search_many(G, sources), [0] * 9)
    print(
        f"  {len(sources):4} sources at once   {np.median(times):9.4f} ({min(times):.4f} to {max(times):.4f})",
        flush=True,
    )


def list_candidates(G: Any, levels: int, fused_took: float) -> Iterator[tuple[str, Callable[[int], Any]]]:
    """Yield the other methods, with default and other options, that could be as fast as `fused`."""
    options = {"hierarchical": ({"split_degree": 64},), "linear_work": ({"gathering": "serial"},)}
    for name, method in bfs.methods.items():
        hopeless = name not in IN_ONE_LAUNCH and levels * READ_BACK > fused_took
        if name == "fused" or hopeless or method.refusal(G, {"parents": False}) is not None:
            continue
        for chosen in ({}, *options.get(name, ())):
            yield " ".join([name, *map(str, chosen.values())]), partial(method.run, G, parents=False, **chosen)


def report_historic(G: Any, sources: list[int], check: bool) -> float:
    """Return the median of `fused` divided by that of the fastest other method."""
    fused = partial(bfs.methods["fused"].run, G, parents=False)
    wanted = fused(sources[0])[0]
    if check:
        bfs.verify(G, sources[0], bfs(G, sources[0], method="fused"))
    took, others = float(np.median(measure_milliseconds(fused, sources))), dict[str, float]()
    for name, run in list_candidates(G, int(wanted.max()), took):
        if not bool((as_array(run(sources[0])[0]) == wanted).all()):
            raise VerificationError(f"{name} from {sources[0]}: the levels are not those of `fused`")
        once = measure_milliseconds(run, sources[:1])
        others[name] = float(np.median(once if once[0] > 10 * took else measure_milliseconds(run, sources)))
    first, second, *_ = [*sorted(others, key=lambda name: others[name]), "none", "none"]
    print(
        f"  fused {took:.4f} over {int(wanted.max())} levels, best of {len(others)} others {first} "
        f"{others.get(first, np.inf):.4f}, {second} {others.get(second, np.inf):.4f}",
        flush=True,
    )
    return took / others.get(first, np.inf)


def as_array(levels: Any) -> Any:
    """Return levels of any method as an array, -1 where there is none."""
    return cp.asarray(levels.to_numpy(-1)) if isinstance(levels, gl.Vector) else levels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--method", action="append", help="by default all that run on the GPU")
    parser.add_argument("--sources", type=int, default=16)
    parser.add_argument("--many", type=int, action="append", default=[], help="so many sources at once, too")
    parser.add_argument("--historic", action="store_true", help="only `fused` against the best of the others")
    parser.add_argument("--check", action="store_true", help="with --historic, also by the rules of a search")
    parser.add_argument("--long", action="store_true", help="row pointers of 64 bits")
    arguments = parser.parse_args()
    ratios: dict[str, float] = {}
    for name in [name for given in arguments.graphs for name in (SHAPES if given == "shapes" else [given])]:
        G = widen_pointers(read(name)) if arguments.long else read(name)
        print(f"{name}: {G!r}", flush=True)
        sources = draw_sources(G, max(64, arguments.sources))
        if arguments.historic:
            ratios[name] = report_historic(G, sources[: arguments.sources], arguments.check)
            continue
        for method in arguments.method or list(bfs.methods):
            for parents in (False, True):
                if bfs.methods[method].refusal(G, {"parents": parents}) is None:
                    report(G, method, parents, sources[: arguments.sources])
        for count in arguments.many:
            report_many(G, sources[:count])
    if ratios:
        worst = max(ratios, key=lambda name: ratios[name])
        slower = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items() if ratio > 1)
        print(f"slower than another: {slower or 'none'}")
        print(f"the worst ratio of fused to the best of the others: {ratios[worst]:.3f}, on {worst}")


if __name__ == "__main__":
    main()
