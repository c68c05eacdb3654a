"""Direction-optimising breadth-first search on every core.

A level goes one of three ways: pushed by one thread (starting threads costs more than a few
thousand arcs), pushed by all threads, or pulled by all threads through a bitmap of the frontier.
Threads take work in pieces from a shared counter, so a vertex of high degree holds up one piece only.
Small levels that follow each other run in one call, and lie one behind the other in one queue; kernels of
large levels are compiled when the first large level comes.
"""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphla.engine.cpu.atomic import compare_and_swap, fetch_and_add
from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.threads import count_workers, run_together

ALPHA = 15  # pull once the frontier's arcs exceed the unexplored ones / ALPHA (Beamer et al., SC'12),
VERTICES_AN_ARC = 2  # and the vertices / this: a pull looks at each that is left, which only long rows make up for
BETA = 18  # push again once the frontier falls below n / BETA (the same)
SERIAL_ARCS = 16_384  # below this many arcs a level is done by one thread; where two cores break even
PUSH_PIECE = 64  # frontier vertices a thread takes at once
PULL_PIECE = 32  # bitmap words a thread takes at once
ARCS_A_THREAD = 4 << 20  # below this many arcs of the graph another thread is not asked: on a machine that others
# use too, a level of 2 ms waits longer for a core that is taken than it gains from one that is free
FOUND = 1024  # vertices a thread collects before it reserves room in the queue
SIZE, ARCS, CURSOR, DEPTH, UNEXPLORED, LAST = 0, 1, 2, 3, 4, 5  # the shared counters: of the frontier, of work, of
# the search, and the level with which it ends


@inner()
def _count_arcs(indptr, queue, first, last):  # type: ignore[no-untyped-def]
    """Arcs that leave the frontier; their row pointers are in the cache afterwards."""
    arcs = np.int64(0)
    for i in range(first, last):
        u = np.uint32(queue[i])
        arcs += indptr[u + np.uint32(1)] - indptr[u]
    return arcs


@inner()
def _push_alone(indptr, indices, levels, parents, depth, queue, origin, first, last):  # type: ignore[no-untyped-def]
    """One thread pushes the frontier `queue[first:last]`; returns where the next one ends, which follows it.

    Without a branch, for none could foresee it: each head is written behind the queue, whose end
    moves only if the head is new. What indexes is unsigned: of other numbers Numba tests the sign.
    """
    end = last
    for i in range(first, last):
        u = np.uint32(queue[i])
        for k in range(np.uint64(indptr[u]), np.uint64(indptr[u + np.uint32(1)])):
            v = np.uint32(indices[k])
            level = levels[v]
            queue[end] = v
            if parents.size:
                origin[end] = u
            end += np.uint64(level < 0)
            levels[v] = depth if level < 0 else level
    if parents.size:
        for i in range(last, end):
            parents[np.uint32(queue[i])] = origin[i]
    return end


@njit()
def _push_small_levels(indptr, indices, levels, parents, queue, fresh, origin, state):  # type: ignore[no-untyped-def]
    """One thread pushes level after level while they are small; `fresh` holds the last frontier."""
    first, last = np.uint64(0), np.uint64(state[SIZE])
    while True:
        depth = np.int32(state[DEPTH])
        end = _push_alone(indptr, indices, levels, parents, depth, queue, origin, first, last)
        state[SIZE], state[ARCS] = end - last, _count_arcs(indptr, queue, last, end)
        first, last = last, end
        if state[SIZE] == 0 or state[ARCS] > SERIAL_ARCS or depth == state[LAST]:
            break
        state[UNEXPLORED] -= state[ARCS]
        state[DEPTH] += 1
    for i in range(last - first):
        fresh[i] = queue[first + i]


@inner()
def _flush(mine, count, fresh, counters):  # type: ignore[no-untyped-def]
    """Move a thread's finds to the shared queue."""
    at = fetch_and_add(counters, SIZE, count)
    for i in range(count):
        fresh[at + i] = mine[i]


