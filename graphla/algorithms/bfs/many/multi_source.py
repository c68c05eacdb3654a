"""Many searches in one: a word of 64 bits per vertex, one bit per source.

All 64 searches share each look at an arc, and each bit has its own direction: pushed while few strong vertices have
seen it, then pulled. The words of each level are kept, and the level matrix is written from them in one pass.

Source: Then, Kaufmann, Chirigati et al., "The More the Merrier: Efficient Multi-Source Graph Traversal",
PVLDB 8(4), 2014; as algebra, a product of the adjacency matrix with a bit matrix over (OR, AND).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs import fused
from graphla.algorithms.bfs._device import BLOCK, RESIDENT_THREADS, count_blocks, get_kernel, get_path
from graphla.algorithms.bfs.many._renumbered import Renumbered, list_kernels, renumber
from graphla.algorithms.bfs.many.narrow import AT_ONCE, find_scratch, search_narrow
from graphla.common.memory import require_on_host
from graphla.engine.cuda.records import read_struct

WORD = 64  # sources searched at once
FEW = 3  # sources up to which one search after the other is faster, on Kronecker graphs and on roads
COMMON_SHARE = 16  # a bit is pulled once hubs with 1 / COMMON_SHARE of the hubs' arcs have seen it
LITTLE_SHARE = 64  # a queue takes over once a level found and pushed less than 1 / LITTLE_SHARE of all arcs

FEWER = "search from fewer sources at a time"
LEVELS = 15  # levels that four planes can hold
LEVEL_WORDS = 4 + 64  # of the struct Numbers, one per level
OUTCOME_WORDS = 5  # of the struct Outcome

Array = Any


@dataclass(frozen=True, eq=False)
class Scratch:
    """What a search works with, kept with the graph; no result is in it."""

    graph: Renumbered
    history: Array
    planes: Array
    words: Array  # zero between searches where it matters: _multi_finish.cuh
    entries: Array
    barrier: Array


SearchParameters = read_struct(get_path("_multi_source"), "SearchParameters")
FinishParameters = read_struct(get_path("_multi_finish"), "FinishParameters")


def search_many(G: Any, sources: Sequence[int]) -> Array:
    """Levels from each source: an int32 array [len(sources), n] of the graph's engine, -1 where unreached.

    O(ceil(k / 64) · (V + E) · levels shared) work at most, and 4·k·n bytes of result. On a GPU nothing comes back to
    the host; the scratch memory is kept with the graph, for each stream on which it is searched.
    """
    chosen = np.asarray(sources, np.int32)
    if G.engine.name == "cpu":
        from graphla.algorithms.bfs.many._words_cpu import search_words

        require_on_host(4 * len(chosen) * G.n, f"levels from {len(chosen):,} sources", np, FEWER)
        levels = np.full((len(chosen), G.n), -1, np.int32)
        search_words(G, chosen, levels)
        return levels
    levels = G.engine.xp.empty((len(chosen), G.n), np.int32)
    on_device, narrow = G.engine.xp.asarray(chosen), find_scratch(G) if len(chosen) > 1 else None
    if narrow is not None:
        for first in range(0, len(chosen), AT_ONCE):
            some = slice(first, first + AT_ONCE)
            search_narrow(G, narrow, on_device[some], levels[some])
        return levels
    if len(chosen) > FEW:
        begin_words(G)
    for first in range(0, len(chosen), WORD):
        word = slice(first, first + WORD)
        if len(chosen[word]) > FEW:
            _search(G, on_device[word], levels[word])
            continue
        for row, source in zip(levels[word], chosen[word].tolist(), strict=True):
            row[:] = fused.search(G, source)[0]
    return levels


def begin_words(G: Any) -> None:
    """Begin to compile what searches from a word of sources take on a GPU, all of it at the same time."""
    G.engine.begin(get_path("_multi_prepare"), *list_kernels(G))
    G.engine.begin(get_path("_multi_source"), "search_words", cooperative=True)
    G.engine.begin(get_path("_multi_levels"), "write_levels")
    G.engine.begin(get_path("_multi_finish"), "finish_words", cooperative=True)


def _make_scratch(G: Any) -> Scratch:
    """212 bytes for each vertex with an arc, beside the rows; the levels of 64 sources take 256."""
    xp, graph = G.engine.xp, renumber(G)
    return Scratch(
        graph,
        history=xp.empty(LEVELS * graph.n, np.uint64),
        planes=xp.empty(4 * graph.n, np.uint64),
        words=xp.zeros(3 * graph.n, np.uint64),
        entries=xp.empty(9 * graph.n, np.int32),
        barrier=xp.zeros(16, np.uint32),
    )


def _count_resident_blocks(G: Any, search: Any, name: str, shared: int = 0) -> int:
    """The blocks that the device holds at once."""
    return G.cached(f"bfs.{name}.grid", lambda _: search.resident_blocks(RESIDENT_THREADS, shared))


def _search(G: Any, sources: Array, levels: Array) -> None:
    """Search from one word of sources: the heavy levels first, then the matrix of levels, then the remaining levels."""
    s: Scratch = G.cached(f"bfs.many.{G.engine.device.stream()}", _make_scratch)
    numbers = G.engine.xp.zeros(LEVELS * LEVEL_WORDS + OUTCOME_WORDS, np.uint64)
    outcome = numbers[LEVELS * LEVEL_WORDS :]
    _search_words(G, s, sources, numbers, outcome)
    write = get_kernel(G, "_multi_levels", "write_levels")
    count = np.int32(sources.size)
    write(count_blocks(-(-G.n // 4)), BLOCK, (np.int32(G.n), count, s.graph.number, s.planes, levels))
    _finish_words(G, s, sources, levels, outcome)


def _search_words(G: Any, s: Scratch, sources: Array, numbers: Array, outcome: Array) -> None:
    """Push and pull words until a level finds little; the planes get the levels."""
    search, g = get_kernel(G, "_multi_source", "search_words", cooperative=True, takes=SearchParameters), s.graph
    parameters = SearchParameters(
        n=g.n,
        out_indptr=g.out.indptr,
        out_packs=g.out.packs,
        in_indptr=g.into.indptr,
        in_packs=g.into.packs,
        first=g.first,
        number=g.number,
        sources=sources,
        count=sources.size,
        history=s.history,
        vertices=s.entries[: 3 * g.n],
        befores=s.entries[3 * g.n : 6 * g.n],
        shifts=s.entries[6 * g.n :],
        planes=s.planes,
        frontier=s.words,
        numbers=numbers,
        outcome=outcome,
        barrier=s.barrier,
        hubs=g.hubs,
        share=COMMON_SHARE,
        little=LITTLE_SHARE,
    )
    shared = 8 * g.hubs
    search(_count_resident_blocks(G, search, "search_words", shared), RESIDENT_THREADS, parameters, shared)


def _finish_words(G: Any, s: Scratch, sources: Array, levels: Array, outcome: Array) -> None:
    """Push the remaining levels from a queue, directly into the matrix of levels."""
    finish, g = get_kernel(G, "_multi_finish", "finish_words", cooperative=True, takes=FinishParameters), s.graph
    parameters = FinishParameters(
        n=g.n,
        out_indptr=g.out.indptr,
        out_packs=g.out.packs,
        vertex=g.vertex,
        sources=sources,
        count=sources.size,
        all=G.n,
        history=s.history,
        words=s.words,
        entries=s.entries,
        levels=levels,
        outcome=outcome,
        barrier=s.barrier,
    )
    finish(_count_resident_blocks(G, finish, "finish_words"), RESIDENT_THREADS, parameters)
