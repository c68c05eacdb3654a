"""A wheel built from the tree holds everything, data and kernels too, and runs from outside the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

RUN = """
import graphla as gl, semirings
from graphla.engine.cuda.source import unit
from pathlib import Path
here = Path(gl.__file__).parent
assert str(here).startswith({target!r}), here
assert (here / "py.typed").exists() and (Path(semirings.__file__).parent / "py.typed").exists()
G = gl.read(gl.datasets.new_york(), engine="cpu")
levels = gl.bfs(G, 0)
gl.bfs.verify(G, 0, levels)
print(levels.nvals, len(list(here.rglob("*.cuh"))))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_what_the_tree_holds(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    packages = "graphla", "semirings", "_graphla_networkx"
    tracked = subprocess.run(["git", "ls-files", *packages], cwd=ROOT, capture_output=True, text=True)
    missing = [name for name in tracked.stdout.split() if name not in inside and (ROOT / name).exists()]
    assert not missing
    assert any(name.endswith(".cuh") for name in inside)
    assert any(name.endswith(".gr.xz") for name in inside)
    assert not [name for name in inside if name.startswith("tests")]


def test_the_wheel_runs_outside_the_checkout(wheel, tmp_path):
    target = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(target), str(wheel)],
        check=True,
    )
    environment = {**os.environ, "PYTHONPATH": str(target), "GRAPHLA_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(target=str(target))],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    reached, kernels = map(int, done.stdout.split())
    assert reached == 264_346
    assert kernels == len(list((ROOT / "graphla").rglob("*.cuh")))
