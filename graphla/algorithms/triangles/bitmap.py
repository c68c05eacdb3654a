"""Arcs lead to vertices of higher degree; two vertices' common hubs are common bits, the rest is looked up in a table.

No vertex has more than √(2E) arcs to vertices of higher degree, and most of those lead to few vertices, the hubs. With
the vertices numbered by their degrees, hubs have the first numbers, and the arcs to them are rows of bits. Common hubs
of the ends of an arc are the bits that two rows have in common, 128 at a time; other common neighbours are found by
reading the arcs of one end and looking them up among those of the other.

The arcs and the rows of bits are prepared once per graph, and kept.

Source: Latapy, "Main-memory Triangle Computations for Very Large (Sparse (Power-Law)) Graphs", TCS 407, 2008 (arcs to
higher degrees); Hu, Zou, Li, "Accelerating Triangle Counting on GPU", SIGMOD 2021, and Pandey et al., "TRUST: Triangle
Counting Reloaded on GPUs", TPDS 2021 (hash tables of a vertex); Bisson, Fatica, "High Performance Exact Triangle
Counting on GPUs", TPDS 2017 (bitmaps).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.triangles import Settings
from graphla.algorithms.triangles._oriented import QUAD_WORDS, Oriented, count_words, name_offset, orient, set_bits
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method, Option
from graphla.storage.convert import scatter

Array = Any
KERNELS = Path(__file__).with_name("bitmap.cuh")
WARPS = 4
HUBS = {"cpu": 4096, "cuda": 8192}
"""Vertices that the rows of bits have a bit for."""
MOST_HUBS, MOST_COUNTED_HUBS = 16384, 8192
"""Rows of more bits need more registers than a thread has: if triangles are counted at each vertex, half as many."""
CORE_DEGREE = 2048
"""On a GPU rows have `MOST_HUBS` bits if more than half as many vertices have at least this degree."""
LEAST_DEGREE = {"cpu": 64, "cuda": 256}
"""Vertices of at least this degree have their arcs to hubs as a row of bits."""
CountParameters = read_struct(KERNELS, "CountParameters")


def check_number(value: Any, most: int) -> str | None:
    """What is wrong with an option that is a number, or None for the default."""
    right = value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 < value <= most)
    return None if right else f"give a number from 1 to {most}"


def run_on_cpu(G: Any, s: Settings, *, hubs: int | None = None, least_degree: int | None = None) -> tuple[Any]:
    """The number of triangles, or those of each vertex."""
    from graphla.algorithms.triangles import bitmap_cpu, oriented_cpu

    hubs, least = hubs or HUBS["cpu"], least_degree or LEAST_DEGREE["cpu"]
    oriented = G.cached(f"triangles.oriented.{hubs}.{least}", lambda G: oriented_cpu.orient(G, hubs, least))
    return (bitmap_cpu.count_closed(oriented) // 2 if s.per_vertex else bitmap_cpu.count_all(oriented),)


def run_on_cuda(G: Any, s: Settings, *, hubs: int | None = None, least_degree: int | None = None) -> tuple[Any]:
    """The number of triangles, an array of one number, or those of each vertex; nothing comes back to the host."""
    xp, hubs, least_degree = G.engine.xp, hubs or choose_hubs(G, s.per_vertex), least_degree or LEAST_DEGREE["cuda"]
    total, each = xp.zeros(1, np.uint64), xp.zeros(G.n if s.per_vertex else 1, np.uint64)
    if G.nvals:
        G.engine.lists.begin("scan")
        if not s.per_vertex:
            G.engine.begin(KERNELS, name_kernel(G, count_words(hubs), "Total"))
        oriented = G.cached(f"triangles.oriented.{hubs}.{least_degree}", lambda G: orient(G, hubs, least_degree))
        bits = G.cached(f"triangles.bits.{hubs}.{least_degree}", lambda G: set_bits(G, oriented))
        for kind in ("EachByRows", "EachByLists") if s.per_vertex else ("Total",):
            launch(G, oriented, bits, total, each, kind)
        if s.per_vertex:
            each = spread(xp, oriented, each)
    return ((each if s.per_vertex else total.reshape(())).view(np.int64),)


def choose_hubs(G: Any, per_vertex: bool) -> int:
    """The number of hubs on a GPU: more if there is a large core of high degree."""
    core = G.cached("triangles.core", lambda G: G.engine.lists.count_above(G.degrees, CORE_DEGREE - 1))
    return MOST_HUBS if core > MOST_HUBS // 2 and not per_vertex else HUBS["cuda"]


def close_on_cuda(G: Any, given: Array) -> Array:
    """The arcs between the neighbours of each vertex of a directed graph.

    `G` has the arcs of both directions, and `given` is 2 for those that are there both ways.
    """
    xp = G.engine.xp
    total, each = xp.zeros(1, np.uint64), xp.zeros(G.n, np.uint64)
    if G.nvals:
        oriented = G.cached("clustering.oriented", lambda G: orient(G, HUBS["cuda"], LEAST_DEGREE["cuda"], given))
        bits = G.cached("clustering.bits", lambda G: set_bits(G, oriented))
        for kind in ("ClosedByRows", "ClosedByLists"):
            launch(G, oriented, bits, total, each, kind)
        each = spread(xp, oriented, each)
    return each.view(np.int64)


def name_kernel(G: Any, words: int, kind: str) -> str:
    """Name the kernel that counts with rows of so many words of bits."""
    return f"count_triangles<{name_offset(G)}, {max(1, words // QUAD_WORDS)}, {kind}>"


def launch(G: Any, oriented: Oriented, bits: Any, total: Array, each: Array, kind: str) -> None:
    """Count, as the type `kind` of bitmap.cuh says; the counts of vertices are in their order here."""
    name = name_kernel(G, oriented.words, kind)
    kernel = G.engine.kernel(KERNELS, name, takes=CountParameters)
    most = G.cached(f"triangles.grid.{name}", lambda _: kernel.resident_blocks(32 * WARPS))
    grid = max(1, min(most, -(-oriented.counted // WARPS)))
    parameters = CountParameters(
        n=oriented.counted,
        rows_with_bits=oriented.with_bits,
        arcs=oriented.arcs,
        rows=oriented.rows,
        bits=bits[0],
        both=bits[1],
        total=total,
        each=each,
    )
    kernel(grid, 32 * WARPS, parameters)


def spread(xp: Any, oriented: Oriented, each: Array) -> Array:
    """The counts in the order of the vertices."""
    counts = xp.empty_like(each)
    scatter(counts, oriented.order, each)
    return counts


def _refuses(G: Any, request: Any) -> str | None:
    hubs = request.get("hubs")
    if request.get("per_vertex") and isinstance(hubs, int) and hubs > MOST_COUNTED_HUBS:
        return f"hubs={hubs}: with per_vertex=True up to {MOST_COUNTED_HUBS} are possible"
    return None


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="arcs to higher degrees; common hubs are common bits, other neighbours are looked up in hash tables",
    source="Latapy, TCS 2008; Bisson, Fatica, TPDS 2017; Pandey et al., TPDS 2021",
    options={
        "hubs": Option(
            None,
            check=lambda n: check_number(n, MOST_HUBS),
            text=f"vertices that the rows of bits have a bit for; by default {HUBS['cpu']}, or {HUBS['cuda']} on a GPU",
        ),
        "least_degree": Option(
            None,
            check=lambda d: check_number(d, 2**31 - 1),
            text=f"vertices of at least this degree have a row of bits; by default {LEAST_DEGREE['cpu']}, or "
            f"{LEAST_DEGREE['cuda']} on a GPU",
        ),
    },
    refuses=_refuses,
    rank=100,
)
