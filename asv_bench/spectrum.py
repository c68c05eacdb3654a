"""Linear equations and small eigenvectors on the CPU beside SciPy, in turn: ``python asv_bench/spectrum.py [ROADS]``.

A call from nothing has the order and the symbolic phase within it, as that of SuperLU has.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.linalg import eigsh, splu
from spectrum_matrices import make_cube, make_laplacian, make_pattern

import graphla as gl

REPEATS = 3


def measure(**calls: Callable[[], Any]) -> dict[str, float]:
    """The best seconds of each call, in turn."""
    best = dict.fromkeys(calls, np.inf)
    for _ in range(REPEATS):
        for name, call in calls.items():
            begun = time.perf_counter()
            call()
            best[name] = min(best[name], time.perf_counter() - begun)
    return best


def solve(A: Any, b: Any) -> Any:
    return gl.factorize(gl.Graph(A.copy(), engine="cpu"), semiring="plus_times").solve(b)


def compare_solvers(name: str, G: gl.Graph, permutation: str) -> None:
    A = make_laplacian(G, 1e-3)
    b, columns = np.random.default_rng(0).normal(size=G.n), A.tocsc()
    options = {"permc_spec": permutation, "options": {"SymmetricMode": True}}
    F, lu = gl.factorize(gl.Graph(A, engine="cpu"), semiring="plus_times"), splu(columns, **options)
    assert abs(F.solve(b) - lu.solve(b)).max() < 1e-6 * abs(b).max() * 1e3
    show(
        f"{name}: factorize and solve",
        measure(ours=lambda: solve(A, b), scipy=lambda: splu(columns, **options).solve(b)),
    )
    show(f"{name}: solve again", measure(ours=lambda: F.solve(b), scipy=lambda: lu.solve(b)))
    show(
        f"{name}: refactor",
        measure(ours=lambda: F.refactor(gl.Graph(A, engine="cpu")), scipy=lambda: splu(columns, **options)),
    )


def compare_eigenvectors(name: str, G: gl.Graph, k: int) -> None:
    L = make_laplacian(G, 0).tocsc()

    def ours() -> Any:
        return gl.laplacian_eigenvectors(gl.Graph(make_pattern(G), engine="cpu"), k).values

    sigma = -1e-6
    assert np.allclose(ours(), np.sort(eigsh(L, k, sigma=sigma)[0]), atol=1e-9)
    show(f"{name}: {k} smallest eigenvectors", measure(ours=ours, scipy=lambda: eigsh(L, k, sigma=sigma)))


def show(what: str, seconds: dict[str, float]) -> None:
    ours, scipy = seconds["ours"], seconds["scipy"]
    print(f"{what:38s} {ours:8.3f} s  scipy {scipy:8.3f} s  {ours / scipy:.2f} ×")


def main() -> None:
    roads = gl.read(sys.argv[1], engine="cpu") if len(sys.argv) > 1 else gl.generate.road(200_000, engine="cpu")
    for side in (20, 40):
        compare_solvers(f"grid of {side}³", make_cube(side), "MMD_AT_PLUS_A")
    compare_solvers("roads", roads, "MMD_AT_PLUS_A")
    compare_eigenvectors("roads", roads, 10)


if __name__ == "__main__":
    main()
