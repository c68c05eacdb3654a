"""Loops of random statements are the same as statement by statement."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fuzz import full_loops, loops


@pytest.mark.parametrize("seed", range(8))
def test_a_drawn_loop_is_its_statements(engine: Any, seed: int) -> None:
    loops.check(seed, engine)


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_loop_over_full_vectors_is_its_statements(engine: Any, seed: int) -> None:
    full_loops.check(seed, engine)
