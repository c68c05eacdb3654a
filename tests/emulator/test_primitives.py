"""Each primitive against NumPy, with threads in order and shuffled; and its machine code for each architecture."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import semirings
from graphla.engine.cuda.source import unit
from semirings import cuda, semiring
from semirings.dtypes import lookup
from tests.emulator import Kernel, load
from tests.nvrtc import ARCHITECTURES, compile_kernel, load_library

pytestmark = pytest.mark.emulated
KERNELS = Path(__file__).parent / "primitives_kernels.cuh"
SEEDS = (0, 1, 2)
random = np.random.default_rng(7)


def load_kernel(expression: str, prelude: str = "", **options: Any) -> Kernel:
    return load(unit(KERNELS, prelude), expression, **options)


@pytest.mark.parametrize("seed", SEEDS)
def test_warps(seed: int) -> None:
    x = random.integers(-100, 100, 96).astype(np.int32)
    sum_, least, most, inclusive, exclusive = (np.zeros_like(x) for _ in range(5))
    small = np.zeros(96, np.int8)
    load_kernel("warps", seed=seed)(1, 96, (x, sum_, least, most, inclusive, exclusive, small))
    by_warp = x.reshape(3, 32)
    np.testing.assert_array_equal(sum_.reshape(3, 32), np.repeat(by_warp.sum(1), 32).reshape(3, 32))
    np.testing.assert_array_equal(least, np.repeat(by_warp.min(1), 32))
    np.testing.assert_array_equal(most, np.repeat(by_warp.max(1), 32))
    np.testing.assert_array_equal(inclusive, by_warp.cumsum(1).ravel())
    np.testing.assert_array_equal(exclusive, (by_warp.cumsum(1) - by_warp).ravel())
    np.testing.assert_array_equal(small, np.repeat(by_warp[:, 3], 32))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float64"])
@pytest.mark.parametrize("size", [32, 96, 1024])
def test_blocks(size: int, dtype: str, seed: int) -> None:
    x = random.integers(-100, 100, size).astype(dtype)
    sum_, least, before, total = (np.zeros_like(x) for _ in range(4))
    load_kernel(f"blocks<{lookup(dtype).c}>", seed=seed)(1, size, (x, sum_, least, before, total))
    assert set(sum_) == {x.sum()} == set(total)
    assert set(least) == {x.min()}
    np.testing.assert_array_equal(before, x.cumsum() - x)


@pytest.mark.parametrize("seed", SEEDS)
def test_queues_hold_what_was_wanted(seed: int) -> None:
    x = random.integers(-1, 2, 1000).astype(np.int32)
    by_warp, by_block, counts = np.full(1000, -1, np.int32), np.full(1000, -1, np.int32), np.zeros(2, np.int32)
    load_kernel("queues", seed=seed)(3, 64, (x, np.int32(1000), by_warp, by_block, counts))
    wanted = np.flatnonzero(x > 0)
    assert list(counts) == [len(wanted)] * 2
    for queue in (by_warp, by_block):
        np.testing.assert_array_equal(np.sort(queue[: len(wanted)]), wanted)
        assert (queue[len(wanted) :] == -1).all()


@pytest.mark.parametrize("n", [0, 1, 63, 1000])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_ranges_visit_each_place_once(index: type, n: int) -> None:
    by_grid, by_block, by_lane = (np.zeros(1000, np.int32) for _ in range(3))
    begin, end = min(n, 17), n
    expression = f"ranges<{lookup(np.dtype(index).name).c}>"
    load_kernel(expression)(2, 64, (index(n), index(begin), index(end), by_grid, by_block, by_lane))
    places = np.arange(1000)
    np.testing.assert_array_equal(by_grid, places < n)
    np.testing.assert_array_equal(by_block, (places >= begin) & (places < end))
    np.testing.assert_array_equal(by_lane, by_block)


def test_a_range_ends_at_the_largest_integer() -> None:
    count = np.zeros(1, np.int32)
    load_kernel("range_to_the_end")(1, 64, (count,))
    assert count[0] == 70


@pytest.mark.parametrize("seed", SEEDS)
def test_bitmaps(seed: int) -> None:
    members = random.integers(0, 100, 200).astype(np.int32)
    bits, first, there = np.zeros(4, np.uint32), np.zeros(200, np.int32), np.zeros(128, np.int32)
    load_kernel("bitmaps", seed=seed)(1, 64, (members, np.int32(200), bits, first, there, np.int32(128)))
    np.testing.assert_array_equal(np.flatnonzero(there), np.unique(members))
    assert first.sum() == len(np.unique(members))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "int64", "float32", "float64"])
def test_memories(dtype: str) -> None:
    x = random.integers(0, 2, 16).astype(dtype)
    outs = [np.zeros_like(x) for _ in range(4)]
    load_kernel(f"memories<{lookup(dtype).c}>")(1, 32, (x, *outs))
    for out in outs:
        np.testing.assert_array_equal(out, x)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("lengths", [[3, 0, 0, 5, 1, 0, 7], [1], [0, 0, 4], [2] * 40])
def test_rows(lengths: list[int], dtype: type) -> None:
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(dtype)
    count, entries = len(lengths), int(start[-1])
    row, merge_row = np.full(entries, -1, np.int32), np.full(entries + count + 1, -1, np.int32)
    merge_entry = np.full(entries + count + 1, -1, dtype)
    expression = f"rows<{lookup(np.dtype(dtype).name).c}>"
    load_kernel(expression)(1, 32, (start, np.int32(count), dtype(entries), row, merge_row, merge_entry))
    np.testing.assert_array_equal(row, np.repeat(np.arange(count), lengths))
    np.testing.assert_array_equal(merge_row + merge_entry, np.arange(entries + count + 1))
    walk = [(0, 0)]
    while walk[-1] != (count, entries):
        r, e = walk[-1]
        walk.append((r + 1, e) if r < count and start[r + 1] <= e else (r, e + 1))
    assert list(zip(merge_row, merge_entry, strict=True)) == walk


COMBINED = [
    *itertools.product(
        ("min_plus", "max_plus"), ("FP32", "FP64", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT32", "UINT64")
    ),
    *itertools.product(("plus_times",), ("FP32", "FP64", "INT8", "UINT16", "INT32", "INT64", "UINT64")),
    *itertools.product(("times_plus",), ("INT16", "FP32", "FP64")),
    *itertools.product(("lor_land", "land_lor", "lxor_land"), ("BOOL",)),
]


@pytest.mark.parametrize(("name", "dtype"), COMBINED, ids="-".join)
def test_atomics_of_every_monoid(name: str, dtype: str) -> None:
    of, t = semiring[name], lookup(dtype)
    text = cuda.render_semiring(of, t, t, t)
    x = (
        random.integers(0, 2, 300).astype("bool")
        if dtype == "BOOL"
        else random.integers(-120, 120, 300).astype(t.numpy)
    )
    out = np.full(3, of.add.identity(t), t.numpy)
    if t.kind in "iu" and name == "times_plus":
        x |= 1
    elif name == "times_plus":
        x = np.exp2(np.sign(x)).astype(t.numpy)
    old = np.zeros_like(x)
    load_kernel("combine<S>", text, seed=1)(2, 64, (x, np.int32(300), out, np.int32(3), old))
    fold = {
        "min": np.minimum,
        "max": np.maximum,
        "plus": np.add,
        "times": np.multiply,
        "lor": np.logical_or,
        "land": np.logical_and,
        "lxor": np.logical_xor,
    }[of.add.name]
    expected = [fold.reduce(x[i::3], dtype=t.numpy if fold in (np.add, np.multiply) else None) for i in range(3)]
    np.testing.assert_array_equal(out, np.array(expected).astype(t.numpy))


@pytest.mark.parametrize("name", ["min_plus", "max_plus"])
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_atomic_extremes_of_special_floats(dtype: str, name: str) -> None:
    t = lookup(dtype)
    fold = np.fmin if name == "min_plus" else np.fmax
    nan, inf = np.nan, np.inf
    values = np.array([nan, -nan, inf, -inf, 0.0, -0.0, 1.5, -1.5, 1e-40, -1e-40], t.numpy)
    run = load_kernel("combine<S>", cuda.render_semiring(semiring[name], t, t, t))
    for before, x in itertools.product(values, values):
        out, old = np.array([before], t.numpy), np.zeros(1, t.numpy)
        run(1, 32, (np.array([x], t.numpy), np.int32(1), out, np.int32(1), old))
        np.testing.assert_array_equal(out[0], fold(before, x))
        np.testing.assert_array_equal(old[0], before)


def test_any_keeps_one_of_the_values() -> None:
    t = lookup("INT64")
    x, old = np.arange(300) + 5, np.zeros(300, np.int64)
    out = np.zeros(3, np.int64)
    load_kernel("combine<S>", cuda.render_semiring(semirings.any_secondi, t, t, t), seed=1)(
        2, 64, (x, np.int32(300), out, np.int32(3), old)
    )
    assert all((out[i] - 5) % 3 == i and out[i] in x for i in range(3))


def test_an_update_by_compare_and_swap_loses_nothing() -> None:
    x, old = np.zeros(1, np.int32), np.zeros(24, np.int32)
    load_kernel("updates", seed=5)(1, 24, (x, old))
    assert x[0] == 2**24 - 1
    np.testing.assert_array_equal(np.sort(old), 2 ** np.arange(24) - 1)


@pytest.mark.parametrize("expression", ["relay", "relay_by_barrier"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("grid", [1, 4])
def test_the_grid_waits_for_all(grid: int, seed: int, expression: str) -> None:
    barrier, value = np.zeros(1, np.uint32), np.zeros(12, np.int32)
    run = load_kernel(expression, cooperative=True, seed=seed)
    for _ in range(2):
        run(grid, 64, (barrier, np.int32(11), value))
    np.testing.assert_array_equal(value, np.arange(12))


@pytest.mark.skipif(load_library() is None, reason="nvidia-cuda-nvrtc is not installed")
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(
    "expression",
    [
        "warps",
        "blocks<double>",
        "queues",
        "ranges<long long>",
        "bitmaps",
        "memories<bool>",
        "memories<float>",
        "rows<int>",
        "relay",
    ],
)
def test_primitives_keep_to_registers(expression: str, architecture: str) -> None:
    compiled = compile_kernel(unit(KERNELS), expression, architecture)
    assert (compiled.spills, compiled.stack) == (False, 0)


@pytest.mark.skipif(load_library() is None, reason="nvidia-cuda-nvrtc is not installed")
@pytest.mark.parametrize(("name", "dtype"), COMBINED, ids="-".join)
def test_atomics_compile(name: str, dtype: str) -> None:
    t = lookup(dtype)
    prelude = cuda.render_semiring(semiring[name], t, t, t)
    compiled = compile_kernel(unit(KERNELS, prelude), "combine<S>", "sm_90")
    assert (compiled.spills, compiled.stack) == (False, 0)
