"""What CUDA's words mean on the emulator, against NumPy; seeds; arguments; the cache."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphla.engine.cuda.source import unit
from tests.emulator import CompileError, EmulatorError, Kernel, load
from tests.emulator import build as building

pytestmark = pytest.mark.emulated
KERNELS = Path(__file__).parent / "language_kernels.cuh"
SEEDS = (0, 1, 2)
random = np.random.default_rng(3)


def load_kernel(expression: str, **options: Any) -> Kernel:
    return load(unit(KERNELS), expression, **options)


def fill_ints(n: int, value: int = 0) -> np.ndarray:
    return np.full(n, value, np.int32)


@pytest.mark.parametrize("seed", SEEDS)
def test_votes(seed: int) -> None:
    x = random.integers(-2, 3, 32).astype(np.int32)
    out = np.zeros((32, 10), np.uint32)
    load_kernel("votes", seed=seed)(1, 32, (x, out))
    mask = lambda chosen: int(np.bitwise_or.reduce((1 << np.flatnonzero(chosen)).astype(np.int64)))  # noqa: E731
    assert set(out[:, 0]) == {mask(x > 0)}
    assert (set(out[:, 1]), set(out[:, 2])) == ({1}, {0})
    assert list(out[:, 3]) == [mask(x == y) for y in x]
    assert set(out[:, 4]) == {0}
    assert set(out[:, 5].view(np.int32)) == {x.sum()}
    assert set(out[:, 6].view(np.int32)) == {x.min()}
    assert set(out[:, 7]) == {x.view(np.uint32).max()}
    assert set(out[:, 8]) == {np.bitwise_xor.reduce(x.view(np.uint32))}
    assert set(out[:, 9]) == {(x > 0).sum()}


def test_votes_that_agree() -> None:
    out = np.zeros((32, 10), np.uint32)
    load_kernel("votes")(1, 32, (fill_ints(32, 5), out))
    assert set(out[:, 2]) == {1}
    assert set(out[:, 4]) == {0}  # all 32 lanes and one more: 2**32 wraps


@pytest.mark.parametrize("seed", SEEDS)
def test_halves_of_a_warp_go_their_own_ways(seed: int) -> None:
    out = fill_ints(32)
    load_kernel("halves", seed=seed)(1, 32, (out,))
    high = -sum(range(16, 32))
    assert list(out) == [sum(range(16)) + 1000 * high] * 16 + [high + 1000 * high] * 16


def test_shuffles_keep_to_their_segments() -> None:
    up, down, from_, swapped, crossed = (fill_ints(32) for _ in range(5))
    load_kernel("segments")(1, 32, (up, down, from_, swapped, crossed))
    t = np.arange(32)
    np.testing.assert_array_equal(up, np.where(t % 8 >= 3, t - 3, t))
    np.testing.assert_array_equal(down, np.where(t % 8 < 5, t + 3, t))
    np.testing.assert_array_equal(from_, t // 8 * 8 + 2)
    np.testing.assert_array_equal(swapped, t ^ 5)
    np.testing.assert_array_equal(crossed, np.where(t & 8, t ^ 12, t))  # an earlier segment may be read, a later not


@pytest.mark.parametrize("seed", SEEDS)
def test_active_lanes_find_each_other(seed: int) -> None:
    out = np.zeros(32, np.uint32)
    load_kernel("active", seed=seed)(1, 32, (out,))
    together = sum(1 << lane for lane in range(0, 32, 3))
    for lane in range(0, 32, 3):
        assert out[lane] >> lane & 1
        assert not out[lane] & ~np.uint32(together)
    if seed == 0:
        assert set(out[::3]) == {together}


def test_bits() -> None:
    x, out = np.array([0x00F01234, 0x89ABCDE0], np.uint32), fill_ints(14)
    load_kernel("bits")(1, 1, (x, out))
    y, both = int(x[0]), int(x[0]) << 32 | int(x[1])
    reversed_ = int(f"{y:032b}"[::-1], 2)
    expected = [y.bit_count(), both.bit_count(), 3, 6, 8, 8, reversed_, both << 5 >> 32, both >> 5]
    expected += [0x00 << 24 | 0x12 << 16 | 0x89 << 8 | 0xCD, 0x3FC00000, 3141, y * y >> 32, 32]
    np.testing.assert_array_equal(out.view(np.uint32), np.array(expected) & 0xFFFFFFFF)


@pytest.mark.parametrize(
    "x", [[5, 9, 12], [-70000, 131073, -5], [2**31 - 1, 5, 7], [0x7FFF8000, 0x00017FFF, 0x12345678]]
)
def test_dpx(x: list[int]) -> None:
    out = fill_ints(14)
    load_kernel("dpx")(1, 1, (np.array(x, np.int32), out))
    a, b, c = (np.array([v], np.int32) for v in x)
    ha, hb, hc = (v.view(np.int16) for v in (a, b, c))
    ua, ub = ha.view(np.uint16), hb.view(np.uint16)
    wide = ha.astype(np.int32) + hb
    pairs = [
        np.minimum(ha + hb, hc),
        np.maximum(ha + hb, hc),
        np.minimum(np.minimum(ha, hb), hc),
        np.minimum(ha, hb),
        ha + hb,
        np.clip(wide, -32768, 32767).astype(np.int16),
        np.minimum(ha, hb),
        np.maximum(ha, hb),
        np.minimum(ua, ub),
        np.minimum(ua.astype(np.int32) + ub, 65535).astype(np.uint16),
    ]
    words = [
        np.minimum(a + b, c),
        np.maximum(a + b, c),
        np.minimum(np.minimum(a, b), c),
        np.maximum(np.maximum(a, b), c),
    ]
    np.testing.assert_array_equal(out, np.concatenate([*words, *[p.view(np.int32) for p in pairs]]))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("name", "dtype"), [("int", np.int32), ("unsigned", np.uint32), ("unsigned long long", np.uint64)]
)
def test_atomics(name: str, dtype: type, seed: int) -> None:
    x, old = np.array([0, 50, 0, 255, 0, 0, 0, 0], dtype), np.zeros(64, dtype)
    load_kernel(f"atomics<{name}>", seed=seed)(1, 64, (x, old))
    ones = np.arange(1, 65)
    assert list(x[:6]) == [ones.sum(), 1, 64, 128, 127, np.bitwise_xor.reduce(ones)]
    assert x[6] in ones
    assert x[7] == 128
    steps = np.sort(np.append(old, x[0]).astype(np.int64))
    np.testing.assert_array_equal(np.sort(np.diff(steps)), ones)


def test_atomic_counters_turn_over() -> None:
    x = np.array([0, 0, 100], np.uint32)
    load_kernel("counters")(1, 25, (x,))
    assert list(x) == [5, 5, 50]


@pytest.mark.parametrize(("name", "dtype"), [("float", np.float32), ("double", np.float64)])
def test_atomic_sums_of_floats(name: str, dtype: type) -> None:
    x = np.zeros(1, dtype)
    load_kernel(f"float_sum<{name}>")(3, 40, (x,))
    assert x[0] == 60


@pytest.mark.parametrize("seed", SEEDS)
def test_shared_memory_belongs_to_its_block(seed: int) -> None:
    out = fill_ints(256)
    load_kernel("apart", cooperative=True, seed=seed)(4, 64, (np.zeros(1, np.uint32), out), 64 * 8)
    b, t = np.divmod(np.arange(256), 64)
    np.testing.assert_array_equal(out, 11100 * b + 2 * (63 - t))


def test_threads_and_blocks_know_their_places() -> None:
    grid, block = (2, 3, 2), (4, 2, 3)
    threads, blocks, sizes = (np.zeros((288, 3), np.uint32).view("V12") for _ in range(3))
    load_kernel("places")(grid, block, (threads, blocks, sizes))
    as_rows = [a.view(np.uint32).reshape(-1, 3) for a in (threads, blocks, sizes)]
    t, b = np.arange(288) % 24, np.arange(288) // 24
    np.testing.assert_array_equal(as_rows[0], np.stack([t % 4, t // 4 % 2, t // 8], 1))
    np.testing.assert_array_equal(as_rows[1], np.stack([b % 2, b // 2 % 3, b // 6], 1))
    np.testing.assert_array_equal(as_rows[2], np.tile(block, (288, 1)))


def read_turns(seed: int) -> list[int]:
    turn = fill_ints(256)
    load_kernel("order", seed=seed)(4, 64, (fill_ints(1), turn))
    assert sorted(turn) == list(range(256))
    return turn.tolist()


def test_a_seed_is_an_order() -> None:
    assert read_turns(0) == list(range(256))
    assert read_turns(1) == read_turns(1) != read_turns(0)
    assert read_turns(2) != read_turns(1)


def test_vectors_and_assertions() -> None:
    x, y, z = fill_ints(4), np.zeros(2, np.int32), np.zeros(4, np.float32)
    x[:] = 1, 2, 3, 4
    run = load_kernel("vectors")
    run(1, 1, (x.view("V16"), y.view("V8"), z.view("V16")))
    assert (list(y), list(z)) == ([5, 2], [1, 2, 3, 3])
    x[0] = 7
    with pytest.raises(EmulatorError, match=r"assertion v\.x == 1 failed.*language_kernels\.cuh:\d+"):
        run(1, 1, (x.view("V16"), y.view("V8"), z.view("V16")))


def test_a_trap_is_an_error() -> None:
    with pytest.raises(EmulatorError, match="trap"):
        load_kernel("stuck")(1, 1, ())


def test_shared_memory_begins_as_garbage() -> None:
    out = fill_ints(4)
    load_kernel("untouched_shared")(1, 4, (out,))
    assert set(out.view(np.uint32)) == {0xDDDDDDDD}


@pytest.mark.parametrize("build", ["checked", "plain"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_wait_covers_all_groups_but_the_newest(seed: int, build: str) -> None:
    seen = fill_ints(128)
    load_kernel("groups", seed=seed, build=build)(1, 32, (np.arange(5, 9, dtype=np.int32), seen))
    np.testing.assert_array_equal(seen.reshape(32, 4), [[5, 6, 7, 0]] * 32)


@pytest.mark.parametrize("seed", SEEDS)
def test_asynchronous_copies_of_sixteen_bytes(seed: int) -> None:
    x, out = random.integers(0, 99, (64, 4)).astype(np.int32), np.zeros((64, 4), np.int32)
    load_kernel("copies_of_sixteen_bytes", seed=seed)(1, 64, (x.view("V16"), out.view("V16")), 64 * 16)
    np.testing.assert_array_equal(out, x[::-1])


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("copy_of_a_size<12>", "an asynchronous copy moves 4, 8 or 16 bytes, not 12"),
        ("copy_of_a_size<16>", "misaligned: an asynchronous copy of 16 bytes"),
        ("copy_to_a_register", "an asynchronous copy to what is not shared memory"),
    ],
)
def test_copies_that_no_gpu_makes(expression: str, message: str) -> None:
    with pytest.raises(EmulatorError, match=rf"{message}.*language_kernels\.cuh"):
        load_kernel(expression)(1, 1, (fill_ints(8),))


GOOD = (np.zeros(1, np.float32), fill_ints(1), np.int64(5), np.bool_(True), np.zeros(1, np.uint8))


@pytest.mark.parametrize(
    ("position", "wrong", "message"),
    [
        (0, np.zeros(1), "argument 0 must be a pointer to f32, not ndarray float64"),
        (1, np.zeros(1, np.float32), "argument 1 must be a pointer to i32, not ndarray float32"),
        (1, np.int32(3), "argument 1 must be a pointer to i32, not int32"),
        (1, np.zeros((4, 4), np.int32)[:, 1], "argument 1 is an array that is not contiguous"),
        (2, 5, "argument 2 must be a value i64, not int"),
        (2, np.int32(5), "argument 2 must be a value i64, not int32"),
        (3, np.float32(1), "argument 3 must be a value b8, not float32"),
        (4, np.zeros(1, np.int16), "argument 4 must be a pointer to i8, not ndarray int16"),
    ],
)
def test_arguments_have_the_exact_type(position: int, wrong: object, message: str) -> None:
    run = load_kernel("types")
    run(1, 1, GOOD)
    run(1, 1, (None, *GOOD[1:]))
    with pytest.raises(EmulatorError, match=message):
        run(1, 1, (*GOOD[:position], wrong, *GOOD[position + 1 :]))


@pytest.mark.parametrize(
    ("grid", "block", "shared", "message"),
    [
        (1, 2048, 0, "a block of 2048 threads"),
        (0, 32, 0, "positive sizes"),
        ((1, 65_536), 32, 0, "a grid of .* 65535 is the most along y and z"),
        (1, 32, 300_000, "300000 bytes of shared memory"),
        (9, 32, 0, "a cooperative grid of 9 blocks, where 4 are resident"),
    ],
)
def test_launches_that_no_gpu_takes(grid: int | tuple[int, int], block: int, shared: int, message: str) -> None:
    with pytest.raises(EmulatorError, match=message):
        load_kernel("apart", cooperative=True)(grid, block, (np.zeros(1, np.uint32), fill_ints(256)), shared)


def test_the_number_of_arguments_is_checked() -> None:
    with pytest.raises(EmulatorError, match="types takes 5 arguments, not 1"):
        load_kernel("types")(1, 1, GOOD[:1])


def test_resident_blocks_may_be_set() -> None:
    run = load_kernel("apart", cooperative=True, resident=6)
    assert run.resident_blocks(64) == 6
    run(6, 64, (np.zeros(1, np.uint32), fill_ints(6 * 64)), 512)


def test_a_compile_error_names_kernel_and_line() -> None:
    with pytest.raises(CompileError, match=r"scale<float>: scale\.cuh:2:\d+: error: .*factor"):
        load('#line 1 "scale.cuh"\ntemplate <class T> __global__ void scale(T* x) {\n *x *= factor; }', "scale<float>")


def test_a_kernel_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    library = building.build_shared_object(unit(KERNELS), "order", "checked")

    def refuse(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(building, "run_compiler", refuse)
    assert building.build_shared_object(unit(KERNELS), "order", "checked") == library


def test_switches_are_fast() -> None:
    """Ten million a second and more; a fifth of it is asked for, since the machine may be busy."""
    run = load_kernel("many_barriers", build="plain")
    begin = time.process_time()
    run(1, 256, (np.int32(2000), fill_ints(256)))
    assert 256 * 2000 / (time.process_time() - begin) > 2e6
