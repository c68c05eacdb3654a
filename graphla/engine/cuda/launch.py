"""The seam between kernels' text and the device: machine code that comes compiled, or NVRTC through CuPy.

CuPy adds `-ftz=true`: float32 subnormals count as zero on the GPU. Nothing here asks for fast mathematics beyond that.
Compiled kernels stay in the process by device, text and expression, and on disk in CuPy's cache.
"""

from __future__ import annotations

import re
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any

from graphla.common.errors import GraphlaError, NotSupported
from graphla.common.extras import advise
from graphla.common.forks import forget_after_fork, renew_after_fork
from graphla.engine.cuda.shipped import OPTIONS, load_shipped

PLAIN_SHARED = 48 * 1024  # more shared memory than this, fixed and dynamic, must be asked for
SHARED_UNIT = 16
"""Dynamic shared memory is asked for in so many bytes: the longest load, which machine code makes of two elements even
where the second is beyond the last, and is not used then."""
INSTALL = f"{advise('cuda13')} (driver 580 or newer), or {advise('cuda12')} (driver 525 or newer)"


class KernelError(GraphlaError, RuntimeError):
    """A kernel does not compile or cannot be launched as asked."""


class Kernel:
    """One compiled kernel on the device that was current when it was loaded.

    Parameters
    ----------
    raw : cupy.RawKernel
        The kernel.
    expression : str
        Its C++ name, for messages.
    cooperative : bool
        Whether all blocks of a launch are resident at once, so that they may wait for each other.
    """

    def __init__(self, raw: Any, expression: str, cooperative: bool) -> None:
        self.raw, self.expression, self.cooperative = raw, expression, cooperative
        self._function = raw.kernel
        self._shared_allowed = PLAIN_SHARED - raw.shared_size_bytes
        self._resident: dict[tuple[int, int], int] = {}

    def __call__(
        self, grid: int | tuple[int, ...], block: int | tuple[int, ...], args: tuple[Any, ...], shared: int = 0
    ) -> None:
        """Launch on CuPy's current stream; `args` are CuPy arrays and NumPy scalars of the exact C type."""
        shared = -(-shared // SHARED_UNIT) * SHARED_UNIT
        if shared > self._shared_allowed:
            self._allow_shared(shared)
        grid = grid if isinstance(grid, tuple) else (grid,)
        block = block if isinstance(block, tuple) else (block,)
        self._function(grid, block, args, shared, None, self.cooperative)

    def resident_blocks(self, block: int, shared: int = 0) -> int:
        """How many blocks of this size the device runs at once: the most of a cooperative grid; asked for once."""
        if (block, shared) not in self._resident:
            self._resident[block, shared] = self._count_resident(block, shared)
        return self._resident[block, shared]

    def _count_resident(self, block: int, shared: int) -> int:
        import cupy

        if shared > self._shared_allowed:
            self._allow_shared(shared)
        each = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(self._function.ptr, block, shared)
        return each * cupy.cuda.Device().attributes["MultiProcessorCount"]

    def _allow_shared(self, shared: int) -> None:
        import cupy

        most = cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]
        fixed = self.raw.shared_size_bytes
        if shared + fixed > most:
            raise KernelError(
                f"{self.expression} asks for {shared} bytes of dynamic and {fixed} of static shared memory; "
                f"a block of this device has {most}: use smaller tiles"
            )
        self.raw.max_dynamic_shared_size_bytes = shared
        self._shared_allowed = shared


Key = tuple[int, str, str, bool]
"""A device, a translation unit, an expression, and whether launches are cooperative."""

_loaded: dict[Key, Kernel] = {}
_begun: dict[Key, Future[None]] = {}
renew_after_fork(_begun.clear)
_spent: list[float] = []
COMPILERS = 8
"""Modules that are compiled at the same time: NVRTC uses one core for each."""


def seconds_compiling() -> float:
    """Seconds that this process has spent compiling kernels, or taking them from the disk."""
    return sum(_spent)


def nvrtc_load(text: str, expression: str, *, cooperative: bool = False, beside: tuple[str, ...] = ()) -> Kernel:
    """Compile `text` for the current device and return the kernel that `expression` names.

    Parameters
    ----------
    text : str
        A self-contained translation unit; see `graphla.engine.cuda.source.unit`.
    expression : str
        A C++ name: ``push<S, int>``.
    cooperative : bool
        Launch with every block resident at once.
    beside : tuple of str
        Kernels of the text that are needed soon: one module with several compiles faster than one for each.

    Raises
    ------
    KernelError
        With the operators of the text and the compiler's first error.
    NotSupported
        If there is no GPU, driver, CuPy or toolkit that works; the message says what to install.
    """
    cupy = require_cupy()
    device = cupy.cuda.runtime.getDevice()
    key = (device, text, expression, cooperative)
    if key not in _loaded:
        began = time.perf_counter()
        if key in _begun:
            wait([_begun[key]])
        if key not in _loaded:  # or it does not compile, and says so here
            load_module(cupy, device, text, (expression, *beside), cooperative)
        _spent.append(time.perf_counter() - began)
    return _loaded[key]


