"""A sparse product whose work space would not fit is computed in blocks of rows, or refused with the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import OutOfMemory
from graphla.common.memory import budget
from graphla.engine.cuda.engine import CudaEngine
from semirings import min_firsti, plus_times
from tests.emulator import load

pytestmark = pytest.mark.emulated


class Counted:
    """The emulator's kernels by name and launch."""

    def __init__(self) -> None:
        self.launches: list[str] = []

    def load(self, text: str, expression: str, **how: Any) -> Any:
        kernel = load(text, expression, **how)

        def launch(*args: Any, **more: Any) -> None:
            self.launches.append(expression)
            kernel(*args, **more)

        return launch


@pytest.fixture
def counted() -> Counted:
    return Counted()


def make_matrix(engine: Any, lengths: Any, width: int) -> gl.Matrix:
    """Rows of given lengths, their columns and values at random."""
    rng = np.random.default_rng(3)
    rows = np.repeat(np.arange(lengths.size), lengths)
    columns = np.concatenate([np.sort(rng.choice(width, n, replace=False)) for n in lengths])
    values = rng.integers(1, 9, rows.size)
    return gl.Matrix.from_coo(rows, columns, values, nrows=lengths.size, ncols=width, engine=engine)


def make_operands(engine: Any) -> tuple[gl.Matrix, gl.Matrix]:
    """Rows of every kind: empty, short, hashed, and two with more products than a hash table holds."""
    lengths = np.arange(900) % 4
    lengths[[5, 300, 899]], lengths[[10, 700]] = 20, 60
    return make_matrix(engine, lengths, 60), make_matrix(engine, np.full(60, 20), 3000)


@pytest.mark.parametrize("semiring", [plus_times, min_firsti])
@pytest.mark.parametrize("masked", [False, True])
def test_a_product_in_blocks_of_rows_is_the_same(counted: Counted, semiring: Any, masked: bool) -> None:
    engine = CudaEngine(np, counted.load)
    A, B = make_operands(engine)
    mask = plus_times(A @ B).new().select("valuegt", 8).new() if masked else None
    how = {"mask": ~mask.S} if mask is not None else {}
    whole = semiring(A @ B).new(**how)
    at_once = len(counted.launches)
    nbytes = sum(part.nbytes for part in (whole._storage.indptr, whole._storage.indices, whole._storage.values))
    counted.launches.clear()
    with gl.config.set(memory_limit=nbytes + 44 * 900 + 8 * 60):
        parts = semiring(A @ B).new(**how)
    assert parts.isequal(whole)
    assert sum(name.startswith("row_kinds") for name in counted.launches) > 2
    assert len(counted.launches) > at_once / 2


def test_a_result_past_the_limit_is_refused_with_the_numbers() -> None:
    engine = CudaEngine(np, load)
    A, B = make_operands(engine)
    whole = plus_times(A @ B).new()
    entries = (
        rf"a product of 900 × 3,000 with {whole.nvals:,} entries needs about [\d,]+ bytes, and 120,000 are allowed"
    )
    with gl.config.set(memory_limit=120_000), pytest.raises(OutOfMemory, match=entries):
        plus_times(A @ B).new()
    with gl.config.set(memory_limit=1000), pytest.raises(OutOfMemory, match=r"a product of 900 × 3,000 needs"):
        plus_times(A @ B).new()
    assert plus_times(A @ B).new().isequal(whole)


def test_the_budget_is_what_is_free_or_allowed() -> None:
    free = budget(np)
    with gl.config.set(memory_limit=12_345):
        assert budget(np) == 12_345
    assert free > 12_345
