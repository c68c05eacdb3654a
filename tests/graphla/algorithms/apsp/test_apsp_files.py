"""Streaming through a small device, files that say whether they are finished, and the default choice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from apsp_graphs import GRAPHS, SIGNED, compute_expected, make_graph, make_random, to_cells
from test_apsp_methods import get_engine_named

import graphla as gl
from graphla.algorithms.apsp import _host, _keep, _row_writer, batches
from graphla.algorithms.apsp._lane import HostStream, Lane
from graphla.algorithms.apsp.choice import choose
from graphla.algorithms.apsp.elimination import elimination
from graphla.common.errors import GraphlaError, NegativeCycle, OutOfMemory

W = make_random(600, 0.01, seed=8)


def list_runs(*names: str) -> list[Any]:
    """The methods, each on the engines that it runs on."""
    return [
        pytest.param(name, on, id=f"{name}-{on}", marks=[pytest.mark.emulated] if on == "cuda" else [])
        for name in names
        for on in gl.apsp.methods[name].engines
    ]


@pytest.mark.emulated
@pytest.mark.parametrize(("dtype", "options", "limit"), [
    ("float32", {}, 4_000_000), ("int32", {"dtype": "INT16"}, 4_900_000), ("float64", {}, 8_000_000),
])  # fmt: skip
def test_what_does_not_fit_on_the_device_is_streamed(dtype: str, options: dict[str, str], limit: int) -> None:
    told: list[tuple[int, int]] = []
    with gl.config.set(memory_limit=limit):
        G = make_graph(W, dtype, get_engine_named("cuda"))
        D = gl.apsp(G, method="blocked_floyd_warshall", progress=lambda *at: told.append(at), **options)
    assert D.engine.name == "cpu"
    assert told[-1][0] == told[-1][1] > 1
    np.testing.assert_array_equal(to_cells(D), compute_expected(W, D.dtype.numpy))


@pytest.mark.emulated
@pytest.mark.parametrize("options", [{}, {"dtype": "INT16"}])
def test_what_a_panel_held_before_means_nothing(options: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    carry = Lane.carry

    def poison(lane: Lane, *args: Any, **named: Any) -> None:
        lane.wait()
        lane.panel[:] = -7
        carry(lane, *args, **named)

    monkeypatch.setattr(Lane, "carry", poison)
    odd = W[:599, :599]
    with gl.config.set(memory_limit=4_900_000):
        D = gl.apsp(make_graph(odd, "int32", get_engine_named("cuda")), method="blocked_floyd_warshall", **options)
    assert D.engine.name == "cpu"
    np.testing.assert_array_equal(to_cells(D), compute_expected(odd, D.dtype.numpy))


@pytest.mark.emulated
def test_a_device_too_small_for_a_pivot_block() -> None:
    with gl.config.set(memory_limit=400_000), pytest.raises(OutOfMemory, match="sssp_sweep"):
        gl.apsp(make_graph(W, "float32", get_engine_named("cuda")), method="blocked_floyd_warshall")


@pytest.mark.parametrize(("name", "on"), list_runs("blocked_floyd_warshall", "elimination", "sssp_sweep", "johnson"))
def test_a_file_of_distances(name: str, on: str, tmp_path: Path) -> None:
    path = tmp_path / "d.npy"
    G, wanted = (
        make_graph(GRAPHS["over a tile"], "float32", get_engine_named(on)),
        compute_expected(GRAPHS["over a tile"], "float32"),
    )
    D = gl.apsp(G, method=name, output=path, dense=True)
    assert isinstance(D, np.memmap)
    assert Path(D.filename) == path
    np.testing.assert_array_equal(D, wanted)
    np.testing.assert_array_equal(np.load(path), wanted)
    np.testing.assert_array_equal(to_cells(gl.apsp(G, method=name, output=path)), wanted)
    assert [p.name for p in tmp_path.iterdir()] == ["d.npy"]


class Stop(Exception):
    pass


ROOM = {"cpu in memory": None, "cpu mapped": 1_000_000, "cuda in memory": 4_000_000}
"""The matrix of W takes 1,440,000 bytes, and 5,044,480 on a device that closes it at once."""


@pytest.mark.parametrize("then", ["cpu in memory", pytest.param("cuda in memory", marks=pytest.mark.emulated)])
@pytest.mark.parametrize("first", [*list(ROOM)[:2], pytest.param("cuda in memory", marks=pytest.mark.emulated)])
def test_a_stopped_floyd_warshall_goes_on(
    first: str, then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_keep, "SHARE_OF_TIME", np.inf)
    run = partial(stop_and_resume, "blocked_floyd_warshall", tmp_path / "d.npy")
    run(first.split()[0], then.split()[0], ROOM[first], ROOM[then])


@pytest.mark.parametrize(("name", "on"), list_runs("elimination", "sssp_sweep"))
def test_a_stopped_sweep_goes_on(name: str, on: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "CELLS", 600 * 40)  # blocks in flight are far from the end
    stop_and_resume(name, tmp_path / "d.npy", on, on)


def stop_and_resume(
    name: str, output: Path, first: str, then: str, room: int | None = None, room_then: int | None = None
) -> None:
    """Stop in the middle, go on, and compare: perhaps on another engine, whose pivot blocks are others."""

    def stop(done: int, total: int) -> None:
        if 2 * done >= total:
            raise Stop

    with gl.config.set(memory_limit=room), pytest.raises(Stop):
        gl.apsp(make_graph(W, "float32", get_engine_named(first)), method=name, output=output, progress=stop)
    assert not output.exists()
    noted = json.loads(output.with_name("d.npy.unfinished.json").read_text())["done"]
    assert noted > 0
    told: list[int] = []
    with gl.config.set(memory_limit=room_then):
        G = make_graph(W, "float32", get_engine_named(then))
        gl.apsp(G, method=name, output=output, progress=lambda done, total: told.append(done))
    assert min(told) > noted
    np.testing.assert_array_equal(np.load(output), compute_expected(W, "float32"))


def test_an_unfinished_file_of_another_graph_is_not_touched(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        gl.apsp(make_graph(W, "float32", "cpu"), method="sssp_sweep", output=tmp_path / "d.npy", progress=stop)
    for other in (GRAPHS["ragged"], 2 * W):  # the second has the same arcs
        with pytest.raises(GraphlaError, match="another run"):
            gl.apsp(make_graph(other, "float32", "cpu"), method="sssp_sweep", output=tmp_path / "d.npy")


@pytest.mark.parametrize("name", ["blocked_floyd_warshall", "elimination", "sssp_sweep", "johnson"])
def test_a_file_larger_than_the_disk_is_refused(name: str, tmp_path: Path) -> None:
    G = gl.Graph(([0], [1]), n=30_000_000, engine="cpu")
    with pytest.raises(OutOfMemory, match=r"3,600,000,000,000,000 bytes, and .* on that disk"):
        gl.apsp(G, method=name, output=tmp_path / "d.npy")
    assert not list(tmp_path.iterdir())


KILLED = """
import json, os, signal, sys
from pathlib import Path
import numpy as np
import graphla as gl
from graphla.algorithms.apsp import batches
arcs = np.load(sys.argv[1])
note = Path(sys.argv[2] + ".unfinished.json")

