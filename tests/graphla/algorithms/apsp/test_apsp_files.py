"""Streaming through a small device, files that say whether they are finished, and the default choice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from apsp_graphs import GRAPHS, SIGNED, expected, graph, random
from test_apsp_methods import engine

import graphla as gl
from graphla.algorithms.apsp import _rows, blocked_floyd_warshall
from graphla.algorithms.apsp._choose import choose
from graphla.errors import GraphlaError, NegativeCycle, OutOfMemory

W = random(300, 0.03, seed=8)
ENGINES = ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)]


@pytest.mark.emulated
@pytest.mark.parametrize(("dtype", "options", "limit"), [
    ("float32", {}, 1_300_000), ("int32", {"dtype": "INT16"}, 2_000_000), ("float64", {}, 2_400_000),
])  # fmt: skip
def test_what_does_not_fit_on_the_device_is_streamed(dtype: str, options: dict[str, str], limit: int) -> None:
    told: list[tuple[int, int]] = []
    with gl.config.set(memory_limit=limit):
        G = graph(W, dtype, engine("cuda"))
        D = gl.apsp(G, method="blocked_floyd_warshall", progress=lambda *at: told.append(at), **options)
    assert D.engine.name == "cpu"
    assert told[-1][0] == told[-1][1] > 1
    np.testing.assert_array_equal(D.to_numpy(), expected(W, D.dtype.numpy))


@pytest.mark.emulated
def test_a_device_too_small_for_a_pivot_block() -> None:
    with gl.config.set(memory_limit=400_000), pytest.raises(OutOfMemory, match="sssp_sweep"):
        gl.apsp(graph(W, "float32", engine("cuda")), method="blocked_floyd_warshall")


@pytest.mark.parametrize("on", ENGINES)
@pytest.mark.parametrize("name", ["blocked_floyd_warshall", "sssp_sweep", "johnson"])
def test_a_file_of_distances(name: str, on: str, tmp_path: Path) -> None:
    D = gl.apsp(graph(GRAPHS["over a tile"], "float32", engine(on)), method=name, output=tmp_path / "d.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "d.npy"), expected(GRAPHS["over a tile"], "float32"))
    np.testing.assert_array_equal(D.to_numpy(), np.load(tmp_path / "d.npy"))
    assert [p.name for p in tmp_path.iterdir()] == ["d.npy"]


class Stop(Exception):
    pass


@pytest.mark.parametrize("on", ENGINES)
@pytest.mark.parametrize("name", ["blocked_floyd_warshall", "sssp_sweep"])
def test_a_stopped_run_goes_on(name: str, on: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocked_floyd_warshall, "SECONDS_BETWEEN_NOTES", 0.0)
    monkeypatch.setattr(_rows, "CELLS", 300 * 60)
    G, output = graph(W, "float32", engine(on)), tmp_path / "d.npy"

    def stop(done: int, total: int) -> None:
        if 2 * done >= total:
            raise Stop

    limit = 1_300_000 if on == "cuda" and name == "blocked_floyd_warshall" else None
    with gl.config.set(memory_limit=limit):
        with pytest.raises(Stop):
            gl.apsp(G, method=name, output=output, progress=stop)
        assert not output.exists()
        noted = json.loads((tmp_path / "d.npy.unfinished.json").read_text())["done"]
        assert noted > 0
        told: list[int] = []
        gl.apsp(G, method=name, output=output, progress=lambda done, total: told.append(done))
    assert min(told) > noted
    np.testing.assert_array_equal(np.load(output), expected(W, "float32"))


def test_an_unfinished_file_of_another_graph_is_not_touched(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        gl.apsp(graph(W, "float32", "cpu"), method="sssp_sweep", output=tmp_path / "d.npy", progress=stop)
    with pytest.raises(GraphlaError, match="another run"):
        gl.apsp(graph(GRAPHS["ragged"], "float32", "cpu"), method="sssp_sweep", output=tmp_path / "d.npy")


@pytest.mark.parametrize("name", ["blocked_floyd_warshall", "sssp_sweep", "johnson"])
def test_a_file_larger_than_the_disk_is_refused(name: str, tmp_path: Path) -> None:
    G = gl.Graph(([0], [1]), n=30_000_000, engine="cpu")
    with pytest.raises(OutOfMemory, match=r"3,600,000,000,000,000 bytes, and .* on that disk"):
        gl.apsp(G, method=name, output=tmp_path / "d.npy")
    assert not list(tmp_path.iterdir())


KILLED = """
import os, sys
import numpy as np
import graphla as gl
from graphla.algorithms.apsp import blocked_floyd_warshall
blocked_floyd_warshall.SECONDS_BETWEEN_NOTES = 0.0
arcs = np.load(sys.argv[1])
G = gl.Graph((arcs["rows"], arcs["cols"], arcs["weights"]), n=300, engine="cpu")
gl.apsp(G, method="blocked_floyd_warshall", output=sys.argv[2], progress=lambda done, total: done == 2 and os._exit(9))
"""


def test_a_killed_run_leaves_a_file_that_says_so_and_goes_on(tmp_path: Path) -> None:
    rows, cols = np.nonzero(~np.isnan(W))
    np.savez(tmp_path / "arcs.npz", rows=rows, cols=cols, weights=W[rows, cols].astype("float32"))
    output = tmp_path / "d.npy"
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "arcs.npz", output], check=False)
    assert done.returncode == 9
    assert not output.exists()
    assert (tmp_path / "d.npy.unfinished").exists()
    gl.apsp(graph(W, "float32", "cpu"), method="blocked_floyd_warshall", output=output)
    np.testing.assert_array_equal(np.load(output), expected(W, "float32"))


@pytest.mark.parametrize("on", ENGINES)
@pytest.mark.parametrize("name", ["blocked_floyd_warshall", "johnson"])
def test_a_negative_cycle_leaves_no_file(name: str, on: str, tmp_path: Path) -> None:
    G = gl.Graph(([0, 1], [1, 0], [1, -2]), engine=engine(on))
    with pytest.raises(NegativeCycle):
        gl.apsp(G, method=name, output=tmp_path / "d.npy")
    assert not list(tmp_path.iterdir())


def test_the_choice_and_its_reason() -> None:
    dense, sparse = graph(random(200, 1.0), "float32", "cpu"), graph(random(400, 0.002), "float32", "cpu")
    assert choose(dense, {})[0] == "blocked_floyd_warshall"
    name, why = choose(sparse, {})
    assert name == "sssp_sweep"
    assert "against" in why
    assert choose(sparse, {"dtype": "INT16"})[0] == "blocked_floyd_warshall"
    far = graph(np.where(np.isnan(random(400, 0.002)), np.nan, -1), "float32", "cpu")
    assert choose(far, {})[0] == "johnson"
    assert choose(graph(SIGNED["tilted"], "float32", "cpu"), {})[0] in gl.apsp.methods
