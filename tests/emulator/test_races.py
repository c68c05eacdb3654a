"""Which accesses of two blocks race in global memory and which do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphla.engine.cuda.source import unit
from tests.emulator import EmulatorError, Kernel, load

pytestmark = pytest.mark.emulated
KERNELS = Path(__file__).parent / "race_kernels.cuh"
SEEDS = (0, 1, 2)
RACE = "race in global memory"
KINDS = ["Plain, Plain", "Plain, Atomic", "Racing, Plain", "Racing, Racing", "Atomic, Racing"]


def load_kernel(expression: str, **options: Any) -> Kernel:
    return load(unit(KERNELS), expression, **options)


def fill_ints(n: int, value: int = 0) -> np.ndarray:
    return np.full(n, value, np.int32)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stored", ["Plain", "Racing", "Atomic"])
@pytest.mark.parametrize("loaded", ["Plain", "Racing", "Atomic"])
def test_a_load_races_with_a_store_unless_neither_is_plain(loaded: str, stored: str, seed: int) -> None:
    x, run = fill_ints(1), load_kernel(f"store_and_load<{loaded}, {stored}>", seed=seed)
    if "Plain" in (loaded, stored):
        with pytest.raises(EmulatorError, match=RACE):
            run(2, 1, (x, x, fill_ints(1)))
    else:
        run(2, 1, (x, x, fill_ints(1)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("values", [(3, 4), (0, 4), (4, 0)])
@pytest.mark.parametrize("kinds", KINDS)
def test_two_stores_race_unless_neither_is_plain(kinds: str, values: tuple[int, int], seed: int) -> None:
    run = load_kernel(f"store_twice<{kinds}>", seed=seed)
    if "Plain" in kinds:
        with pytest.raises(EmulatorError, match=RACE):
            run(2, 1, (fill_ints(1), *map(np.int32, values)))
    else:
        run(2, 1, (fill_ints(1), *map(np.int32, values)))


@pytest.mark.parametrize("before", [0, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_two_stores_of_one_value_do_not_race(seed: int, before: int) -> None:
    load_kernel("store_twice<Plain, Plain>", seed=seed)(2, 1, (fill_ints(1, before), np.int32(3), np.int32(3)))


def test_a_store_that_changes_nothing_does_not_race_with_a_load() -> None:
    x = fill_ints(1, 5)
    load_kernel("store_and_load<Plain, Plain>")(2, 1, (x, x, fill_ints(1)))


@pytest.mark.parametrize("shift", [0, 3])
def test_arrays_that_overlap_are_one_memory(shift: int) -> None:
    run = load_kernel("store_and_load<Plain, Plain>")
    for end in (shift + 2, 8):
        x = fill_ints(8)
        with pytest.raises(EmulatorError, match=RACE):
            run(2, 1, (x[shift:], x[shift:end], fill_ints(1)))
    run(2, 1, (x, x[1 + shift :], fill_ints(1)))


def test_launches_do_not_race_with_each_other() -> None:
    x, run = fill_ints(1), load_kernel("store_twice<Plain, Plain>")
    with pytest.raises(EmulatorError, match=RACE):
        run(2, 1, (x, np.int32(3), np.int32(4)))
    for value in np.arange(1, 5, dtype=np.int32):
        run(1, 1, (x, value, value))
        run(2, 1, (x, value, value))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["signed char", "short", "int", "long long"])
def test_neighbours_do_not_race(name: str, seed: int) -> None:
    dtype = {"signed char": np.int8, "short": np.int16, "int": np.int32, "long long": np.int64}[name]
    x = np.zeros(9, dtype)
    load_kernel(f"neighbours<{name}>", seed=seed)(9, 32, (x,))
    assert (x == 1).all()


def test_a_byte_changed_by_its_word_leaves_its_neighbours_alone() -> None:
    flags, out = np.zeros(9, bool), np.zeros(9, bool)
    load_kernel("flags")(9, 1, (flags, out))
    assert list(flags) == [True] + [False] * 8


def test_a_struct_is_stored_in_all_its_words() -> None:
    x = np.arange(120, dtype=np.int32).view("V160")
    load_kernel("large")(2, 1, (x.copy(), np.int32(2)))
    for block in (0, 1):
        with pytest.raises(EmulatorError, match=RACE):
            load_kernel("large")(2, 1, (x.copy(), np.int32(block)))


@pytest.mark.parametrize("seed", SEEDS)
def test_flags_hand_on_what_they_were_handed(seed: int) -> None:
    value, flag = fill_ints(256), fill_ints(4)
    load_kernel("handed_on", cooperative=True, seed=seed)(4, 64, (value, flag))
    t, rows = np.arange(64), value.reshape(4, 64)
    np.testing.assert_array_equal(rows[0], t)
    for b in range(1, 4):
        np.testing.assert_array_equal(rows[b], t + rows[b - 1][::-1])
