"""Similarities, closures, widest paths and random walks on a GPU; `shelf` calls these."""

from __future__ import annotations

from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from problems import report
from shelf_orders import FEW, compare, measure

import graphla as gl
from graphla.algorithms.similarity import warps
from graphla.algorithms.similarity.settings import list_pairs
from graphla.algorithms.widest_paths import relaxed
from graphla.common.errors import GraphlaError

CLOSED = 100_000
"""Vertices up to which a closure is timed."""


def report_similarity(G: gl.Graph, repeats: int) -> None:
    """Jaccard's coefficients of the ends of all arcs, and of a million pairs, compared with those of the CPU."""
    host = G.to("cpu")
    us, vs = np.random.default_rng(1).integers(0, G.n, (2, 1_000_000), np.int32)
    places = (("arcs", None, None), ("a million pairs", (us, vs), (cp.asarray(us), cp.asarray(vs))))
    for what, there, here in places:
        expected, seconds = measure(lambda there=there: gl.jaccard(host, there))
        print(f"  jaccard of {what}: the CPU takes {1e3 * seconds:.1f} ms")
        for name, method in gl.similarity.methods.items():
            if "cuda" in method.engines:
                solve = partial(gl.jaccard, G, here, method=name)
                check = partial(compare_close, expected)
                report(f"jaccard of {what}, {name}", solve, check, repeats if name != "algebraic" else 1)
    pairs = list_pairs(G, None)
    report("jaccard of arcs, the kernel", partial(warps.add_up, G, pairs, None), lambda found: None, repeats)


def compare_close(expected: Any, found: Any) -> None:
    """Scores up to rounding."""
    if not found.to("cpu").isclose(expected, rel_tol=1e-12):
        raise GraphlaError("the scores differ from those of the CPU")


def report_closure(G: gl.Graph, repeats: int) -> None:
    """The closure of the arcs that lead to larger vertices, compared with that of the CPU."""
    if G.n > CLOSED:
        return
    D = gl.Graph(gl.select.triu(G.A, 1).new())
    expected, seconds = measure(partial(gl.transitive_closure, D.to("cpu")))
    print(f"  {D.nvals} arcs, {expected.nvals} pairs; the CPU takes {1e3 * seconds:.1f} ms")
    for name, method in gl.transitive_closure.methods.items():
        if "cuda" in method.engines:
            solve = partial(gl.transitive_closure, D, method=name)
            report(f"transitive closure, {name}", solve, partial(compare, expected), repeats if name == "levels" else 1)


def report_widest(G: gl.Graph, repeats: int) -> None:
    """Widest paths from a vertex of the largest degree, compared with those of the CPU."""
    source = int(G.degrees.argmax())
    expected, seconds = measure(partial(gl.widest_paths, G.to("cpu"), source))
    print(f"  {expected.nvals} are reached; the CPU takes {1e3 * seconds:.1f} ms")
    for name, method in gl.widest_paths.methods.items():
        if "cuda" in method.engines and (name != "algebraic" or G.nvals <= FEW):
            solve = partial(gl.widest_paths, G, source, method=name)
            report(f"widest paths, {name}", solve, partial(compare, expected), repeats if name != "algebraic" else 1)
    report("widest paths, the kernel", partial(relaxed.search, G, source), lambda found: None, repeats)


def report_walks(G: gl.Graph, repeats: int) -> None:
    """Twenty steps from every vertex, compared with those of the CPU."""
    host = G.to("cpu")
    kinds: tuple[dict[str, Any], ...] = ({}, {"weights": True}, {"p": 4.0, "q": 0.5})
    for options in kinds:
        expected, seconds = measure(partial(gl.random_walks, host, 20, **options))
        name = f"20 steps from each, {options}"
        print(f"  {name}: the CPU takes {1e3 * seconds:.1f} ms, {expected.nvals - expected.nrows} steps")
        report(name, partial(gl.random_walks, G, 20, **options), partial(compare, expected), repeats)
