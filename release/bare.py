"""Bare environments: a wheel is installed and tried where there is no checkout, no compiler and nothing else."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""The Pythons that are promised (`tests/test_release.py` compares them with the classifiers)."""
SECONDS = 1800
INSTALL = ("-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:")
INHERITED = re.compile("PIP_|SSL_|HTTPS?_|NO_PROXY|LANG|HOME|TMPDIR")
"""The variables that an environment takes over: how pip reaches an index, and where files go."""
REPORT = """
import platform, importlib.metadata
versions = (f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scipy", "numba"))
print("Python", platform.python_version(), *versions, sep=", ")
"""


@dataclass(frozen=True)
class Tried:
    """What came of a wheel in an environment."""

    python: str
    libraries: str
    ok: bool
    said: str

    def __str__(self) -> str:
        return f"| {self.python} | {self.libraries} | {'passes' if self.ok else 'FAILS'} | {self.said} |"


def find_pythons() -> dict[str, Path]:
    """The promised Pythons that are at hand, by version: on the path, or under ``PYENV_ROOT``."""
    found: dict[str, Path] = {}
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for version in VERSIONS:
        managed = sorted(root.glob(f"versions/{version}.*/bin/python"))
        named = shutil.which(f"python{version}")
        for each in (*managed[-1:], *([Path(named)] if named else [])):
            if version not in found and is_python(each, version):
                found[version] = each
    return found


def is_python(path: Path, version: str) -> bool:
    """Whether a program runs, and is the Python of that version: a shim may be there without one."""
    told = subprocess.run(
        [path, "-c", "import sys, venv; print(sys.version)"], capture_output=True, text=True, check=False
    )
    return told.returncode == 0 and told.stdout.startswith(f"{version}.")


def list_smallest(version: str) -> list[str]:
    """The requirements of the project, each held at the smallest version that it promises for a Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    every = map(Requirement, project["dependencies"])
    here = (each for each in every if not each.marker or each.marker.evaluate({"python_version": version}))
    return [f"{each.name}=={next(iter(each.specifier)).version}" for each in here]


def try_wheel(wheel: Path, python: str, program: Path, libraries: str, folder: Path) -> Tried:
    """Install a wheel with the smallest or the newest libraries, and run the demo and the smoke test from it."""
    place = folder / f"{python}-{libraries}"
    shutil.rmtree(place, ignore_errors=True)
    run = make_runner(place)
    subprocess.run([program, "-m", "venv", place / "venv"], check=True)
    pins = list_smallest(python) if libraries == "smallest" else []
    steps = {
        "install": [*INSTALL, *pins, wheel],
        "smoke test": [place / "smoke.py"],
        "extras": [*INSTALL, *pins, f"{wheel}[demo]"],
        "demo": ["-m", "graphla.demo", "--output", place / "demo"],
        "command line": ["-m", "graphla", "bfs", "ny", "--source", "0", "--json"],
    }
    shutil.copy(ROOT / "release" / "smoke.py", place)
    for name, arguments in steps.items():
        done = run(*arguments)
        (place / f"{name}.log").write_text(done.stdout + done.stderr, "utf-8")
        if done.returncode:
            return Tried(python, libraries, False, f"{name}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return Tried(python, libraries, True, run("-c", REPORT).stdout.strip())


def make_runner(place: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A function that runs the Python of an environment: no compiler on its path, caches of its own."""
    place.mkdir(parents=True)
    binary = place / "venv" / "bin"
    inherited = {name: value for name, value in os.environ.items() if INHERITED.match(name)}
    own = {"PATH": str(binary), "CC": "/bin/false", "GRAPHLA_CACHE": str(place / "cache"), "GRAPHLA_ENGINE": "cpu"}

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [binary / "python", *arguments]
        return subprocess.run(
            command, cwd=place, env=inherited | own, capture_output=True, text=True, timeout=SECONDS, check=False
        )

    return run


def try_everywhere(wheel: Path, folder: Path) -> list[Tried]:
    """Every promised Python at hand, with the smallest and with the newest libraries; those not at hand are named."""
    pythons, found = find_pythons(), []
    for version in VERSIONS:
        for libraries in ("smallest", "newest"):
            if version in pythons:
                found.append(try_wheel(wheel, version, pythons[version], libraries, folder))
            else:
                found.append(resolve(wheel, version, libraries))
            print(found[-1], file=sys.stderr, flush=True)
    return found


def try_extras(wheel: Path) -> list[Tried]:
    """What pip finds for the engine of GPUs, where the wheels of kernels stand beside the wheel; nothing runs."""
    found = []
    for kernels in sorted(wheel.parent.glob("graphla_kernels_cu*.whl")):
        extra = f"cuda{kernels.name.partition('-')[0][-2:]}"
        beside = ("--find-links", wheel.parent, "--dry-run", "--ignore-installed", "--report", "-", f"{wheel}[{extra}]")
        done = subprocess.run(
            [sys.executable, *INSTALL, *beside], capture_output=True, text=True, timeout=SECONDS, check=False
        )
        found.append(Tried(f"extra {extra}", "newest", not done.returncode, f"not run; {tell_of_extras(done)}"))
        print(found[-1], file=sys.stderr, flush=True)
    return found


def tell_of_extras(done: subprocess.CompletedProcess[str]) -> str:
    """The packages of CuPy and of kernels that pip would install, or its last word."""
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    named = [each["metadata"] for each in json.loads(done.stdout)["install"]]
    return ", ".join(f"{each['name']} {each['version']}" for each in named if re.match("cupy|graphla-", each["name"]))


def resolve(wheel: Path, version: str, libraries: str) -> Tried:
    """Ask pip whether wheels exist of all that a Python needs that is not at hand; nothing runs."""
    pins = list_smallest(version) if libraries == "smallest" else []
    command = [sys.executable, *INSTALL, "--python-version", version, "--target", "none", "--dry-run", *pins, wheel]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["all wheels exist"]
    return Tried(version, libraries, not done.returncode, f"not at hand, not run; {said[-1]}")
