"""The largest scores of each row, on every core: a row is read once, beside a short list of the largest so far."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import count_workers, run_for_each

Array = Any
TILE = 1 << 23
"""Scores of a tile."""


@njit()
def _keep(first, last, scores, places, values):  # type: ignore[no-untyped-def]
    """Keep the largest scores of some rows in falling order; of equal ones the first stays in front."""
    count = places.shape[1]
    for row in range(first, last):
        size, least = 0, scores[row, 0]
        for place in range(scores.shape[1]):
            score = scores[row, place]
            if size == count and score <= least:
                continue
            at = min(size, count - 1)
            while at > 0 and values[row, at - 1] < score:
                values[row, at], places[row, at] = values[row, at - 1], places[row, at - 1]
                at -= 1
            values[row, at], places[row, at] = score, place
            size = min(size + 1, count)
            least = values[row, size - 1]


def begin(engine: Any, dtype: Any) -> int:
    """How many scores are best looked through at once."""
    return TILE


def find_largest(engine: Any, scores: Array, askers: Array | None, places: Array, values: Array) -> None:
    """Fill in the places of the largest scores of each row, and the scores."""
    rows, parts = scores.shape[0], count_workers()
    if askers is not None:
        scores[np.arange(rows), askers] = -np.inf
    pieces = pairwise([rows * part // parts for part in range(parts + 1)])
    run_for_each(lambda piece: _keep(*piece, scores, places, values), list(pieces))
