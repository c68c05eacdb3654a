"""The whole search in one launch: a grid that stays on the device and never asks the host.

Barriers of the grid part the levels, and a level whose frontier is small needs none, for one block runs it
alone. Frontiers are pushed from a queue that carries its own prefix sum, or pulled through the bitmap of the
vertices seen, as Beamer's rule says. Graphs of low degree (roads, grids) have a kernel of their own: padded
rows, and long runs of small levels in the shared memory of one block. No vertex is renumbered.

Source: the block and grid layers of Luo, Wong, Hwu, "An Effective GPU Implementation of Breadth-First
Search", DAC 2010, taken to their end; Merrill, Garland, Grimshaw, PPoPP 2012 (prefix sums that share out
arcs); Beamer, Asanović, Patterson, SC 2012 (direction).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import blocks, fresh_answer, given, kernel, offset, tree
from graphla.problem import Method

THREADS = 1024  # of a block; one block alone has to hide all latencies of a small level
PUSH_COST = 6  # what an arc costs that is pushed, against a tail that is looked at by a pull
BETA = 64  # back to a queue once fewer than n / BETA vertices were found
GAMMA = 4  # and never pull for fewer than n / GAMMA arcs: a pull looks at every vertex
SMALL_ARCS = 4096  # arcs of a frontier up to which block 0 is faster alone

MANY_LONGER = 1 / 4  # of the vertices with more than four heads: from there on rows have room for eight
NARROW_DEGREE = 16  # graphs up to this degree may have padded rows
MANY_LONG = 1 / 16  # but not where so many of the vertices have more than eight heads
DEEP_LEVELS = 32  # and have them if a search takes as many levels; shallow ones gain more from pulling
COPIED_VERTICES = 2048, 4096  # of a narrow frontier: block 0 takes over below, calls the grid beyond
IN_PLACE_VERTICES = 1024, 2048  # the same where the seen do not fit in shared memory
ROOM = 4096  # fused_narrow.cuh: vertices of each of two frontiers in shared memory
SHARED_BYTES = 220 * 1024  # of a block, less what the compiler takes

Array = Any


@dataclass(frozen=True, eq=False)
class WideScratch:
    """What a search of any graph works with; `strongest` and `nobody` are facts of the graph."""

    strongest: Array
    nobody: Array
    bitmaps: Array
    vertices: Array
    numbers: Array
    state: Array
    barrier: Array
    open: int


@dataclass(frozen=True, eq=False)
class NarrowScratch:
    """What a search of a graph of low degree works with; `rows` is a fact of the graph."""

    rows: Array
    kind: str
    seen: Array
    order: Array
    finders: Array
    starts: Array
    state: Array
    barrier: Array


def _prepare_wide(G: Any) -> WideScratch:
    xp, out, into = G.engine.xp, G.csr, G.csc
    padded = -(-G.n // 128) * 128
    strongest, nobody = xp.empty(padded, np.int32), xp.empty(padded // 32, np.uint32)
    name = offset(out)
    grid, n = blocks(padded, 8), np.int32(G.n)
    kernel(G, "fused_prepare", f"find_strongest<{name}>")(
        grid, 256, (n, np.int32(padded), out.indptr, into.indptr, into.indices, strongest)
    )
    kernel(G, "fused_prepare", f"find_nobody<{name}>")(
        grid, 256, (n, np.int32(padded // 32), out.indptr, into.indptr, nobody)
    )
    return WideScratch(
        strongest,
        nobody,
        bitmaps=xp.empty(2 * (padded // 32), np.uint32),
        vertices=xp.empty(2 * G.n, np.int32),
        numbers=xp.empty(4 * G.n, out.indptr.dtype),
        state=xp.zeros(16, np.uint64),
        barrier=xp.zeros(16, np.uint32),
        open=int((xp.diff(into.indptr) > 0).sum()),
    )


def _pad_rows(G: Any) -> tuple[Array, str]:
    """The heads of each vertex in rows of four if few have more, else in rows of eight; and the C++ name of that."""
    xp, out = G.engine.xp, G.csr
    longer = xp.cumsum(G.degrees > 4, dtype=np.int32)
    extra = int(longer[-1]) if G.n else 0
    four = extra <= MANY_LONGER * G.n
    rows = xp.empty(4 * (G.n + extra) if four else 8 * G.n, np.int32)
    pad = kernel(G, "fused_prepare", f"pad_{'four' if four else 'eight'}<{offset(out)}>")
    pad(blocks(G.n), 256, (np.int32(G.n), out.indptr, out.indices, *([longer] if four else []), rows))
    return rows, "Four" if four else "Eight"


def _prepare_narrow(G: Any) -> NarrowScratch | None:
    """None for a graph of higher degree, or a shallow one, as a search from its strongest vertex shows."""
    if not 0 < G.max_degree <= NARROW_DEGREE or int((G.degrees > 8).sum()) > MANY_LONG * G.n:
        return None
    xp = G.engine.xp
    rows, kind = _pad_rows(G)
    scratch = NarrowScratch(
        rows,
        kind,
        seen=xp.empty(-(-G.n // 32), np.uint32),
        order=xp.empty(G.n, np.int32),
        finders=xp.empty(G.n, np.int32),
        starts=xp.empty(G.n + 1, np.uint32),
        state=xp.zeros(16, np.int32),
        barrier=xp.zeros(16, np.uint32),
    )
    levels, _ = _run_narrow(G, scratch, int(G.degrees.argmax()), parents=False)
    shallow = int(levels.max()) < DEEP_LEVELS and 2 * int((levels >= 0).sum()) > G.n
    return None if shallow else scratch


def _grid(G: Any, search: Any, shared: int) -> int:
    """The blocks that the device holds at once."""
    return G.cached(f"bfs.fused.grid.{shared}", lambda _: search.resident_blocks(THREADS, shared))


def _run_wide(G: Any, source: int, parents: bool) -> tuple[Array, Array | None]:
    s: WideScratch = G.cached("bfs.fused.wide", _prepare_wide)
    levels, above = fresh_answer(G, parents)
    search = kernel(G, "fused", f"fused<{offset(G.csr)}, {tree(parents)}>", cooperative=True)
    arcs = G.csr.indptr.dtype.type(G.nvals)
    graph = (np.int32(G.n), arcs, G.csr.indptr, G.csr.indices, G.csc.indptr, G.csc.indices)
    scratch = (s.strongest, s.nobody, levels, above, s.bitmaps, s.vertices, s.numbers, s.state, s.barrier)
    limits = [np.int32(x) for x in (source, SMALL_ARCS, PUSH_COST, BETA, GAMMA, s.open)]
    search(_grid(G, search, 0), THREADS, (*graph, *scratch, *limits))
    return given(levels, above, parents)


def _run_narrow(G: Any, s: NarrowScratch, source: int, parents: bool) -> tuple[Array, Array | None]:
    levels, above = fresh_answer(G, parents)
    shared = 2 * ROOM * 4
    copied = shared + s.seen.nbytes <= SHARED_BYTES
    shared += s.seen.nbytes if copied else 0
    types = f"{offset(G.csr)}, {tree(parents)}, {s.kind}, {'SeenCopied' if copied else 'SeenInPlace'}"
    search = kernel(G, "fused_narrow", f"fused_narrow<{types}>", cooperative=True)
    graph = (np.int32(G.n), s.rows, G.csr.indptr, G.csr.indices)
    scratch = (levels, above, s.seen, s.order, s.finders, s.starts, s.state, s.barrier)
    limits = [np.int32(x) for x in (source, *(COPIED_VERTICES if copied else IN_PLACE_VERTICES))]
    search(_grid(G, search, shared), THREADS, (*graph, *scratch, *limits), shared)
    return given(levels, above, parents)


def run(G: Any, source: int, *, parents: bool = False) -> tuple[Array, Array | None]:
    """Levels, and parents if asked for; nothing comes back to the host.

    The scratch memory is kept with the graph, so searches of one graph must not overlap on two streams.
    """
    narrow: NarrowScratch | None = G.cached("bfs.fused.narrow", _prepare_narrow)
    if narrow is not None:
        return _run_narrow(G, narrow, source, parents)
    return _run_wide(G, source, parents)


method = Method(
    runs={"cuda": run},
    idea="one cooperative launch: push, pull, or leave small levels to one block",
    source="Luo, Wong, Hwu, DAC 2010; Merrill, Garland, Grimshaw, PPoPP 2012; Beamer et al., SC 2012",
    also=("parents",),
    rank=100,
)
