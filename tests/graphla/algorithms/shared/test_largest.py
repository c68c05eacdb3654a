"""The largest scores of each row, against a sort of all: ties, infinities, NaN, and more than are found at once."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest

from graphla.algorithms.shared import largest_cuda
from graphla.algorithms.shared.largest import keep_largest
from tests.graphla.engine.engines import KERNEL_NAMES, get_engine_named


def draw(bits: np.random.Generator, kind: str, shape: tuple[int, int], dtype: str) -> Any:
    """Scores: all different, of few values with both zeros, or with infinities and NaN."""
    if kind == "ties":
        return bits.choice([-1.5, -0.0, 0.0, 2.0], shape).astype(dtype)
    scores = bits.standard_normal(shape).astype(dtype)
    if kind == "strange":
        scores[bits.random(shape) < 0.3] = -np.inf
        scores[bits.random(shape) < 0.05] = np.inf
        scores[bits.random(shape) < 0.3] = np.nan
    if kind == "rising":
        scores.sort(axis=1)
    return scores


def find_expected(scores: Any, askers: Any, count: int) -> tuple[Any, Any]:
    """By a stable sort: NaN is less than all numbers."""
    held = scores.copy()
    if askers is not None:
        held[np.arange(len(askers)), askers] = -np.inf
    order = np.lexsort((-np.where(np.isnan(held), 0, held), np.isnan(held)))[:, :count]
    return order, np.take_along_axis(held, order, axis=1)


@pytest.mark.parametrize("engine", KERNEL_NAMES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("kind", "rows", "places", "count"),
    [
        ("different", 3, 5000, 7),
        ("ties", 3, 5000, 30),
        ("strange", 5, 400, 399),
        ("ties", 2, 1300, 1299),
        ("rising", 2, 3000, 512),
        ("different", 4, 2, 1),
    ],
)
def test_the_largest_of_each_row(
    kind: str, rows: int, places: int, count: int, dtype: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(largest_cuda, "PART", 1000)
    bits, place = np.random.default_rng(seed := secrets.randbits(32)), get_engine_named(engine)
    scores, askers = (
        draw(bits, kind, (rows, places), dtype),
        bits.integers(0, places, rows) if bits.random() < 0.5 else None,
    )
    asking = None if askers is None else place.asarray(askers)
    found = keep_largest(place, place.asarray(scores), count, asking)
    for one, other in zip(map(place.to_host, found), find_expected(scores, askers, count), strict=True):
        assert np.array_equal(one, other, equal_nan=True), f"seed {seed}"
