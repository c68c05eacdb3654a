"""Arrays whose length is only a number are asked for before they are made, and large results are taken at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Vector
from graphla.common import memory, system
from graphla.common.errors import OutOfMemory
from semirings import plus_times

ROWS = 2**31
MANY = 2**24
"""Rows of matrices that are made here, of 64 MB."""


@pytest.fixture
def few_bytes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which 100 MB are free, and on which no array is large enough not to be asked for."""
    monkeypatch.setattr(system, "machine_free", lambda: 100 << 20)
    monkeypatch.setattr(memory, "LARGE", 1 << 23)
    return


MAKERS: dict[str, Callable[[], Any]] = {
    "Graph": lambda: gl.Graph(([0], [1]), n=ROWS, engine="cpu"),
    "Graph of any order": lambda: gl.Graph(([1, 0], [0, 1]), n=ROWS, engine="cpu"),
    "Graph without arcs": lambda: gl.Graph(([], []), n=ROWS, engine="cpu"),
    "Matrix": lambda: Matrix("INT64", ROWS, 3, engine="cpu"),
    "from_coo": lambda: Matrix.from_coo([0], [1], [1], nrows=ROWS, ncols=ROWS, engine="cpu"),
    "repeats": lambda: Matrix.from_coo([0, 0], [1, 1], [1, 1], nrows=ROWS, ncols=2, dup_op="plus", engine="cpu"),
    "from_dicts": lambda: Matrix.from_dicts({0: {1: 2}}, nrows=ROWS, ncols=ROWS, engine="cpu"),
    "from_edgelist": lambda: Matrix.from_edgelist([(0, 1, 2)], nrows=ROWS, ncols=ROWS, engine="cpu"),
    "resize": lambda: Matrix("INT64", 2, 2, engine="cpu").resize(ROWS, ROWS),
    "diag": lambda: Vector.from_coo([0], [1], size=ROWS, engine="cpu").diag(),
    "Vector.from_scalar": lambda: Vector.from_scalar(1, ROWS, engine="cpu"),
    "to_dense": lambda: Vector.from_coo([0], [1], size=ROWS, engine="cpu").to_dense(0),
    "transpose": lambda: Matrix.from_coo([0], [1], [1], nrows=1, ncols=ROWS, engine="cpu").T.new(),
    "csc": lambda: Matrix.from_csc(np.zeros(2, int), [], [], nrows=ROWS, ncols=1, engine="cpu").to_csr(),
    "path": lambda: gl.generate.path(ROWS - 1, engine="cpu"),
    "kronecker": lambda: gl.generate.kronecker(30, 1, engine="cpu"),
    "grid": lambda: gl.generate.grid2d(40_000, 50_000, engine="cpu"),
}


@pytest.mark.usefixtures("few_bytes")
@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_named_is_asked_for(maker: str) -> None:
    with pytest.raises(OutOfMemory, match=r"needs about [\d,]+ bytes, and [\d,]+ are free"):
        MAKERS[maker]()


OPERATIONS: dict[str, Callable[[Matrix], Any]] = {
    "product": lambda A: plus_times(A @ A).new(),
    "transpose": lambda A: A.T.new(),
    "bfs": lambda A: gl.bfs(gl.Graph(A), 0),
    "pagerank": lambda A: gl.pagerank(gl.Graph(A)),
    "csc": lambda A: gl.Graph(A).csc,
    "degrees": lambda A: gl.Graph(A).degrees,
    "rows": lambda A: A.reduce_rowwise("plus").new().to_dense(0),
}


@pytest.fixture(scope="module")
def tall() -> Matrix:
    return Matrix.from_coo([0, 1], [1, 2], [1, 2], nrows=MANY, ncols=MANY, engine="cpu")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operations_ask_before_they_make_arrays_of_the_rows(
    operation: str, tall: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "machine_free", lambda: 30 << 20)
    monkeypatch.setattr(memory, "LARGE", 1 << 23)
    with pytest.raises(OutOfMemory, match=r"needs about [\d,]+ bytes, and [\d,]+ are free"):
        OPERATIONS[operation](tall)


def test_few_entries_of_many_rows_need_no_room(tall: Matrix, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "machine_free", lambda: 1 << 20)
    monkeypatch.setattr(memory, "LARGE", 1 << 20)
    assert "2 entries" in repr(tall)
    assert tall.to_dicts() == {0: {1: 1}, 1: {2: 2}}
    assert [part.tolist() for part in tall.head(1)] == [[0], [1], [1]]


def test_the_answer_of_a_graph_that_fits_is_not_refused(tall: Matrix) -> None:
    assert gl.bfs(gl.Graph(tall), 0).nvals == 3


# --- what is free


def test_a_control_group_limits_what_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "GROUP", tmp_path)
    assert system.group_free() == system.UNLIMITED
    (tmp_path / "memory.max").write_text("max\n")
    assert system.group_free() == system.UNLIMITED
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.current").write_text("700000\n")
    (tmp_path / "memory.stat").write_text("anon 400000\ninactive_file 250000\n")
    assert system.host_free() == system.group_free() == 550_000
    (tmp_path / "memory.current").write_text("1900000\n")
    assert system.host_free() == 0


PROGRAM = """
import graphla as gl
from graphla.common.system import host_free
assert host_free() < 2621440 * 1024, host_free()
A = gl.Matrix("INT64", 2**28, 2**28, engine="cpu")
assert "0 entries" in repr(A)
try:
    gl.Matrix("INT64", 2**31, 2**31, engine="cpu")
except gl.errors.OutOfMemory as error:
    assert "8,589,934,592 bytes" in str(error), error
for ask in (lambda: gl.Graph(A).csc, lambda: gl.bfs(gl.Graph(A), 0)):
    try:
        ask()
        raise SystemExit("no error")
    except gl.errors.OutOfMemory:
        pass
"""


def test_a_limit_of_address_space() -> None:
    command = f"ulimit -v 2621440; exec {sys.executable} -c '{PROGRAM}'"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr


# --- taken at once


def read_resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_a_large_array_is_taken_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "LARGE", 1 << 20)
    before = read_resident()
    array = memory.allocate((1 << 14, 1 << 12), np.uint8, "a test")  # 64 MB: up to 32 the heap may give freed pages
    assert read_resident() - before > 60 << 20
    assert array.shape == (1 << 14, 1 << 12)


def test_what_others_take_meanwhile_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter([100 << 20, 60 << 20, 20 << 20, 1 << 19])
    monkeypatch.setattr(memory, "LARGE", 1 << 23)
    monkeypatch.setattr(system, "machine_free", lambda: next(left))
    with pytest.raises(OutOfMemory, match="the rest of the distances needs about 8,388,608 bytes, and 524,288 are"):
        memory.allocate((1 << 13, 1 << 13), np.uint8, "the distances")


@pytest.mark.parametrize("method", ["sssp_sweep", "elimination", "blocked_floyd_warshall", "johnson"])
def test_all_pairs_take_their_memory_at_once(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    make = memory.allocate

    def note(shape: tuple[int, ...], dtype: Any, what: str, *more: Any) -> Any:
        taken.append(what)
        return make(shape, dtype, what, *more)

    for module in ("batches", "initial", "elimination.elimination"):
        monkeypatch.setattr(f"graphla.algorithms.apsp.{module}.allocate", note)
    gl.apsp(gl.generate.grid2d(5, 5, engine="cpu"), method=method)
    assert taken == ["the distances"]
