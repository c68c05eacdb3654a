"""Queues of warps, blocks and the grid; kernels of one block, of the resident blocks, and with one launch per level.

Finds are collected in eight W-queues of a block, joined to its B-queue in shared memory, and those to the
G-queue. A frontier that one block can hold is searched by one block, one that the device holds at once by a
grid with a barrier of its own, and only larger ones are launched level by level. A thread expands a vertex,
so rows of very high degree stall it: ``split_degree`` cuts them into pieces of at most as many arcs.

Source: Luo, Wong, Hwu, "An Effective GPU Implementation of Breadth-First Search", DAC 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import (
    count_blocks,
    get_kernel,
    get_path,
    make_answer,
    name_tree_type,
    start_answer,
)
from graphla.algorithms.shared.search_settings import Settings
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method, Option

THREADS = 512  # of a block, as in the paper

Array = Any


@dataclass(frozen=True, eq=False)
class Pieces:
    """Rows cut up: piece p holds the arcs begin[p] .. begin[p + 1] of owner[p]; v has first[v] .. first[v + 1]."""

    begin: Array
    owner: Array
    first: Array

    @property
    def count(self) -> int:
        return int(self.owner.shape[0])


def _make_whole_rows(G: Any) -> Pieces:
    each = G.engine.xp.arange(G.n + 1, dtype=np.int32)
    return Pieces(G.csr.indptr, each[:-1], each)


def _cut_rows(G: Any, most: int) -> Pieces:
    """Every row in pieces of `most` arcs, the last one shorter; an empty row is one piece."""
    xp, indptr = G.engine.xp, G.csr.indptr
    per_row = xp.maximum(-(-xp.diff(indptr) // most), 1)
    first = xp.zeros(G.n + 1, np.int32)
    first[1:] = xp.cumsum(per_row)
    piece = xp.arange(int(first[-1]), dtype=np.int32)
    owner = (xp.searchsorted(first, piece, side="right") - 1).astype(np.int32)
    begin = xp.empty(piece.size + 1, indptr.dtype)
    begin[:-1] = indptr[owner] + (piece - first[owner]).astype(indptr.dtype) * most
    begin[-1] = indptr[-1]
    return Pieces(begin, owner, first)


def _get_pieces(G: Any, split_degree: int) -> Pieces:
    if not split_degree:
        return G.cached("bfs.hierarchical.rows", _make_whole_rows)
    return G.cached(f"bfs.hierarchical.split.{split_degree}", lambda graph: _cut_rows(graph, split_degree))


LevelParameters = read_struct(get_path("hierarchical"), "LevelParameters")


@dataclass(frozen=True, eq=False)
class Layers:
    """The three kernels, and how many pieces the two lower ones hold."""

    one_block: Any
    resident: Any
    relaunched: Any
    resident_blocks: int

    @classmethod
    def prepare(cls, G: Any, parents: bool) -> Layers:
        types = f"{G.engine.c_type(G.csr.indptr)}, {name_tree_type(parents)}"
        one = get_kernel(G, "hierarchical", f"many_levels<{types}, OneBlock>", takes=LevelParameters)
        resident = get_kernel(
            G, "hierarchical", f"many_levels<{types}, ResidentBlocks>", cooperative=True, takes=LevelParameters
        )
        again = get_kernel(G, "hierarchical", f"relaunched<{types}>", takes=LevelParameters)
        return cls(one, resident, again, resident.resident_blocks(THREADS))


def run(G: Any, source: int, s: Settings, *, split_degree: int = 0) -> tuple[Array, Array | None]:
    """Levels and parents; `split_degree` = 0 splits nothing."""
    xp, pieces, layers = G.engine.xp, _get_pieces(G, split_degree), Layers.prepare(G, s.parents)
    levels, above = start_answer(G, source, s.parents)
    listed, state, barrier = xp.empty(pieces.count, np.int32), xp.zeros(3, np.int32), xp.zeros(16, np.uint32)
    begin = int(pieces.first[source])
    last = int(pieces.first[source + 1]) - begin
    listed[:last] = xp.arange(begin, begin + last, dtype=np.int32)
    state[0] = last
    first, depth, room = 0, 0, layers.resident_blocks * THREADS
    while first < last:
        one_block = last - first <= THREADS
        parameters = LevelParameters(
            begin=pieces.begin,
            owner=pieces.owner,
            first_piece=pieces.first,
            indices=G.csr.indices,
            levels=levels,
            parents=above,
            list=listed,
            state=state,
            barrier=barrier,
            first=first,
            last=last,
            depth=depth,
            fewest=0 if one_block else THREADS,
        )
        if last - first > room:
            layers.relaunched(count_blocks(last - first, THREADS), THREADS, parameters)
            first, last, depth = last, int(state[0]), depth + 1
            continue
        if one_block:
            layers.one_block(1, THREADS, parameters)
        else:
            layers.resident(layers.resident_blocks, THREADS, parameters)
        last, first, depth = state.tolist()
    return make_answer(levels, above, s.parents)


def _check_split(degree: Any) -> str | None:
    return None if isinstance(degree, int) and degree >= 0 else "a number of arcs, or 0 to split nothing"


method = Method(
    runs={"cuda": run},
    idea="queues per warp, block and grid; one block, resident blocks, or one launch per level",
    source="Luo, Wong, Hwu, DAC 2010",
    options={"split_degree": Option(0, check=_check_split, text="arcs per piece of a long row; 0 cuts no row")},
    also=("parents",),
)
