"""The vertices by their distance from the source: where a search by buckets has its work."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.sssp._weights import infinity
from graphla.containers.vector import Vector
from graphla.tracing import Wave

RANGES = 32


def profile(G: Any, answer: tuple[Any, ...]) -> list[Wave]:
    """A wave for each of some equal ranges of distance; an arc that is relaxed again is not counted again."""
    xp, d = G.engine.xp, answer[0]
    d = d.to_dense(infinity(d.dtype.numpy)) if isinstance(d, Vector) else d
    reached = d < infinity(d.dtype)
    far = d[reached].astype(np.float64)
    low, high = float(far.min()), float(far.max())
    width = (high - low) / RANGES or 1.0
    if d.dtype.kind != "f":
        width = float(np.ceil((high - low + 1) / RANGES))
    place = xp.minimum((far - low) / width, RANGES - 1).astype(np.int64)
    vertices, arcs = xp.bincount(place), xp.bincount(place, weights=G.degrees[reached])
    return [
        Wave(f"distance from {low + k * width:.4g}", int(v), int(a))
        for k, (v, a) in enumerate(zip(vertices, arcs, strict=True))
    ]