def kill(done, total):
    while not json.loads(note.read_text())["done"]:
        pass
    os.kill(os.getpid(), signal.SIGKILL)

G = gl.Graph((arcs["rows"], arcs["cols"], arcs["weights"]), n=600, engine="cpu")
batches.CELLS = 600 * 40
gl.apsp(G, method=sys.argv[3], output=sys.argv[2], progress=kill)
"""


@pytest.mark.parametrize(("method", "after"), [("blocked_floyd_warshall", [128]), ("elimination", range(80, 601, 40))])
def test_a_killed_run_leaves_a_file_that_says_so_and_goes_on(method: str, after: Any, tmp_path: Path) -> None:
    rows, cols = np.nonzero(~np.isnan(W))
    np.savez(tmp_path / "arcs.npz", rows=rows, cols=cols, weights=W[rows, cols].astype("float32"))
    output, told = tmp_path / "d.npy", []
    done = subprocess.run(
        [sys.executable, "-c", KILLED, tmp_path / "arcs.npz", output, method], check=False, timeout=100
    )
    assert done.returncode == -signal.SIGKILL
    assert sorted(p.name for p in tmp_path.iterdir()) == ["arcs.npz", "d.npy.unfinished", "d.npy.unfinished.json"]
    gl.apsp(
        make_graph(W, "float32", "cpu"),
        method=method,
        output=output,
        progress=lambda *at: told.append(at),
    )
    assert told[0][0] in after
    np.testing.assert_array_equal(np.load(output), compute_expected(W, "float32"))


def test_a_disk_that_fails_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_keep.os, "pwrite", fail)
    with pytest.raises(OSError, match="No space left"):
        gl.apsp(make_graph(W, "float32", "cpu"), method="blocked_floyd_warshall", output=tmp_path / "d.npy")
    assert not (tmp_path / "d.npy").exists()


@pytest.mark.parametrize(("name", "on"), list_runs("blocked_floyd_warshall", "elimination", "johnson"))
def test_a_negative_cycle_leaves_no_file(name: str, on: str, tmp_path: Path) -> None:
    G = gl.Graph(([0, 1], [1, 0], [1, -2]), engine=get_engine_named(on))
    with pytest.raises(NegativeCycle):
        gl.apsp(G, method=name, output=tmp_path / "d.npy")
    assert not list(tmp_path.iterdir())


def test_the_choice_and_its_reason() -> None:
    dense, sparse = (
        make_graph(make_random(200, 1.0), "float32", "cpu"),
        make_graph(make_random(400, 0.002), "float32", "cpu"),
    )
    assert choose(dense, {})[0] == "blocked_floyd_warshall"
    name, why = choose(sparse, {})
    assert name == "sssp_sweep"
    assert "against" in why
    assert choose(sparse, {"dtype": "INT16"})[0] == "blocked_floyd_warshall"
    far = make_graph(np.where(np.isnan(make_random(400, 0.002)), np.nan, -1), "float32", "cpu")
    assert choose(far, {})[0] == "johnson"
    assert choose(make_graph(SIGNED["tilted"], "float32", "cpu"), {})[0] in gl.apsp.methods


@pytest.mark.emulated
@pytest.mark.parametrize(("n", "arcs", "name"), [
    (5000, 2, "blocked_floyd_warshall"), (10_000, 2, "sssp_sweep"), (10_000, 20, "blocked_floyd_warshall"),
    (20_000, 20, "sssp_sweep"), (14_000, 260, "blocked_floyd_warshall"),
])  # fmt: skip
def test_the_choice_on_a_gpu_follows_what_was_measured(n: int, arcs: int, name: str) -> None:
    tails = np.repeat(np.arange(n), arcs)
    heads = (tails + np.tile(np.arange(1, arcs + 1), n)) % n
    assert choose(gl.Graph((tails, heads), n=n, engine=get_engine_named("cuda")), {})[0] == name


def stop_early(done: int, total: int) -> None:
    raise Stop


def write_note(folder: Path, text: str) -> None:
    (folder / "d.npy.unfinished.json").write_text(text)


def change_note(folder: Path, **facts: Any) -> None:
    note = json.loads((folder / "d.npy.unfinished.json").read_text())
    write_note(folder, json.dumps({**note, **facts}))


def save_rows(folder: Path, rows: np.ndarray) -> None:
    with (folder / "d.npy.unfinished").open("wb") as file:
        np.save(file, rows)


def cut_rows(folder: Path, size: int) -> None:
    rows = folder / "d.npy.unfinished"
    rows.write_bytes(rows.read_bytes()[:size])


DAMAGES: dict[str, tuple[Any, str]] = {
    "the note is cut": (lambda folder: write_note(folder, '{"method": "sssp_sw'), "json cannot be read"),
    "the note is empty": (lambda folder: write_note(folder, ""), "json cannot be read"),
    "the note is of something else": (lambda folder: write_note(folder, "[1, 2]"), "json is no note of a run"),
    "the note has no number of rows": (lambda folder: change_note(folder, done="all"), "json is no note of a run"),
    "the note tells of too many rows": (lambda folder: change_note(folder, done=601), "tells of 601 finished of 600"),
    "the note tells of less than nothing": (lambda folder: change_note(folder, done=-1), "tells of -1 finished"),
    "the rows are cut": (lambda folder: cut_rows(folder, 100_000), "unfinished is no whole .npy file"),
    "the rows are empty": (lambda folder: cut_rows(folder, 0), "unfinished is no whole .npy file"),
    "the rows are of another shape": (lambda folder: save_rows(folder, np.zeros((6, 6), "f4")), r"of shape \(6, 6\)"),
    "the rows are of another dtype": (lambda folder: save_rows(folder, np.zeros((600, 600))), "holds float64"),
    "the rows are objects": (lambda folder: save_rows(folder, np.array([{}])), "unfinished is no whole .npy file"),
    "the rows are no distances": (
        lambda folder: save_rows(folder, np.ones((600, 600), "f4")),
        "on its diagonal",
    ),
    "the rows are of nobody": (lambda folder: (folder / "d.npy.unfinished.json").unlink(), "has no note of a run"),
}


@pytest.mark.parametrize(("damage", "why"), DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_or_foreign_unfinished_file_is_refused(damage: Any, why: str, tmp_path: Path) -> None:
    request: dict[str, Any] = {"method": "sssp_sweep", "output": tmp_path / "d.npy"}
    with pytest.raises(Stop):
        gl.apsp(make_graph(W, "float32", "cpu"), progress=stop_early, **request)
    damage(tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(GraphlaError, match=rf"output='.*d\.npy': .*{why}.*delete it .*or name a new file"):
        gl.apsp(make_graph(W, "float32", "cpu"), **request)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("wrong", ["", 5, b"d.npy", ["d.npy"], "/nonexistent/d.npy", "/"])
def test_an_output_that_names_no_file_is_refused(wrong: Any) -> None:
    with pytest.raises(GraphlaError, match="output="):
        gl.apsp(gl.Graph(([0], [1]), engine="cpu"), output=wrong)


@pytest.mark.emulated
@pytest.mark.parametrize(("dtype", "asked"), [("float32", {}), ("int32", {"dtype": "INT16"})])
def test_rows_of_an_elimination_are_streamed_to_the_host(
    dtype: str, asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device lets the rows go before they are copied, and each slot is used again."""
    allocate = HostStream.allocate_locked
    monkeypatch.setattr(batches, "CELLS", 900 * 50)
    monkeypatch.setattr(HostStream, "allocate_locked", lambda *args: fill_with_ones(allocate(*args)))
    G = gl.Graph(gl.generate.road(900, weights=(1, 9), engine="cpu").A.dup(dtype), engine=get_engine_named("cuda"))
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(elimination, "SHARE_OF_MEMORY", 0)
    D = gl.apsp(G, method="elimination", progress=lambda *at: told.append(at), **asked)
    assert D.engine.name == "cpu"
    assert told == [(min(row, G.n), G.n) for row in range(50, G.n + 50, 50)]
    np.testing.assert_array_equal(
        to_cells(D), to_cells(gl.apsp(G.to("cpu"), method="sssp_sweep")).astype(D.dtype.numpy)
    )


def fill_with_ones(cells: Any) -> Any:
    cells[:] = 1
    return cells


@pytest.mark.parametrize("on", ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)])
def test_a_disk_that_fails_between_rows(on: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The computing thread raises the error; the note counts whole blocks alone, and the next run goes on."""
    monkeypatch.setattr(batches, "CELLS", 600 * 40)
    copy, path = _host.copy, tmp_path / "d.npy"

    blocks = iter(range(15))

    def fail(to: Any, source: Any) -> None:
        if next(blocks) == 5:
            copy(to[:20], source[:20])
            time.sleep(0.5)  # other blocks are waiting then
            raise OSError(5, "Input/output error")
        copy(to, source)

    with monkeypatch.context() as broken:
        broken.setattr(_row_writer._host, "copy", fail)
        with pytest.raises(OSError, match="Input/output error"):
            gl.apsp(make_graph(W, "float32", get_engine_named(on)), method="elimination", output=path)
    noted = json.loads(path.with_name("d.npy.unfinished.json").read_text())["done"]
    assert noted == 200
    gl.apsp(make_graph(W, "float32", get_engine_named(on)), method="elimination", output=path)
    np.testing.assert_array_equal(np.load(path), compute_expected(W, "float32"))
