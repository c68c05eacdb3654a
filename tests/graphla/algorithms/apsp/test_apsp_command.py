"""``graphla apsp``: big answers stream into their file, and bad input ends in a sentence."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import graphla as gl
from graphla.algorithms.apsp import batches
from graphla.doors.cli import _solve, _work
from graphla.doors.cli._main import root, run

METHODS = ("algebraic", "blocked_floyd_warshall", "elimination", "johnson", "sssp_sweep")
GRID = ("apsp", "grid2d:15", "--weights", "1..9", "--engine", "cpu")
CELLS = 225 * 225


def run_command(*arguments: object) -> Result:
    result = CliRunner().invoke(root, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def run_refused(capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run([str(argument) for argument in arguments]) in (1, 2)
    return capfd.readouterr().err


@pytest.fixture(scope="module")
def distances(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    path = tmp_path_factory.mktemp("whole") / "d.npz"
    run_command(*GRID, "--output", path)
    return np.load(path)["distances"]


@pytest.mark.parametrize("method", ["blocked_floyd_warshall", "sssp_sweep", "johnson", None])
def test_more_than_fits_streams_into_the_file(
    method: str | None, distances: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(_solve, "write_arrays")
    chosen = ("--method", method) if method else ()
    with gl.config.set(memory_limit=100_000):
        printed = run_command(*GRID, *chosen, "--output", tmp_path / "d.npy").output
    assert f"{CELLS:,}" in printed
    np.testing.assert_array_equal(np.load(tmp_path / "d.npy"), distances)
    assert [p.name for p in tmp_path.iterdir()] == ["d.npy"]


def test_a_method_without_a_file_of_its_own_writes_at_the_end(distances: np.ndarray, tmp_path: Path) -> None:
    run_command(*GRID, "--method", "algebraic", "--output", tmp_path / "d.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "d.npy"), distances)


def test_the_bar_moves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    @contextmanager
    def bar(title: str) -> Iterator[_work.Tell]:
        yield lambda what, done, of: seen.append((done, of))

    monkeypatch.setattr(_work, "show_progress", bar)
    run_command(*GRID, "--method", "blocked_floyd_warshall", "--output", tmp_path / "d.npy")
    assert seen == [(64, 225), (128, 225), (192, 225), (225, 225)]


def test_no_vertices_are_an_empty_file(tmp_path: Path) -> None:
    for method in ("blocked_floyd_warshall", "sssp_sweep", "johnson"):
        gl.apsp(gl.Graph(([], []), n=0, engine="cpu"), method=method, output=tmp_path / "d.npy")
        assert np.load(tmp_path / "d.npy").shape == (0, 0)


KILLED = """
import os, signal, sys
from graphla.algorithms.apsp import batches
from graphla.doors.cli._main import run
batches.CELLS = 225 * 20
batches.report_progress = lambda progress, done, total: done > 100 and os.kill(os.getpid(), signal.SIGKILL)
run(sys.argv[1:])
"""


def test_a_killed_run_goes_on(distances: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order = *GRID, "--method", "sssp_sweep", "--output", str(tmp_path / "d.npy")
    assert subprocess.run([sys.executable, "-c", KILLED, *order], check=False).returncode == -signal.SIGKILL
    assert sorted(p.name for p in tmp_path.iterdir()) == ["d.npy.unfinished", "d.npy.unfinished.json"]
    begun: list[int] = []
    make_batches = batches.make_batches
    monkeypatch.setattr(batches, "make_batches", lambda n, begin=0: begun.append(begin) or make_batches(n, begin))
    assert "going on from" in run_command(*order).output
    assert begun == [120]
    np.testing.assert_array_equal(np.load(tmp_path / "d.npy"), distances)


def test_ctrl_c_says_what_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    def stop(progress: object, done: int, total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(batches, "report_progress", stop)
    assert run([*GRID, "--method", "sssp_sweep", "--output", str(tmp_path / "d.npy")]) == 130
    assert "d.npy.unfinished keeps what is done" in capfd.readouterr().err


@pytest.fixture
def vicious(tmp_path: Path) -> Path:
    """0 → 1, and 2 → 3 → 4 → 2 of weight −1."""
    path = tmp_path / "vicious.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n5 5 4\n1 2 1\n3 4 2\n4 5 3\n5 3 -6\n")
    return path


@pytest.mark.parametrize("method", [m for m in METHODS if m != "sssp_sweep"])
def test_a_negative_cycle_is_named(method: str, vicious: Path, capfd) -> None:
    told = run_refused(capfd, "apsp", vicious, "--method", method, "--engine", "cpu")
    assert "negative" in told
    assert any(f"{vertex}" in told.split("vicious")[-1] for vertex in (2, 3, 4))
    assert "'johnson'" in run_refused(capfd, "apsp", vicious, "--method", "sssp_sweep", "--engine", "cpu")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("hops", [(), ("--next-hops",)], ids=["distances", "next hops"])
def test_what_fits_nowhere_is_refused(method: str, hops: tuple[str, ...], capfd) -> None:
    with gl.config.set(memory_limit=100_000):
        told = run_refused(capfd, *GRID, "--method", method, *hops)
    matrices = 3 if method == "algebraic" else 1
    assert f"{CELLS * 4 * (matrices + bool(hops)):,} bytes" in told
    assert "'sssp_sweep' keeps them in a file" in told
    assert ("without next_hops" in told) == bool(hops)


def test_next_hops_do_not_stream(tmp_path: Path, capfd) -> None:
    assert ".npz" in run_refused(capfd, *GRID, "--next-hops", "--output", tmp_path / "d.npy")
    for method in ("blocked_floyd_warshall", "sssp_sweep", "johnson"):
        told = run_refused(capfd, *GRID, "--next-hops", "--method", method, "--set", f"output={tmp_path}/d.npy")
        assert "leave out next_hops" in told


@pytest.mark.parametrize("method", METHODS)
def test_saturated_integers_do_not_wrap(method: str, tmp_path: Path) -> None:
    top = np.iinfo("int32").max
    text = f"%%MatrixMarket matrix coordinate integer general\n4 4 3\n1 2 {top - 3}\n2 3 {top - 3}\n3 4 1\n"
    (tmp_path / "far.mtx").write_text(text)
    run_command("apsp", tmp_path / "far.mtx", "--engine", "cpu", "--method", method, "--output", tmp_path / "d.npy")
    D = np.load(tmp_path / "d.npy")
    limit = np.iinfo(D.dtype).max
    assert D[0].tolist() == [0, top - 3, *(min(2 * (top - 3) + e, limit) for e in (0, 1))]
    assert D[1].tolist() == [limit, 0, top - 3, top - 2]
