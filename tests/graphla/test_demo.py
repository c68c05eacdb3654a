"""The demonstration, on a few roads in place of New York."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from graphla import Graph
from graphla.doors.cli._main import run
from graphla.graphs.generators import grid2d
from graphla.measuring.demo import demonstrate, show
from graphla.measuring.demo.layout import compute_layout, compute_pivot_distances


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A grid instead of a town."""
    monkeypatch.setattr(show, "read_coo", lambda path: grid2d(12, 9))
    monkeypatch.setenv("GRAPHLA_QUIET", "1")


def test_it_computes_verifies_and_draws(small: None, tmp_path: Path) -> None:
    told = io.StringIO()
    assert demonstrate(tmp_path / "out", Console(file=told, width=140))
    assert "108 crossings" in told.getvalue()
    rows = json.loads((tmp_path / "out" / "comparison.json").read_text())["rows"]
    assert {(row["problem"], row["status"]) for row in rows} == {("bfs", "right"), ("sssp", "right")}
    assert {"algebraic", "direction_optimized", "delta_stepping", "SciPy"} <= {row["name"] for row in rows}
    for name in ("new-york.png", "comparison.png", "comparison.csv", "trace.json"):
        assert (tmp_path / "out" / name).stat().st_size > 0


def test_an_output_that_cannot_be_is_found_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(show, "read_roads", lambda say: pytest.fail("work was begun"))
    (tmp_path / "file").write_text("")
    assert run(["demo", "--output", str(tmp_path / "file" / "below")]) == 2
    assert "Not a directory" in capfd.readouterr().err


def test_the_layout_unrolls_a_grid() -> None:
    G = Graph(grid2d(30, 20), engine="cpu")
    xy = compute_layout(G, pivots=12)
    assert xy.shape == (600, 2)
    assert len({column.tobytes() for column in compute_pivot_distances(G, 12).T}) == 12
    across = np.linalg.norm(xy[0] - xy[-1])
    rows = np.repeat(np.arange(G.n), np.diff(G.csr.indptr))
    steps = np.linalg.norm(xy[rows] - xy[G.csr.indices], axis=1)
    assert across > 10 * steps.mean()
