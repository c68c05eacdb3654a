"""What is streamed, signed integers, hops along the level: on a GPU, and emulated among the slow tests, by scipy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import graphla as gl
from graphla.algorithms.apsp import _streamed, tiles
from tests.graphla.engine.engines import get_engine_named

DEVICES = [
    pytest.param("cuda", marks=pytest.mark.gpu),
    pytest.param("emulated", marks=[pytest.mark.emulated, pytest.mark.slow]),
]
SIZES = {"cuda": (3000, 1024, 1 << 21), "emulated": (500, 256, 1 << 18)}
"""Vertices; vertices of a pivot block and bytes of a panel, so few that there are several of both."""


def make_arcs(n: int, low: int) -> csr_array:
    rng = np.random.default_rng(n)
    code = np.unique(rng.integers(0, n * n, 4 * n))
    return csr_array((rng.integers(low, 9, code.size).astype(float), (code // n, code % n)), shape=(n, n))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int16"])
@pytest.mark.parametrize("device", DEVICES)
def test_streamed_into_a_file(device: str, dtype: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n, side, panel = SIZES[device]
    monkeypatch.setattr(_streamed, "LARGEST", side)
    monkeypatch.setattr(_streamed, "PANEL_BYTES", panel)
    W = make_arcs(n, 1)
    G = gl.Graph(W.astype("int32" if dtype == "int16" else dtype), engine=get_engine_named(device))
    told: list[int] = []
    D = gl.apsp(
        G,
        method="blocked_floyd_warshall",
        dtype=dtype,
        output=tmp_path / "d.npy",
        dense=True,
        progress=lambda done, total: told.append(done),
    )
    expected, top = dijkstra(W), np.inf if dtype[0] == "f" else np.iinfo(dtype).max
    assert len(told) > 1
    np.testing.assert_array_equal(D, np.where(np.isinf(expected), top, expected).astype(dtype))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("device", DEVICES)
def test_integers_of_both_signs(device: str, dtype: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed on the device, and streamed into a file; potentials, which cancel, make half of the weights negative."""
    n, side, panel = SIZES[device]
    monkeypatch.setattr(_streamed, "LARGEST", side)
    monkeypatch.setattr(_streamed, "PANEL_BYTES", panel)
    W, h = make_arcs(n, 1), np.random.default_rng(n).integers(0, 9, n)
    rows = np.repeat(np.arange(n), np.diff(W.indptr))
    G = gl.Graph(
        (rows, W.indices, (W.data + h[rows] - h[W.indices]).astype(dtype)), n=n, engine=get_engine_named(device)
    )
    assert not tiles.choose_exact_numbers(G, np.dtype(dtype)).prelude
    known = dijkstra(W) + h[:, None] - h[None, :]
    expected = np.where(np.isinf(known), 0, known).astype(dtype)
    expected[np.isinf(known)] = np.iinfo(dtype).max
    for request in ({}, {"output": tmp_path / "d.npy"}):
        D = gl.apsp(G, method="blocked_floyd_warshall", dense=True, **request)
        np.testing.assert_array_equal(G.engine.to_host(D), expected)


@pytest.mark.parametrize("name", ["blocked_floyd_warshall", "sssp_sweep", "johnson"])
@pytest.mark.parametrize("device", DEVICES)
def test_hops_where_many_arcs_weigh_nothing(device: str, name: str) -> None:
    n = SIZES[device][0] // 5
    W = make_arcs(n, 0)
    W.data = np.where(W.data < 5, 0, W.data)
    rows = np.repeat(np.arange(n), np.diff(W.indptr))
    G = gl.Graph((rows, W.indices, W.data.astype("float32")), n=n, engine=get_engine_named(device))
    gl.apsp.verify(G, *gl.apsp(G, method=name, next_hops=True))
