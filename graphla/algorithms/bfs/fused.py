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

from graphla.algorithms.bfs._device import (
    RESIDENT_THREADS,
    allocate_answer,
    count_blocks,
    get_kernel,
    get_path,
    make_answer,
    name_tree_type,
)
from graphla.algorithms.shared.search_settings import Settings
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method
from graphla.storage.convert import count_filled_rows

PUSH_COST = 6  # what an arc costs that is pushed, against a tail that is looked at by a pull
BETA = 64  # back to a queue once fewer than n / BETA vertices were found
GAMMA = 4  # and never pull for fewer than n / GAMMA arcs: a pull looks at every vertex
SMALL_ARCS = 4096  # arcs of a frontier up to which block 0 is faster alone

MANY_LONGER = 1 / 4  # of the vertices with more than four heads: from there on rows have room for eight
NARROW_DEGREE = 16  # graphs up to this degree may have padded rows
MANY_LONG = 1 / 16  # but not where so many of the vertices have more than eight heads
SURELY_WIDE = 8 + (NARROW_DEGREE - 8) * MANY_LONG  # so no graph of a higher average degree has them
DEEP_LEVELS = 32  # and have them if a search takes as many levels; shallow ones gain more from pulling
COPIED_VERTICES = 2048, 4096  # of a narrow frontier: block 0 takes over below, calls the grid beyond
IN_PLACE_VERTICES = 1024, 2048  # the same where the seen do not fit in shared memory
ROOM = 4096  # vertices of each of two narrow frontiers in shared memory
GROUP = 128  # vertices that a warp of a pull takes at once: bitmaps are padded to whole groups
SHARED_BYTES = 220 * 1024  # of a block, less what the compiler takes

Array = Any


@dataclass(frozen=True, eq=False)
class WideScratch:
    """What a search of any graph works with; `strongest` and `isolated` are facts of the graph."""

    strongest: Array
    isolated: Array
    bitmaps: Array
    vertices: Array
    offsets: Array
    state: Array
    barrier: Array
    open: int


FusedParameters = read_struct(get_path("fused"), "FusedParameters")


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
    widths: list[float]


NarrowParameters = read_struct(get_path("fused_narrow"), "NarrowParameters")


