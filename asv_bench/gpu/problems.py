"""Components and ranks on a GPU: every method, verified by SciPy, then timed with CUDA events.

    python asv_bench/gpu/problems.py kron:20 kron:22 road-FLA.pace.gr.xz
    python asv_bench/gpu/problems.py kron:20 --only pagerank --repeats 11

For each graph: the median, least and most milliseconds of a solve, the graph resident, preparation outside (its seconds
are in the first line), the result left on the device; of ranks those of a round. `strong` is about a directed variant:
of an undirected edge of weight w both arcs stay if w is even, the one that goes up if w mod 4 = 1, down if 3.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from bfs import BUSY, read

import graphla as gl
from graphla.algorithms.label_propagation.algebraic import HISTOGRAMS
from graphla.common.errors import GraphlaError, OutOfMemory
from graphla.graphs.generators import pair_weights

ROUNDS = 20
BUSY_CYCLES = 4_000_000
"""About 2 ms, in which the host gets ahead by the launches of some rounds."""
MANY = 50_000_000
"""Arcs from which on labels are compared with those of the CPU, for SciPy would take minutes."""


def measure_milliseconds(solve: Callable[[], Any], repeats: int) -> list[float]:
    """Time calls that start while the device is busy, so that the host is ahead of it."""
    solve()
    begin, end, times = cp.cuda.Event(), cp.cuda.Event(), []
    for _ in range(repeats):
        BUSY((1,), (1,), (np.int64(BUSY_CYCLES),))
        begin.record()
        result = solve()
        end.record()
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(begin, end))
        del result
    return times


def report(name: str, solve: Callable[[], Any], check: Callable[[Any], Any], repeats: int, parts: int = 1) -> None:
    """Verify and time a method; print one line."""
    try:
        check(solve())
        said = "right"
    except OutOfMemory as error:
        print(f"  {name:32} out of memory: {error}", flush=True)
        return
    except GraphlaError as error:
        said = f"WRONG: {error}"
    times = [each / parts for each in measure_milliseconds(solve, repeats)]
    print(f"  {name:32} {np.median(times):9.4f} ({min(times):.4f} to {max(times):.4f}) {said}", flush=True)


def direct(G: gl.Graph) -> gl.Graph:
    """The directed variant of an undirected graph."""
    rows, cols, _ = G.A.to_coo()
    w = pair_weights(cp.minimum(rows, cols), cp.maximum(rows, cols), 1, 255).astype("int64")
    keep = (w % 2 == 0) | ((w % 4 == 1) & (rows < cols)) | ((w % 4 == 3) & (rows > cols))
    return gl.Graph((rows[keep], cols[keep]), n=G.n, engine="cuda")


def report_components(G: gl.Graph, kind: Any, repeats: int) -> None:
    """Every method that finds this kind of components."""
    for name, method in gl.components.methods.items():
        if method.refusal(G, {"kind": kind}) is None:
            report(
                f"{kind} components, {name}",
                lambda name=name: gl.components(G, kind=kind, method=name),
                lambda labels: gl.components.verify(G, labels, kind=kind),
                repeats if name != "algebraic" else 3,
            )


def report_ranks(G: gl.Graph, repeats: int) -> None:
    """A round of every method, and a whole solve by the residual."""
    for name, method in gl.pagerank.methods.items():
        for dtype in ("FP32", "FP64"):
            asked = {"rounds": ROUNDS, "dtype": dtype}
            report(
                f"a round of pagerank, {name}, {dtype}",
                lambda method=method, asked=asked: method.run(G, **asked)[0],
                lambda ranks, asked=asked: gl.pagerank.verify(G, wrap(G, ranks), **asked),
                repeats,
                ROUNDS,
            )
        report(
            f"pagerank to 1e-6, {name}",
            lambda name=name: gl.pagerank(G, method=name),
            lambda ranks: gl.pagerank.verify(G, ranks),
            repeats,
        )


def report_labels(G: gl.Graph, rounds: int, repeats: int) -> None:
    """Rounds of label propagation, as a whole and each: the time of k rounds less that of k - 1."""
    host = G.to("cpu") if G.nvals > MANY else None
    for name in gl.label_propagation.methods:
        solve = partial(gl.label_propagation, G, rounds, method=name)
        report(
            f"a round of {rounds} of labels, {name}",
            solve,
            lambda labels: check_labels(G, labels, rounds, host),
            repeats if name != "algebraic" else 1,
            rounds,
        )
        if name != "algebraic":
            begun = time.perf_counter()
            solve()
            cp.cuda.Device().synchronize()
            print(f"    the caller waits {1e3 * (time.perf_counter() - begun) / rounds:.4f} a round")
            solves = [partial(gl.label_propagation, G, k, method=name) for k in range(1, rounds + 1)]
            upto = [float(np.median(measure_milliseconds(solve, repeats))) for solve in solves]
            print("    each round:", " ".join(f"{each:.3f}" for each in np.diff([0, *upto])), flush=True)


def report_histograms(G: gl.Graph, repeats: int) -> None:
    """The histograms of labels after one round, in the forms of `algebraic`."""
    labels = gl.label_propagation(G, 1)
    for name, form in HISTOGRAMS.items():
        times = measure_milliseconds(partial(form, G, labels, slice(None)), repeats)
        print(f"    histograms by {name}: {np.median(times):.3f}", flush=True)


def check_labels(G: gl.Graph, labels: gl.Vector, rounds: int, host: gl.Graph | None) -> None:
    """Verify labels; of a large graph by the method of the CPU, which is verified on smaller ones."""
    if host is None:
        gl.label_propagation.verify(G, labels, rounds)
    elif not labels.to("cpu").isequal(gl.label_propagation(host, rounds)):
        raise GraphlaError("labels differ from those of the CPU")


def wrap(G: gl.Graph, ranks: Any) -> gl.Vector:
    """A vector of an array."""
    return ranks if isinstance(ranks, gl.Vector) else gl.Vector.from_dense(ranks, engine=G.engine)


def prepare(G: gl.Graph) -> float:
    """Return the seconds in which the graph learns whether it is symmetric, and its transpose."""
    begun = time.perf_counter()
    _ = G.csc
    cp.cuda.Device().synchronize()
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+", help="files, shapes, or generators with their sizes")
    parser.add_argument("--only", choices=["components", "strong", "pagerank", "labels"], help="one of the problems")
    parser.add_argument("--repeats", type=int, default=7)
    chosen = parser.parse_args()
    for name in chosen.graphs:
        G = read(name)
        seconds = prepare(G)
        print(f"{name}: {G.n} vertices, {G.nvals} arcs, symmetric {G.symmetric}, prepared in {seconds:.3f} s")
        if chosen.only in (None, "components"):
            report_components(G, "weak", chosen.repeats)
        if chosen.only in (None, "pagerank"):
            report_ranks(G, chosen.repeats)
        if chosen.only in (None, "labels"):
            report_labels(G, 10, chosen.repeats)
            report_histograms(G, 3)
            D = direct(G)
            prepare(D)
            print(f"{name}, directed: {D.nvals} arcs")
            report_labels(D, 10, chosen.repeats)
            del D
        if chosen.only in (None, "strong"):
            report_components(G, "strong", chosen.repeats)
            D = direct(G)
            prepare(D)
            print(f"{name}, directed: {D.nvals} arcs")
            report_components(D, "strong", chosen.repeats)
            report_components(D, "weak", chosen.repeats)
            del D
        del G
        cp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
