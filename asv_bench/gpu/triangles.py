"""Triangles on a GPU: what the preparation costs, what the parts of the count cost, and every method.

    python asv_bench/gpu/triangles.py kron:20 kron:22 road-FLA.pace.gr.xz

For each graph, median, least and most milliseconds by CUDA events, the graph resident: the steps of the preparation;
the count with other sizes of the rows of bits, the preparation outside; the parts of it, with the other arcs left out;
the preparation inside; the counts of each vertex; the other methods. All counts must be the same. In the end, uniform
graphs of rising degree, by merging and by rows of bits.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np
from bfs import read
from problems import direct, measure_milliseconds, prepare

import graphla as gl
from graphla.algorithms.triangles import EACH, _oriented, bitmap
from graphla.algorithms.triangles._oriented import Oriented
from graphla.common.errors import GraphlaError

VARIANTS = [(4096, 256), (4096, 128), (8192, 256), (8192, 128), (8192, 64), (16384, 256), (16384, 512), (2048, 256)]
MERGED = 1024
"""The largest degree of graphs whose rows are merged here."""
COMPARED = 40_000_000
"""Arcs up to which the counts of the vertices are compared with those of the algebra."""


def tell(name: str, solve: Callable[[], Any], repeats: int, expected: int | None = None) -> Any:
    """Time a call, and compare its count; print one line."""
    try:
        found = solve()
    except GraphlaError as error:
        print(f"  {name:44} {type(error).__name__}: {error}", flush=True)
        return None
    said = ""
    if expected is not None:
        count = int(found)
        said = "right" if count == expected else f"WRONG: {count} instead of {expected}"
    times = measure_milliseconds(solve, repeats)
    print(f"  {name:44} {np.median(times):9.4f} ({min(times):.4f} to {max(times):.4f}) {said}", flush=True)
    return found


def count(G: gl.Graph, oriented: Oriented, bits: Any) -> Any:
    """The kernel alone."""
    total, each = cp.zeros(1, np.uint64), cp.zeros(1, np.uint64)
    bitmap.launch(G, oriented, bits, total, each, "Total")
    return total.reshape(())


def without(oriented: Oriented, column: int) -> Oriented:
    """The same with no arcs to hubs, or none to the rest."""
    rows = oriented.rows.view(np.int32).copy()
    rows[:, column] = 0
    rows = rows.view(oriented.rows.dtype)
    return Oriented(
        oriented.order, rows, oriented.arcs, oriented.hubs, oriented.words, oriented.with_bits, oriented.counted
    )


def report_preparation(G: gl.Graph, repeats: int) -> None:
    """The steps of the preparation."""
    hubs, least = bitmap.HUBS["cuda"], bitmap.LEAST_DEGREE["cuda"]
    tell("numbering by degree", lambda: _oriented.sort_by_degree(cp, G.degrees), repeats)
    oriented = tell("numbering and orienting", lambda: _oriented.orient(G, hubs, least), repeats)
    tell("rows of bits", lambda: _oriented.set_bits(G, oriented), repeats)
    print(f"  hubs {oriented.hubs}, with bits {oriented.with_bits}, counted {oriented.counted}")


def report_counts(G: gl.Graph, expected: int, repeats: int) -> None:
    """The count in every variant, and the parts of the first."""
    for k, (hubs, least) in enumerate(VARIANTS):
        oriented = _oriented.orient(G, hubs, least)
        bits = _oriented.set_bits(G, oriented)
        name = f"count, {hubs} hubs, rows from degree {least}"
        tell(name, lambda o=oriented, b=bits: count(G, o, b), repeats, expected)
        if k in (0, 2) and oriented.hubs:
            integers = oriented.rows.dtype.itemsize // 4
            no_rest, no_hubs = without(oriented, 2 * integers + 1), without(oriented, 2 * integers)
            tell("  of which arcs to hubs alone", lambda o=no_rest, b=bits: count(G, o, b), repeats)
            tell("  of which other arcs alone", lambda o=no_hubs, b=bits: count(G, o, b), repeats)
        del oriented, bits

    def solve_all() -> Any:
        oriented = _oriented.orient(G, bitmap.HUBS["cuda"], bitmap.LEAST_DEGREE["cuda"])
        return count(G, oriented, _oriented.set_bits(G, oriented))

    tell("count, preparation inside", solve_all, repeats, expected)


def report_methods(G: gl.Graph, expected: int, repeats: int) -> None:
    """Every method as it is called, the result on the device; the counts of the vertices; clustering."""
    for name, method in gl.triangles.methods.items():
        if "cuda" in method.engines and (name != "merge" or G.max_degree <= MERGED):
            tell(f"{name}", lambda m=method: m.run(G)[0], 2 if name == "algebraic" else repeats, expected)
            if name != "algebraic":
                tell(f"{name}, per vertex", lambda m=method: m.run(G, per_vertex=True)[0], repeats)
    tell("bitmap, per vertex, 4096 hubs", lambda: bitmap.run_on_cuda(G, EACH, hubs=4096)[0], repeats)
    algebraic = gl.triangles.methods["algebraic"]
    for expression in ("sandia_lut", "sandia_ult", "rows"):
        tell(f"algebraic, {expression}", lambda e=expression: algebraic.run(G, expression=e)[0], 2, expected)
    given = {"expression": "sandia_lut", "order": "given"}
    tell("algebraic, sandia_lut, given order", lambda: algebraic.run(G, **given)[0], 2, expected)
    counts = gl.triangles(G, per_vertex=True, method="bitmap")
    right = 3 * expected == int(counts.reduce("plus").new().get(0))
    if G.nvals <= COMPARED:
        right &= counts.isequal(gl.triangles(G, per_vertex=True, method="algebraic"))
    print("  counts of the vertices", "right" if right else "WRONG")
    tell("clustering", lambda: gl.clustering(G), repeats)
    D = direct(G)
    local = tell("clustering of a directed variant", lambda: gl.clustering(D), repeats)
    if D.nvals <= COMPARED // 4:
        print("  these are", "right" if local.isclose(gl.clustering(D, method="algebraic")) else "WRONG")


def report_degrees(repeats: int) -> None:
    """Merging against the rows of bits, on uniform graphs of rising degree."""
    for degree in (4, 8, 16, 32, 64):
        G = read(f"uniform:1000000,{degree}")
        expected = int(gl.triangles.methods["merge"].run(G)[0])
        print(f"uniform, degree {degree}: largest {G.max_degree}, {expected} triangles", flush=True)
        tell("merge", lambda G=G: gl.triangles.methods["merge"].run(G)[0], repeats, expected)
        tell("bitmap", lambda G=G: gl.triangles.methods["bitmap"].run(G)[0], repeats, expected)
        hubs, least = bitmap.HUBS["cuda"], bitmap.LEAST_DEGREE["cuda"]
        tell("preparation", lambda G=G, h=hubs, d=least: _oriented.orient(G, h, d), repeats)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+", help="files, shapes, or generators with their sizes")
    parser.add_argument("--repeats", type=int, default=7)
    chosen = parser.parse_args()
    for name in chosen.graphs:
        G = read(name)
        seconds = prepare(G)
        print(f"{name}: {G.n} vertices, {G.nvals} arcs, largest degree {G.max_degree}, prepared in {seconds:.3f} s")
        expected = gl.triangles(G, method="algebraic")
        print(f"  {expected} triangles")
        report_preparation(G, chosen.repeats)
        report_counts(G, expected, chosen.repeats)
        report_methods(G, expected, chosen.repeats)
        del G
        cp.get_default_memory_pool().free_all_blocks()
    report_degrees(chosen.repeats)


if __name__ == "__main__":
    main()
