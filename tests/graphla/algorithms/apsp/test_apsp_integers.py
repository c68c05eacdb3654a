"""Integers whose sums cannot wrap take plain arithmetic: bit for bit what the saturating one gives, up to its bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from apsp_graphs import compute_expected, make_graph, make_random
from test_apsp_methods import get_engine_named

import graphla as gl
from graphla.algorithms.apsp import blocked_floyd_warshall, tiles
from graphla.common.errors import NegativeCycle

N = 130
ENGINES = ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)]


def make_weighted(dtype: str, widest: int, seed: int, on: str) -> gl.Graph:
    """Random arcs: one of the largest weight, one infinitely long; some negative where the dtype has a sign."""
    rng, W = np.random.default_rng(seed), make_random(N, 0.04, 0, 1000, seed)
    rows, columns = np.nonzero(~np.isnan(W))
    shares = W[rows, columns]
    if np.dtype(dtype).kind == "i":
        h = rng.integers(0, 1000, N)
        shares = (shares + h[rows] - h[columns]) / 2
    values = (shares.astype(np.int64).astype(object) * (widest // 1000)).astype(dtype)
    values[:2] = widest, np.iinfo(dtype).max
    return gl.Graph((rows, columns, values), n=N, engine=get_engine_named(on))


def compute_distances(G: gl.Graph, **request: Any) -> np.ndarray:
    return gl.apsp(G, method="blocked_floyd_warshall", dense=True, **request)


@pytest.mark.parametrize("on", ENGINES)
@pytest.mark.parametrize("dtype", list(tiles.NARROW))
def test_up_to_the_bound_sums_are_plain(dtype: str, on: str, monkeypatch: pytest.MonkeyPatch) -> None:
    last = tiles.NARROW[dtype].last
    for seed, widest in ((1, last // N), (2, 1000)):
        G = make_weighted(dtype, widest, seed, on)
        assert tiles.choose_exact_numbers(G, np.dtype(dtype)) is tiles.NARROW[dtype]
        plain = compute_distances(G)
        monkeypatch.setattr(tiles, "NARROW", {})
        assert tiles.choose_exact_numbers(G, np.dtype(dtype)).name == "Saturating<S>"
        np.testing.assert_array_equal(plain, compute_distances(G))
        gl.apsp.verify(G, plain)
        monkeypatch.undo()
    beyond = make_weighted(dtype, last // N + 1, 1, on)
    assert tiles.choose_exact_numbers(beyond, np.dtype(dtype)).name == "Saturating<S>"


@pytest.mark.parametrize("on", ENGINES)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("at", [0, 63, 64, 129])
def test_a_negative_cycle_is_told_before_sums_wrap(dtype: str, at: int, on: str) -> None:
    """Through the k-th vertex, the others beyond it: distances double from pivot to pivot once it is found."""
    rows, columns = np.divmod(np.arange(N * N), N)
    values = np.full(N * N, 1000, dtype)
    after = (at + 1) % N
    values[[at * N + after, after * N + at]] = -1001
    G = gl.Graph((rows, columns, values), n=N, engine=get_engine_named(on))
    assert tiles.choose_exact_numbers(G, np.dtype(dtype)) is tiles.NARROW[dtype]
    with pytest.raises(NegativeCycle) as caught:
        compute_distances(G)
    cycle = np.array(caught.value.vertices)
    assert values[cycle * N + np.roll(cycle, -1)].sum() < 0


@pytest.mark.emulated
@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_64_bits_are_computed_in_32_if_they_hold_the_paths(dtype: str) -> None:
    """Up to the bound of the narrow type, with an arc of infinite length; beyond it in 64 bits."""
    last = 2**29 - 1 if dtype == "int64" else 2**31 - 2
    for widest, work in ((last // N, "int32"), (last // N + 1, dtype)):
        G = make_weighted(dtype, widest, 5, get_engine_named("cuda"))
        assert tiles.choose_work_dtype(G, np.dtype(dtype)) == work
        D, H = compute_distances(G, next_hops=True)
        assert D.dtype == dtype
        np.testing.assert_array_equal(D, compute_distances(make_weighted(dtype, widest, 5, "cpu")))
        gl.apsp.verify(G, D, H)
    G = make_weighted(dtype, 1000, 5, get_engine_named("cuda"))
    assert blocked_floyd_warshall.choose_work(G, np.dtype(dtype), tiles.FAST["int64"])[0] == "int32"
    with gl.config.set(memory_limit=1_000_000):
        assert blocked_floyd_warshall.choose_work(G, np.dtype(dtype), tiles.FAST["int64"])[0] == dtype


@pytest.mark.emulated
@pytest.mark.parametrize("dtype", ["int32", "uint32"])
def test_streamed_too(dtype: str) -> None:
    W = make_random(600, 0.01, 0, 50, 8)
    if dtype == "int32":
        h = np.random.default_rng(8).integers(0, 60, 600)
        W = W + h[:, None] - h[None, :]
    told: list[tuple[int, int]] = []
    with gl.config.set(memory_limit=4_000_000):
        G = make_graph(W, dtype, get_engine_named("cuda"))
        assert tiles.choose_exact_numbers(G, np.dtype(dtype)) is tiles.NARROW[dtype]
        D = compute_distances(G, progress=lambda *at: told.append(at))
    assert len(told) > 1
    np.testing.assert_array_equal(D, compute_expected(W, dtype))
