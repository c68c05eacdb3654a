"""CUDA kernels on a CPU: `load` is the seam that tests put in the place of NVRTC.

>>> kernel = load(text, "scale<float>")
>>> kernel(grid, block, (array, np.float32(2.0)))

Kernels get NumPy arrays and NumPy scalars of the exact C type. The default build checks every access against the
arrays of the launch, shared memory for races, and all undefined behaviour; a broken rule is an `EmulatorError`.

Environment: GRAPHLA_EMULATOR_BUILD (checked, plain, address), GRAPHLA_EMULATOR_SEED (0: threads in order; others
shuffle them), GRAPHLA_EMULATOR_TIME_LIMIT (seconds a launch), GRAPHLA_EMULATOR_CACHE (folder of compiled kernels).
"""

from __future__ import annotations

import functools
import os

from tests.emulator.build import CompileError, build_shared_object
from tests.emulator.kernel import RESIDENT, EmulatorError, Kernel

__all__ = ["CompileError", "EmulatorError", "Kernel", "load", "make_loader"]


@functools.cache
def _load(text: str, expression: str, cooperative: bool, build: str, seed: int, resident: int) -> Kernel:
    build_library = functools.partial(build_shared_object, text, expression, build)
    return Kernel(build_library, expression, cooperative, seed, resident)


def load(
    text: str,
    expression: str,
    *,
    cooperative: bool = False,
    build: str | None = None,
    seed: int | None = None,
    resident: int = RESIDENT,
    beside: tuple[str, ...] = (),
) -> Kernel:
    """Compile `text` and return the kernel that `expression` names; those `beside` it are built when they are used."""
    build = build or os.environ.get("GRAPHLA_EMULATOR_BUILD", "checked")
    seed = int(os.environ.get("GRAPHLA_EMULATOR_SEED", "0")) if seed is None else seed
    return _load(text, expression, cooperative, build, seed, resident)


def make_loader(*, build: str | None = None, seed: int | None = None, resident: int = RESIDENT):
    """`load` with its choices made: what CudaEngine(numpy, make_loader(build="plain")) takes."""
    return functools.partial(load, build=build, seed=seed, resident=resident)
