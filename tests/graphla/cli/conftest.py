"""A command line run in this process, and files and methods for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import graphla as gl
from graphla.algorithms import bfs as bfs_package
from graphla.doors.cli._main import run
from tests.graphla.planted import forget, plant


class Ended(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def graphla(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run a command line on the CPU in this process."""
    monkeypatch.setenv("GRAPHLA_ENGINE", "cpu")
    monkeypatch.setenv("GRAPHLA_QUIET", "1")

    def call(*arguments: object) -> Ended:
        code = run([str(argument) for argument in arguments])
        return Ended(code, *capfd.readouterr())

    return call


@pytest.fixture
def triangle(tmp_path: Path) -> Path:
    """0 → 1 → 2 with a dearer way round, and 3 apart."""
    path = tmp_path / "triangle.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n4 4 3\n1 2 4\n2 3 3\n1 3 9\n")
    return path


@pytest.fixture
def vicious(tmp_path: Path) -> Path:
    """0 → 1 → 2 → 1 with a cycle of weight −1."""
    path = tmp_path / "vicious.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 1\n2 3 2\n3 2 -3\n")
    return path


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Methods of BFS that lie and that raise."""
    folder = tmp_path / "methods"
    folder.mkdir()
    plant(folder, "wrong", "raises")
    monkeypatch.setattr(bfs_package, "__path__", [*bfs_package.__path__, str(folder)])
    forget(gl.bfs)
    yield
    monkeypatch.undo()
    forget(gl.bfs)
