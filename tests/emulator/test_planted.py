"""The emulator finds what it is for: each kernel with a planted fault is refused, and the same without it runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphla.engine.cuda.source import unit
from tests.emulator import EmulatorError, load

pytestmark = pytest.mark.emulated
KERNELS = Path(__file__).parent / "planted_kernels.cuh"
TEXT = KERNELS.read_text().splitlines()


@dataclass(frozen=True)
class Fault:
    kernel: str
    arguments: tuple[Any, ...]
    message: str
    grid: int = 1
    block: int = 64
    shared: int = 0
    cooperative: bool = False


def fill_ints(n: int, value: int = 0) -> np.ndarray:
    return np.full(n, value, np.int32)


RACE = "race in global memory: .* with no barrier of the grid between"
FAULTS = [
    Fault("missing_barrier", (fill_ints(64), fill_ints(64)), "race in shared memory"),
    Fault("missing_warp_barrier", (fill_ints(32), fill_ints(32)), "race in shared memory", block=32, shared=128),
    Fault("write_beyond", (fill_ints(100), np.int32(100)), r"byte 400 of an array of 400 bytes \(argument 0\)", grid=2),
    Fault("read_before", (np.ones(64, np.float32), np.ones(64, np.float32)), r"byte -4 of an array of 256 bytes"),
    Fault("divergent_barrier", (fill_ints(64),), "divergent barrier"),
    Fault("early_return", (fill_ints(64), np.int32(40)), r"waits in vain for .*\(40, 0, 0\), which has left"),
    Fault("missing_lane", (fill_ints(32),), r"__shfl_xor_sync.*waits in vain for .*\(7, 0, 0\)", block=32),
    Fault("lanes_apart", (fill_ints(32),), "lanes of one mask .* do different things", block=32),
    Fault("endless_wait", (fill_ints(1),), "threads spin and nothing changes"),
    Fault("absent_block", (np.zeros(1, np.uint32),), r"deadlock: .*grid_sync", grid=3, cooperative=True),
    Fault("overflow", (fill_ints(1, 2**31 - 1),), "signed addition overflows", block=1),
    Fault("misaligned", (np.ones(8, np.float32), np.ones(4, np.float32).view("V16")), "misaligned", block=1),
    Fault("threads_write", (fill_ints(64),), "race in shared memory"),
    Fault(
        "missing_wait",
        (fill_ints(64), fill_ints(64)),
        "asynchronous copy under way: .* reads what .* has not waited for",
    ),
    Fault("one_group_too_few", (fill_ints(64), fill_ints(64)), "asynchronous copy under way"),
    Fault("missing_commit", (fill_ints(64), fill_ints(64)), "asynchronous copy under way"),
    Fault("missing_barrier_after_wait", (fill_ints(64), fill_ints(64)), "race in shared memory"),
    Fault("missing_barrier_before_copy", (fill_ints(64), fill_ints(64)), "race in shared memory"),
    Fault("write_under_copy", (fill_ints(64), fill_ints(64)), "asynchronous copy under way: .* writes what"),
    Fault("copy_over_copy", (fill_ints(64), fill_ints(64)), "asynchronous copy under way: .* writes what"),
    Fault("source_changes", (fill_ints(64), fill_ints(64)), "the source of an asynchronous copy changes"),
    Fault("copy_left_open", (fill_ints(64),), "copies that it never waited for"),
    Fault("copy_from_beyond", (fill_ints(40), np.int32(40)), "of an array of 160 bytes"),
    Fault("blocks_write", (fill_ints(1),), "race in global memory.* writes what .* writes", grid=3),
    Fault("blocks_lose_a_sum", (fill_ints(1),), "race in global memory", grid=3),
    Fault(
        "block_reads_what_another_writes",
        (fill_ints(192), fill_ints(192), np.zeros(1, np.uint32)),
        "race in global memory",
        grid=3,
        cooperative=True,
    ),
    Fault("plain_look_at_an_atomic", (fill_ints(1), fill_ints(3)), "race in global memory.*updates atomically", grid=3),
    Fault("plain_store_over_an_atomic", (fill_ints(1),), "race in global memory", grid=3),
    *(
        Fault(f"flag_without_a_{missing}", (fill_ints(64), fill_ints(1), fill_ints(64)), RACE, grid=2, cooperative=True)
        for missing in ("fence", "barrier_before", "barrier_after")
    ),
    Fault(
        "warps_without_a_barrier", (fill_ints(64), fill_ints(64)), "race in global memory: .* with no barrier between"
    ),
    Fault("constant_that_changes", (fill_ints(64), fill_ints(64)), "constant data changes: .* reads as constant"),
]


def run(fault: Fault, *, planted: bool, seed: int, build: str = "checked") -> None:
    text = ("#define PLANT\n" if planted else "") + unit(KERNELS)
    kernel = load(text, fault.kernel, cooperative=fault.cooperative, seed=seed, build=build)
    fresh = tuple(a.copy() if isinstance(a, np.ndarray) else a for a in fault.arguments)
    kernel(fault.grid, fault.block, fresh, fault.shared)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.kernel)
def test_fault_is_found(fault: Fault, seed: int) -> None:
    with pytest.raises(EmulatorError, match=fault.message) as caught:
        run(fault, planted=True, seed=seed)
    assert str(caught.value).startswith(fault.kernel)
    assert "block (" in str(caught.value)
    assert "thread (" in str(caught.value)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.kernel)
def test_without_the_fault_it_runs(fault: Fault, seed: int) -> None:
    run(fault, planted=False, seed=seed)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.kernel)
def test_the_error_names_a_line_of_the_kernel(fault: Fault) -> None:
    with pytest.raises(EmulatorError) as caught:
        run(fault, planted=True, seed=0)
    begin = next(i for i, line in enumerate(TEXT, 1) if f" {fault.kernel}(" in line)
    end = next(i for i, line in enumerate(TEXT, 1) if i > begin and line == "}")
    lines = [int(n) for n in re.findall(r"planted_kernels\.cuh:(\d+)", str(caught.value))]
    assert any(begin <= line <= end for line in lines), str(caught.value)


def test_a_lost_update_shows_under_a_seed() -> None:
    """Lanes are preempted at accesses to global memory, so an update that is not atomic loses some."""
    for planted in (True, False):
        text = ("#define PLANT\n" if planted else "") + unit(KERNELS)
        counts = []
        for seed in range(1, 5):
            count = fill_ints(1)
            load(text, "lost_update", seed=seed)(1, 32, (count,))
            counts.append(int(count[0]))
        assert (counts != [32] * 4) is planted


def test_what_is_read_before_its_copy_has_arrived_is_poison() -> None:
    """Without the checks, too: a build for speed gives a wrong answer."""
    x, out = fill_ints(64, 1), fill_ints(64)
    load("#define PLANT\n" + unit(KERNELS), "one_group_too_few", build="plain")(1, 64, (x, out))
    assert (out != 8).any()
    out[:] = 0
    load(unit(KERNELS), "one_group_too_few", build="plain")(1, 64, (x, out))
    assert (out == 8).all()


def test_a_wait_that_never_yields_meets_the_time_limit() -> None:
    kernel = load("#define PLANT\n" + unit(KERNELS), "deaf", seed=0)
    kernel.time_limit = 0.2
    with pytest.raises(EmulatorError, match=r"runs for more than 0\.2 s"):
        kernel(1, 1, (fill_ints(1),))


def test_the_machine_works_on_after_a_fault() -> None:
    text = unit(KERNELS)
    planted, sound = load("#define PLANT\n" + text, "divergent_barrier"), load(text, "divergent_barrier")
    for _ in range(3):
        x = fill_ints(64)
        with pytest.raises(EmulatorError):
            planted(1, 64, (x,))
        x = fill_ints(64)
        sound(1, 64, (x,))
        assert (x == 1).all()
