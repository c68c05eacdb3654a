"""Walks on every core: a thread takes some of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.random_walks.settings import MOST, Settings
from graphla.algorithms.shared.random_words import make_keys
from graphla.algorithms.shared.random_words_cpu import HALF, choose, draw
from graphla.algorithms.shared.weight_sums import add_up_weights
from graphla.engine.cpu.entries.structure import find, span
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import count_workers, run_for_each

STEP = 20
"""Microseconds of a step that Python interprets, without weights."""


def measure(first, last, indptr, indices, sums, keys, thresholds, walks):  # type: ignore[no-untyped-def]
    """The microseconds, about, that Python takes for some walks; biased ones may draw any number of times."""
    steps = (last - first) * (walks.shape[1] - 1)
    return np.inf if thresholds.min() < MOST else STEP * steps * (1 + (sums.size > 0))


@compile_late(0.7, measure)
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
                place = choose(draw(keys[i], counter), begin, end, sums)
                if place < 0:
                    break
                chosen = np.int64(indices[place])
                if not biased or before < 0:
                    break
                first_beside, end_beside = span(indptr, before)
                near = find(indices, first_beside, end_beside, chosen)
                kind = 0 if chosen == before else 1 if near < end_beside and indices[near] == chosen else 2
                if draw(keys[i], counter + np.uint64(1)) <= thresholds[kind]:
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
    keys, thresholds = (
        make_keys(s.seed, s.numbers),
        np.array([s.back, s.near, s.far], np.uint64),
    )
    ends = np.linspace(0, count, 4 * count_workers() + 1).astype(int)
    arrays = G.csr.indptr, G.csr.indices, sums, keys, thresholds, walks
    run_for_each(lambda k: _walk(ends[k], ends[k + 1], *arrays), range(ends.size - 1))
    return walks
