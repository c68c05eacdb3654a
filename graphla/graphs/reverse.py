"""Edges that are listed one way, and both ways: the reverse of each arc that is not there."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from graphla.storage import Coo
from graphla.storage.convert import get_array_module, order_by, order_stably


def add_reverse(coo: Coo, dup: str | None = None) -> Coo:
    """With the reverse of each arc right after it, unless the file holds that, too, with the same weight.

    Both directions of an edge stand where the first one of them does in the file, so that the matrix is symmetric
    however repeats are joined. An arc that occurs k times gets a reverse that occurs k times. O(m log m). Where repeats
    are joined by ``"first"`` or ``"min"`` it does not matter whether the reverse is there: O(m).
    """
    xp = get_array_module(coo.rows)
    if dup in ("first", "min"):
        return interleave_reverse(coo)
    arcs, reverse = xp.arange(coo.rows.size), find_reverse(coo)
    lacking = xp.flatnonzero(reverse < 0)
    source = xp.concatenate([arcs, lacking])
    order = order_stably(xp.concatenate([xp.where(reverse < 0, arcs, xp.minimum(arcs, reverse)), lacking]))
    return rearrange(coo, source[order], order >= arcs.size)


def interleave_reverse(coo: Coo) -> Coo:
    """With the reverse of each arc right after it."""
    xp = get_array_module(coo.rows)
    if coo.origin is not None:
        return rearrange(coo, xp.repeat(xp.arange(coo.rows.size), 2), xp.tile(xp.array([False, True]), coo.rows.size))
    there, back = xp.stack([coo.rows, coo.cols], 1), xp.stack([coo.cols, coo.rows], 1)
    values = None if coo.values is None else xp.repeat(coo.values, 2)
    return replace(coo, rows=there.reshape(-1), cols=back.reshape(-1), values=values)


def find_reverse(coo: Coo) -> Any:
    """For the k-th arc u → v of a weight the k-th v → u of that weight, -1 where there is none; for a loop itself."""
    xp, rows, cols = get_array_module(coo.rows), coo.rows.astype(np.int64), coo.cols.astype(np.int64)
    pair, down = xp.minimum(rows, cols) << 32 | xp.maximum(rows, cols), (rows > cols).astype(np.int64)
    keys = [pair] if coo.values is None else [pair, to_bits(xp, coo.values)]
    keys.append(count_before(xp, [*keys, down]))
    order = order_by([*keys, down])
    same = are_as_before(order, keys)
    result = xp.where(rows == cols, xp.arange(rows.size), -1)
    result[order[:-1][same]], result[order[1:][same]] = order[1:][same], order[:-1][same]
    return result


def to_bits(xp: Any, weights: Any) -> Any:
    """Whole numbers that are equal where weights are."""
    if weights.dtype.kind == "c":
        return xp.unique(weights, return_inverse=True)[1].astype(np.int64).reshape(-1)
    return (weights.astype(np.float64) + 0.0).view(np.int64) if weights.dtype.kind == "f" else weights.astype(np.int64)


def are_as_before(order: Any, keys: Any) -> Any:
    """Whether each entry but the first, in an order, has the same keys as the one before."""
    return reduce(and_, [key[order][1:] == key[order][:-1] for key in keys])


def count_before(xp: Any, keys: Any) -> Any:
    """How many entries before each one have the same keys."""
    order = order_by(keys)
    begins = xp.ones(order.size, bool)
    begins[1:] = ~are_as_before(order, keys)
    places = xp.arange(order.size)
    result = xp.empty_like(places)
    result[order] = places - places[begins][xp.cumsum(begins) - 1]
    return result


def rearrange(coo: Coo, source: Any, reverse: Any) -> Coo:
    """Entry k is entry ``source[k]`` of `coo`, as the arc the other way round where ``reverse[k]``."""
    xp, rows, cols = get_array_module(coo.rows), coo.rows[source], coo.cols[source]
    ends = xp.where(reverse, cols, rows), xp.where(reverse, rows, cols)
    values = None if coo.values is None else coo.values[source]
    origin = None if coo.origin is None else coo.origin.rearrange(source, reverse)
    return replace(coo, rows=ends[0], cols=ends[1], values=values, origin=origin)