@njit()
def _push_part(indptr, indices, levels, parents, depth, queue, fresh, size, counters):  # type: ignore[no-untyped-def]
    """One of several threads that push the frontier; a compare-and-swap decides who finds a vertex."""
    mine, unreached = np.empty(FOUND, np.int32), np.int32(-1)
    count, arcs = np.int64(0), np.int64(0)
    start = fetch_and_add(counters, CURSOR, np.int64(PUSH_PIECE))
    while start < size:
        stop = start + PUSH_PIECE
        for i in range(start, stop if stop < size else size):
            u = queue[i]
            for k in range(indptr[u], indptr[u + 1]):
                v = indices[k]
                if levels[v] < 0 and compare_and_swap(levels, v, unreached, depth):
                    if parents.size:
                        parents[v] = u
                    arcs += indptr[v + 1] - indptr[v]
                    if count == FOUND:
                        _flush(mine, count, fresh, counters)
                        count = np.int64(0)
                    mine[count] = v
                    count += 1
        start = fetch_and_add(counters, CURSOR, np.int64(PUSH_PIECE))
    _flush(mine, count, fresh, counters)
    fetch_and_add(counters, ARCS, arcs)


@njit(inline="always")
def _pull_word(w, outptr, inptr, sources, levels, parents, depth, front):  # type: ignore[no-untyped-def]
    """The 64 vertices of a word: which of them have an in-neighbour in the frontier, and their arcs."""
    bits, arcs = np.uint64(0), np.int64(0)
    end = w * 64 + 64
    for v in range(w * 64, end if end < levels.size else levels.size):
        if levels[v] >= 0:
            continue
        for k in range(inptr[v], inptr[v + 1]):
            u = sources[k]
            if (front[u >> 6] >> np.uint64(u & 63)) & np.uint64(1):
                levels[v] = depth
                if parents.size:
                    parents[v] = u
                bits |= np.uint64(1) << np.uint64(v & 63)
                arcs += outptr[v + 1] - outptr[v]
                break
    return bits, arcs


@njit(inline="always")
def _count_ones(bits):  # type: ignore[no-untyped-def]
    """How many bits are set."""
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit()
def _pull_part(outptr, inptr, sources, levels, parents, depth, front, fresh, counters):  # type: ignore[no-untyped-def]
    """One of several threads: unreached vertices look for an in-neighbour in `front`, a bitmap; finds go to `fresh`."""
    found, arcs = np.int64(0), np.int64(0)
    start = fetch_and_add(counters, CURSOR, np.int64(PULL_PIECE))
    while start < front.size:
        stop = start + PULL_PIECE
        for w in range(start, stop if stop < front.size else front.size):
            bits, more = _pull_word(w, outptr, inptr, sources, levels, parents, depth, front)
            fresh[w] = bits
            found += _count_ones(bits)
            arcs += more
        start = fetch_and_add(counters, CURSOR, np.int64(PULL_PIECE))
    fetch_and_add(counters, SIZE, found)
    fetch_and_add(counters, ARCS, arcs)


@njit()
def _to_bitmap(queue, size, bitmap):  # type: ignore[no-untyped-def]
    bitmap[:] = np.uint64(0)
    for i in range(size):
        v = queue[i]
        bitmap[v >> 6] |= np.uint64(1) << np.uint64(v & 63)


@njit()
def _to_queue(bitmap, levels, depth, queue):  # type: ignore[no-untyped-def]
    found = 0
    for w in range(bitmap.size):
        if bitmap[w]:
            end = w * 64 + 64
            for v in range(w * 64, end if end < levels.size else levels.size):
                if levels[v] == depth:
                    queue[found] = v
                    found += 1


