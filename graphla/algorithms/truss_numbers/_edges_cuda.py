"""Edges as pairs of arcs by kernels of a GPU, all of one module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.blocks import make_launch
from graphla.storage.convert import order_stably

Array = Any
KERNELS = Path(__file__).with_name("edges.cuh")
TOGETHER = "flag_upper", "number_edges", "spread_levels", "take<int>", "take<long long>"
launch = make_launch(KERNELS, TOGETHER)


def take(engine: Any, held: Array, places: Array) -> Array:
    """Return ``held[places]`` in int32."""
    out = engine.xp.empty(places.size, np.int32)
    launch(engine, f"take<{engine.c_type(held)}>", places.size, places, held, np.int32(places.size), out)
    return out


def number_edges(engine: Any, tails: Array, heads: Array) -> tuple[Array, Array, Array, Array]:
    """The edge of each arc, the ends of each edge, and which arcs lead to larger vertices."""
    xp, arcs = engine.xp, int(heads.size)
    ids, upper, lower = xp.empty(arcs, np.int32), xp.empty(arcs, bool), xp.empty(arcs, bool)
    launch(engine, "flag_upper", arcs, tails, heads, np.int64(arcs), upper, lower)
    ups, downs = (engine.lists.list_true(flags, "int32", arcs // 2) for flags in (upper, lower))
    order = order_stably(take(engine, heads, downs))
    launch(engine, "number_edges", arcs // 2, ups, downs, order, np.int32(arcs // 2), ids)
    return ids, take(engine, tails, ups), take(engine, heads, ups), upper


def take_upper(engine: Any, values: Array, upper: Array) -> Array:
    """The values of the arcs to larger vertices, which are half of them, in int32."""
    return take(engine, values, engine.lists.list_true(upper, "int32", upper.size // 2))


def spread_levels(engine: Any, ids: Array, support: Array, stamps: Array, k: int | None) -> Array:
    """The number of each arc, of the support of its edge, or of the round in which it left."""
    out, level = engine.xp.empty(ids.size, np.int32), np.int32(-1 if k is None else k)
    launch(engine, "spread_levels", ids.size, ids, support, stamps, level, np.int64(ids.size), out)
    return out
