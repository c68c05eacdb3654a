"""Frontiers of low degree that one warp, one block and the grid hand to each other, again and again."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from graphla.algorithms.bfs import fused
from tests.graphla.algorithms.bfs.graphs import TinyGraph, from_arcs
from tests.graphla.algorithms.bfs.test_bfs_fused import ALWAYS, check

pytestmark = pytest.mark.emulated
WIDTHS = [1, 7, 49, 90, 90, 13, 2, 30, 33, 32, 33, 100, 1]
WAYS = {
    "one block with a copy": {"COPIED_VERTICES": (ALWAYS, ALWAYS)},
    "one block in place": {"SHARED_BYTES": 0, "IN_PLACE_VERTICES": (ALWAYS, ALWAYS)},
    "warp, block and grid": {"COPIED_VERTICES": (40, 95)},
}


def make_beads() -> Any:
    """Levels of these widths; each vertex has a tail in the level before, and a head in the next."""
    first = np.concatenate([[0], np.cumsum(WIDTHS)])
    tails, heads = [], []
    for level, (width, then) in enumerate(pairwise(WIDTHS)):
        each = np.arange(max(width, then))
        tails.append(first[level] + each % width)
        heads.append(first[level + 1] + each % then)
    return from_arcs(int(first[-1]), np.concatenate(tails), np.concatenate(heads))


@pytest.mark.parametrize("way", WAYS)
def test_frontiers_grow_and_shrink(way: str, emulated: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"DEEP_LEVELS": 0, "NARROW_DEGREE": 200, "MANY_LONG": 1, **WAYS[way]}.items():
        monkeypatch.setattr(fused, name, value)
    G = TinyGraph(make_beads(), emulated)
    check(G, 0)
    check(G, G.n - 1)
    assert G.cached(f"bfs.fused.narrow.{G.engine.device.stream()}", lambda _: None) is not None
