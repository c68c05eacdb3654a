"""The folder's helpers are plain modules beside the tests; kernels are built small, so that small graphs fill them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

SMALL = {
    "BLOCK": 64,
    "LEAD": 4,
    "WIDE": 40,
    "STASH": 4,
    "AHEAD": 2,
    "NEAR": 24,
    "FAR": 8,
    "ALONE_NEAR": 12,
    "ALONE_FAR": 40,
    "NEAR_LEAD": 4,
    "NEAR_AHEAD": 2,
    "IDLE": 12,
}


@pytest.fixture(autouse=True)
def small_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Queues, stashes and frontiers that overflow on graphs of a few hundred vertices."""
    from graphla.algorithms.sssp import _sizes

    for name, size in SMALL.items():
        monkeypatch.setitem(_sizes.SIZES, name, size)
    monkeypatch.setattr(_sizes, "SIZES_SPARSE", {})
