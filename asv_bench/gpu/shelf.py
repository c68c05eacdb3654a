"""Forests, cores, sets, colorings, matchings, communities, flows on a GPU: each method verified, timed by CUDA events.

    python asv_bench/gpu/shelf.py "kron:20?weights=1..255" "kron:22?weights=1..255" road-FLA.pace.gr.xz

For each graph, one line per case: median, least and most milliseconds of a solve by CUDA events, the graph resident,
the preparation outside (its seconds are in the first line), the result left on the device. `kernel` is the list of arcs
without the matrix that is made of them. Forests are compared with those of SciPy; of more than 50 million arcs, with
those of the CPU; core numbers, sets, colors, matchings and trusses too. `blocks` are core numbers with fewer blocks,
whose barrier is faster, and colors with more and fewer blocks that wait.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any

import cupy as cp
from bfs import read
from certificates import check_cores, check_set
from problems import MANY, prepare, report
from shelf_orders import report_diameter, report_order
from shelf_pairs import report_closure, report_similarity, report_walks, report_widest

import graphla as gl
from graphla.algorithms.core_numbers import peel
from graphla.algorithms.spanning_forest import Settings, boruvka
from graphla.common.errors import GraphlaError, InvalidGraph

FEW = 20_000_000
"""Arcs up to which algebra is timed where its rounds are many."""
TRUSSES = 500_000
"""Arcs up to which all truss numbers are compared with those of the CPU, which would take minutes."""


def check_forest(G: gl.Graph, forest: gl.Matrix, kind: Any, expected: gl.Matrix | None) -> None:
    """Verify a forest, or compare it."""
    if expected is None:
        gl.spanning_forest.verify(G, forest, kind=kind)
    elif not forest.isequal(expected):
        raise GraphlaError("the forest differs from that of the algebra")


def report_forests(G: gl.Graph, repeats: int) -> None:
    """Both forests by every method; the kernel alone, also with other shares of light edges."""
    for kind in ("minimum", "maximum"):
        large = gl.spanning_forest(G, kind=kind, method="algebraic") if G.nvals > MANY else None
        for name, method in gl.spanning_forest.methods.items():
            if "cuda" in method.engines:
                few = 1 if name == "algebraic" else repeats
                solve = partial(gl.spanning_forest, G, kind=kind, method=name)
                report(f"{kind} forest, {name}", solve, lambda F, k=kind, e=large: check_forest(G, F, k, e), few)
    expected, light, filtered = boruvka.run(G, Settings())[0], boruvka.LIGHT, boruvka.FILTERED
    for edges in (1, 2, 3, 4, 6, 1000):
        boruvka.LIGHT, boruvka.FILTERED = edges, 4 * edges
        name = f"kernel, {edges} light edges per vertex"
        report(name, lambda: boruvka.run(G, Settings())[0], partial(compare, expected), repeats)
    boruvka.LIGHT, boruvka.FILTERED = light, filtered


def report_cores(G: gl.Graph, repeats: int) -> None:
    """The core numbers by every method, and by fewer blocks."""
    expected = find_cores(G)
    print(f"  the largest core number is {int(expected.max())}")
    for name, method in gl.core_numbers.methods.items():
        if "cuda" in method.engines and (name != "algebraic" or G.nvals <= MANY):
            solve, few = partial(gl.core_numbers, G, method=name), 1 if name == "algebraic" else repeats
            report(f"core numbers, {name}", solve, lambda found: compare(expected, found.to_dense(-1)), few)
    most = G.cached("core_numbers.grid", lambda _: 0)
    for blocks in (1, 2, 4):
        G._known["core_numbers.grid"] = max(1, most // blocks)
        name = f"core numbers, {max(1, most // blocks)} blocks"
        report(name, lambda: peel.run(G)[0], partial(compare, expected), repeats)
    G._known["core_numbers.grid"] = most


def find_cores(G: gl.Graph) -> Any:
    """The core numbers by the CPU, or of a large graph by the device, checked."""
    if G.nvals <= MANY:
        return cp.asarray(gl.core_numbers(G.to("cpu")).to_numpy(-1))
    cores = gl.core_numbers(G).to_dense(-1)
    check_cores(G, cores)
    return cores


def report_sets(G: gl.Graph, repeats: int) -> None:
    """A maximal independent set by every method."""
    print(f"  {gl.independent_set(G).nvals} vertices are chosen")
    for name, method in gl.independent_set.methods.items():
        if "cuda" in method.engines and (name != "algebraic" or G.nvals <= MANY):
            solve, few = partial(gl.independent_set, G, method=name), 1 if name == "algebraic" else repeats
            report(f"independent set, {name}", solve, lambda found: check_set(G, found.to_dense(False)), few)


def report_coloring(G: gl.Graph, repeats: int) -> None:
    """The colors by every method, compared with those of the CPU."""
    expected = cp.asarray(gl.coloring(G.to("cpu")).to_numpy(-1))
    print(f"  {int(expected.max()) + 1} colors")
    for name, method in gl.coloring.methods.items():
        if "cuda" in method.engines and (name != "algebraic" or G.nvals <= FEW):
            solve, few = partial(gl.coloring, G, method=name), 1 if name == "algebraic" else repeats
            report(f"coloring, {name}", solve, lambda found: compare(expected, found.to_dense(-1)), few)


def report_matchings(G: gl.Graph, repeats: int) -> None:
    """Maximal matchings, compared with those of the CPU; of bipartite graphs maximum ones, verified by SciPy."""
    for weights in (False, True):
        expected = cp.asarray(gl.matching(G.to("cpu"), weights=weights).to_numpy(-1))
        print(f"  {int((expected >= 0).sum()) // 2} edges")
        for name, method in gl.matching.methods.items():
            if method.refusal(G, {}) is None and (name != "algebraic" or G.nvals <= FEW):
                solve = partial(gl.matching, G, weights=weights, method=name)
                what = f"matching, {'heavy edges, ' * weights}{name}"
                few = 1 if name == "algebraic" else repeats
                report(what, solve, lambda found, right=expected: compare(right, found.to_dense(-1)), few)
    try:
        solve = partial(gl.matching, G, kind="maximum")
        report("maximum matching, searches", solve, partial(gl.matching.verify, G, kind="maximum"), 3)
    except InvalidGraph as error:
        print(f"  {error}")


def time_on_cpu(solve: Any) -> tuple[Any, float]:
    """The answer of a second call on the CPU, and its milliseconds."""
    solve()
    started = time.perf_counter()
    return solve(), 1000 * (time.perf_counter() - started)


def report_communities(problem: Any, G: gl.Graph, repeats: int) -> None:
    """Communities by every method, verified by what they promise; their modularity beside that of the CPU."""
    there = -1.0
    if G.nvals <= FEW:
        host = G.to("cpu")
        labels, milliseconds = time_on_cpu(partial(problem, host))
        there = gl.modularity(host, labels)
        print(f"  on the CPU {milliseconds:.0f} ms, modularity {there:.4f}", flush=True)
    for name, method in problem.methods.items():
        if "cuda" in method.engines and (name != "algebraic" or G.nvals <= FEW // 20):
            solve, few = partial(problem, G, method=name), 1 if name == "algebraic" else repeats
            report(f"{problem.name}, {name}", solve, partial(check_height, problem, G, there), few)


def report_flows(G: gl.Graph, repeats: int) -> None:
    """Flows between vertices of large degrees, certified, beside those of the CPU."""
    host, order = G.to("cpu"), cp.argsort(-G.degrees)
    for source, sink in ((int(order[1]), int(order[2])), (int(order[3]), int(order[G.n // 50]))):
        print(f"  {source} to {sink}", flush=True)
        if G.nvals <= FEW:
            expected, milliseconds = time_on_cpu(partial(gl.max_flow, host, source, sink))
            print(f"  on the CPU {milliseconds:.1f} ms, {expected.value}", flush=True)
        for name, method in gl.max_flow.methods.items():
            if "cuda" in method.engines and (name != "algebraic" or G.nvals <= FEW // 400):
                solve, few = partial(gl.max_flow, G, source, sink, method=name), 1 if name == "algebraic" else repeats
                report(f"max_flow, {name}", solve, partial(check_flow, host, source, sink), few)


def check_flow(host: gl.Graph, source: int, sink: int, found: Any) -> None:
    """The certificate."""
    print(f"  value {found.value}, {int(found.cut.to_numpy(False).sum())} vertices beside the source")
    flow = type(found)(found.value, found.flow.to("cpu"), found.cut.to("cpu"))
    gl.max_flow.verify(host, source, flow, sink=sink)


def check_height(problem: Any, G: gl.Graph, there: float, labels: gl.Vector) -> None:
    """Print the modularity; it is about that of the CPU, if known, and communities are what the problem promises."""
    reached = gl.modularity(G, labels)
    print(f"  modularity {reached:.4f}")
    if reached < there - 0.01:
        raise GraphlaError(f"the modularity is {reached}, and {there} on the CPU")
    if G.nvals <= FEW // 4:
        problem.verify(G, labels)


def report_trusses(G: gl.Graph, repeats: int) -> None:
    """The 4-truss and, of graphs of few arcs, all truss numbers, compared with those of the CPU."""
    host, few = G.to("cpu"), G.nvals <= TRUSSES
    expected = gl.k_truss(host, 4, method="buckets")
    print(f"  {expected.nvals // 2} edges are in the 4-truss")
    for name, method in gl.truss_numbers.methods.items():
        if "cuda" in method.engines:
            solve = partial(gl.k_truss, G, 4, method=name)
            report(f"4-truss, {name}", solve, partial(compare_matrices, expected), repeats)
    numbers = gl.truss_numbers(host) if few else None
    for name, method in gl.truss_numbers.methods.items():
        if "cuda" in method.engines and (few or name != "algebraic"):
            solve = partial(gl.truss_numbers, G, method=name)
            report(f"truss numbers, {name}", solve, partial(compare_matrices, numbers), 1)


def compare_matrices(expected: gl.Matrix | None, found: gl.Matrix) -> None:
    """Two matrices, if there are two."""
    if expected is not None and not found.to("cpu").isequal(expected):
        raise GraphlaError("the matrices differ")


def compare(expected: Any, found: Any) -> None:
    """Two arrays."""
    if not bool(cp.array_equal(found, expected)):
        raise GraphlaError("the arrays differ")


PAIRS = {
    "similarity": report_similarity,
    "closure": report_closure,
    "widest": report_widest,
    "walks": report_walks,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+", help="files, shapes, or generators with their sizes")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument(
        "--only",
        choices=[
            "forests",
            "cores",
            "sets",
            "coloring",
            "matching",
            "truss",
            "louvain",
            "leiden",
            "flow",
            "order",
            "diameter",
            "similarity",
            "closure",
            "widest",
            "walks",
        ],
        help="one of the problems",
    )
    chosen = parser.parse_args()
    for name in chosen.graphs:
        G = read(name)
        seconds = prepare(G)
        print(f"{name}: {G.n} vertices, {G.nvals} arcs, symmetric {G.symmetric}, prepared in {seconds:.3f} s")
        if chosen.only in (None, "sets"):
            report_sets(G, chosen.repeats)
        if chosen.only in (None, "coloring"):
            report_coloring(G, chosen.repeats)
        if chosen.only in (None, "truss"):
            report_trusses(G, chosen.repeats)
        if chosen.only in (None, "matching"):
            report_matchings(G, chosen.repeats)
        if chosen.only in (None, "forests"):
            report_forests(G, chosen.repeats)
        if chosen.only in (None, "cores"):
            report_cores(G, chosen.repeats)
        for problem in (gl.louvain, gl.leiden):
            if chosen.only in (None, problem.name):
                report_communities(problem, G, chosen.repeats)
        if chosen.only in (None, "order"):
            report_order(G, chosen.repeats)
        if chosen.only in (None, "diameter"):
            report_diameter(G, chosen.repeats)
        for title, each in PAIRS.items():
            if chosen.only in (None, title):
                each(G, chosen.repeats)
        if chosen.only in (None, "flow"):
            report_flows(G, chosen.repeats)
        del G
        cp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
