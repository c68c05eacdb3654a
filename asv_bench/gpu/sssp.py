"""Single-source shortest paths on a GPU: ``python asv_bench/gpu/sssp.py [--graphs kron20,fla] [--steps] [--scipy]``.

Times are CUDA events around one solve, graph resident and its rows sorted by weight (which is kept with the
graph), the result left on the device; the median of five after one that is not timed, and then the median over
the sources. Each graph is checked once: the distances are a fixed point and each reached vertex has a tight arc
from a nearer one (weights here are positive); with --scipy they are compared with Dijkstra's, too.
"""

from __future__ import annotations

import argparse
import lzma
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

from graphla import Graph
from graphla import generators as generate
from graphla.algorithms.sssp import _counter, fused
from graphla.algorithms.sssp._batched import distances as batched
from graphla.algorithms.sssp._rows import sources_of_arcs
from graphla.algorithms.sssp._weights import infinity
from graphla.problem import Methods
from graphla.storage import Coo

METHODS = Methods("sssp", "graphla.algorithms.sssp")
WHOLE = (1, 255)


def wide(make: Callable[..., Coo]) -> Coo:
    """Weights over six orders of magnitude, spread evenly over their logarithms."""
    graph = make(weights=(0.0, 6.0))
    return Coo(graph.nrows, graph.ncols, graph.rows, graph.cols, cp.float32(1e-3) * 10**graph.values)


def florida(path: str) -> Coo:
    """The roads of Florida with the weights of the pairs."""
    with lzma.open(path) as file:
        head, body = file.read().split(b"\n", 1)
    ends = np.array(body.split(), dtype=np.int32).reshape(-1, 2) - 1
    u, v = cp.asarray(np.r_[ends[:, 0], ends[:, 1]]), cp.asarray(np.r_[ends[:, 1], ends[:, 0]])
    n = int(head.split()[2])
    return Coo(n, n, u, v, generate.pair_weights(u, v, *WHOLE))


def graphs(road: str) -> dict[str, Callable[[], Coo]]:
    on = {"xp": cp}
    kron20 = partial(generate.kronecker, 20, **on)
    return {
        "kron20": partial(kron20, weights=WHOLE),
        "kron20 float": partial(kron20, weights=(1.0, 255.0)),
        "kron20 six orders": partial(wide, kron20),
        "kron22": partial(generate.kronecker, 22, weights=WHOLE, **on),
        "kron24": partial(generate.kronecker, 24, weights=WHOLE, **on),
        "fla": partial(florida, road),
        "rmat22 degree 32": partial(generate.rmat, 22, 32, weights=WHOLE, **on),
        "uniform 1M degree 32": partial(generate.uniform, 1 << 20, 32, weights=WHOLE, **on),
        "uniform six orders": partial(wide, partial(generate.uniform, 1 << 20, 32, **on)),
        "grid3d 100": partial(generate.grid3d, 100, weights=WHOLE, **on),
        "grid3d six orders": partial(wide, partial(generate.grid3d, 100, **on)),
        "hubs 1M": partial(generate.hubs, 1 << 20, weights=WHOLE, **on),
    }


def milliseconds(solve: Callable[[], Any], repeats: int = 5) -> float:
    """The median time of `solve` on the device."""
    solve()
    times = []
    for _ in range(repeats):
        begin, end = cp.cuda.Event(), cp.cuda.Event()
        begin.record()
        solve()
        end.record()
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(begin, end))
    return statistics.median(times)


def check(G: Graph, source: int, d: Any, against_scipy: bool) -> str:
    """What is wrong with the distances, or "right"."""
    rows, cols, w, none = sources_of_arcs(G), G.csr.indices, G.csr.values, infinity(d.dtype)
    if int(d[source]) != 0:
        return "the source is not at 0"
    tight = cp.zeros(G.n, bool)
    tight[source] = True
    for first in range(0, G.nvals, 1 << 26):
        part = slice(first, first + (1 << 26))
        near, far = d[rows[part]], d[cols[part]]
        sums = near + w[part] if d.dtype.kind == "f" else near.astype(cp.int64) + w[part]
        if bool(((near < none) & (sums < far)).any()):
            return "an arc is not relaxed"
        tight[cols[part][(near < none) & (sums == far) & (near < far)]] = True
    if bool(((d < none) & ~tight).any()):
        return "a distance has no tight arc"
    if against_scipy:
        from graphla.algorithms.sssp._verify import reference_distances

        host = [cp.asnumpy(part) for part in (G.csr.indptr, cols, w)]
        expected = reference_distances(G.n, *host, source)
        found = np.where(cp.asnumpy(d == none), np.inf, cp.asnumpy(d).astype(float))
        if not np.allclose(found, expected, rtol=1e-5):
            return "not what Dijkstra finds"
    return "right"


def report(name: str, G: Graph, sources: list[int], method: str, **options: Any) -> float:
    """A line of the table."""
    run = METHODS[method].run
    time = statistics.median(milliseconds(partial(run, G, s, **options)) for s in sources)
    heard: list[tuple[str, Any]] = []
    _counter.listeners.append(heard)
    run(G, sources[0], **options)
    _counter.listeners.remove(heard)
    work = f"{int(heard[0][1][0]) / G.nvals:6.3f} relaxed/arc" if heard else ""
    shown = " ".join(f"{key}={value:.4g}" for key, value in options.items())
    print(f"{name:22} {method:18} {shown:24} {time:9.3f} ms {G.nvals / time / 1e6:8.1f} G arcs/s {work}", flush=True)
    return time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", default="", help="names, with commas between; all by default")
    parser.add_argument("--road", default="road-FLA.pace.gr.xz", help="the file of the Florida roads")
    parser.add_argument("--methods", action="store_true", help="time every method, not fused alone")
    parser.add_argument("--steps", action="store_true", help="sweep the step, too")
    parser.add_argument("--scipy", action="store_true", help="compare with Dijkstra's distances")
    parser.add_argument("--sources", type=int, default=5)
    chosen = parser.parse_args()
    made = graphs(chosen.road)
    for name in chosen.graphs.split(",") if chosen.graphs else made:
        if name == "fla" and not Path(chosen.road).exists():
            print(f"{name}: no file {chosen.road}; give --road")
            continue
        G = Graph(made[name](), engine="cuda")
        reached = np.flatnonzero(cp.asnumpy(G.degrees))
        sources = [int(s) for s in np.random.default_rng(1).choice(reached, chosen.sources, replace=False)]
        distance, _ = METHODS["fused"].run(G, sources[0])
        print(f"{name}: {G.n} vertices, {G.nvals} arcs: {check(G, sources[0], distance, chosen.scipy)}", flush=True)
        best = report(name, G, sources, "fused")
        report(name, G, sources, "fused", predecessors=True)
        if chosen.methods:
            for method in ("two_phase", "coarsened", "edge_bellman_ford", "delta_stepping", "algebraic"):
                report(name, G, sources[:2], method)
        if chosen.steps:
            dense, sparse = fused.steps(G)
            base = dense if G.nvals / G.n >= 8 else sparse
            times = [report(name, G, sources, "fused", delta=base * f) for f in (0.1, 0.3, 1, 3, 10, 30)]
            print(f"{name}: chosen step {best:.3f} ms, best of the sweep {min(times):.3f} ms: {best / min(times):.2f}")
        if G.n <= 1 << 21:
            time = milliseconds(partial(batched, G, sources[:4]), 3)
            print(f"{name}: four sources at once {time:.3f} ms", flush=True)
        del G, distance
        cp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