def _prepare_wide(G: Any) -> WideScratch:
    xp, out, into = G.engine.xp, G.csr, G.csc
    padded = -(-G.n // GROUP) * GROUP
    strongest, isolated = xp.empty(padded, np.int32), xp.empty(padded // 32, np.uint32)
    name = G.engine.c_type(out.indptr)
    grid, n = count_blocks(padded, 8), np.int32(G.n)
    get_kernel(G, "fused_prepare", f"find_strongest<{name}>", beside=(f"find_isolated<{name}>",))(
        grid, 256, (n, np.int32(padded), out.indptr, into.indptr, into.indices, strongest)
    )
    get_kernel(G, "fused_prepare", f"find_isolated<{name}>")(
        grid, 256, (n, np.int32(padded // 32), out.indptr, into.indptr, isolated)
    )
    return WideScratch(
        strongest,
        isolated,
        bitmaps=xp.empty(2 * (padded // 32), np.uint32),
        vertices=xp.empty(2 * G.n, np.int32),
        offsets=xp.empty(4 * G.n, out.indptr.dtype),
        state=xp.zeros(16, np.uint64),
        barrier=xp.zeros(16, np.uint32),
        open=count_filled_rows(into.indptr),
    )


def _pad_rows(G: Any) -> tuple[Array, str]:
    """The heads of each vertex in rows of four if few have more, else in rows of eight; and the C++ name of that."""
    xp, out = G.engine.xp, G.csr
    names = [f"{name}<{G.engine.c_type(out.indptr)}>" for name in ("flag_longer", "pad_four", "pad_eight")]
    flag, *pads = (get_kernel(G, "fused_prepare", name, beside=(*names,)) for name in names)
    flags = xp.empty(G.n, np.int32)
    flag(count_blocks(G.n), 256, (np.int32(G.n), out.indptr, flags))
    longer = G.engine.lists.make_pointers(flags)
    extra = int(longer[-1])
    four = extra <= MANY_LONGER * G.n
    rows = xp.empty(4 * (G.n + extra) if four else 8 * G.n, np.int32)
    pad = pads[0] if four else pads[1]
    pad(count_blocks(G.n), 256, (np.int32(G.n), out.indptr, out.indices, *([longer] if four else []), rows))
    return rows, "Four" if four else "Eight"


def _prepare_narrow(G: Any) -> NarrowScratch | None:
    """None for a graph of higher degree, or a shallow one, as a search from its strongest vertex shows."""
    if not 0 < G.max_degree <= NARROW_DEGREE or G.engine.lists.count_above(G.degrees, 8) > MANY_LONG * G.n:
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
        widths=[],
    )
    levels, _ = _run_narrow(G, scratch, int(G.degrees.argmax()), parents=False)
    depth, reached = int(levels.max()), G.engine.lists.count_above(levels, -1)
    scratch.widths.append(reached / (depth + 1))
    return None if depth < DEEP_LEVELS and 2 * reached > G.n else scratch


def _count_blocks(G: Any, search: Any, shared: int) -> int:
    """The blocks that the device holds at once."""
    return G.cached(f"bfs.fused.grid.{shared}", lambda _: search.resident_blocks(RESIDENT_THREADS, shared))


def begin_wide(G: Any, parents: bool) -> str:
    """Begin to compile what a search of any graph takes; return the name of its kernel."""
    offset = G.engine.c_type(G.csr.indptr)
    name = f"fused<{offset}, {name_tree_type(parents)}>"
    G.engine.begin(get_path("fused"), name, cooperative=True)
    G.engine.begin(get_path("fused_prepare"), f"find_strongest<{offset}>", f"find_isolated<{offset}>")
    G.engine.lists.begin("transpose", "rows")
    return name


def _run_wide(G: Any, source: int, parents: bool) -> tuple[Array, Array | None]:
    name: str = G.cached(f"bfs.fused.begun.{parents}", lambda g: begin_wide(g, parents))
    s: WideScratch = G.cached(f"bfs.fused.wide.{G.engine.device.stream()}", _prepare_wide)
    levels, above = allocate_answer(G, parents)
    search = get_kernel(G, "fused", name, cooperative=True, takes=FusedParameters)
    out, into = G.csr, G.csc
    parameters = FusedParameters(
        n=G.n,
        arcs=out.indptr.dtype.type(G.nvals),
        out_indptr=out.indptr,
        out_indices=out.indices,
        in_indptr=into.indptr,
        in_indices=into.indices,
        strongest=s.strongest,
        isolated=s.isolated,
        levels=levels,
        parents=above,
        bitmaps=s.bitmaps,
        vertices=s.vertices,
        offsets=s.offsets,
        state=s.state,
        barrier=s.barrier,
        source=source,
        small=SMALL_ARCS,
        push_cost=PUSH_COST,
        beta=BETA,
        gamma=GAMMA,
        open=s.open,
    )
    search(_count_blocks(G, search, 0), RESIDENT_THREADS, parameters)
    return make_answer(levels, above, parents)


def choose_place(s: NarrowScratch) -> tuple[str, int]:
    """Where a block that runs alone has its bitmap, and the bytes of shared memory that it takes."""
    frontiers = 2 * ROOM * 4
    copied = frontiers + s.seen.nbytes <= SHARED_BYTES
    return ("SeenCopied", frontiers + s.seen.nbytes) if copied else ("SeenInPlace", frontiers)


def _run_narrow(G: Any, s: NarrowScratch, source: int, parents: bool) -> tuple[Array, Array | None]:
    levels, above = allocate_answer(G, parents)
    seen, shared = choose_place(s)
    copied = seen == "SeenCopied"
    types = f"{G.engine.c_type(G.csr.indptr)}, {name_tree_type(parents)}, {s.kind}, {seen}"
    search = get_kernel(G, "fused_narrow", f"fused_narrow<{types}>", cooperative=True, takes=NarrowParameters)
    small, large = COPIED_VERTICES if copied else IN_PLACE_VERTICES
    parameters = NarrowParameters(
        n=G.n,
        rows=s.rows,
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        levels=levels,
        parents=above,
        seen=s.seen,
        order=s.order,
        finders=s.finders,
        starts=s.starts,
        state=s.state,
        barrier=s.barrier,
        source=source,
        small=small,
        large=large,
    )
    search(_count_blocks(G, search, shared), RESIDENT_THREADS, parameters, shared)
    return make_answer(levels, above, parents)


def run(G: Any, source: int, s: Settings) -> tuple[Array, Array | None]:
    """Levels, and parents if asked for."""
    return search(G, source, s.parents)


def search(G: Any, source: int, parents: bool = False) -> tuple[Array, Array | None]:
    """Levels, and parents if asked for; nothing comes back to the host.

    The scratch memory is kept with the graph, for each stream on which it is searched.
    """
    if is_surely_wide(G):
        G.cached(f"bfs.fused.begun.{parents}", lambda g: begin_wide(g, parents))
    narrow = get_narrow(G)
    if narrow is not None:
        return _run_narrow(G, narrow, source, parents)
    return _run_wide(G, source, parents)


def is_surely_wide(G: Any) -> bool:
    """Whether a graph has too many arcs to have padded rows, whatever its degrees are."""
    return G.nvals > SURELY_WIDE * G.n


def get_narrow(G: Any) -> NarrowScratch | None:
    """What searches of a deep graph of low degree work with; None for other graphs."""
    found: NarrowScratch | None = G.cached(f"bfs.fused.narrow.{G.engine.device.stream()}", _prepare_narrow)
    return found


def run_in_order(G: Any, source: int) -> tuple[Array, Array, Array] | None:
    """Levels, the vertices level by level, and where each level begins and the last one ends; None if not listed.

    A search of a graph of low degree lists its vertices; the lists are scratch memory, which the next search writes.
    """
    narrow = get_narrow(G)
    if narrow is None:
        return None
    levels, _ = _run_narrow(G, narrow, source, parents=False)
    depth = int(levels.max()) + 1
    return levels, narrow.order, (narrow.starts[: depth + 1] & np.uint32(0x7FFFFFFF)).astype(np.int32)


method = Method(
    runs={"cuda": run},
    idea="one cooperative launch: push, pull, or leave small levels to one block",
    source="Luo, Wong, Hwu, DAC 2010; Merrill, Garland, Grimshaw, PPoPP 2012; Beamer et al., SC 2012",
    also=("parents",),
    rank=100,
)
