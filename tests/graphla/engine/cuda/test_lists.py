"""The kernels over lists, beside NumPy's own functions, on random lists and at their ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import get_engine_named

from graphla.engine.cuda import lists as module
from graphla.engine.cuda.lists import LIST_TILE, SCAN_BLOCKS, SCAN_CHUNK, DeviceLists
from graphla.storage.convert import are_equal, copy_array, gather
from graphla.storage.list_kernels import find_list_kernels, register_list_kernels
from tests.cupy_modules import Recorded, make_recorded_engine

SIZES = [0, 1, 31, LIST_TILE, LIST_TILE + 1, 3 * LIST_TILE - 5]


@pytest.fixture(
    params=[pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
)
def lists(request: pytest.FixtureRequest) -> DeviceLists:
    return get_engine_named(request.param).lists


def give(lists: DeviceLists, array: np.ndarray) -> Any:
    return lists.engine.asarray(array)


def take(lists: DeviceLists, array: Any) -> np.ndarray:
    return np.asarray(lists.engine.to_host(array))


def make_pointers(size: int, seed: int = 1, dtype: str = "int32") -> np.ndarray:
    lengths = np.random.default_rng(seed).integers(0, 4, size)
    return np.concatenate([[0], np.cumsum(lengths)]).astype(dtype)


@pytest.mark.parametrize("size", SIZES)
def test_flags_are_counted_and_listed(lists: DeviceLists, size: int) -> None:
    flags = np.random.default_rng(size).random(size) < 0.3
    held = give(lists, flags)
    assert lists.count_true(held) == flags.sum()
    for dtype in ("int32", "int64"):
        listed = lists.list_true(held, dtype)
        assert listed.dtype == dtype
        np.testing.assert_array_equal(take(lists, listed), np.flatnonzero(flags))
        known = lists.list_true(held, dtype, int(flags.sum()))
        np.testing.assert_array_equal(take(lists, known), np.flatnonzero(flags))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_sorted_keys_and_cells(lists: DeviceLists, size: int, dtype: str) -> None:
    """The first of equal keys, the ends of lists, rows and columns."""
    rng = np.random.default_rng(size)
    keys = np.sort(rng.integers(-3, max(1, size // 2), size)).astype(dtype)
    first, count = lists.flag_first(give(lists, keys))
    assert count == np.unique(keys).size
    np.testing.assert_array_equal(take(lists, first), np.append(np.ones(min(size, 1), bool), keys[1:] != keys[:-1]))
    ends = np.iinfo(dtype)
    for low, high in ((-9, 9), (0, 5), (ends.min, ends.max), (ends.min, -1)) if size else ():
        numbers = rng.integers(low, high, size, endpoint=True).astype(dtype)
        assert lists.find_ends(give(lists, numbers)) == (numbers.min(), numbers.max())
    rows, columns = rng.integers(0, 2**31 - 1, (2, size)).astype(dtype)
    cells = lists.number_cells(give(lists, rows), give(lists, columns), 2**31)
    for found, expected in zip(lists.split_cells(cells, 2**31, dtype), (rows, columns), strict=True):
        assert found.dtype == dtype
        np.testing.assert_array_equal(take(lists, found), expected)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "float32", "float64", "complex128"])
def test_values_are_chosen_by_flags(lists: DeviceLists, size: int, dtype: str) -> None:
    """What masks ask for: values that are not 0, flags of two conditions, a choice between two arrays."""
    rng = np.random.default_rng(size)
    flags, others = rng.random((2, size)) < 0.4
    yes, no = rng.integers(-1, 2, (2, size)).astype(dtype)
    held = give(lists, flags), give(lists, others)
    for complement in (False, True):
        both, many = lists.both_true(*held, complement)
        expected = flags & (others != complement)
        assert many == expected.sum()
        np.testing.assert_array_equal(take(lists, both), expected)
    chosen = lists.choose_flagged(held[0], give(lists, yes), give(lists, no))
    assert chosen.dtype == dtype
    np.testing.assert_array_equal(take(lists, chosen), np.where(flags, yes, no))
    if dtype != "complex128":
        np.testing.assert_array_equal(take(lists, lists.flag_true(give(lists, yes), None)), yes != 0)
        np.testing.assert_array_equal(take(lists, lists.flag_true(give(lists, yes), held[0])), flags & (yes != 0))
    if dtype.startswith("float"):
        np.testing.assert_array_equal(
            take(lists, lists.divide(give(lists, yes), 3.0)), (yes / np.float64(3)).astype(dtype)
        )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_numbers_above_a_bound_are_counted(lists: DeviceLists, size: int, dtype: str) -> None:
    values = np.random.default_rng(size).integers(-5, 5, size).astype(dtype)
    for bound in (-6, -1, 0, 4):
        assert lists.count_above(give(lists, values), bound) == (values > bound).sum()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_is_not_finite_is_counted(lists: DeviceLists, size: int, dtype: str) -> None:
    ends = np.finfo(dtype)
    several = [0, 1, -np.inf, np.inf, np.nan, ends.max, ends.min, ends.tiny]
    values = np.random.default_rng(size).choice(several, size).astype(dtype)
    assert lists.count_infinite(give(lists, values)) == size - np.isfinite(values).sum()


@pytest.mark.parametrize("size", [0, 1, SCAN_CHUNK, SCAN_CHUNK + 1, 5 * SCAN_CHUNK + 7])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_lengths_are_added_up_in_int64(lists: DeviceLists, size: int, dtype: str) -> None:
    lengths = np.random.default_rng(size).integers(0, 2**31 - 1, size).astype(dtype)
    upto = take(lists, lists.make_pointers(give(lists, lengths)))
    assert upto.dtype == "int64"
    np.testing.assert_array_equal(upto, np.concatenate([[0], np.cumsum(lengths, dtype="int64")]))


def test_more_lengths_than_blocks_take_at_once(lists: DeviceLists, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SCAN_BLOCKS", 3)
    assert SCAN_BLOCKS > 3
    lengths = np.random.default_rng(2).integers(0, 9, 10 * SCAN_CHUNK + 3)
    np.testing.assert_array_equal(take(lists, lists.make_pointers(give(lists, lengths)))[1:], np.cumsum(lengths))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_rows_are_measured_numbered_and_pointed_at(lists: DeviceLists, dtype: str) -> None:
    pointers = make_pointers(5000, dtype=dtype)
    held, lengths = give(lists, pointers), np.diff(pointers)
    np.testing.assert_array_equal(take(lists, lists.measure_rows(held)), lengths)
    assert lists.count_filled_rows(held) == np.count_nonzero(lengths)
    rows = lists.number_rows(held, int(pointers[-1]), "int32")
    np.testing.assert_array_equal(take(lists, rows), np.repeat(np.arange(5000), lengths))
    again = lists.point_rows(rows, 5000)
    assert again.dtype == "int32"
    np.testing.assert_array_equal(take(lists, again), pointers)
    chosen = np.random.default_rng(3).integers(0, 5000, 700)
    assert lists.count_arcs(held, give(lists, chosen)) == lengths[chosen].sum()
    begins, found = lists.find_spans(held, give(lists, chosen))
    np.testing.assert_array_equal(take(lists, begins), pointers[chosen])
    np.testing.assert_array_equal(take(lists, found), lengths[chosen])


def test_rows_without_entries(lists: DeviceLists) -> None:
    none = give(lists, np.zeros(0, "int32"))
    np.testing.assert_array_equal(take(lists, lists.point_rows(none, 3)), [0, 0, 0, 0])
    assert lists.number_rows(give(lists, np.zeros(4, "int32")), 0, "int32").shape == (0,)
    assert lists.count_arcs(give(lists, np.zeros(4, "int32")), none) == 0


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "float32", "int64", "float64", "complex128"])
def test_values_are_gathered_spread_and_filled(lists: DeviceLists, dtype: str) -> None:
    random = np.random.default_rng(4)
    values = random.integers(0, 100, 900).astype(dtype) * np.ones(1, dtype)
    order = random.permutation(900)
    np.testing.assert_array_equal(take(lists, lists.gather(give(lists, values), give(lists, order))), values[order])
    places = np.sort(order[:200]).astype("int32")
    present, spread = (take(lists, one) for one in lists.spread(give(lists, places), give(lists, values[:200]), 900))
    np.testing.assert_array_equal(np.flatnonzero(present), places)
    np.testing.assert_array_equal(spread[places], values[:200])
    assert not spread[~present].any()
    filled = give(lists, values.copy())
    lists.fill(filled, values[7])
    np.testing.assert_array_equal(take(lists, filled), np.full(900, values[7]))


def test_casts_take_every_kth_number(lists: DeviceLists) -> None:
    numbers = np.arange(1000, dtype="int64")
    held = give(lists, numbers)
    assert lists.cast(held, "int64") is held
    np.testing.assert_array_equal(take(lists, lists.cast(held, "int32")), numbers)
    np.testing.assert_array_equal(take(lists, lists.cast(held, "int64", every=7)), numbers[::7])
    np.testing.assert_array_equal(take(lists, lists.cast(held, "bool")), numbers != 0)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint64"])
def test_positions_are_checked(lists: DeviceLists, dtype: str) -> None:
    rng, least = np.random.default_rng(6), 0 if dtype == "uint64" else -100
    places = rng.integers(least, 100, 3000).astype(dtype)
    held, counter = lists.begin_check(give(lists, places), 100)
    falls = np.count_nonzero(np.diff(places.astype("int64") % 100) <= 0)
    assert (held.dtype, lists.end_check(counter)) == ("int64", (0, 0, falls))
    np.testing.assert_array_equal(take(lists, held), places.astype("int64") % 100)
    places[[7, 2000]] = 100
    places[8] = np.iinfo(dtype).max if dtype == "uint64" else -101
    held, counter = lists.begin_check(give(lists, places), 100)
    assert lists.end_check(counter)[:2] == (3, 0)
    assert not take(lists, held)[[7, 8, 2000]].any()


@pytest.mark.parametrize("fault", ["none", "outside", "repeated"])
def test_nothing_is_written_at_wrong_positions(lists: DeviceLists, fault: str) -> None:
    places, target = np.random.default_rng(8).permutation(3000)[:2000], np.zeros(3000, "float32")
    if fault != "none":
        places[5] = 3000 if fault == "outside" else places[900]
    held, values = give(lists, target), give(lists, np.arange(2000, dtype="float32"))
    positions, counter = lists.begin_check(give(lists, places), 3000)
    lists.note_repeats(positions, 3000, counter)
    lists.scatter_checked(held, positions, values, counter)
    outside, repeats, _ = lists.end_check(counter)
    assert outside == (fault == "outside")
    assert fault == "outside" or repeats == (fault == "repeated")
    if fault == "none":
        target[places] = np.arange(2000)
    np.testing.assert_array_equal(take(lists, held), target)


def test_repeats_are_counted_and_positions_written(lists: DeviceLists) -> None:
    order = np.random.default_rng(7).permutation(3000)
    assert lists.count_repeats(give(lists, order), 3000) == 0
    twice = order.copy()
    twice[[4, 2500]] = twice[[9, 9]]
    assert lists.count_repeats(give(lists, twice), 3000) == 2
    for dtype in ("bool", "float32", "int64", "complex128"):
        target, values = np.zeros(3000, dtype), np.arange(2000).astype(dtype)
        held = give(lists, target)
        lists.scatter(held, give(lists, order[:2000]), give(lists, values))
        target[order[:2000]] = values
        np.testing.assert_array_equal(take(lists, held), target)
    flags = give(lists, np.zeros(3000, bool))
    lists.raise_flags(flags, give(lists, order[:5]))
    np.testing.assert_array_equal(np.flatnonzero(take(lists, flags)), np.sort(order[:5]))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("size", [0, 1, 700])
def test_places_are_tallied(lists: DeviceLists, size: int, dtype: str) -> None:
    rng = np.random.default_rng(size)
    places, values = rng.integers(0, 9, size).astype(dtype), rng.integers(0, 99, size).astype("float64")
    for weights in (None, values, values.astype("int32")):
        found = lists.tally(give(lists, places), 12, None if weights is None else give(lists, weights))
        np.testing.assert_array_equal(take(lists, found), np.bincount(places, weights, 12))
        assert found.dtype == ("int64" if weights is None else "float64")


def test_orders_and_comparisons(lists: DeviceLists) -> None:
    keys = np.random.default_rng(5).integers(0, 9, 3000).astype("int32")
    np.testing.assert_array_equal(take(lists, lists.order(give(lists, keys))), np.argsort(keys, kind="stable"))
    np.testing.assert_array_equal(take(lists, lists.engine.device.sort(give(lists, keys))), np.sort(keys))
    assert lists.is_same(give(lists, keys), give(lists, keys.copy()))
    other = keys.copy()
    other[-1] += 1
    assert not lists.is_same(give(lists, keys), give(lists, other))
    assert not lists.is_same(give(lists, keys), give(lists, keys[:-1].copy()))
    spun = keys * 1j
    assert lists.is_same(give(lists, spun), give(lists, spun.copy()))
    assert not lists.is_same(give(lists, spun), give(lists, spun.conj()))
    assert not lists.is_same(*[give(lists, np.array([1.0, np.nan]))] * 2)
    assert lists.is_rising(give(lists, np.arange(3000)))
    assert lists.is_rising(give(lists, np.zeros(1, "int64")))
    assert not lists.is_rising(give(lists, np.sort(keys)))
    present, count = lists.flag_other(give(lists, keys), 3)
    np.testing.assert_array_equal(take(lists, present), keys != 3)
    assert count == np.count_nonzero(keys != 3)


def test_arrays_of_numpy_and_arrays_with_gaps_have_no_kernels() -> None:
    assert find_list_kernels(np.zeros(3)) is None
    engine, _ = make_recorded_engine()
    register_list_kernels(Recorded, engine.lists)
    array = np.arange(10).view(Recorded)
    assert find_list_kernels(array, array) is engine.lists
    assert find_list_kernels(array[::2]) is None
    assert find_list_kernels(array, array[::2]) is None
    assert copy_array(array[::2]).tolist() == [0, 2, 4, 6, 8]
    assert gather(array[::2], np.array([4, 1]).view(Recorded)).tolist() == [8, 2]
    assert are_equal(array[::2], array[::2] + 0)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_numbers_are_scaled_in_float64(lists: DeviceLists, dtype: str) -> None:
    values = np.random.default_rng(3).random(LIST_TILE + 1)
    scaled = lists.scale(give(lists, values), 1e-9, dtype)
    assert scaled.dtype == dtype
    np.testing.assert_array_equal(take(lists, scaled), (values * 1e-9).astype(dtype))
