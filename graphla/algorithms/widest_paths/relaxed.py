"""Vertices whose width grew offer it along their arcs, round after round, in one launch.

A vertex is in the frontier at most once per round. Warps share the rows of a short frontier; of a long one a lane takes
a short row, and the warp together the long ones.

Source: Bellman–Ford with frontiers as in Davidson, Baxter, Garland, Owens, "Work-Efficient Parallel GPU Methods for
Single-Source Shortest Paths", IPDPS 2014, over max.min.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.search_settings import Settings
from graphla.algorithms.widest_paths.values import find_least, find_whole, find_wide
from graphla.containers.vector import Vector
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method
from graphla.storage.convert import make_full
from graphla.storage.formats import as_best_format, as_flagged

Array = Any
THREADS = 512
KERNELS = Path(__file__).with_suffix(".cuh")
WidthParameters = read_struct(KERNELS, "WidthParameters")


def run(G: Any, source: int, s: Settings) -> tuple[Vector]:
    """The width of each vertex that is reached."""
    width, reached = search(G, source)
    there, count = G.engine.lists.flag_other(reached, 0)
    found = as_flagged(there, G.engine.cast(width, G.dtype), count)
    return (Vector._from_storage(as_best_format(G.engine.xp, found), G.engine),)


def search(G: Any, source: int) -> tuple[Array, Array]:
    """The widths, and where there is one; of small dtypes in a wider one. Nothing comes back to the host."""
    xp, dtype = G.engine.xp, find_wide(G.csr.values.dtype)
    width, reached = make_full(xp, G.n, find_least(dtype), dtype.name), xp.zeros(G.n, np.int32)
    G.engine.write_place(width, source, find_whole(G.csr.values.dtype))
    G.engine.write_place(reached, source, 1)
    name = f"widen<{G.engine.c_type(width)}, {G.engine.c_type(G.csr.indptr)}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=WidthParameters)
    queue, other = xp.empty((2, G.n), np.int32)
    parameters = WidthParameters(
        n=G.n,
        source=source,
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        values=G.csr.values.astype(dtype, copy=False),
        width=width,
        reached=reached,
        stamps=xp.zeros(G.n, np.int32),
        queue=queue,
        other=other,
        queued=xp.zeros(3, np.int32),
        barrier=G.engine.get_barrier(),
    )
    kernel(G.cached("widest_paths.grid", lambda _: kernel.resident_blocks(THREADS)), THREADS, parameters)
    return width, reached


method = Method(
    runs={"cuda": run},
    idea="vertices whose width grew offer it along their arcs, round after round, in one launch",
    source="Davidson, Baxter, Garland, Owens, IPDPS 2014",
    also=("parents",),
    rank=100,
)
