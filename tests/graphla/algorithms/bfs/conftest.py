"""The CUDA engine on NumPy and the emulator: what a user's GPU runs, run here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader


@pytest.fixture(scope="session")
def emulated() -> Any:
    return CudaEngine(np, make_loader(resident=3))


@pytest.fixture(scope="session")
def shuffled() -> Any:
    """The same with the threads' order shuffled."""
    return CudaEngine(np, make_loader(seed=11, resident=3))
