"""``python -m release.kernels [--cuda 13] [--arch 90 …]``: build the wheels of kernels that come compiled.

What problems by name and ordinary statements need is found by running them on the emulated engine, and compiled by
NVRTC for each architecture, and to PTX for what comes later. No GPU is needed. The compiler is that of the first minor
version of a CUDA, whose code every driver for it loads; pip fetches it into ``build/release``.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import graphla.engine
from asv_bench.first_calls import CALLS, write_setup
from graphla.common.config import config
from graphla.engine.cuda.engine import CudaEngine
from graphla.engine.cuda.shipped import INDEX, OPTIONS, PACKAGE, PORTABLE, compute_key
from graphla.measuring.caching.warming import list_makers, run_calls
from graphla.storage import list_kernels
from release.bare import ROOT
from release.notes import read_version
from tests.emulator import load
from tests.nvrtc import Program, open_library

WORK, DIST = ROOT / "build" / "release", ROOT / "dist"
COMPILERS = {12: "nvidia-cuda-nvrtc-cu12==12.9.*", 13: "nvidia-cuda-nvrtc==13.0.*"}
"""The compiler of each CUDA. That of 12 knows all architectures only in its last version."""
ARCHITECTURES = ("80", "86", "89", "90", "100", "120")
LARGEST = 60_000_000
"""Bytes that a wheel of kernels has at most."""
PROJECT = """[build-system]
requires = ["hatchling>=1.26"]
build-backend = "hatchling.build"

[project]
name = "graphla-kernels-cu{cuda}"
version = "{version}"
description = "Kernels of graphla, compiled for CUDA {cuda}"
license = "Apache-2.0"
requires-python = ">=3.11"

[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""
LAMBDAS = "-default-device"
"""Else NVRTC 13.0 takes a lambda in a member function for one of the host."""
Texts = dict[str, set[str]]


def main() -> None:
    """Find texts, compile them, and build the wheel."""
    parser = argparse.ArgumentParser(prog="python -m release.kernels", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--cuda", type=int, nargs="+", choices=COMPILERS, default=list(COMPILERS), help="for which CUDA"
    )
    parser.add_argument("--arch", nargs="+", choices=ARCHITECTURES, default=ARCHITECTURES, help="architectures")
    parser.add_argument("--only", nargs="+", help="names of problems, and statements, instead of all")
    told = parser.parse_args()
    texts = record(told.only)
    for cuda in told.cuda:
        print(build(cuda, texts, tuple(told.arch)))


def record(only: list[str] | None = None) -> Texts:
    """Find the texts and kernels that ``graphla warm`` and the list of first calls ask for, on the emulated engine.

    Those that a call begins to compile in the background count, though it may not use them on the emulated engine.
    """
    found: Texts = {}

    def begin(text: str, expressions: tuple[str, ...], *, cooperative: bool = False) -> None:
        found.setdefault(text, set()).update(expressions)

    def note(text: str, expression: str, *, cooperative: bool = False, beside: tuple[str, ...] = ()) -> Any:
        begin(text, (expression, *beside))
        return load(text, expression, cooperative=cooperative, build="plain")

    engine, makers = CudaEngine(np, note, begin), list_makers()
    with patch.dict(list_kernels._kernels, {np.ndarray: engine.lists}):  # as those of CuPy's arrays on a GPU
        for name in only or makers:
            run_calls(name, engine, makers[name](engine))
            print(f"{name}: {len(found)} texts", file=sys.stderr, flush=True)
        if only is None:
            run_first_calls(engine)
            print(f"first calls: {len(found)} texts", file=sys.stderr, flush=True)
    return found


def run_first_calls(engine: CudaEngine) -> None:
    """Run the list of ``asv_bench/first_calls.py``, with an engine in the place of that of the GPU."""
    create = graphla.engine.create_engine
    with patch("graphla.engine.create_engine", lambda name: engine if name == "cuda" else create(name)), config.set():
        for call in CALLS.values():
            exec(f"{write_setup(call, 'cuda')}\n{call}", {})


def build(cuda: int, texts: Texts, architectures: tuple[str, ...]) -> Path:
    """Compile the kernels of texts, and build their wheel in ``dist/``."""
    package = PACKAGE.format(cuda)
    tree = WORK / package
    shutil.rmtree(tree, ignore_errors=True)
    folder = tree / package
    folder.mkdir(parents=True)
    library = fetch_compiler(cuda)
    targets = [*(f"sm_{each}" for each in architectures), f"compute_{architectures[-1]}"]
    names: dict[str, dict[str, str]] = {}
    for target in targets:
        archive = folder / f"{PORTABLE if target.startswith('compute') else target}.zip"
        names = compile_all(library, texts, target, archive)
    (folder / INDEX).write_text(json.dumps(names, indent=0, sort_keys=True), "utf-8")
    (folder / "__init__.py").write_text(f'"""Kernels of graphla, compiled for CUDA {cuda}."""\n', "utf-8")
    (tree / "pyproject.toml").write_text(PROJECT.format(cuda=cuda, version=read_version(), package=package), "utf-8")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", DIST, tree]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wheel = max(DIST.glob(f"{package}-*.whl"), key=lambda path: path.stat().st_mtime)
    if wheel.stat().st_size > LARGEST:
        raise SystemExit(f"{wheel.name} has {wheel.stat().st_size:,} bytes, and {LARGEST:,} are allowed")
    return wheel


def fetch_compiler(cuda: int) -> Any:
    """Load the compiler of a CUDA; pip fetches its wheel first, if it is not there."""
    folder = WORK / f"nvrtc-{cuda}"
    if not folder.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "--dest", folder, COMPILERS[cuda]], check=True)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            wheel.extractall(folder)
    ctypes.CDLL(str(next(folder.glob("nvidia/**/libnvrtc-builtins.so.*"))))  # which the compiler opens by its name
    return open_library(sorted(folder.glob(f"nvidia/**/libnvrtc.so.{cuda}")))


def compile_all(library: Any, texts: Texts, target: str, archive: Path) -> dict[str, dict[str, str]]:
    """Compile all texts for an architecture into an archive; return the names of their kernels."""
    names: dict[str, dict[str, str]] = {}
    with ThreadPoolExecutor(cpu_count()) as threads, zipfile.ZipFile(archive, "w", zipfile.ZIP_LZMA) as held:
        compiled = threads.map(lambda text: compile_text(library, text, texts[text], target), sorted(texts))
        for text, (code, lowered) in zip(sorted(texts), compiled, strict=True):
            key = compute_key(text)
            names[key] = lowered
            held.writestr(zipfile.ZipInfo(key), code, zipfile.ZIP_LZMA)
    print(f"{target}: {archive.stat().st_size:,} bytes", file=sys.stderr, flush=True)
    return names


def compile_text(library: Any, text: str, expressions: set[str], target: str) -> tuple[bytes, dict[str, str]]:
    """Compile the kernels of a text; return the code, and their names in it."""
    asked = tuple(sorted(expressions))
    with Program(text, library) as program:
        lowered = program.compile(asked, (f"-arch={target}", "-ftz=true", LAMBDAS, *OPTIONS))
        code = program.read_data("PTX" if target.startswith("compute") else "CUBIN")
    return code, dict(zip(asked, lowered, strict=True))


if __name__ == "__main__":
    main()