def begin_loading(text: str, expressions: tuple[str, ...], *, cooperative: bool = False) -> None:
    """Compile kernels as one module in the background; `nvrtc_load` waits for them.

    Modules that the same call will need are compiled at the same time: a first call waits for the longest.
    """
    cupy = require_cupy()
    device = cupy.cuda.runtime.getDevice()
    keys = [(device, text, one, cooperative) for one in expressions]
    if all(key in _loaded or key in _begun for key in keys):
        return
    future = get_compilers().submit(load_module, cupy, device, text, expressions, cooperative)
    _begun.update(dict.fromkeys(keys, future))


@forget_after_fork
@cache
def get_compilers() -> ThreadPoolExecutor:
    """The threads that compile in the background."""
    return ThreadPoolExecutor(COMPILERS, thread_name_prefix="graphla-nvrtc")


def load_module(cupy: Any, device: int, text: str, expressions: tuple[str, ...], cooperative: bool) -> None:
    """Compile those kernels of a text that are not loaded, as one module for a device."""
    fresh = [one for one in dict.fromkeys(expressions) if (device, text, one, cooperative) not in _loaded]
    with cupy.cuda.Device(device):
        for one, raw in make_kernels(cupy, text, fresh).items():
            _loaded[device, text, one, cooperative] = Kernel(raw, one, cooperative)


def make_kernels(cupy: Any, text: str, expressions: list[str]) -> dict[str, Any]:
    """The kernel of each expression, on the device: those that come compiled, and the others compiled as one module."""
    shipped = load_shipped(cupy, text, expressions)
    rest = [one for one in expressions if one not in shipped]
    return {**shipped, **(compile_kernels(cupy, text, rest) if rest else {})}


def compile_kernels(cupy: Any, text: str, expressions: list[str]) -> dict[str, Any]:
    """The `cupy.RawKernel` of each expression, compiled as one module and on the device."""
    module, expression = cupy.RawModule(code=text, options=OPTIONS, name_expressions=tuple(expressions)), expressions[0]
    try:
        return {one: module.get_function(one) for one in expressions}
    except cupy.cuda.compiler.CompileException as error:
        raise KernelError(explain(text, expression, str(error))) from error


def explain(text: str, expression: str, log: str) -> str:
    """What a compiler's log says of an expression: the first error with its line, and the operators in play."""
    lines = log.strip().splitlines()
    at = next((i for i, line in enumerate(lines) if "error" in line), 0)
    error = " ".join(line.strip() for line in lines[at : at + 2])
    operators = ", ".join(re.findall(r"^// (\w+ = .+)$", text, re.MULTILINE))
    return f"kernel {expression}{f' with {operators}' if operators else ''} does not compile: {error}"


_usable: list[Any] = []


def require_cupy() -> Any:
    """CuPy, if it works on this machine.

    Raises
    ------
    NotSupported
        With one sentence that says what to install.
    """
    if not _usable:
        _usable.append(import_checked_cupy())
    return _usable[0]


def import_checked_cupy() -> Any:
    wheels = list_installed_wheels()
    if len(wheels) > 1:
        raise NotSupported(
            f"CuPy is installed {len(wheels)} times ({', '.join(wheels)}), and they overwrite each other: "
            f"uninstall them all, then {INSTALL}"
        )
    try:
        import cupy
    except ImportError as error:
        cause = f"CuPy does not load ({str(error).strip().splitlines()[0]})" if wheels else "CuPy is not installed"
        raise NotSupported(f"engine 'cuda': {cause}: {INSTALL}") from error
    check_driver(cupy)
    check_toolkit(cupy)
    return cupy


def list_installed_wheels() -> list[str]:
    """The distributions that bring a package `cupy`: wheels have the CUDA version in their name."""
    from importlib import metadata  # loads zipfile, csv and email, which no import of graphla needs

    names = {str(d.metadata["Name"]).lower() for d in metadata.distributions() if d.metadata["Name"]}
    return sorted(n for n in names if n == "cupy" or re.fullmatch(r"cupy-(cuda|rocm).*", n))


def check_driver(cupy: Any) -> None:
    runtime = cupy.cuda.runtime
    try:
        count = runtime.getDeviceCount()
    except runtime.CUDARuntimeError as error:
        if "InsufficientDriver" in str(error):
            raise NotSupported(
                f"engine 'cuda': the NVIDIA driver is older than CuPy's CUDA: update the driver, or {INSTALL}"
            ) from error
        count = 0
    if count == 0:
        raise NotSupported(
            "engine 'cuda': no NVIDIA GPU is visible: look at nvidia-smi and CUDA_VISIBLE_DEVICES, or use engine='cpu'"
        )


def check_toolkit(cupy: Any) -> None:
    try:
        cupy.cuda.nvrtc.getVersion()
    except Exception as error:
        raise NotSupported(f"engine 'cuda': CuPy finds no CUDA toolkit to compile with: {INSTALL}") from error
