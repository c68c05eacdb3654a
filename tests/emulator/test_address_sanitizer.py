"""The same kernels under AddressSanitizer and UBSan, in a process that loads the sanitizer's library first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.emulator.build import find_asan_library

pytestmark = [
    pytest.mark.emulated,
    pytest.mark.skipif(not Path(find_asan_library()).exists(), reason="g++ has no libasan here"),
]
ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
import numpy as np
from tests.emulator import load
from graphla.engine.cuda.source import unit
from pathlib import Path
kernel = load({define!r} + unit(Path({file!r})), {kernel!r}, cooperative={cooperative})
array = np.frombuffer(sanitized(400), np.int32)
kernel({arguments})
print("finished", array[:3])
"""
ALLOCATED = """
import ctypes
def sanitized(size):
    malloc = ctypes.CDLL(None).malloc
    malloc.restype = ctypes.c_void_p
    return (ctypes.c_char * size).from_address(malloc(ctypes.c_size_t(size)))
"""


def run(
    kernel: str, arguments: str, *, file: str, define: str = "", cooperative: bool = False
) -> subprocess.CompletedProcess:
    environment = os.environ | {
        "LD_PRELOAD": find_asan_library(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "GRAPHLA_EMULATOR_BUILD": "address",
        "PYTHONPATH": str(ROOT),
    }
    program = ALLOCATED + PROGRAM.format(
        file=str(Path(__file__).parent / file),
        kernel=kernel,
        arguments=arguments,
        define=define,
        cooperative=cooperative,
    )
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


BEYOND = ("write_beyond", "2, 64, (array, np.int32(100))")
OVERFLOW = ("overflow", "1, 1, (np.array([2**31 - 1], np.int32),)")


def test_a_write_beyond_an_array_is_reported() -> None:
    done = run(*BEYOND, file="planted_kernels.cuh", define="#define PLANT\n")
    assert done.returncode != 0
    assert "AddressSanitizer: heap-buffer-overflow" in done.stderr
    assert "write_beyond" in done.stderr


def test_an_overflow_is_reported() -> None:
    done = run(*OVERFLOW, file="planted_kernels.cuh", define="#define PLANT\n")
    assert done.returncode != 0
    assert "signed integer overflow" in done.stderr


@pytest.mark.parametrize(("kernel", "arguments"), [BEYOND, OVERFLOW], ids=["write_beyond", "overflow"])
def test_without_the_fault_nothing_is_reported(kernel: str, arguments: str) -> None:
    done = run(kernel, arguments, file="planted_kernels.cuh")
    assert done.returncode == 0, done.stderr
    assert "finished" in done.stdout


def test_fibers_of_a_cooperative_grid() -> None:
    arguments = "4, 64, (np.zeros(1, np.uint32), np.zeros(256, np.int32)), 512"
    done = run("apart", arguments, file="language_kernels.cuh", cooperative=True)
    assert done.returncode == 0, done.stderr
    assert "finished" in done.stdout
