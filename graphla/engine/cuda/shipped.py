"""Kernels that come compiled: a package of machine code beside this one, asked before NVRTC compiles a text.

The package ``graphla-kernels-cu13`` (or ``-cu12``) has an archive for each architecture, and an index: for each text
the kernels in it, with the names that the compiler gave them. A text is known by its hash, together with the options,
so that a package of another version serves what has not changed, and nothing else. `release.kernels` makes it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import lzma
import struct
import warnings
import zipfile
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

OPTIONS = ("-std=c++17",)
"""What NVRTC is told; CuPy adds ``-ftz=true`` and the architecture."""
PACKAGE, CUDAS = "graphla_kernels_cu{}", (12, 13)
INDEX, PORTABLE = "index.json", "ptx"
BROKEN_ARCHIVE = (OSError, KeyError, EOFError, NotImplementedError, struct.error, zipfile.BadZipFile, lzma.LZMAError)
DAMAGED = (*BROKEN_ARCHIVE, ValueError)
"""What reading a damaged archive raises, by where the damage is, and what reading a damaged index does."""
SHARED_SIZE, MOST_DYNAMIC = 1, 8  # of CUfunction_attribute, of the driver's header cuda.h


def compute_key(text: str) -> str:
    """Return the name of what is compiled of a text."""
    return hashlib.sha256("\0".join((*OPTIONS, text)).encode()).hexdigest()[:32]


class ShippedKernel:
    """A kernel of a loaded module, with what `Kernel` asks of one that CuPy compiles.

    Parameters
    ----------
    cupy : module
        CuPy.
    module : cupy.cuda.function.Module
        Kept, for it owns the code.
    name : str
        The name of the kernel in the machine code.
    """

    def __init__(self, cupy: Any, module: Any, name: str) -> None:
        self._driver, self._module, self.kernel = cupy.cuda.driver, module, module.get_function(name)

    @property
    def shared_size_bytes(self) -> int:
        """The bytes of shared memory of a block that are fixed."""
        return self._driver.funcGetAttribute(SHARED_SIZE, self.kernel.ptr)

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """The bytes that a launch may ask for beside them."""
        return self._driver.funcGetAttribute(MOST_DYNAMIC, self.kernel.ptr)

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, nbytes: int) -> None:
        self._driver.funcSetAttribute(self.kernel.ptr, MOST_DYNAMIC, nbytes)


@dataclass(frozen=True, eq=False)
class Shipment:
    """The kernels of a package for one architecture.

    Parameters
    ----------
    folder : Path
        The package.
    archive : Path
        The file of the architecture, which holds a module for each text.
    """

    folder: Path
    archive: Path

    @cached_property
    def names(self) -> dict[str, dict[str, str]]:
        """The kernels of each text, by its key: expressions and the names in the machine code."""
        return json.loads((self.folder / INDEX).read_text("utf-8"))

    def read(self, key: str) -> bytes:
        """Return a module; its checksum is compared.

        Raises
        ------
        One of `BROKEN_ARCHIVE`
            If it is not there, or damaged.
        """
        with zipfile.ZipFile(self.archive) as held:
            return held.read(key) + b"\0" * (self.archive.stem == PORTABLE)

    def load(self, cupy: Any, text: str, expressions: list[str]) -> dict[str, ShippedKernel]:
        """Load those kernels of a text that are there, on the current device; a damaged package is a warning."""
        key = compute_key(text)
        try:
            names = {one: name for one, name in self.names.get(key, {}).items() if one in expressions}
            if not names:
                return {}
            module = cupy.cuda.function.Module()
            module.load(self.read(key))
            return {one: ShippedKernel(cupy, module, name) for one, name in names.items()}
        except (*DAMAGED, cupy.cuda.driver.CUDADriverError) as error:
            what = f"{self.archive}, or {INDEX} beside it: {error}"
            advice = "kernels are compiled instead; install the package anew"
            warnings.warn(f"{what}: {advice}", RuntimeWarning, stacklevel=2)
            return {}


@cache
def find_package(cuda: int) -> Path | None:
    """Find the folder of the package for a major version of CUDA."""
    spec = importlib.util.find_spec(PACKAGE.format(cuda))
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def list_shipments() -> dict[str, list[str]]:
    """List the packages that are installed, each with its archives."""
    found = filter(None, map(find_package, CUDAS))
    return {folder.name: sorted(path.stem for path in folder.glob("*.zip")) for folder in found}


@cache
def find_shipment(cuda: int, capability: str) -> Shipment | None:
    """Find the package for a major version of CUDA, and its archive for an architecture.

    Parameters
    ----------
    cuda : int
        Of NVRTC, as 13.
    capability : str
        Of the device, as ``"90"``. Machine code runs on later devices of the same major number; PTX on those that come
        after all of them, once the driver has compiled it.
    """
    folder, mine = find_package(cuda), int(capability)
    if folder is None:
        return None
    known = sorted(int(path.stem.removeprefix("sm_")) for path in folder.glob("sm_*.zip"))
    fit = [each for each in known if each // 10 == mine // 10 and each <= mine]
    if fit:
        return Shipment(folder, folder / f"sm_{fit[-1]}.zip")
    later = (folder / f"{PORTABLE}.zip").exists() and bool(known) and mine > known[-1]
    return Shipment(folder, folder / f"{PORTABLE}.zip") if later else None


def load_shipped(cupy: Any, text: str, expressions: list[str]) -> dict[str, ShippedKernel]:
    """Load those kernels of a text that come compiled for the current device."""
    cuda = cupy.cuda.nvrtc.getVersion()[0]
    if find_package(cuda) is None:
        return {}
    shipment = find_shipment(cuda, cupy.cuda.Device().compute_capability)
    return {} if shipment is None else shipment.load(cupy, text, expressions)
