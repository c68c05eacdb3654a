"""What Numba leaves out for kernels, and that arrays made in them are freed all the same."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from graphla.engine.cpu import jit, source
from graphla.engine.cpu.cache import Store
from graphla.engine.cpu.compiling import pause_collection

TEXT = """
import numpy as np
from graphla.engine.cpu.jit import inner, njit

@njit()
def add_up(a, b):
    total = a[0]
    for each in a[1:]:
        total += each
    return total, b[0]

@inner()
def double(a):
    return np.concatenate((a, a))

@njit()
def add_up_doubled(a):
    total = a[0]
    for each in double(a):
        total += each
    return total

@njit()
def make_pair(a):
    return a.copy(), a
"""
BLAS = """
import sys
import numpy as np
import graphla as gl
x = gl.Vector.from_dense(np.ones(3), engine="cpu")
(x + x).new()
import numba
print("numba.np.arraymath" in sys.modules, "scipy.linalg" in sys.modules)
print(numba.njit(lambda a, b: a @ b)(np.eye(2), np.ones(2)))
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Functions whose machine code is not on disk."""
    store = Store(tmp_path_factory.mktemp("compiled") / "cpu")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "get_store", lambda: store)
        yield source.execute_module("counted", TEXT)


def is_counted(kernel: Any) -> bool:
    (code,) = kernel.inspect_llvm().values()
    return "call void @NRT_" in code


def test_only_kernels_that_make_arrays_count_references(kernels: Any) -> None:
    a = np.arange(4.0)
    assert kernels.add_up(a, a) == (6.0, 0.0)
    assert kernels.add_up_doubled(a) == 12.0
    assert not is_counted(kernels.add_up)
    assert is_counted(kernels.add_up_doubled)


def test_arrays_made_in_kernels_are_freed(kernels: Any) -> None:
    a = np.arange(4.0)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    references = sys.getrefcount(a)
    for _ in range(10):
        kernels.add_up(a, a)
        kernels.add_up_doubled(a)
        assert np.array_equal(kernels.make_pair(a)[0], a)
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0
    assert sys.getrefcount(a) == references


@pytest.mark.parametrize("enabled", [True, False])
def test_collection_pauses_and_goes_on(enabled: bool) -> None:
    try:
        (gc.enable if enabled else gc.disable)()
        with pause_collection():
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
        with pytest.raises(ZeroDivisionError), pause_collection():
            _ = 1 // 0
        assert gc.isenabled() == enabled
    finally:
        gc.enable()


def test_compiling_loads_no_linear_algebra_and_leaves_products_to_numba(tmp_path: Path) -> None:
    environment = os.environ | {"GRAPHLA_CACHE": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", BLAS], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout.splitlines() == ["True False", "[1. 1.]"]
