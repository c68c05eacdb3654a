"""Every file that is written: whole or not at all, its failures named, by several processes at once."""

from __future__ import annotations

import errno
import pickle
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import graphla as gl
from graphla.common.errors import CannotWrite, GraphlaError
from graphla.common.files import lock_file, replace_file
from graphla.measuring import pictures

LIMIT = 1024
G = gl.generate.grid2d(20, 20, engine="cpu")


@contextmanager
def allow(nbytes: int) -> Iterator[None]:
    """Let no file be larger than so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    heeded = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (nbytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, heeded)


def draw(path: Path) -> None:
    figure = pictures.make_figure(4, 3)
    figure.add_subplot().plot([1, 2, 3])
    pictures.save_figure(figure, path)


WRITERS: dict[str, Callable[[Path], Any]] = {
    "sssp_sweep": lambda path: gl.apsp(G, method="sssp_sweep", output=path),
    "blocked": lambda path: gl.apsp(G, method="blocked_floyd_warshall", output=path),
    "elimination": lambda path: gl.apsp(G, method="elimination", output=path),
    "write_rows": lambda path: gl.factorize(G).write_rows(path),
    "save": lambda path: gl.factorize(G).save(path),
    "mtx": lambda path: gl.write(path, G, "mtx"),
    "npz": lambda path: gl.write(path, G, "npz"),
    "text": lambda path: pictures.write_text("x" * 9999, path),
    "figure": draw,
}


def name_file(writer: str, folder: Path) -> Path:
    """A name that the writer takes."""
    return folder / ("d.npy" if writer in ("sssp_sweep", "blocked", "elimination", "write_rows") else "d.png")


@pytest.mark.parametrize("writer", WRITERS)
def test_a_limit_is_named_and_leaves_what_was_there(writer: str, tmp_path: Path) -> None:
    path = name_file(writer, tmp_path)
    WRITERS[writer](path)
    before = path.read_bytes()
    assert list(tmp_path.iterdir()) == [path]
    with allow(LIMIT), pytest.raises(CannotWrite, match=r"d\.\w+: cannot be written: File too large") as raised:
        WRITERS[writer](path)
    assert raised.value.errno == errno.EFBIG
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("writer", ["sssp_sweep", "blocked", "elimination"])
def test_one_output_of_two_runs(writer: str, tmp_path: Path) -> None:
    """The second is refused while the first writes, and the first ends well."""
    path = tmp_path / "d.npy"
    refused: list[str] = []

    def start_another(done: int, total: int) -> None:
        with pytest.raises(GraphlaError, match=r"another process writes .*d\.npy\.unfinished now") as raised:
            gl.apsp(G, method="sssp_sweep", output=path)
        refused.append(str(raised.value))

    method = {"blocked": "blocked_floyd_warshall"}.get(writer, writer)
    D = gl.apsp(G, method=method, output=path, progress=start_another, dense=True)
    assert refused
    assert (gl.apsp(G, dense=True) == D).all()
    assert list(tmp_path.iterdir()) == [path]


SLOW = """
import sys, time, graphla as gl
gl.apsp(gl.generate.grid2d(20, 20), method="sssp_sweep", output=sys.argv[1],
        progress=lambda *_: (print("begun", flush=True), sys.stdin.readline()))
"""


def test_one_output_of_two_processes(tmp_path: Path) -> None:
    path = tmp_path / "d.npy"
    command = [sys.executable, "-c", SLOW, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "begun\n"
        with pytest.raises(GraphlaError, match="another process writes"):
            gl.apsp(G, output=path)
        first.communicate("\n")
    assert first.returncode == 0
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_process_gives_its_file_free(tmp_path: Path) -> None:
    path = tmp_path / "d.npy"
    command = [sys.executable, "-c", SLOW, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        first.stdout.readline()
        first.kill()
    gl.apsp(G, method="sssp_sweep", output=path)
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_run_is_resumed_while_its_error_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "d.npy"

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as kept:
        gl.apsp(G, method="sssp_sweep", output=path, progress=stop)
    gl.apsp(G, method="sssp_sweep", output=path)
    assert kept.value is not None
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_working_file_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "d.npy.unfinished").write_bytes(b"")
    gl.apsp(G, method="sssp_sweep", output=tmp_path / "d.npy")
    assert [path.name for path in tmp_path.iterdir()] == ["d.npy"]


def test_the_disk_is_taken_at_once(tmp_path: Path) -> None:
    path, used = tmp_path / "d.npy", list[int]()
    gl.apsp(
        G,
        method="sssp_sweep",
        output=path,
        progress=lambda *_: used.append((tmp_path / "d.npy.unfinished").stat().st_blocks * 512),
    )
    assert used[0] >= path.stat().st_size


def test_a_link_is_followed_and_permissions_stay(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    with replace_file(tmp_path / "link") as stream:
        stream.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640


def test_a_failure_within_leaves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replace_file(path) as stream:
        stream.write(bytes([1 // 0]))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_writers_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with replace_file(path) as one, replace_file(path) as other:
        one.write(b"one")
        other.write(b"other")
    assert path.read_bytes() == b"one"  # which is moved last
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["/dev/full", "a\0b", "circle", "folder", "no/folder/a", "x" * 300])
def test_names_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "folder").mkdir()
    with pytest.raises(CannotWrite, match="cannot be written: ") as raised, replace_file(tmp_path / name) as stream:
        stream.write(b"x" * 100_000)
    assert isinstance(raised.value, OSError)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.errno) == (str(raised.value), raised.value.errno)


def test_a_long_name_is_no_obstacle(tmp_path: Path) -> None:
    with replace_file(tmp_path / ("x" * 255)) as stream:
        stream.write(b"1")
    assert (tmp_path / ("x" * 255)).read_bytes() == b"1"


def test_a_lock_follows_the_name(tmp_path: Path) -> None:
    first = lock_file(tmp_path / "a")
    assert first is not None
    assert lock_file(tmp_path / "a") is None
    (tmp_path / "a").replace(tmp_path / "b")
    second = lock_file(tmp_path / "a")
    assert second is not None
    first.close()
    second.close()
