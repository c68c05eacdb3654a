"""The seam to NVRTC, with a CuPy that only remembers: what is passed on, kept, refused and explained."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from graphla.common.errors import NotSupported
from graphla.engine.cuda import launch
from graphla.engine.cuda.launch import KernelError, begin_loading, nvrtc_load, require_cupy

LOG = """push.cuh(12): error: identifier "weigth" is undefined
      total += weigth[k];
               ^

1 error detected in the compilation of "/tmp/x.cu".
"""


class CompileException(Exception):
    pass


class RuntimeFailure(Exception):
    pass


class Function:
    ptr = 77

    def __init__(self, launches: list[tuple[Any, ...]]) -> None:
        self.launches = launches

    def __call__(self, *arguments: Any) -> None:
        self.launches.append(arguments)


class FakeDevice:
    def __init__(self, attributes: dict[str, int]) -> None:
        self.attributes = attributes

    def __enter__(self) -> FakeDevice:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class FakeCupy(ModuleType):
    """The part of CuPy that the seam touches."""

    def __init__(self) -> None:
        super().__init__("cupy")
        self.launches: list[tuple[Any, ...]] = []
        self.compiled: list[tuple[Any, ...]] = []
        self.device, self.count, self.log = 0, 1, ""
        runtime = SimpleNamespace(
            getDevice=lambda: self.device, getDeviceCount=self.devices, CUDARuntimeError=RuntimeFailure
        )
        attributes = {"MultiProcessorCount": 132, "MaxSharedMemoryPerBlockOptin": 232448}
        self.cuda = SimpleNamespace(
            runtime=runtime,
            compiler=SimpleNamespace(CompileException=CompileException),
            driver=SimpleNamespace(occupancyMaxActiveBlocksPerMultiprocessor=lambda f, block, shared: 2048 // block),
            Device=lambda number=0: FakeDevice(attributes),
            nvrtc=SimpleNamespace(getVersion=self.version),
        )
        self.toolkit = True

    def devices(self) -> int:
        if isinstance(self.count, Exception):
            raise self.count
        return self.count

    def version(self) -> tuple[int, int]:
        if not self.toolkit:
            raise RuntimeError("libnvrtc.so.13: cannot open shared object file")
        return 13, 0

    def RawModule(self, *, code: str, options: tuple[str, ...], name_expressions: tuple[str, ...]) -> SimpleNamespace:
        self.compiled.append((code, options, name_expressions))
        return SimpleNamespace(get_function=self.get_function)

    def get_function(self, name: str) -> SimpleNamespace:
        if self.log:
            raise CompileException(self.log)
        return SimpleNamespace(kernel=Function(self.launches), shared_size_bytes=1024, max_dynamic_shared_size_bytes=0)


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> FakeCupy:
    fake = FakeCupy()
    monkeypatch.setitem(sys.modules, "cupy", fake)
    monkeypatch.setattr(launch, "_loaded", {})
    monkeypatch.setattr(launch, "_begun", {})
    monkeypatch.setattr(launch, "_usable", [])
    monkeypatch.setattr(launch, "list_installed_wheels", lambda: ["cupy-cuda13x"])
    return fake


def test_a_launch_reaches_the_function(cupy: FakeCupy) -> None:
    kernel = nvrtc_load("text", "push<S, int>")
    kernel(12, 256, (np.int32(3),))
    kernel((2, 3), (32, 4), (), 16)
    assert cupy.launches == [((12,), (256,), (np.int32(3),), 0, None, False), ((2, 3), (32, 4), (), 16, None, False)]
    assert cupy.compiled == [("text", ("-std=c++17",), ("push<S, int>",))]


def test_a_cooperative_launch_says_so(cupy: FakeCupy) -> None:
    kernel = nvrtc_load("text", "fused", cooperative=True)
    kernel(132, 512, ())
    assert cupy.launches[0][-1] is True
    assert kernel.resident_blocks(512) == 4 * 132


def test_kernels_that_are_needed_together_are_one_module(cupy: FakeCupy) -> None:
    f = nvrtc_load("text", "f", beside=("g", "f"))
    g = nvrtc_load("text", "g", beside=("f", "h"))
    assert nvrtc_load("text", "f") is f
    assert nvrtc_load("text", "g", beside=("h",)) is g
    assert [names for _, _, names in cupy.compiled] == [("f", "g")]
    nvrtc_load("text", "h", beside=("f", "k"))
    assert [names for _, _, names in cupy.compiled] == [("f", "g"), ("h", "k")]


def test_kernels_that_were_begun_are_waited_for(cupy: FakeCupy) -> None:
    begin_loading("text", ("f", "g"))
    begin_loading("text", ("g", "f"))
    f = nvrtc_load("text", "f", beside=("g",))
    assert nvrtc_load("text", "g") is not f
    assert [names for _, _, names in cupy.compiled] == [("f", "g")]
    begin_loading("text", ("f",))
    begin_loading("text", ("f", "h"))
    nvrtc_load("text", "h")
    assert [names for _, _, names in cupy.compiled] == [("f", "g"), ("h",)]


def test_what_was_begun_and_does_not_compile_says_so_when_it_is_needed(cupy: FakeCupy) -> None:
    cupy.log = "some.cu(1): error: no"
    begin_loading("text", ("f",))
    with pytest.raises(KernelError, match="does not compile"):
        nvrtc_load("text", "f")


def test_compiled_once_for_each_device(cupy: FakeCupy) -> None:
    first = nvrtc_load("text", "f")
    assert nvrtc_load("text", "f") is first
    cupy.device = 1
    assert nvrtc_load("text", "f") is not first
    assert nvrtc_load("other text", "f") is not first
    assert len(cupy.compiled) == 3


def test_much_shared_memory_is_asked_for(cupy: FakeCupy) -> None:
    kernel = nvrtc_load("text", "tiles")
    kernel(1, 32, (), 47 * 1024)
    assert kernel.raw.max_dynamic_shared_size_bytes == 0
    kernel(1, 32, (), 48 * 1024)  # and 1024 that are fixed
    assert kernel.raw.max_dynamic_shared_size_bytes == 48 * 1024
    kernel(1, 32, (), 100_000)
    assert kernel.raw.max_dynamic_shared_size_bytes == 100_000
    kernel.resident_blocks(32, 120_000)
    assert kernel.raw.max_dynamic_shared_size_bytes == 120_000


def test_shared_memory_ends_where_the_longest_load_does(cupy: FakeCupy) -> None:
    kernel = nvrtc_load("text", "sums")
    for asked in (0, 8, 16, 24):
        kernel(1, 32, (), asked)
    assert [launched[3] for launched in cupy.launches] == [0, 16, 16, 32]


def test_too_much_shared_memory_is_refused(cupy: FakeCupy) -> None:
    with pytest.raises(KernelError, match="tiles asks for 232000 bytes of dynamic and 1024 of static"):
        nvrtc_load("text", "tiles")(1, 32, (), 232_000)


def test_a_compile_failure_shows_operator_and_line(cupy: FakeCupy) -> None:
    cupy.log = LOG
    with pytest.raises(KernelError) as caught:
        nvrtc_load("// S = min_plus FP32\nstruct S {};", "push<S, int>")
    assert str(caught.value) == (
        'kernel push<S, int> with S = min_plus FP32 does not compile: push.cuh(12): error: identifier "weigth" is '
        "undefined total += weigth[k];"
    )


def test_a_usable_cupy_is_looked_for_once(cupy: FakeCupy) -> None:
    assert require_cupy() is cupy
    cupy.count = 0
    assert require_cupy() is cupy


def test_no_gpu(cupy: FakeCupy) -> None:
    cupy.count = RuntimeFailure("cudaErrorNoDevice: no CUDA-capable device is detected")
    with pytest.raises(NotSupported, match="no NVIDIA GPU is visible"):
        require_cupy()


def test_no_gpu_among_visible_ones(cupy: FakeCupy) -> None:
    cupy.count = 0
    with pytest.raises(NotSupported, match="no NVIDIA GPU is visible"):
        require_cupy()


def test_an_old_driver(cupy: FakeCupy) -> None:
    cupy.count = RuntimeFailure("cudaErrorInsufficientDriver: CUDA driver version is insufficient")
    with pytest.raises(NotSupported, match=r"update the driver, or pip install 'graphla\[cuda13\]'"):
        require_cupy()


def test_no_toolkit(cupy: FakeCupy) -> None:
    cupy.toolkit = False
    with pytest.raises(NotSupported, match="CuPy finds no CUDA toolkit to compile with: pip install"):
        require_cupy()


def test_two_wheels(cupy: FakeCupy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "list_installed_wheels", lambda: ["cupy-cuda12x", "cupy-cuda13x"])
    with pytest.raises(NotSupported, match=r"installed 2 times \(cupy-cuda12x, cupy-cuda13x\).*uninstall them all"):
        require_cupy()


def test_no_cupy(cupy: FakeCupy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.setattr(launch, "list_installed_wheels", list)
    with pytest.raises(NotSupported, match="CuPy is not installed: pip install"):
        require_cupy()


def test_wheels_are_told_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["cupy-cuda13x", "numpy", "cupy", "Cupy-cuda12x", "cupy-xarray", "cupy-rocm-7-0"]
    found = [SimpleNamespace(metadata={"Name": name}) for name in names]
    monkeypatch.setattr("importlib.metadata.distributions", lambda: found)
    assert launch.list_installed_wheels() == ["cupy", "cupy-cuda12x", "cupy-cuda13x", "cupy-rocm-7-0"]
