"""Compiled code on disk: what `warm` leaves nothing of to compile, and what is shown, checked, trimmed and deleted."""

import os
import subprocess
import sys
import time

import pytest

from graphla.engine.cpu.cache import MAGIC, Store, get_store
from graphla.engine.cpu.trim import RECENT
from graphla.errors import InvalidOption
from graphla.measuring.caching import warming
from graphla.measuring.caching.folders import CacheFolder, list_folders
from graphla.measuring.caching.warming import STATEMENTS, list_makers, warm

OTHER = """
import graphla as gl
from graphla.measuring.caching.warming import find_needed
from graphla.engine.cpu.late import compile_at_once
from graphla.problem import all_examples, get_problem
examples = all_examples()
for name in set({names}) & examples.keys():
    for dtype in ("INT64", "FP64"):
        A = gl.generate.grid2d(18, 25, weights=(1, 9), engine="cpu").A
        with compile_at_once():
            examples[name](gl.Graph(A.dup(dtype)))
for name in set({names}) - examples.keys():
    for weights in (None, (1, 9)):
        G = gl.generate.kronecker(11, seed=5, weights=weights, engine="cpu")
        if name == "topological_order":
            G = gl.Graph(gl.select.triu(G.A).new())
        try:
            getattr(gl, name)(G, **find_needed(get_problem(name)))
        except gl.errors.GraphlaError:
            pass
"""


def run(program, folder):
    environment = os.environ | {"GRAPHLA_CACHE": str(folder)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {path.name for path in (folder / "cpu").glob("*")}


def check_that_nothing_is_left(names, folder):
    warmed = run(f"from graphla.measuring.caching import warm; warm(engine='cpu', only={names})", folder)
    assert warmed
    problems = [name for name in names if name != STATEMENTS]
    assert run(OTHER.format(names=problems), folder) == warmed


def test_nothing_is_left_to_compile(tmp_path):
    check_that_nothing_is_left(
        ["topological_order", "coloring", "sample_neighbors", "laplacian_eigenvectors"], tmp_path
    )


@pytest.mark.slow
def test_nothing_is_left_to_compile_of_any_problem(tmp_path):
    check_that_nothing_is_left(list(list_makers()), tmp_path)


def test_progress_and_refusals():
    told = []
    done = warm(engine="cpu", only=["topological_order"], progress=lambda *said: told.append(said))
    assert told == [("topological_order", 0, 1)]
    assert [(each.name, each.engine, each.calls, each.refused) for each in done] == [
        ("topological_order", "cpu", 12, ())
    ]
    for only in (["searches"], "bfs", [3], 5):
        with pytest.raises(InvalidOption, match="only="):
            warm(engine="cpu", only=only)


def test_each_statement_runs(monkeypatch):
    monkeypatch.setattr(warming, "DTYPES", ("FP64",))
    (done,) = warm(engine="cpu", only=[STATEMENTS])
    assert (done.calls, done.refused) == (23, ())


@pytest.mark.slow
def test_each_statement_runs_in_each_dtype():
    (done,) = warm(engine="cpu", only=[STATEMENTS])
    assert done.refused == ()


@pytest.fixture
def folder(tmp_path):
    store = Store(tmp_path / "cpu")
    for number in range(4):
        store.write(f"f{number}.kernel", bytes(9000))
        used = time.time() - RECENT * (5 - number)
        os.utime(tmp_path / "cpu" / f"f{number}.kernel", (used, used))
    (tmp_path / "cpu" / "notes.txt").write_text("mine")
    return CacheFolder("cpu", tmp_path / "cpu", ("*.kernel",), True)


def name_files(folder):
    return sorted(path.name for path in folder.path.iterdir())


def test_files_are_listed_by_their_last_use(folder):
    assert [path.name for _, _, path in folder.list_files()] == [f"f{number}.kernel" for number in range(4)]
    assert folder.nbytes == sum(size for _, size, _ in folder.list_files()) >= 36_000
    assert CacheFolder("cpu", folder.path / "missing", ("*",), True).nbytes == 0


@pytest.mark.parametrize("content", [b"", MAGIC, MAGIC + bytes(40), b"x"])
def test_damaged_files_are_found(folder, content):
    (folder.path / "f2.kernel").write_bytes(content)
    (folder.path / "f3.kernel").chmod(0o666)
    assert sorted(path.name for path in folder.find_damaged()) == ["f2.kernel", "f3.kernel"]
    assert folder.delete(folder.find_damaged()) == 2
    assert folder.find_damaged() == []
    assert name_files(folder) == ["f0.kernel", "f1.kernel", "notes.txt"]


def test_trimming_deletes_what_was_used_least_recently(folder):
    size = folder.nbytes // 4
    assert folder.trim(4 * size) == 0
    assert folder.trim(2 * size + 1) == 2
    assert name_files(folder) == ["f2.kernel", "f3.kernel", "notes.txt"]
    assert folder.trim(0) == 2
    for limit in (-1, 2.5, None):
        with pytest.raises(InvalidOption, match="limit="):
            folder.trim(limit)


def test_clearing_leaves_what_is_not_ours(folder):
    every = [path for _, _, path in folder.list_files()]
    assert folder.delete(every) == 4
    assert name_files(folder) == ["notes.txt"]
    assert folder.delete(every) == 0


def test_the_variables_name_the_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path))
    ours, cupys = list_folders()
    assert (ours.path, ours.ours) == (get_store().folder, True)
    assert (cupys.path, cupys.ours) == (tmp_path, False)
