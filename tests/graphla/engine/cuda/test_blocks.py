"""The kernels over indices of a whole and of its blocks, beside what NumPy makes of the same arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import get_engine_named

from graphla.engine.mpi import indices
from graphla.engine.mpi.extract import cut_range

SIZES = [0, 1, 700]
BOUNDS = [0, 0, 5, 5, 2**31 + 7, 2**33]
"""Blocks of which two are empty, and one begins beyond 32 bits."""


@pytest.fixture(
    params=[pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
)
def engine(request: pytest.FixtureRequest) -> Any:
    return get_engine_named(request.param)


def draw(size: int, high: int, dtype: str = "int64") -> np.ndarray:
    return np.random.default_rng(size).integers(0, high, size).astype(dtype)


def draw_places(size: int) -> np.ndarray:
    """Places of all blocks, many of them at a bound."""
    near = np.random.default_rng(size).choice([0, 4, 5, 2**31 + 6, 2**31 + 7, 2**33 - 1], size)
    return np.where(np.arange(size) % 2, near, draw(size, 2**33))


def check(engine: Any, found: Any, wanted: Any) -> None:
    both = (found, wanted) if isinstance(found, tuple) else ((found,), (wanted,))
    for one, other in zip(*both, strict=True):
        np.testing.assert_array_equal(np.asarray(engine.to_host(one)), other)


@pytest.mark.parametrize("size", SIZES)
def test_indices_are_shifted(engine: Any, size: int) -> None:
    blocks = engine.lists.blocks
    for dtype, high in (("int32", 2**31), ("int64", 2**40)):
        held = draw(size, high, dtype)
        check(engine, blocks.shift(engine.asarray(held), 2**35, -3, "int64"), 2**35 - 3 * held.astype("int64"))
        small = draw(size, 1000, dtype)
        narrow = blocks.shift(engine.asarray(small), -7, 1, "int32")
        assert narrow.dtype == "int32"
        check(engine, narrow, small - 7)


@pytest.mark.parametrize("size", SIZES)
def test_entries_find_their_blocks(engine: Any, size: int) -> None:
    places, columns, blocks = draw_places(size), draw(size, 100), engine.lists.blocks
    across = [0, 30, 30, 100]
    given, beside = engine.asarray(places), engine.asarray(columns)
    check(engine, blocks.find_blocks(given, BOUNDS), indices.find_blocks(places, BOUNDS))
    fits = [0, 5, 2**31, 2**32, 2**33]
    packed = blocks.pack_entries(given, beside, fits, across)
    wanted = indices.pack_entries(places, columns, fits, across)
    check(engine, packed, wanted)
    check(engine, blocks.unpack_entries(packed[1]), indices.unpack_entries(wanted[1]))
    check(engine, blocks.flag_inside(given, (5, 2**31 + 7)), (places >= 5) & (places < 2**31 + 7))


@pytest.mark.parametrize("size", SIZES)
def test_sorted_numbers_are_searched(engine: Any, size: int) -> None:
    keys, blocks = np.sort(draw(size, 200)), engine.lists.blocks
    for dtype in ("int32", "int64"):
        wanted = np.searchsorted(keys, np.arange(-3, 205))
        check(
            engine, blocks.search_sorted(engine.asarray(keys.astype(dtype)), engine.asarray(np.arange(-3, 205))), wanted
        )
    fresh = np.ones(size, bool)
    fresh[1:] = keys[1:] != keys[:-1]
    check(engine, engine.lists.flag_first(engine.asarray(keys))[0], fresh)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (37, 11)])
def test_cells_of_a_block_are_numbered(engine: Any, shape: tuple[int, int]) -> None:
    rows, columns = engine.lists.blocks.number_grid(shape, (2**33, 5))
    wanted = np.indices(shape).reshape(2, -1)
    check(engine, (rows, columns), (wanted[0] + 2**33, wanted[1] + 5))


@pytest.mark.parametrize(
    "numbers", [range(0), range(5), range(3, 40, 7), range(39, 2, -7), range(9, -1, -1), range(7, 8)]
)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_ranges_are_written_out(engine: Any, numbers: range, dtype: str) -> None:
    out = engine.xp.empty(len(numbers), dtype)
    engine.lists.count_up(out, numbers.start, numbers.step)
    check(engine, out, np.array(numbers, dtype))


def test_ranges_are_cut_as_lists_are() -> None:
    rng = np.random.default_rng(1)
    for _ in range(2000):
        start, stop, first, last = rng.integers(-2, 30, 4).tolist()
        index = range(max(0, start), max(0, stop), rng.choice([-5, -2, -1, 1, 2, 5]).item())
        span = min(first, last), max(first, last)
        chosen, inside = cut_range(index, span)
        wanted = [k for k, place in enumerate(index) if span[0] <= place < span[1]]
        assert list(chosen) == wanted, (index, span)
        assert list(inside) == [index[k] - span[0] for k in wanted], (index, span)
