"""Orders, eccentricities and diameters on a GPU; `shelf` calls these."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from problems import report

import graphla as gl
from graphla.algorithms.topological_order import frontiers
from graphla.common.errors import GraphlaError

FEW = 2_000_000
"""Arcs up to which algebra is timed, and eccentricities of all vertices."""


def report_order(G: gl.Graph, repeats: int) -> None:
    """The order of the arcs that lead to larger vertices, compared with that of the CPU."""
    D = gl.Graph(gl.select.triu(G.A, 1).new())
    host = D.to("cpu")
    begun = time.perf_counter()
    order, levels = gl.topological_order(host, levels=True)
    seconds = time.perf_counter() - begun
    print(f"  {D.nvals} arcs, {int(levels.to_numpy().max()) + 1} levels; the CPU takes {1e3 * seconds:.1f} ms")
    for name, method in gl.topological_order.methods.items():
        if "cuda" in method.engines and (name != "algebraic" or D.nvals <= FEW):
            solve = partial(gl.topological_order, D, method=name)
            report(f"topological order, {name}", solve, lambda found: compare(order, found), repeats)
    expected = cp.asarray(levels.to_numpy())
    report("levels, the kernel", partial(frontiers.find_levels, D), lambda found: compare(expected, found), repeats)


def report_diameter(G: gl.Graph, repeats: int) -> None:
    """The diameter and some eccentricities, compared with those of the CPU."""
    host = G.to("cpu")
    width, seconds = measure(lambda: gl.diameter(host))
    print(f"  the diameter is {width}; the CPU takes {seconds:.2f} s")
    report("diameter, bounding", partial(gl.diameter, G), lambda found: compare_numbers(width, found), min(3, repeats))
    print(f"  bounds by 4 sweeps: {gl.diameter(G, sweeps=4)}")
    some = np.random.default_rng(1).choice(G.n, 64, replace=False).tolist()
    expected = gl.eccentricity(host, some)
    report("64 eccentricities", partial(gl.eccentricity, G, some), lambda found: compare(expected, found), repeats)
    if G.nvals <= FEW:
        report_all(G, host)


def report_all(G: gl.Graph, host: gl.Graph) -> None:
    """The eccentricities of all vertices, once."""
    expected, there = measure(lambda: gl.eccentricity(host))
    found, here = measure(lambda: gl.eccentricity(G))
    compare(expected, found)
    print(f"  all eccentricities: {here:.3f} s, and {there:.2f} s on the CPU", flush=True)


def measure(solve: Callable[[], Any]) -> tuple[Any, float]:
    """An answer and the seconds for which its caller waits, after a call that compiles."""
    solve()
    begun = time.perf_counter()
    answer = solve()
    cp.cuda.Device().synchronize()
    return answer, time.perf_counter() - begun


def compare(expected: Any, found: Any) -> None:
    """Two vectors or matrices, or two arrays."""
    own = isinstance(found, gl.Vector | gl.Matrix)
    here = found.to("cpu").isequal(expected) if own else bool(cp.array_equal(expected, found))
    if not here:
        raise GraphlaError("the answer differs from that of the CPU")


def compare_numbers(expected: float, found: float) -> None:
    """Two numbers."""
    if expected != found:
        raise GraphlaError(f"{found} instead of {expected}")
