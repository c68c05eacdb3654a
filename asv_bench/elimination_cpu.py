"""All pairs of New York's roads by elimination on the CPU against SciPy's dijkstra, by the clock and by CPU time.

    python asv_bench/elimination_cpu.py                  16,384 vertices, one thread and all cores
    python asv_bench/elimination_cpu.py --vertices 4096  a smaller piece

The piece is what a search from vertex 0 reaches first, with weights 1 to 255. Ours are float32 and contain the order,
the symbolic phase and the elimination; SciPy's are all sources at once in float64. Each number of threads is a process
of its own (GRAPHLA_THREADS), which runs each side once to load it and then in turn. Processor time (`process_time`)
counts all threads, so that it tells the work on a machine that others use. The limit is 0.1 of SciPy's time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

LIMIT = 0.1


def measure(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds by the clock, seconds of the processor, and the result."""
    clock, spent = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - clock, time.process_time() - spent, result


def report_phases(G: Any) -> None:
    """What the phases take, by the clock and of the processor."""
    from graphla.algorithms.apsp.elimination import structure
    from graphla.algorithms.apsp.elimination.eliminate import eliminate, make_sweeps

    dtype, parts = np.dtype(np.float32), (G.csr.indptr, G.csr.indices)
    pattern = structure.make_symmetric(*parts)
    order = measure(lambda: structure.compute_order(*pattern))
    symbolic = measure(lambda: structure.analyze(*parts))
    numeric = measure(lambda: eliminate(G, dtype, symbolic[2]))
    D, sweeps = np.empty((G.n, G.n), dtype), make_sweeps(G, numeric[2])
    rows = [measure(lambda: sweeps.compute(np.arange(G.n), None, D)) for _ in range(2)]
    named = {"order": order, "order and symbolic phase": symbolic, "elimination": numeric,
             "rows into new pages": rows[0], "rows into used pages": rows[1]}  # fmt: skip
    for name, (clock, spent, _) in named.items():
        print(f"  {name:28} {clock:8.3f} s by the clock {spent:8.3f} s of the processor", flush=True)


def report(vertices: int, repeats: int) -> None:
    """Both sides in turn, in this process."""
    from benchmarks.bars import cut_roads
    from scipy.sparse.csgraph import dijkstra

    import graphla as gl
    from graphla.engine.cpu.threads import count_workers

    G = cut_roads(vertices)
    S = G.A.dup("FP64").to_scipy_sparse()
    gl.apsp(gl.Graph(G.A.dup()), method="elimination")
    print(f"{vertices:,} vertices, {G.nvals:,} arcs, {count_workers()} threads", flush=True)
    report_phases(G)
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(measure(lambda: gl.apsp(gl.Graph(G.A.dup()), method="elimination", dense=True)))
        theirs.append(measure(lambda: dijkstra(S)))
    right = np.array_equal(ours[-1][2], theirs[-1][2])
    (a, b), (c, d) = (np.median([each[:2] for each in side], axis=0) for side in (ours, theirs))
    for name, mine, other in (("by the clock", a, c), ("of the processor", b, d)):
        verdict = "ok" if mine <= LIMIT * other else "OVER"
        print(f"  {name:28} {mine:8.3f} s against {other:8.3f} s: {mine / other:.4f} of 0.1  {verdict}", flush=True)
    print(f"  distances are SciPy's: {right}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=16_384)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--here", action="store_true", help="in this process, with its number of threads")
    asked = parser.parse_args()
    if asked.here:
        report(asked.vertices, asked.repeats)
        return
    for threads in sorted({1, len(os.sched_getaffinity(0))}):
        here = {**os.environ, "GRAPHLA_THREADS": str(threads)}
        subprocess.run([sys.executable, *sys.argv, "--here"], env=here, check=True)


if __name__ == "__main__":
    main()
