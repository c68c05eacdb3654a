"""The sort inside kernels."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.sort import sort_part


@njit()
def sort(keys, begin, end):  # type: ignore[no-untyped-def]
    sort_part(keys, begin, end)


@pytest.mark.parametrize("kind", ["random", "sorted", "falling", "equal", "few", "organ pipe"])
@pytest.mark.parametrize("n", [0, 1, 2, 24, 25, 26, 97, 1000, 30_000])
def test_a_part_is_sorted_and_nothing_else(kind: str, n: int) -> None:
    random = np.random.default_rng(n)
    columns = {
        "random": lambda: random.permutation(n),
        "sorted": lambda: np.arange(n),
        "falling": lambda: np.arange(n)[::-1],
        "equal": lambda: np.full(n, 7),
        "few": lambda: random.integers(0, 3, n),
        "organ pipe": lambda: np.minimum(np.arange(n), np.arange(n)[::-1]),
    }[kind]().astype(np.int32)
    around = np.r_[np.int32([9, -1]), columns, np.int32([-5])]
    sort(around, 2, 2 + n)
    assert around.tolist() == [9, -1, *sorted(columns.tolist()), -5]
