"""Direction-optimising breadth-first search on every core.

A level goes one of three ways: pushed by one thread (a parallel region costs more than a few
thousand arcs), pushed by all threads, or pulled by all threads through a bitmap of the frontier.
Threads take work in pieces from a shared counter, so a vertex of high degree holds up one piece only.
"""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false
from __future__ import annotations

from typing import Any

import numba
import numpy as np

from graphla.engine.cpu.atomic import compare_and_swap, fetch_and_add
from graphla.engine.cpu.jit import njit, prange

ALPHA = 15  # pull once the frontier's arcs exceed the unexplored ones / ALPHA (Beamer et al., SC'12)
BETA = 18  # push again once the frontier falls below n / BETA (the same)
SERIAL_ARCS = 16_384  # below this many arcs a level is done by one thread; where two cores break even
PUSH_PIECE = 64  # frontier vertices a thread takes at once
PULL_PIECE = 32  # bitmap words a thread takes at once
ARCS_A_THREAD = 4 << 20  # below this many arcs of the graph another thread is not asked: on a machine that others
# use too, a level of 2 ms waits longer for a core that is taken than it gains from one that is free
FOUND = 1024  # vertices a thread collects before it reserves room in the queue
REACHED, ARCS, CURSOR, TAIL = 0, 1, 2, 3  # the shared counters


@njit()
def _count_arcs(indptr, queue, size):  # type: ignore[no-untyped-def]
    """Arcs that leave the frontier; their row pointers are in the cache afterwards."""
    arcs = np.int64(0)
    for i in range(size):
        arcs += indptr[queue[i] + 1] - indptr[queue[i]]
    return arcs


@njit()
def _push_alone(indptr, indices, levels, parents, depth, queue, fresh, origin, size):  # type: ignore[no-untyped-def]
    """One thread pushes the frontier `queue[:size]` into `fresh`; returns (found, their arcs).

    Without a branch, for none could foresee it: each head is written behind the queue, whose end
    moves only if the head is new.
    """
    found = 0
    for i in range(size):
        u = queue[i]
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            level = levels[v]
            fresh[found] = v
            if parents.size:
                origin[found] = u
            found += level < 0
            levels[v] = depth if level < 0 else level
    if parents.size:
        for i in range(found):
            parents[fresh[i]] = origin[i]
    return found, _count_arcs(indptr, fresh, found)


@njit(inline="always")
def _flush(mine, count, fresh, counters):  # type: ignore[no-untyped-def]
    """Move a thread's finds to the shared queue."""
    at = fetch_and_add(counters, TAIL, np.int64(count))
    fresh[at : at + count] = mine[:count]


@njit(parallel=True)
def _push_together(indptr, indices, levels, parents, depth, queue, fresh, size, counters, threads):  # type: ignore[no-untyped-def]
    """All threads push the frontier; a compare-and-swap decides who finds a vertex."""
    unreached = np.int32(-1)
    for _t in prange(threads):
        mine = np.empty(FOUND, np.int32)
        count, arcs = 0, np.int64(0)
        start = fetch_and_add(counters, CURSOR, np.int64(PUSH_PIECE))
        while start < size:
            for i in range(start, min(start + PUSH_PIECE, size)):
                u = queue[i]
                for k in range(indptr[u], indptr[u + 1]):
                    v = indices[k]
                    if levels[v] < 0 and compare_and_swap(levels, v, unreached, depth):
                        if parents.size:
                            parents[v] = u
                        arcs += indptr[v + 1] - indptr[v]
                        if count == FOUND:
                            _flush(mine, count, fresh, counters)
                            count = 0
                        mine[count] = v
                        count += 1
            start = fetch_and_add(counters, CURSOR, np.int64(PUSH_PIECE))
        _flush(mine, count, fresh, counters)
        fetch_and_add(counters, ARCS, arcs)


@njit(inline="always")
def _pull_word(w, outptr, inptr, sources, levels, parents, depth, front):  # type: ignore[no-untyped-def]
    """The 64 vertices of a word: which of them have an in-neighbour in the frontier, and their arcs."""
    bits, arcs = np.uint64(0), np.int64(0)
    for v in range(w * 64, min(w * 64 + 64, levels.size)):
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


@njit(parallel=True)
def _pull(outptr, inptr, sources, levels, parents, depth, front, fresh, counters, threads):  # type: ignore[no-untyped-def]
    """Every unreached vertex looks for an in-neighbour in the bitmap `front`; finds go to `fresh`."""
    for _t in prange(threads):
        found, arcs = np.int64(0), np.int64(0)
        start = fetch_and_add(counters, CURSOR, np.int64(PULL_PIECE))
        while start < front.size:
            for w in range(start, min(start + PULL_PIECE, front.size)):
                bits, more = _pull_word(w, outptr, inptr, sources, levels, parents, depth, front)
                fresh[w] = bits
                found += _count_ones(bits)
                arcs += more
            start = fetch_and_add(counters, CURSOR, np.int64(PULL_PIECE))
        fetch_and_add(counters, REACHED, found)
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
            for v in range(w * 64, min(w * 64 + 64, levels.size)):
                if levels[v] == depth:
                    queue[found] = v
                    found += 1


@njit()
def _search(outptr, targets, inptr, sources, levels, parents, source, threads):  # type: ignore[no-untyped-def]
    n = levels.size
    queue, fresh = np.empty(n + 1, np.int32), np.empty(n + 1, np.int32)
    origin = np.empty(n + 1 if parents.size else 0, np.int32)
    words = (n + 63) // 64
    front, next_front = np.empty(words, np.uint64), np.empty(words, np.uint64)
    counters = np.zeros(4, np.int64)
    levels[source] = 0
    queue[0] = source
    size, depth, pulling = np.int64(1), np.int32(0), False
    arcs = np.int64(outptr[source + 1] - outptr[source])
    unexplored = np.int64(targets.size)
    while size:
        unexplored -= arcs
        if not pulling and arcs > SERIAL_ARCS and arcs * ALPHA > unexplored:
            _to_bitmap(queue, size, front)
            pulling = True
        elif pulling and size * BETA < n:
            _to_queue(front, levels, depth, queue)
            pulling = False
        depth += np.int32(1)
        if not pulling and arcs <= SERIAL_ARCS:
            size, arcs = _push_alone(outptr, targets, levels, parents, depth, queue, fresh, origin, size)
            queue, fresh = fresh, queue
            continue
        counters[:] = 0
        if pulling:
            _pull(outptr, inptr, sources, levels, parents, depth, front, next_front, counters, threads)
            front, next_front = next_front, front
            size = counters[REACHED]
        else:
            _push_together(outptr, targets, levels, parents, depth, queue, fresh, size, counters, threads)
            queue, fresh = fresh, queue
            size = counters[TAIL]
        arcs = counters[ARCS]


def search(out: Any, into: Any, source: int, keep_parents: bool) -> tuple[Any, Any]:
    """Levels, and parents if asked for, from CSR `out` and its transpose `into`."""
    levels = np.full(out.nrows, -1, np.int32)
    parents = np.full(out.nrows if keep_parents else 0, -1, np.int32)
    if keep_parents:
        parents[source] = source
    before = numba.get_num_threads()
    threads = min(before, max(1, out.nvals // ARCS_A_THREAD))
    numba.set_num_threads(threads)
    try:
        _search(out.indptr, out.indices, into.indptr, into.indices, levels, parents, source, threads)
    finally:
        numba.set_num_threads(before)
    return levels, parents if keep_parents else None
