"""Single-source shortest paths on a GPU: ``python asv_bench/gpu/sssp.py [--graphs kron20,fla] [--steps] [--scipy]``.

``--steps`` prints another table only: structures by ranges of weights, each solved with the step that the method
chooses and with fixed steps from a tenth to thirty times as wide.

Times are between CUDA events around one solve; the graph is on the device with its rows sorted by weight (cached with
the graph), and the result stays on the device. A time is the median of five runs after one that is not timed, then the
median over the sources. Each graph is checked once: the distances are a fixed point and each reached vertex has a tight
arc from a nearer one (all weights are positive); with --scipy they are also compared with Dijkstra's.
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
from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs
from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp import fused, sssp
from graphla.algorithms.sssp.batched import compute_distances as batched
from graphla.engine import tracing
from graphla.graphs import generators as generate
from graphla.storage import Coo

METHODS = sssp.methods
WHOLE = (1, 255)
FACTORS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
ORDERS = "six orders"
RANGES = {"1 to 10": (1, 10), "1 to 255": WHOLE, "1 to 10^6": (1, 10**6), ORDERS: (0.0, 6.0)}


def spread_weights(make: Callable[..., Coo]) -> Coo:
    """Give a graph weights over six orders of magnitude, with uniformly distributed logarithms."""
    graph = make(weights=(0.0, 6.0))
    return Coo(graph.nrows, graph.ncols, graph.rows, graph.cols, cp.float32(1e-3) * 10**graph.values)


def cast(make: Callable[..., Coo], dtype: str) -> Coo:
    """Give a graph integral weights of another dtype."""
    graph = make(weights=WHOLE)
    return Coo(graph.nrows, graph.ncols, graph.rows, graph.cols, graph.values.astype(dtype))


def read_florida(path: str, weights: tuple[float, float] = WHOLE) -> Coo:
    """Read the roads of Florida; give each pair of vertices a weight."""
    with lzma.open(path) as file:
        head, body = file.read().split(b"\n", 1)
    ends = np.array(body.split(), dtype=np.int32).reshape(-1, 2) - 1
    u, v = cp.asarray(np.r_[ends[:, 0], ends[:, 1]]), cp.asarray(np.r_[ends[:, 1], ends[:, 0]])
    n = int(head.split()[2])
    return Coo(n, n, u, v, generate.pair_weights(u, v, *weights))


def list_structures(road: str) -> dict[str, Callable[..., Coo]]:
    """Return functions that make graphs with given weights."""
    on = {"xp": cp}
    return {
        "kron20": partial(generate.kronecker, 20, **on),
        "uniform 1M degree 32": partial(generate.uniform, 1 << 20, 32, **on),
        "hubs 1M": partial(generate.hubs, 1 << 20, **on),
        "grid3d 100": partial(generate.grid3d, 100, **on),
        "fla": partial(read_florida, road),
    }


def list_graphs(road: str) -> dict[str, Callable[[], Coo]]:
    """Return functions that make the graphs of the first table."""
    shape = list_structures(road)
    kronecker = partial(generate.kronecker, xp=cp, weights=WHOLE)
    return {
        "kron18": partial(kronecker, 18),
        "kron20": partial(kronecker, 20),
        "kron20 float": partial(shape["kron20"], weights=(1.0, 255.0)),
        "kron20 int64": partial(cast, shape["kron20"], "int64"),
        "kron20 double": partial(cast, shape["kron20"], "float64"),
        "kron20 six orders": partial(spread_weights, shape["kron20"]),
        "kron22": partial(kronecker, 22),
        "kron24": partial(kronecker, 24),
        "fla": partial(read_florida, road),
        "fla six orders": partial(spread_weights, shape["fla"]),
        "fla double": partial(cast, shape["fla"], "float64"),
        "rmat22 degree 32": partial(generate.rmat, 22, 32, weights=WHOLE, xp=cp),
        "uniform 1M degree 32": partial(shape["uniform 1M degree 32"], weights=WHOLE),
        "uniform six orders": partial(spread_weights, shape["uniform 1M degree 32"]),
        "grid3d 100": partial(shape["grid3d 100"], weights=WHOLE),
        "grid3d six orders": partial(spread_weights, shape["grid3d 100"]),
        "hubs 1M": partial(shape["hubs 1M"], weights=WHOLE),
        "hubs 10M": partial(generate.hubs, 10_000_000, weights=WHOLE, xp=cp),
        "path 200k": partial(generate.path, 200_000, weights=WHOLE, xp=cp),
    }


def measure_milliseconds(solve: Callable[[], Any], repeats: int = 5) -> float:
    """Return the median time of `solve` on the device."""
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
    """Return what is wrong with the distances, or "right"."""
    rows, cols, w, none = find_sources_of_arcs(G), G.csr.indices, G.csr.values, infinity(d.dtype)
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
        from graphla.algorithms.sssp._verify import compute_reference_distances

        host = [cp.asnumpy(part) for part in (G.csr.indptr, cols, w)]
        expected = compute_reference_distances(G.n, *host, source)
        found = np.where(cp.asnumpy(d == none), np.inf, cp.asnumpy(d).astype(float))
        if not np.allclose(found, expected, rtol=1e-5):
            return "not what Dijkstra finds"
    return "right"


def time_solve(G: Graph, sources: list[int], method: str, **options: Any) -> float:
    """Return the median over the sources of the median milliseconds of a solve."""
    run = METHODS[method].run
    return statistics.median(measure_milliseconds(partial(run, G, s, **options)) for s in sources)


def count_relaxed(G: Graph, source: int, method: str, **options: Any) -> float | None:
    """Return the arcs that a solve relaxes divided by the arcs of the graph, if the method counts them."""
    heard: list[Any] = []
    with tracing.counters.open(heard):
        METHODS[method].run(G, source, **options)
    return int(heard[0][0]) / G.nvals if heard else None


def report(name: str, G: Graph, sources: list[int], method: str, **options: Any) -> None:
    """Print a line of the table."""
    time, count = time_solve(G, sources, method, **options), count_relaxed(G, sources[0], method, **options)
    work = "" if count is None else f"{count:6.3f} relaxed/arc"
    shown = " ".join(f"{key}={value:.4g}" for key, value in options.items())
    print(f"{name:22} {method:18} {shown:16} {time:9.3f} ms {G.nvals / time / 1e6:8.1f} G arcs/s {work}", flush=True)


def choose_sources(G: Graph, count: int) -> list[int]:
    """Choose random vertices that have an arc."""
    candidates = np.flatnonzero(cp.asnumpy(G.degrees))
    return [int(s) for s in np.random.default_rng(1).choice(candidates, count, replace=False)]


def print_first_table(chosen: argparse.Namespace, names: list[str]) -> None:
    """Check and time each graph with the methods."""
    made = list_graphs(chosen.road)
    for name in names or made:
        G = Graph(made[name](), engine="cuda")
        sources = choose_sources(G, chosen.sources)
        distance, _ = METHODS["fused"].run(G, sources[0])
        print(f"{name}: {G.n} vertices, {G.nvals} arcs: {check(G, sources[0], distance, chosen.scipy)}", flush=True)
        report(name, G, sources, "fused")
        report(name, G, sources, "fused", parents=True)
        if chosen.methods:
            for method in ("two_phase", "coarsened", "edge_bellman_ford", "delta_stepping", "algebraic"):
                report(name, G, sources[:2], method)
        if G.n <= 1 << 21:
            time = measure_milliseconds(partial(batched, G, sources[:4]), 3)
            print(f"{name}: four sources at once {time:.3f} ms", flush=True)
        del G, distance
        cp.get_default_memory_pool().free_all_blocks()


def print_steps_table(chosen: argparse.Namespace, names: list[str]) -> None:
    """Print the milliseconds of each structure and range of weights by step, and of the chosen step over the best."""
    made = list_structures(chosen.road)
    print(f"{'graph':22} {'weights':11} {'chosen':>8}" + "".join(f"{f:>8g}x" for f in FACTORS) + "  chosen/best")
    for name in names or made:
        for title, weights in RANGES.items():
            coo = spread_weights(made[name]) if title == ORDERS else made[name](weights=weights)
            G = Graph(coo, engine="cuda")
            dense, sparse = fused.choose_steps(G)
            base = dense if G.nvals / G.n >= 8 else sparse
            options: list[dict[str, float]] = [{}, *({"delta": base * factor} for factor in FACTORS)]
            sources, run = choose_sources(G, chosen.sources), METHODS["fused"].run
            times = [
                statistics.median(measure_milliseconds(partial(run, G, s, **option), 3) for s in sources)
                for option in options
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
    if not Path(chosen.road).exists() and (not names or any(name.startswith("fla") for name in names)):
        parser.error(f"--road={chosen.road!r} is no file: name it, or leave fla out by --graphs")
    (print_steps_table if chosen.steps else print_first_table)(chosen, names)


if __name__ == "__main__":
    main()
