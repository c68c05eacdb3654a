"""Single-source shortest paths on a GPU: ``python asv_bench/gpu/sssp.py [--graphs kron20,fla] [--steps] [--scipy]``.

``--steps`` prints another table and nothing else: structures by ranges of weights, each solved with the step that is
chosen and with fixed steps from a tenth to thirty times it.

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

from graphla import Graph, tracing
from graphla import generators as generate
from graphla.algorithms.sssp import fused
from graphla.algorithms.sssp._batched import distances as batched
from graphla.algorithms.sssp._rows import sources_of_arcs
from graphla.algorithms.sssp._weights import infinity
from graphla.problem import Methods
from graphla.storage import Coo

METHODS = Methods("sssp", "graphla.algorithms.sssp")
WHOLE = (1, 255)
FACTORS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
ORDERS = "six orders"
RANGES = {"1 to 10": (1, 10), "1 to 255": WHOLE, "1 to 10^6": (1, 10**6), ORDERS: (0.0, 6.0)}


def wide(make: Callable[..., Coo]) -> Coo:
    """Weights over six orders of magnitude, spread evenly over their logarithms."""
    graph = make(weights=(0.0, 6.0))
    return Coo(graph.nrows, graph.ncols, graph.rows, graph.cols, cp.float32(1e-3) * 10**graph.values)


def cast(make: Callable[..., Coo], dtype: str) -> Coo:
    """Whole weights in another dtype."""
    graph = make(weights=WHOLE)
    return Coo(graph.nrows, graph.ncols, graph.rows, graph.cols, graph.values.astype(dtype))


def florida(path: str, weights: tuple[float, float] = WHOLE) -> Coo:
    """The roads of Florida with the weights of the pairs."""
    with lzma.open(path) as file:
        head, body = file.read().split(b"\n", 1)
    ends = np.array(body.split(), dtype=np.int32).reshape(-1, 2) - 1
    u, v = cp.asarray(np.r_[ends[:, 0], ends[:, 1]]), cp.asarray(np.r_[ends[:, 1], ends[:, 0]])
    n = int(head.split()[2])
    return Coo(n, n, u, v, generate.pair_weights(u, v, *weights))


def structures(road: str) -> dict[str, Callable[..., Coo]]:
    """Graphs that still want their weights."""
    on = {"xp": cp}
    return {
        "kron20": partial(generate.kronecker, 20, **on),
        "uniform 1M degree 32": partial(generate.uniform, 1 << 20, 32, **on),
        "hubs 1M": partial(generate.hubs, 1 << 20, **on),
        "grid3d 100": partial(generate.grid3d, 100, **on),
        "fla": partial(florida, road),
    }


def graphs(road: str) -> dict[str, Callable[[], Coo]]:
    """The graphs of the first table."""
    shape = structures(road)
    kronecker = partial(generate.kronecker, xp=cp, weights=WHOLE)
    return {
        "kron18": partial(kronecker, 18),
        "kron20": partial(kronecker, 20),
        "kron20 float": partial(shape["kron20"], weights=(1.0, 255.0)),
        "kron20 int64": partial(cast, shape["kron20"], "int64"),
        "kron20 double": partial(cast, shape["kron20"], "float64"),
        "kron20 six orders": partial(wide, shape["kron20"]),
        "kron22": partial(kronecker, 22),
        "kron24": partial(kronecker, 24),
        "fla": partial(florida, road),
        "fla double": partial(cast, shape["fla"], "float64"),
        "rmat22 degree 32": partial(generate.rmat, 22, 32, weights=WHOLE, xp=cp),
        "uniform 1M degree 32": partial(shape["uniform 1M degree 32"], weights=WHOLE),
        "uniform six orders": partial(wide, shape["uniform 1M degree 32"]),
        "grid3d 100": partial(shape["grid3d 100"], weights=WHOLE),
        "grid3d six orders": partial(wide, shape["grid3d 100"]),
        "hubs 1M": partial(shape["hubs 1M"], weights=WHOLE),
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


def solve_time(G: Graph, sources: list[int], method: str, **options: Any) -> float:
    """The median over the sources of the median milliseconds of a solve."""
    run = METHODS[method].run
    return statistics.median(milliseconds(partial(run, G, s, **options)) for s in sources)


def relaxed(G: Graph, source: int, method: str, **options: Any) -> float | None:
    """Arcs that a solve relaxes for each arc of the graph, if the method counts them."""
    heard: list[Any] = []
    with tracing.counters.open(heard):
        METHODS[method].run(G, source, **options)
    return int(heard[0][0]) / G.nvals if heard else None


def report(name: str, G: Graph, sources: list[int], method: str, **options: Any) -> None:
    """A line of the table."""
    time, count = solve_time(G, sources, method, **options), relaxed(G, sources[0], method, **options)
    work = "" if count is None else f"{count:6.3f} relaxed/arc"
    shown = " ".join(f"{key}={value:.4g}" for key, value in options.items())
    print(f"{name:22} {method:18} {shown:16} {time:9.3f} ms {G.nvals / time / 1e6:8.1f} G arcs/s {work}", flush=True)


def starts(G: Graph, count: int) -> list[int]:
    """Vertices that arcs leave, chosen at random."""
    candidates = np.flatnonzero(cp.asnumpy(G.degrees))
    return [int(s) for s in np.random.default_rng(1).choice(candidates, count, replace=False)]


def first_table(chosen: argparse.Namespace, names: list[str]) -> None:
    """Each graph by the methods, checked."""
    made = graphs(chosen.road)
    for name in names or made:
        G = Graph(made[name](), engine="cuda")
        sources = starts(G, chosen.sources)
        distance, _ = METHODS["fused"].run(G, sources[0])
        print(f"{name}: {G.n} vertices, {G.nvals} arcs: {check(G, sources[0], distance, chosen.scipy)}", flush=True)
        report(name, G, sources, "fused")
        report(name, G, sources, "fused", parents=True)
        if chosen.methods:
            for method in ("two_phase", "coarsened", "edge_bellman_ford", "delta_stepping", "algebraic"):
                report(name, G, sources[:2], method)
        if G.n <= 1 << 21:
            time = milliseconds(partial(batched, G, sources[:4]), 3)
            print(f"{name}: four sources at once {time:.3f} ms", flush=True)
        del G, distance
        cp.get_default_memory_pool().free_all_blocks()


def steps_table(chosen: argparse.Namespace, names: list[str]) -> None:
    """Each structure under each range of weights, by the step: milliseconds, and the chosen one's over the best's."""
    made = structures(chosen.road)
    print(f"{'graph':22} {'weights':11} {'chosen':>8}" + "".join(f"{f:>8g}x" for f in FACTORS) + "  chosen/best")
    for name in names or made:
        for title, weights in RANGES.items():
            coo = wide(made[name]) if title == ORDERS else made[name](weights=weights)
            G = Graph(coo, engine="cuda")
            dense, sparse = fused.steps(G)
            base = dense if G.nvals / G.n >= 8 else sparse
            options: list[dict[str, float]] = [{}, *({"delta": base * factor} for factor in FACTORS)]
            sources, run = starts(G, chosen.sources), METHODS["fused"].run
            times = [
                statistics.median(milliseconds(partial(run, G, s, **option), 3) for s in sources) for option in options
            ]
            shown = f"{times[0]:8.3f}" + "".join(f"{time:9.3f}" for time in times[1:])
            print(f"{name:22} {title:11} {shown}  {times[0] / min(times):.2f}", flush=True)
            del G
            cp.get_default_memory_pool().free_all_blocks()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", default="", help="names, with commas between; all by default")
    parser.add_argument("--road", default="road-FLA.pace.gr.xz", help="the file of the Florida roads")
    parser.add_argument("--methods", action="store_true", help="time every method, not fused alone")
    parser.add_argument("--steps", action="store_true", help="the table of steps by ranges of weights instead")
    parser.add_argument("--scipy", action="store_true", help="compare with Dijkstra's distances")
    parser.add_argument("--sources", type=int, default=5)
    chosen = parser.parse_args()
    names = chosen.graphs.split(",") if chosen.graphs else []
    if not Path(chosen.road).exists() and (not names or "fla" in names):
        parser.error(f"--road={chosen.road!r} is no file: name it, or leave fla out by --graphs")
    (steps_table if chosen.steps else first_table)(chosen, names)


if __name__ == "__main__":
    main()
