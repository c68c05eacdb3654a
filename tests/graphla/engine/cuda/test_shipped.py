"""Kernels that come compiled: which package, which archive and which kernels are taken, and what is damaged."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from graphla.engine.cuda import launch, shipped

TEXT = "__global__ void push() {}"


class DriverError(Exception):
    """CUDADriverError."""


class Module:
    """A module of CuPy, which notes what it is given."""

    loaded: ClassVar[list[bytes]] = []

    def load(self, code: bytes) -> None:
        if code == b"foreign":
            raise DriverError("CUDA_ERROR_INVALID_IMAGE")
        self.loaded.append(code)

    def get_function(self, name: str) -> Any:
        return SimpleNamespace(ptr=name)


def make_cupy(capability: str = "90", cuda: int = 13) -> Any:
    """What `shipped` and `launch` ask of CuPy; RawModule compiles kernels that are named after their expressions."""
    attributes: dict[tuple[str, int], int] = {}
    driver = SimpleNamespace(
        CUDADriverError=DriverError,
        funcGetAttribute=lambda which, ptr: attributes.get((ptr, which), 64),
        funcSetAttribute=lambda ptr, which, value: attributes.update({(ptr, which): value}),
    )
    return SimpleNamespace(
        cuda=SimpleNamespace(
            driver=driver,
            function=SimpleNamespace(Module=Module),
            nvrtc=SimpleNamespace(getVersion=lambda: (cuda, 0)),
            Device=lambda: SimpleNamespace(compute_capability=capability),
            compiler=SimpleNamespace(CompileException=RuntimeError),
        ),
        RawModule=lambda **given: SimpleNamespace(get_function=lambda one: f"compiled {one}"),
    )


def clear() -> None:
    """Forget which packages are installed."""
    shipped.find_shipment.cache_clear()
    shipped.find_package.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with two kernels of a text, for two architectures and as PTX."""
    folder = tmp_path / "graphla_kernels_cu13"
    folder.mkdir()
    key = shipped.compute_key(TEXT)
    for name in ("sm_80", "sm_90", "ptx"):
        with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_LZMA) as held:
            held.writestr(key, f"code of {name}")
    (folder / "index.json").write_text(json.dumps({key: {"push": "_Z4pushv", "pull": "_Z4pullv"}}))
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(Module, "loaded", [])
    clear()
    yield folder
    sys.modules.pop(folder.name, None)
    clear()


@pytest.mark.parametrize(
    ("capability", "code"),
    [
        ("80", b"code of sm_80"),
        ("86", b"code of sm_80"),
        ("90", b"code of sm_90"),
        ("100", b"code of ptx\0"),
        ("75", None),
    ],
)
@pytest.mark.usefixtures("package")
def test_the_archive_of_a_device(capability: str, code: bytes | None) -> None:
    found = shipped.load_shipped(make_cupy(capability), TEXT, ["push"])
    assert Module.loaded == ([] if code is None else [code])
    assert list(found) == ([] if code is None else ["push"])


@pytest.mark.usefixtures("package")
def test_what_is_installed_is_listed() -> None:
    assert shipped.list_shipments() == {"graphla_kernels_cu13": ["ptx", "sm_80", "sm_90"]}


@pytest.mark.usefixtures("package")
def test_what_is_not_there_is_compiled() -> None:
    cupy = make_cupy()
    found = launch.make_kernels(cupy, TEXT, ["push", "scan"])
    assert (found["push"].kernel.ptr, found["scan"]) == ("_Z4pushv", "compiled scan")
    assert found["push"].shared_size_bytes == 64
    found["push"].max_dynamic_shared_size_bytes = 4096
    assert found["push"].max_dynamic_shared_size_bytes == 4096
    assert launch.make_kernels(cupy, TEXT + " ", ["push"]) == {"push": "compiled push"}
    assert launch.make_kernels(make_cupy(cuda=12), TEXT, ["push"]) == {"push": "compiled push"}


def flip_middle(archive: Path) -> None:
    """Pack code as `release.kernels` does, and flip the bits of a byte of it."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_LZMA) as held:
        held.writestr(shipped.compute_key(TEXT), bytes(range(256)) * 16)
        middle = held.getinfo(shipped.compute_key(TEXT)).compress_size // 2
    packed = bytearray(archive.read_bytes())
    packed[middle] ^= 255
    archive.write_bytes(packed)


@pytest.mark.parametrize("fault", ["foreign", "a byte", "packed", "index", "gone"])
def test_a_damaged_package_is_said_and_compiled(package: Path, fault: str) -> None:
    archive = package / "sm_90.zip"
    if fault == "gone":
        with zipfile.ZipFile(archive, "w"):
            pass
    elif fault == "foreign":
        with zipfile.ZipFile(archive, "w") as held:
            held.writestr(shipped.compute_key(TEXT), fault)
    elif fault == "packed":
        flip_middle(archive)
    elif fault == "index":
        (package / "index.json").write_text("{")
    else:
        with zipfile.ZipFile(archive, "w") as held:
            held.writestr(shipped.compute_key(TEXT), "code of sm_90")
        archive.write_bytes(archive.read_bytes().replace(b"code of", b"c0de of"))
    with pytest.warns(RuntimeWarning, match=r"sm_90\.zip.*kernels are compiled instead"):
        assert launch.make_kernels(make_cupy(), TEXT, ["push"]) == {"push": "compiled push"}
