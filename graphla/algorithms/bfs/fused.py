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
ALPHA = 15  # pull once the frontier's arcs exceed the unexplored ones / ALPHA (Beamer et al.)
BETA = 18  # back to a queue once fewer than n / BETA vertices were found (the same)
GAMMA = 4  # and never pull for fewer than n / GAMMA arcs: a pull looks at every vertex
SMALL_ARCS = 4096  # arcs of a frontier up to which block 0 is faster alone

NARROW_DEGREE = 16  # graphs up to this degree have padded rows
SMALL_VERTICES = 2048  # vertices of a narrow frontier up to which block 0 takes over
LARGE_VERTICES = 4096  # and beyond which it calls the grid
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


@dataclass(frozen=True, eq=False)
class NarrowScratch:
    """What a search of a graph of low degree works with; `rows` is a fact of the graph."""

    rows: Array
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
    )


def _prepare_narrow(G: Any) -> NarrowScratch:
    xp, out = G.engine.xp, G.csr
    rows = xp.empty(8 * G.n, np.int32)
    pad = kernel(G, "fused_prepare", f"pad_rows<{offset(out)}>")
    pad(blocks(G.n), 256, (np.int32(G.n), out.indptr, out.indices, rows))
    return NarrowScratch(
        rows,
        seen=xp.empty(-(-G.n // 32), np.uint32),
        order=xp.empty(G.n, np.int32),
        finders=xp.empty(G.n, np.int32),
        starts=xp.empty(G.n + 1, np.uint32),
        state=xp.zeros(16, np.int32),
        barrier=xp.zeros(16, np.uint32),
    )


def _run_wide(G: Any, source: int, parents: bool) -> tuple[Array, Array | None]:
    s: WideScratch = G.kept("bfs.fused.wide", _prepare_wide)
    levels, above = fresh_answer(G, parents)
    search = kernel(G, "fused", f"fused<{offset(G.csr)}, {tree(parents)}>", cooperative=True)
    limits = [np.int32(x) for x in (source, SMALL_ARCS, ALPHA, BETA, GAMMA)]
    graph = (np.int32(G.n), G.csr.indptr.dtype.type(G.nvals), G.csr.indptr, G.csr.indices, G.csc.indptr, G.csc.indices)
    scratch = (s.strongest, s.nobody, levels, above, s.bitmaps, s.vertices, s.numbers, s.state, s.barrier)
    search(search.resident_blocks(THREADS), THREADS, (*graph, *scratch, *limits))
    return given(levels, above, parents)


def _run_narrow(G: Any, source: int, parents: bool) -> tuple[Array, Array | None]:
    s: NarrowScratch = G.kept("bfs.fused.narrow", _prepare_narrow)
    levels, above = fresh_answer(G, parents)
    shared = 2 * ROOM * 4
    copied = shared + s.seen.nbytes <= SHARED_BYTES
    shared += s.seen.nbytes if copied else 0
    where = "SeenCopied" if copied else "SeenInPlace"
    search = kernel(G, "fused_narrow", f"fused_narrow<{offset(G.csr)}, {tree(parents)}, {where}>", cooperative=True)
    limits = [np.int32(x) for x in (source, SMALL_VERTICES, LARGE_VERTICES)]
    graph = (np.int32(G.n), s.rows, G.csr.indptr, G.csr.indices)
    scratch = (levels, above, s.seen, s.order, s.finders, s.starts, s.state, s.barrier)
    search(search.resident_blocks(THREADS, shared), THREADS, (*graph, *scratch, *limits), shared)
    return given(levels, above, parents)


def run(G: Any, source: int, *, parents: bool = False) -> tuple[Array, Array | None]:
    """Levels, and parents if asked for; nothing comes back to the host.

    The scratch memory is kept with the graph, so searches of one graph must not overlap on two streams.
    """
    return (_run_narrow if G.max_degree <= NARROW_DEGREE else _run_wide)(G, source, parents)


method = Method(
    runs={"cuda": run},
    idea="one cooperative launch: push, pull, or leave small levels to one block",
    source="Luo, Wong, Hwu, DAC 2010; Merrill, Garland, Grimshaw, PPoPP 2012; Beamer et al., SC 2012",
    also=("parents",),
    rank=100,
)
