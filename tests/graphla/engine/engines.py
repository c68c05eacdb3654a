"""The engines that the conformance tests run on."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from graphla.common.errors import NotSupported
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from graphla.storage import list_kernels
from tests.emulator import load

KERNEL_NAMES = [pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
NAMES = ["cpu", *KERNEL_NAMES]


@cache
def get_engine_named(name: str) -> Any:
    """The CPU engine, the CUDA engine on the emulator, or the CUDA engine on a GPU: without one the test is skipped."""
    if name == "emulated":
        return CudaEngine(np, load)
    try:
        return get_engine(name)
    except NotSupported as why:
        pytest.skip(str(why))


def get_engine_with_lists(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An engine whose arrays have kernels for lists: also NumPy's, where kernels are emulated."""
    found = get_engine_named(name)
    if name == "emulated":
        monkeypatch.setitem(list_kernels._kernels, np.ndarray, found.lists)
    return found
