"""compute-sanitizer over tests that run on a GPU: no access out of bounds, no race in shared memory.

``python -m tests.sanitize`` is the second half of ``make gpu-test``. As a plugin of pytest this module takes CuPy's
memory pool away, so that each array is an allocation of its own and an access past its end is one past an allocation.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from graphla.common.errors import NotSupported
from graphla.engine.cuda.launch import require_cupy

TOOLS = {"memcheck": (), "racecheck": ("--kernel-name-exclude", "kernel_substring=cupy")}
"""CuPy's own kernels are not ours to judge; racecheck reports benign races in its reductions."""
SUITES = {
    "tests/graphla/engine/test_products.py": "every_length or sparse_result or many_products or shares",
    "tests/graphla/algorithms/test_methods_on_gpu.py": "fused or blocked_floyd_warshall",
}
SECONDS = 1800
"""The most that one tool may take over one suite."""
FOLDERS = ("/usr/local/cuda/bin",)


def find_sanitizer() -> str | None:
    """The path of compute-sanitizer: on PATH, or where the toolkit is installed."""
    home = os.environ.get("CUDA_PATH") or os.environ.get("CUDA_HOME")
    folders = [os.environ.get("PATH", ""), *([f"{home}/bin"] if home else []), *FOLDERS]
    return shutil.which("compute-sanitizer", path=os.pathsep.join(folders))


def list_commands(program: str) -> Iterator[list[str]]:
    """One command a tool and suite."""
    for tool, options in TOOLS.items():
        for suite, chosen in SUITES.items():
            check = [program, "--tool", tool, "--error-exitcode", "86", "--target-processes", "all", *options]
            tests = ["-m", "pytest", "-q", "-m", "gpu", "--timeout", "0", "-p", "tests.sanitize", suite, "-k", chosen]
            yield [*check, sys.executable, *tests]


def run_command(command: list[str]) -> int:
    """The exit status of a command; 124 where it took too long."""
    print("$", *command, flush=True)
    try:
        return subprocess.run(command, cwd=Path(__file__).parent.parent, timeout=SECONDS, check=False).returncode
    except subprocess.TimeoutExpired:
        print(f"stopped after {SECONDS} seconds", file=sys.stderr)
        return 124


def main() -> int:
    """Run every tool over every suite; the number of those that failed."""
    program = find_sanitizer()
    if program is None:
        print(
            f"compute-sanitizer is neither on PATH nor in {', '.join(FOLDERS)}: install the CUDA toolkit, or set "
            "CUDA_PATH to the folder where it is",
            file=sys.stderr,
        )
        return 1
    try:
        require_cupy()
    except NotSupported as error:  # the tests would be skipped, and nothing looked at
        print(error, file=sys.stderr)
        return 1
    return sum(run_command(command) != 0 for command in list_commands(program))


def pytest_configure() -> None:
    """Without a pool an array ends where its allocation ends."""
    require_cupy().cuda.set_allocator(None)


if __name__ == "__main__":
    sys.exit(main())
