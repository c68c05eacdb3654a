"""Arcs drawn from rows on a GPU: a thread for each vertex that draws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.sampling.numbers import Frontier
from graphla.algorithms.sampling.options import How
from graphla.algorithms.sampling.rows import Rows
from graphla.common.memory import require
from graphla.engine.cuda.records import read_struct
from graphla.storage.convert import make_pointers

Array = Any
THREADS = 128
KERNELS = Path(__file__).with_name("draws.cuh")
DrawParameters = read_struct(KERNELS, "DrawParameters")


def draw_arcs(
    engine: Any, rows: Rows, frontier: Frontier, words: Array, fanout: int, how: How
) -> tuple[Array, Array, Array]:
    """For each arc that is drawn who draws, the neighbour or -1, and its place in the graph: int64 each."""
    xp, count = engine.xp, int(frontier.vertices.size)
    kind = "double" if rows.times.dtype.kind == "f" else "long long"
    stamp = xp.float64 if kind == "double" else xp.int64
    blocks, types = max(1, -(-count // THREADS)), f"{engine.c_type(rows.indptr)}, {kind}"
    counts, none = xp.zeros(count, xp.int64), xp.zeros(1, xp.int64)
    given: dict[str, Any] = {
        "count": count, "fanout": fanout, "replace": how.replace, "latest": how.latest,
        "weighted": rows.sums.size > 0, "timed": rows.times.size > 0, "disjoint": frontier.trees.size > 0,
        "placed": rows.places.size > 0, "base": frontier.base, "vertices": frontier.vertices, "trees": frontier.trees,
        "roots": frontier.roots, "limits": frontier.limits.astype(stamp), "words": words, "indptr": rows.indptr,
        "indices": rows.indices, "places": rows.places, "sums": rows.sums, "times": rows.times.astype(stamp),
    }  # fmt: skip
    first = DrawParameters(**given, offsets=counts, tails=none, heads=none, arcs=none)
    engine.kernel(KERNELS, f"count_draws<{types}>", takes=DrawParameters)(blocks, THREADS, first)
    offsets = make_pointers(xp, counts)
    require(24 * int(offsets[-1]), "the arcs of a hop", xp, "give fewer seeds, or smaller fan-outs")
    tails, heads, arcs = (xp.empty(int(offsets[-1]), np.int64) for _ in range(3))
    second = DrawParameters(**given, offsets=offsets, tails=tails, heads=heads, arcs=arcs)
    engine.kernel(KERNELS, f"draw_arcs<{types}>", takes=DrawParameters)(blocks, THREADS, second)
    return tails, heads, arcs
