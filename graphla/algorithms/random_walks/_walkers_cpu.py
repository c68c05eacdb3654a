"""Walks on every core: a thread takes some of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.random_walks._numbers import FIRST, GOLDEN, SECOND, make_keys, to_word
from graphla.algorithms.random_walks.settings import MOST, Settings, add_up_weights
from graphla.engine.cpu.entries.structure import find, span
from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.threads import count_workers, run_for_each

GOLDEN_WORD, FIRST_WORD, SECOND_WORD = to_word(GOLDEN), to_word(FIRST), to_word(SECOND)
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


@inner()
def _draw(key, counter):  # type: ignore[no-untyped-def]
    """The random number of a walk at a counter."""
    x = counter + GOLDEN_WORD
    x = (x ^ (x >> np.uint64(30))) * FIRST_WORD
    x = (x ^ (x >> np.uint64(27))) * SECOND_WORD
    x = (key ^ (x ^ (x >> np.uint64(31)))) + GOLDEN_WORD
    x = (x ^ (x >> np.uint64(30))) * FIRST_WORD
    x = (x ^ (x >> np.uint64(27))) * SECOND_WORD
    return x ^ (x >> np.uint64(31))


@inner()
def _choose(number, begin, end, sums):  # type: ignore[no-untyped-def]
    """The place of an arc of a row: by the sums of weights, or evenly if there are none; -1 if all weigh nothing."""
    if sums.size == 0:
        return begin + np.int64(((number >> HALF) * np.uint64(end - begin)) >> HALF)
    total = sums[end - 1]
    if total == 0:
        return np.int64(-1)
    upper = (number >> HALF) * (total & LOW) + (((number & LOW) * (total & LOW)) >> HALF)
    lower = (number & LOW) * (total >> HALF) + (upper & LOW)
    x = (number >> HALF) * (total >> HALF) + (upper >> HALF) + (lower >> HALF)
    low, high = begin, end
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] <= x:
            low = middle + 1
        else:
            high = middle
    return low


@njit()
def _walk(first, last, indptr, indices, sums, keys, thresholds, walks):  # type: ignore[no-untyped-def]
    """Fill in some walks, whose first vertices are there."""
    length = walks.shape[1] - 1
    biased = thresholds.min() < np.uint64(MOST)
    for i in range(first, last):
        v, before = np.int64(walks[i, 0]), np.int64(-1)
        for step in range(length):
            begin, end = np.int64(indptr[v]), np.int64(indptr[v + 1])
            if begin == end:
                break
            counter, chosen = np.uint64(step) << HALF, np.int64(-1)
            while True:
                place = _choose(_draw(keys[i], counter), begin, end, sums)
                if place < 0:
                    break
                chosen = np.int64(indices[place])
                if not biased or before < 0:
                    break
                first_beside, end_beside = span(indptr, before)
                near = find(indices, first_beside, end_beside, chosen)
                kind = 0 if chosen == before else 1 if near < end_beside and indices[near] == chosen else 2
                if _draw(keys[i], counter + np.uint64(1)) <= thresholds[kind]:
                    break
                counter += np.uint64(2)
            if chosen < 0:
                break
            walks[i, step + 1], before, v = chosen, v, chosen


def walk(G: Any, s: Settings) -> Any:
    """The vertices of each walk: int32, -1 after its end."""
    count = s.starts.size
    walks = np.full((count, s.length + 1), -1, np.int32)
    walks[:, 0] = s.starts
    sums = add_up_weights(G) if s.weighted else np.zeros(0, np.uint64)
    keys, thresholds = make_keys(np, s.seed, count), np.array([s.back, s.near, s.far], np.uint64)
    ends = np.linspace(0, count, 4 * count_workers() + 1).astype(int)
    arrays = G.csr.indptr, G.csr.indices, sums, keys, thresholds, walks
    run_for_each(lambda k: _walk(ends[k], ends[k + 1], *arrays), range(ends.size - 1))
    return walks
