"""The folder's helpers are plain modules beside the tests; kernels are built small, so that small graphs fill them."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from graphla.algorithms.sssp import _detours, _detours_cuda

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def small_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Queues, stashes and frontiers that overflow on graphs of a few hundred vertices; see `standin.SMALL`."""
    from graphla.algorithms.sssp import _parents, fused

    for module in (fused, _parents):
        monkeypatch.setattr(module, "BLOCK", 64)
        monkeypatch.setattr(module, "choose_sizes", lambda degree: "Small")


@pytest.fixture
def relaxed_arcs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many arcs each launch or search for detours relaxes."""
    counts = list[int]()
    for module in (_detours, _detours_cuda):
        monkeypatch.setattr(module, "tracing", SimpleNamespace(count_relaxed=counts.append))
    return counts