@dataclass
class _Search:
    """A search from one source: its graph (arcs that leave, arcs that enter), its answer, its frontier."""

    out: Any
    into: Any
    levels: Any
    parents: Any
    state: Any = field(default_factory=lambda: np.zeros(6, np.int64))
    pulling: bool = False

    def __post_init__(self) -> None:
        n, words = self.levels.size, (self.levels.size + 63) // 64
        self.queue, self.fresh = np.empty(n + 1, np.int32), np.empty(n + 1, np.int32)
        self.origin = np.empty(n + 1 if self.parents.size else 0, np.int32)
        self.front, self.next_front = np.empty(words, np.uint64), np.empty(words, np.uint64)
        self.threads = min(count_workers(), max(1, self.out.nvals // ARCS_A_THREAD))

    def run(self, source: int, last: int) -> None:
        """Search level by level, up to the last one."""
        self.levels[source] = 0
        self.queue[0] = source
        degree = self.out.indptr[source + 1] - self.out.indptr[source]
        self.state[:] = 1, degree, 0, 0, self.out.nvals, last
        while self.state[SIZE] and self.state[DEPTH] < last:
            self.state[UNEXPLORED] -= self.state[ARCS]
            self.turn()
            self.state[DEPTH] += 1
            self.advance()

    def turn(self) -> None:
        """Change the direction if the frontier asks for it."""
        size, arcs, _, depth, unexplored, _ = self.state.tolist()
        many = arcs > max(SERIAL_ARCS, self.levels.size // VERTICES_AN_ARC) and arcs * ALPHA > unexplored
        if not self.pulling and many:
            _to_bitmap(self.queue, size, self.front)
            self.pulling = True
        elif self.pulling and size * BETA < self.levels.size:
            _to_queue(self.front, self.levels, depth, self.queue)
            self.pulling = False

    def advance(self) -> None:
        """Find the next level; levels, while they are small."""
        if self.pulling:
            self.pull()
        elif self.threads == 1 or self.state[ARCS] <= SERIAL_ARCS:
            self.push_small_levels()
        else:
            self.push()

    def push_small_levels(self) -> None:
        rows = self.out.indptr, self.out.indices
        _push_small_levels(*rows, self.levels, self.parents, self.queue, self.fresh, self.origin, self.state)
        self.queue, self.fresh = self.fresh, self.queue

    def push(self) -> None:
        size, depth = self.clear_counters()
        rows = self.out.indptr, self.out.indices
        work = self.levels, self.parents, depth, self.queue, self.fresh, size, self.state
        run_together(self.threads, _push_part, *rows, *work)
        self.queue, self.fresh = self.fresh, self.queue

    def pull(self) -> None:
        _, depth = self.clear_counters()
        rows = self.out.indptr, self.into.indptr, self.into.indices
        work = self.levels, self.parents, depth, self.front, self.next_front, self.state
        run_together(self.threads, _pull_part, *rows, *work)
        self.front, self.next_front = self.next_front, self.front

    def clear_counters(self) -> tuple[int, Any]:
        """Return the size of the frontier and the depth of the next; the counters begin anew."""
        size, depth = int(self.state[SIZE]), np.int32(self.state[DEPTH])
        self.state[SIZE] = self.state[ARCS] = self.state[CURSOR] = 0
        return size, depth


def search(out: Any, into: Any, source: int, keep_parents: bool, last: int = 2**31 - 1) -> tuple[Any, Any]:
    """Levels, and parents if asked for, from CSR `out` and its transpose `into`."""
    levels = np.full(out.nrows, -1, np.int32)
    parents = np.full(out.nrows if keep_parents else 0, -1, np.int32)
    if keep_parents:
        parents[source] = source
    _Search(out, into, levels, parents).run(source, last)
    return levels, parents if keep_parents else None


def fill_levels(out: Any, into: Any, source: int, levels: Any) -> None:
    """Levels alone, into an array that is there, whatever stands in it."""
    levels.fill(-1)
    _Search(out, into, levels, np.empty(0, np.int32)).run(source, 2**31 - 1)
