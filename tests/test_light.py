"""The library alone needs NumPy, SciPy and Numba; what needs more says which extra of the package brings it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
OPTIONAL = (
    "click",
    "rich",
    "matplotlib",
    "platformdirs",
    "pyarrow",
    "networkx",
    "mpi4py",
    "pandas",
    "yaml",
    "torch",
)
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({OPTIONAL!r}))\n"
"""What makes a process believe that none of them is installed."""
USED = """
import graphla as gl
from graphla import csgraph
G = gl.generate.grid2d(20, 20)
gl.bfs.verify(G, 0, gl.bfs(G, 0))
gl.write("grid.mtx", G)
assert gl.read("grid.mtx").nvals == G.nvals
with gl.trace() as t:
    gl.pagerank(G, method="algebraic")
print(t, gl.compare("bfs", G, source=0, repeat=1, peers=False))
"""


def run(program: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A process that has only what the library needs."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "GRAPHLA_ENGINE": "cpu"}
    command = [sys.executable, "-c", WITHOUT + program, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=250)


def test_the_library_alone_works(tmp_path: Path) -> None:
    done = run(USED, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "direction_optimized" in done.stdout
    assert {re.split(r"[^\w]", line)[0] for line in PROJECT["dependencies"]} == {"numpy", "scipy", "numba"}


@pytest.mark.parametrize(
    ("program", "extra"),
    [
        ("from graphla.doors.cli import main; main()", "cli"),
        ("from graphla.demo.__main__ import main; sys.exit(main())", "demo"),
        ("import graphla as gl; gl.compare('bfs', gl.generate.path(9), source=0, progress=True)", "cli"),
        ("import graphla as gl; gl.write('p.mtx', gl.generate.path(9)); gl.read('p.mtx', progress=True)", "cli"),
        ("import graphla as gl; gl.compare('bfs', gl.generate.path(9), source=0, repeat=1).plot('x.png')", "plot"),
        ("import graphla as gl; gl.generate.path(9).to_arrow()", "arrow"),
        ("import graphla as gl, graphla.torch as t; t.NeighborLoader(gl.generate.path(9), [2])", "torch"),
    ],
)
def test_what_needs_more_says_how_to_install_it(program: str, extra: str, tmp_path: Path) -> None:
    done = run(program, folder=tmp_path)
    assert done.returncode != 0
    assert f"pip install 'graphla[{extra}]'" in done.stderr.splitlines()[-1], done.stderr


def test_importing_the_library_loads_nothing_else(tmp_path: Path) -> None:
    told = "import graphla; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", f"import sys; {told}"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert not {*OPTIONAL, "numpy", "numba", "scipy", "semirings"} & set(done.stdout.split())


@pytest.mark.parametrize(
    "program",
    [
        "Vector.from_coo([0], [2.0]).reduce('plus').new().value",
        "Vector.from_coo([0], [2.0]).diag().nrows",
        "Matrix.from_coo([0], [0], [2.0]).reduce_rowwise('plus').new()",
        "Graph(([0], [1])).degrees",
        "agg.count",
    ],
)
def test_a_name_brings_all_that_it_needs(program: str, tmp_path: Path) -> None:
    done = run(f"from graphla import {program.partition('.')[0].partition('(')[0]}; print({program})", folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_every_extra_that_is_named_anywhere_exists_and_is_named_alike() -> None:
    texts = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("graphla/**/*.py")]
    found = {path: path.read_text("utf-8") for path in texts if "_build" not in path.parts}
    named = {
        name
        for text in found.values()
        for extras in re.findall(r"graphla\[([a-z0-9,_]+)\]", text)
        for name in extras.split(",")
    }
    assert {"arrow", "cuda13", "mpi"} <= named <= set(EXTRAS)
    called = {
        name
        for text in found.values()
        for name in re.findall(r"(?:advise\(|require\([^)]*?, )[\"'](\w+)[\"'][,)]", text)
    }
    assert {"plot", "mpi"} <= called <= set(EXTRAS)
    unquoted = [path for path, text in found.items() if re.search(r"pip install graphla\[", text)]
    assert not unquoted, "a shell reads the brackets: write pip install 'graphla[…]'"
