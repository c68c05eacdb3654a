"""Products of few rows with many products are filled at once, into bounds of their entries."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.engine.cpu import engine as cpu
from graphla.engine.cpu import work
from semirings import plus_times


@pytest.mark.parametrize("rows", [4, work.FEW_ROWS + 1, work.FILLED_ROWS, work.FILLED_ROWS + 1])
@pytest.mark.parametrize("share", [0.002, 0.6])
def test_few_rows_with_and_without_a_count(monkeypatch: pytest.MonkeyPatch, rows: int, share: float) -> None:
    """Rows whose bound is above their entries are packed; under a mask most of them are."""
    rng = np.random.default_rng(rows)
    n = 300
    left = (rng.random((rows, n)) < share) * rng.integers(1, 9, (rows, n))
    right = (rng.random((n, n)) < 0.05) * rng.integers(1, 9, (n, n))
    left[1], mask = 0, rng.random((rows, n)) < 0.3
    F, A, M = (gl.Matrix.from_dense(x, missing_value=0, engine="cpu") for x in (left, right, mask.astype("int64")))
    packed: list[int] = []
    pack = cpu.pack_rows
    monkeypatch.setattr(cpu, "pack_rows", lambda *given: packed.append(1) or pack(*given))
    wanted = left @ right
    assert np.array_equal(plus_times(F @ A).new().to_dense(0), wanted)
    assert bool(packed) == (rows <= work.FILLED_ROWS and share > 0.1)
    assert np.array_equal(plus_times(F @ A).new(mask=~M.S).to_dense(0), np.where(mask, 0, wanted))
