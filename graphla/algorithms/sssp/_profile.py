"""Count vertices and arcs by distance from the source, which shows where a search by buckets does its work."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import infinity
from graphla.containers.vector import Vector
from graphla.engine.tracing import Wave

RANGES = 32


def compute_waves(G: Any, answer: tuple[Any, ...]) -> list[Wave]:
    """Return a wave for each of RANGES equal ranges of distance. Each arc counts once, however often it is relaxed."""
    xp, d = G.engine.xp, answer[0]
    d = d.to_dense(infinity(d.dtype.numpy)) if isinstance(d, Vector) else d
    reached = d < infinity(d.dtype)
    far = d[reached].astype(np.float64)
    low, high = float(far.min()), float(far.max())
    width = (high - low) / RANGES or 1.0
    if d.dtype.kind != "f":
        width = float(np.ceil((high - low + 1) / RANGES))
    index = xp.minimum((far - low) / width, RANGES - 1).astype(np.int64)
    vertices, arcs = xp.bincount(index), xp.bincount(index, weights=G.degrees[reached])
    return [
        Wave(f"distance from {low + k * width:.4g}", int(v), int(a))
        for k, (v, a) in enumerate(zip(vertices, arcs, strict=True))
    ]
