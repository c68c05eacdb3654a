"""Linear equations and small eigenvectors on a GPU: medians of warm calls, beside SciPy's on the host.

    python asv_bench/gpu/spectrum.py --road road-NY.pace.gr.xz

Solutions and eigenvalues are compared with those of SuperLU and `eigsh`, which run once: 15 s for 40³ vertices.
The order of the vertices is found on the host, once for a pattern; `factorize` keeps it with the graph. What a factor
costs is counted before it is measured.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse.linalg import eigsh, splu

import graphla as gl
from graphla.algorithms.apsp.elimination import ldl_cuda, tables
from graphla.engine import get_engine

sys.path.insert(0, str(Path(__file__).parents[1]))
from spectrum_matrices import make_cube, make_laplacian, make_pattern

REPEATS, COLUMNS, SHIFT, SIGMA = 7, 32, 1e-3, -1e-6


def wait(engine: Any) -> None:
    """Wait for the device."""
    if (queue := engine.device.queue()) is not None:
        queue.synchronize()


def measure(name: str, engine: Any, call: Callable[[], Any]) -> Any:
    """Print the median milliseconds of a call; return what it gives."""
    milliseconds = []
    for _ in range(REPEATS + 1):
        begun = time.perf_counter()
        found = call()
        wait(engine)
        milliseconds.append(1e3 * (time.perf_counter() - begun))
    print(f"  {name:44} {np.median(milliseconds[1:]):10.3f} ms, first {milliseconds[0]:10.3f}", flush=True)
    return found


def once(name: str, call: Callable[[], Any]) -> Any:
    """Print the milliseconds of SciPy; return what it gives."""
    begun = time.perf_counter()
    found = call()
    print(f"  {name:44} {1e3 * (time.perf_counter() - begun):10.3f} ms, once", flush=True)
    return found


def count(F: Any) -> None:
    """Print what a factor and a solution cost, before they are measured."""
    s, layout = F._structure, tables.get_layout(F._structure, ldl_cuda.SQUARE, ldl_cuda.choose_large)
    w, rows, squared, depths = s.widths, s.boundaries, layout.large, layout.cells.size
    whole = np.where(squared, tables.round_up(w, ldl_cuda.SQUARE), w)  # pivots that fill up a square are computed with
    squares = (whole * (whole * layout.stride + (layout.stride - whole) ** 2.0))[squared].sum()
    plans = F._equations.work.large, F._equations.work.tables.levels
    launches = sum(
        3 * len(each.steps) + 3 * bool(each.steps) + len(level.groups) for each, level in zip(*plans, strict=True)
    )
    print(f"  {depths} depths, fronts of up to {int((w + rows).max())} rows, {F.nbytes:,} bytes", flush=True)
    print(
        f"  multiplications: {(w * (w + rows) ** 2.0)[~squared].sum():.2g} in blocks, {squares:.2g} in squares",
        flush=True,
    )
    reads = F.nbytes + 8 * int((w * rows).sum())
    print(f"  {launches} launches; a solution has {3 * depths} barriers and reads {reads:,} bytes", flush=True)


def report_equations(G: gl.Graph, engine: Any) -> None:
    """The Laplacian with a little on the diagonal, factorized and solved."""
    A = make_laplacian(G, SHIFT)
    D = gl.Graph(A, engine=engine)
    b = np.random.default_rng(0).normal(size=(G.n, COLUMNS))
    one, many = engine.asarray(b[:, 0].copy()), engine.asarray(b)
    count(gl.factorize(D, semiring="plus_times"))
    for dtype in ("FP64", "FP32"):
        F = measure(
            f"factorize, {dtype}", engine, lambda dtype=dtype: gl.factorize(D, semiring="plus_times", dtype=dtype)
        )
        measure(f"refactor, {dtype}", engine, lambda F=F: F.refactor(D))
        measure(f"refactor and solve, {dtype}", engine, lambda F=F: F.refactor(D).solve(one))
        measure(f"solve 1, {dtype}", engine, lambda F=F: F.solve(one))
        measure(f"solve 1 unrefined, {dtype}", engine, lambda F=F: F.solve(one, refine=False))
        x = measure(f"solve {COLUMNS}, {dtype}", engine, lambda F=F: F.solve(many))
        x, size = engine.to_host(x), abs(b).max()
        assert abs(A @ x - b).max() < 1e-9 * size, f"{dtype}: off by {abs(A @ x - b).max()}"
    options: Any = {"permc_spec": "MMD_AT_PLUS_A", "options": {"SymmetricMode": True}}
    lu = once("SuperLU", lambda: splu(A.tocsc(), **options))
    expected = once("SuperLU solves 1", lambda: lu.solve(b[:, 0]))
    assert abs(x[:, 0] - expected).max() < 1e-6 * abs(expected).max(), "the solution is not SuperLU's"


def report_eigenvectors(G: gl.Graph, engine: Any, k: int) -> None:
    """The smallest eigenvectors of the Laplacian: warm, and with an order and a factor of their own."""
    A = gl.Graph(make_pattern(G), engine=engine)
    found = measure(f"{k} smallest eigenvectors", engine, lambda: gl.laplacian_eigenvectors(A, k))
    measure(
        f"{k} smallest eigenvectors from nothing",
        engine,
        lambda: gl.laplacian_eigenvectors(gl.Graph(make_pattern(G), engine=engine), k),
    )
    L = make_laplacian(G, 0).tocsc()
    expected = np.sort(once("eigsh", lambda: eigsh(L, k, sigma=SIGMA))[0])
    np.testing.assert_allclose(engine.to_host(found.values), expected, atol=1e-9)


def report(name: str, G: gl.Graph, engine: Any, k: int) -> None:
    """Print the times of one graph."""
    print(f"{name}: {G.n:,} vertices, {G.nvals:,} arcs", flush=True)
    report_equations(G, engine)
    report_eigenvectors(G, engine, k)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--road", help="a file that gl.read reads")
    parser.add_argument("--side", type=int, default=40, help="of the grid of side³ vertices")
    parser.add_argument("--k", type=int, default=10, help="eigenvectors")
    given = parser.parse_args(arguments)
    engine: Any = get_engine("cuda")
    report(f"grid of {given.side}³", make_cube(given.side), engine, given.k)
    if given.road:
        report(given.road, gl.read(given.road, engine="cpu"), engine, given.k)


if __name__ == "__main__":
    main()
