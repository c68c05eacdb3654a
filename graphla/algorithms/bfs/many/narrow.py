"""Searches of a deep graph of low degree from many sources: one block each, all in one launch.

A level of such a graph keeps one multiprocessor busy and no more, so as many sources as there are multiprocessors take
hardly longer than one.

Source: as `fused`, whose rows and levels of one block these are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import RESIDENT_THREADS, get_kernel, get_path
from graphla.algorithms.bfs.fused import ROOM, NarrowScratch, choose_place, get_narrow
from graphla.engine.cuda.records import read_struct

Array = Any
AT_ONCE = 128  # sources of a launch: about as many as a device has multiprocessors
NarrowManyParameters = read_struct(get_path("narrow_many"), "NarrowManyParameters")


def find_scratch(G: Any) -> NarrowScratch | None:
    """What the searches work with; None where a level is too wide for one block, or the degrees are too high."""
    narrow = get_narrow(G)
    return narrow if narrow is not None and narrow.widths[0] <= ROOM else None


@dataclass(frozen=True, eq=False)
class Listed:
    """The vertices that each source reaches, int32; a row a source.

    `vertices` stand level by level, `starts` says where each level begins and the last one ends, and `reached` how many
    levels and how many vertices there are. The rest of a row is not written.
    """

    levels: Array
    vertices: Array
    starts: Array
    reached: Array


def search_narrow(G: Any, s: NarrowScratch, sources: Array, levels: Array) -> None:
    """Fill the levels from each source."""
    run_narrow(G, s, sources, levels, G.engine.xp.empty(int(sources.size) * G.n, np.int32))


def list_narrow(G: Any, s: NarrowScratch, sources: Array) -> Listed:
    """Search from each source, and list what it reaches."""
    xp, shape = G.engine.xp, (int(sources.size), G.n)
    levels, vertices = xp.empty(shape, np.int32), xp.empty(shape, np.int32)
    starts, reached = xp.empty((shape[0], G.n + 1), np.int32), xp.empty((shape[0], 2), np.int32)
    run_narrow(G, s, sources, levels, vertices, starts, reached)
    return Listed(levels, vertices, starts, reached)


def run_narrow(
    G: Any,
    s: NarrowScratch,
    sources: Array,
    levels: Array,
    queue: Array,
    starts: Array | None = None,
    reached: Array | None = None,
) -> None:
    """Launch a block for each source, which lists what it reaches if there are `starts` and `reached`."""
    xp, count, unread = G.engine.xp, int(sources.size), G.engine.get_unread("int32")
    levels.fill(-1)
    place, shared = choose_place(s)
    in_place = place == "SeenInPlace"
    name = f"narrow_many<{G.engine.c_type(G.csr.indptr)}, {s.kind}, {place}>"
    search = get_kernel(G, "narrow_many", name, takes=NarrowManyParameters)
    parameters = NarrowManyParameters(
        n=G.n,
        rows=s.rows,
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        sources=sources,
        count=count,
        seen=xp.zeros(count * s.seen.size if in_place else 1, np.uint32),
        queue=queue,
        levels=levels,
        listed=starts is not None,
        starts=unread if starts is None else starts,
        reached=unread if reached is None else reached,
    )
    search(count, RESIDENT_THREADS, parameters, shared)
