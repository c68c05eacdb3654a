"""Levels of few arcs, one after the other in a kernel of each rank of one machine, without a call of MPI.

A rank writes the heads of its frontier's arcs into boxes in shared memory, one for each rank that owns heads, and all
meet at counters there. Then each empties its boxes: heads that are unseen are the next frontier. There are two sets of
boxes in turn, so that the ranks meet once per level. A level of more arcs than a box holds ends the run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.meeting import LINE, meet

BOX = 8192
"""Arcs of a rank's frontier beyond which a level is not narrow: two passes over bitmaps cost less."""
ROOM = 1 << 25
"""Bytes of all boxes; where many ranks share them, each is smaller."""
LEAST = 64
"""Arcs below which boxes are not worth it."""
SIZE, ARCS, COUNTS = 0, 1, 2  # what a rank posts for a level: its vertices, their arcs or -1, the entries of its boxes

Array = Any


@inner()
def _fill_boxes(rank, ranks, slot, indptr, indices, levels, queue, begin, end, counts, boxes):  # type: ignore[no-untyped-def]
    """Write the heads of a frontier, numbered as their owners do, with their tails."""
    for i in range(begin, end):
        v = queue[i]
        for k in range(indptr[v], indptr[v + 1]):
            p = np.int64(indices[k])
            ahead = p // slot if p >= slot else 0
            if ahead == 0 and levels[p] >= 0:
                continue
            to = (rank + ahead) % ranks
            boxes[to, counts[to], 0] = p - ahead * slot
            boxes[to, counts[to], 1] = v
            counts[to] += 1


@inner()
def _empty_box(sender, slot, box, count, depth, levels, parents, queue, end):  # type: ignore[no-untyped-def]
    """Append the unseen heads of a box to the queue; `sender` is how many ranks after this one its owner is."""
    for i in range(count):
        v = box[i, 0]
        if levels[v] < 0:
            levels[v] = depth
            if parents.size:
                parents[v] = box[i, 1] + sender * slot
            queue[end] = v
            end += 1
    return end


@njit()
def _run_levels(rank, ranks, slot, depth, indptr, indices, levels, parents, queue, size, arrived, posts, boxes):  # type: ignore[no-untyped-def]
    """Run levels; return the depth, where the frontier begins and ends in the queue, its size on all ranks, and how
    many vertices, and arcs of theirs, were done."""
    begin, end, most, done, explored, round = 0, size, boxes.shape[3], 0, 0, 0
    while True:
        turn, arcs = depth & 1, 0
        for i in range(begin, end):
            arcs += indptr[queue[i] + 1] - indptr[queue[i]]
        own = posts[turn, rank]
        own[SIZE], own[ARCS] = end - begin, arcs if arcs <= most else -1
        own[COUNTS:] = 0
        if arcs <= most:
            _fill_boxes(rank, ranks, slot, indptr, indices, levels, queue, begin, end, own[COUNTS:], boxes[turn, rank])
        round += 1
        meet(arrived, rank, ranks, round)
        found, arcs, wide = 0, 0, False
        for other in range(ranks):
            found += posts[turn, other, SIZE]
            arcs += posts[turn, other, ARCS]
            wide = wide or posts[turn, other, ARCS] < 0
        if wide or found == 0:
            return depth, begin, end, found, done, explored
        done, explored, depth = done + found, explored + arcs, depth + 1
        begin = end
        for shift in range(ranks):
            other = (rank + shift) % ranks
            count = posts[turn, other, COUNTS + rank]
            end = _empty_box(shift, slot, boxes[turn, other, rank], count, depth, levels, parents, queue, end)


@njit()
def _set_bits(queue, begin, end, bitmap):  # type: ignore[no-untyped-def]
    """Set the bits of vertices."""
    for i in range(begin, end):
        bitmap[queue[i] >> 6] |= np.uint64(1) << np.uint64(queue[i] & 63)


class Boxes:
    """The memory in which the ranks of one machine meet."""

    def __init__(self, world: Any) -> None:
        self.world, self.ranks = world, world.size
        self.entries = min(BOX, ROOM // (16 * self.ranks**2))
        self.shape = (2, self.ranks, self.ranks, self.entries, 2)
        self.numbers = self.ranks * LINE + 2 * self.ranks * (COUNTS + self.ranks)
        self.nbytes = 8 * self.numbers + 4 * int(np.prod(self.shape))

    def exist(self) -> bool:
        """Whether there can be such memory; every rank asks."""
        return self.entries >= LEAST and self.world.can_share(self.nbytes)

    def open(self) -> tuple[Array, Array, Array]:
        """Counters at 0, what each rank posts in two turns, and the boxes from each rank to each, in two turns."""
        memory = None if self.ranks == 1 else self.world.share_memory(self.nbytes)
        held = np.empty(self.nbytes, np.uint8) if memory is None else memory.array[: self.nbytes]
        numbers, boxes = held[: 8 * self.numbers].view(np.int64), held[8 * self.numbers :].view(np.int32)
        arrived, posts = numbers[: self.ranks * LINE], numbers[self.ranks * LINE :]
        arrived[self.world.rank * LINE] = 0
        if memory is not None:
            memory.meet()
        return arrived, posts.reshape(2, self.ranks, -1), boxes.reshape(self.shape)


def run_levels(levels: Any, boxes: Boxes, depth: int, at: Any) -> int:
    """Run narrow levels from the frontier on that `levels` hold; return the depth, and write into `at` what is left."""
    rows, rank = levels.rows, boxes.world.rank
    levels.list_frontier()
    first = levels.size
    depth, begin, end, at.found, done, explored = _run_levels(
        rank, boxes.ranks, rows.slot, depth, rows.out_indptr, rows.out_indices, levels.levels, levels.parents,
        levels.queue, first, *boxes.open(),
    )  # fmt: skip
    at.open, at.unexplored = at.open - done, at.unexplored - explored
    if done and at.found:
        own = slice(levels.words)
        _set_bits(levels.queue, first, begin, levels.seen)
        levels.other[own] = levels.seen[own]
        _set_bits(levels.queue, begin, end, levels.seen)
    return depth
