"""Betweenness and closeness on a GPU: methods compared with the CPU's, then timed with CUDA events.

    python asv_bench/gpu/betweenness.py kron:20 kron:22 road-FLA.pace.gr.xz
    python asv_bench/gpu/betweenness.py kron:20 --only batched --kernels
    python asv_bench/gpu/betweenness.py road-FLA.pace.gr.xz --counts 1 --repeats 11

For each graph and number of sources: the median, least and most milliseconds a source, the graph and what is prepared
of it resident (prepared by the first call), the result left on the device. Sources have arcs and are drawn at random.
With --kernels the milliseconds of each kernel of one call follow.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np
from bfs import read
from problems import measure_milliseconds

import graphla as gl
from graphla.common.errors import GraphlaError
from graphla.engine.cuda.parameters import StructKernel

SEED = 5
SMALL = 10_000
"""Vertices up to which one source at a time is timed for any number of sources."""


def choose_sources(G: gl.Graph, count: int) -> list[int]:
    """Random vertices that have arcs."""
    usable = cp.asnumpy(cp.flatnonzero(G.degrees > 0))
    return np.random.default_rng(SEED).choice(usable, count, replace=False).tolist()


def compare(found: gl.Vector, expected: np.ndarray[Any, Any]) -> str:
    """Say how far an answer is from that of the CPU."""
    values = found.to_numpy(np.nan).astype(float)
    floor = 1e-7 * float(np.nanmax(expected, initial=0))
    worst = float(np.max(np.abs(values - expected) / np.maximum(np.abs(expected), floor), initial=0))
    return f"{'right' if worst < 1e-4 else 'WRONG'}, off by {worst:.1e}"


def report(title: str, solve: Callable[[], Any], expected: Any, repeats: int, count: int) -> None:
    """Compare and time a method; print one line."""
    try:
        said = "not compared" if expected is None else compare(solve(), expected)
        times = [each / count for each in measure_milliseconds(solve, repeats)]
    except GraphlaError as error:
        print(f"  {title:52} {error}", flush=True)
        return
    print(f"  {title:52} {np.median(times):9.4f} ({min(times):.4f} to {max(times):.4f}) a source, {said}", flush=True)


class Watch:
    """Adds up the time of each kernel with a struct of parameters while it is on."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Any, Any]] = []
        self.call = StructKernel.__call__

    def __enter__(self) -> Watch:
        def call(kernel: StructKernel, grid: Any, block: Any, record: Any, shared: int = 0) -> None:
            begin, end = cp.cuda.Event(), cp.cuda.Event()
            begin.record()
            self.call(kernel, grid, block, record, shared)
            end.record()
            self.events.append((type(record).__name__ + f" grid {grid}", begin, end))

        StructKernel.__call__ = call  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        StructKernel.__call__ = self.call  # type: ignore[method-assign]
        cp.cuda.Device().synchronize()

    def report(self) -> None:
        """Print the launches and milliseconds of each kernel, in the order in which they first ran."""
        taken = defaultdict(list)
        for name, begin, end in self.events:
            taken[name].append(cp.cuda.get_elapsed_time(begin, end))
        for name, ms in taken.items():
            each = " ".join(f"{one:.3f}" for one in ms[:16])
            print(f"      {sum(ms):8.4f} ms in {len(ms)} of {name}: {each}", flush=True)


def report_betweenness(G: gl.Graph, asked: Any) -> None:
    """Every method for some numbers of sources."""
    host = G.to("cpu")
    for count in asked.counts:
        sources = choose_sources(G, count)
        expected = gl.betweenness(host, sources=sources, dtype="FP64").to_numpy() if count <= asked.checked else None
        for method in gl.betweenness.methods:
            slow = method == "brandes" and count > 4 and G.n > SMALL
            wanted = method in asked.only if asked.only else method != "algebraic"
            if not wanted or slow:
                continue
            for dtype in asked.dtypes if method != "algebraic" else ("FP64",):

                def solve(method: str = method, dtype: Any = dtype, sources: list[int] = sources) -> gl.Vector:
                    return gl.betweenness(G, sources=sources, method=method, dtype=dtype)

                title = f"betweenness, {method}, {dtype}, {count} sources"
                report(title, solve, expected, asked.repeats if method != "algebraic" else 3, count)
                refused = gl.betweenness.methods[method].refusal(G, {})
                if asked.kernels and method != "algebraic" and refused is None:
                    with Watch() as watch:
                        solve()
                    watch.report()


def report_others(G: gl.Graph, asked: Any) -> None:
    """One source with lengths, and the edges of one, by the method that has them."""
    host, sources = G.to("cpu"), choose_sources(G, 1)
    if G.dtype.name != "BOOL":
        expected = gl.betweenness(host, sources=sources, weights=True, dtype="FP64").to_numpy()
        solve = lambda: gl.betweenness(G, sources=sources, weights=True)  # noqa: E731
        report("betweenness with lengths, brandes, FP32, 1 source", solve, expected, asked.repeats, 1)
        if asked.kernels:
            with Watch() as watch:
                solve()
            watch.report()
    edges = lambda: gl.betweenness(G, sources=sources, edges=True)  # noqa: E731
    report("betweenness of edges, brandes, FP32, 1 source", edges, None, asked.repeats, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+", help="files, shapes, or generators with their sizes")
    parser.add_argument("--only", nargs="+", help="methods; by default all but algebraic")
    parser.add_argument("--counts", nargs="+", type=int, default=[64, 32, 4, 1], help="numbers of sources")
    parser.add_argument("--checked", type=int, default=4, help="the most sources that are compared with the CPU")
    parser.add_argument("--dtypes", nargs="+", default=["FP32"])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--kernels", action="store_true")
    asked = parser.parse_args()
    for name in (*asked.graphs, "road:4096", "grid2d:64"):
        G = read(name)
        _ = G.csc
        print(f"{name}: {G.n} vertices, {G.nvals} arcs, symmetric {G.symmetric}", flush=True)
        report_betweenness(G, asked)
        if not asked.only or "brandes" in asked.only:
            report_others(G, asked)
        sources = choose_sources(G, 64)
        if not asked.only or "searches" in asked.only:
            report(
                "closeness, searches, 64 sources", lambda G=G, s=sources: gl.closeness(G, s), None, asked.repeats, 64
            )
        del G
        cp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
