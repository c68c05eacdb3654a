"""Edges that are listed one way, and both ways: the reverse of each arc that is not there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from graphla.storage import Coo


def add_reverse(coo: Coo) -> Coo:
    """With the reverse of each arc right after it, unless the file holds that, too, with the same weight.

    Both directions of an edge stand where the first one of them does in the file, so that the matrix is symmetric
    however repeats are joined. An arc that occurs k times gets a reverse that occurs k times. O(m log m).
    """
    arcs, reverse = np.arange(coo.rows.size), find_reverse(coo)
    lacking = np.flatnonzero(reverse < 0)
    source = np.concatenate([arcs, lacking])
    order = np.argsort(np.concatenate([np.where(reverse < 0, arcs, np.minimum(arcs, reverse)), lacking]), kind="stable")
    return rearrange(coo, source[order], order >= arcs.size)


def find_reverse(coo: Coo) -> Any:
    """For the k-th arc u → v of a weight the k-th v → u of that weight, -1 where there is none; for a loop itself."""
    rows, cols = coo.rows.astype(np.int64), coo.cols.astype(np.int64)
    pair, down = np.minimum(rows, cols) << 32 | np.maximum(rows, cols), rows > cols
    weight = np.zeros(rows.size) if coo.values is None else coo.values
    keys = pair, weight, count_before(pair, weight, down)
    order = np.lexsort((down, *keys[::-1]))
    same = np.logical_and.reduce([key[order][1:] == key[order][:-1] for key in keys])
    result = np.where(rows == cols, np.arange(rows.size), -1)
    result[order[:-1][same]], result[order[1:][same]] = order[1:][same], order[:-1][same]
    return result


def count_before(*keys: Any) -> Any:
    """How many entries before each one have the same keys."""
    order = np.lexsort(keys[::-1])
    begins = np.ones(order.size, bool)
    begins[1:] = np.logical_or.reduce([key[order][1:] != key[order][:-1] for key in keys])
    places = np.arange(order.size)
    result = np.empty_like(places)
    result[order] = places - np.maximum.accumulate(np.where(begins, places, 0))
    return result


def rearrange(coo: Coo, source: Any, reverse: Any) -> Coo:
    """Entry k is entry ``source[k]`` of `coo`, as the arc the other way round where ``reverse[k]``."""
    rows, cols = coo.rows[source], coo.cols[source]
    ends = np.where(reverse, cols, rows), np.where(reverse, rows, cols)
    values = None if coo.values is None else coo.values[source]
    origin = None if coo.origin is None else coo.origin.rearrange(source, reverse)
    return replace(coo, rows=ends[0], cols=ends[1], values=values, origin=origin)
