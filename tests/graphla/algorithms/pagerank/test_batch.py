"""Many seed sets at once: each row is the ranking of its seeds alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.pagerank import _sweeps_cpu, batch
from graphla.algorithms.pagerank._batch_cpu import WIDTH
from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption, NotConverged, NotSupported, UnknownLabel
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader

N = 60


def make(seed: int, engine: Any = "cpu", **how: Any) -> gl.Graph:
    """A random graph with loops, weights and vertices without leaving arcs."""
    bits = np.random.default_rng(seed)
    ends, weights = bits.integers(0, N, (2, 150)), bits.integers(1, 9, 150).astype(float)
    return gl.Graph((*ends, weights), n=N, dup="first", engine=engine, **how)


def draw_seeds(seed: int, count: int) -> list[Any]:
    """Seed sets of each kind."""
    bits = np.random.default_rng(seed)
    drawn = [bits.choice(N, 4, replace=False).tolist() for _ in range(count)]
    kinds: tuple[Any, ...] = (list, set, tuple, lambda each: {v: 1.0 + v for v in each})
    return [kinds[k % 4](each) for k, each in enumerate(drawn)]


def to_weights(seeds: Any) -> dict[int, float]:
    return seeds if isinstance(seeds, dict) else dict.fromkeys(seeds, 1)


@pytest.mark.parametrize("count", [1, WIDTH, WIDTH + 3])
@pytest.mark.parametrize(
    "options", [{}, {"weights": True}, {"dangling": "ignore"}, {"dangling": {3: 1}}, {"convention": "networkx"}]
)
def test_a_row_is_the_ranking_of_its_seeds(count: int, options: dict[str, Any]) -> None:
    G, seeds = make(count), draw_seeds(count, count)
    found = gl.pagerank(G, personalization=seeds, tolerance=1e-12, dtype="FP64", **options)
    assert (found.shape, found.nvals, found.dtype) == ((count, N), count * N, "FP64")
    for row, each in zip(found.to_dense(), seeds, strict=True):
        alone = gl.pagerank(G, personalization=to_weights(each), tolerance=1e-12, dtype="FP64", **options)
        np.testing.assert_allclose(row, alone.to_numpy(), atol=1e-11)


def test_rounds_are_counted_and_dtypes_kept() -> None:
    G, seeds = make(1), draw_seeds(1, 3)
    found = gl.pagerank(G, personalization=seeds, rounds=2)
    assert found.dtype == "FP32"
    for row, each in zip(found.to_dense(), seeds, strict=True):
        alone = gl.pagerank(G, personalization=to_weights(each), rounds=2)
        np.testing.assert_allclose(row, alone.to_numpy(), atol=1e-6)


@pytest.mark.emulated
def test_rankings_on_a_gpu_are_those_on_a_cpu() -> None:
    seeds = draw_seeds(2, 3)
    on_cpu, on_gpu = (
        gl.pagerank(make(2, engine), personalization=seeds, tolerance=1e-5)
        for engine in ("cpu", CudaEngine(np, make_loader()))
    )
    np.testing.assert_allclose(on_gpu.to_dense(), on_cpu.to_dense(), atol=2e-5)


def test_weights_beyond_sums_are_scaled() -> None:
    G = gl.Graph(([0, 0, 1, 2], [1, 2, 0, 0], [1e308, 1e308, 1e308, 1.0]), engine="cpu")
    found = gl.pagerank(G, personalization=[[0], [1]], weights=True).to_dense()
    alone = gl.pagerank(G, personalization={0: 1}, weights=True).to_numpy()
    np.testing.assert_allclose(found[0], alone, atol=1e-6)
    assert np.isfinite(found).all()


def test_labels_name_seeds_and_columns() -> None:
    G = gl.Graph(([0, 1, 2], [1, 2, 0]), labels=["a", "b", "c"], engine="cpu")
    table = gl.pagerank(G, personalization=[["a"], {"b": 2, "c": 1}]).to_arrow()
    assert table.column_names == ["query", "vertex", "rank"]
    assert table.column("vertex").to_pylist() == ["a", "b", "c"] * 2
    assert gl.pagerank(G, personalization={"a"}).isequal(gl.pagerank(G, personalization={"a": 1}))


def test_what_cannot_be_ranked_is_refused() -> None:
    G = make(3, labels=[f"v{v}" for v in range(N)])
    with pytest.raises(UnknownLabel, match=r"personalization\[1\]='x': no vertex"):
        gl.pagerank(G, personalization=[["v1"], ["x"]])
    for empty in ([[]], [["v1"], {}], [{"v1": 0}]):
        with pytest.raises(InvalidOption, match=r"holds no vertex|one positive"):
            gl.pagerank(G, personalization=empty)
    with pytest.raises(InvalidGraph, match=r"personalization\[0\]=\[\['v1'\]\]: a seed is a vertex"):
        gl.pagerank(G, personalization=[[["v1"]]])
    with pytest.raises(NotSupported, match=r"method=.push., or leave it out"):
        gl.pagerank(G, personalization=[["v1"]], method="fused")  # type: ignore[call-overload]
    with pytest.raises(NotConverged, match="max_rounds=2"):
        gl.pagerank(G, personalization=[["v1"]], max_rounds=2)
    with pytest.raises(GraphlaError, match="no option 'epsilom'"):
        gl.pagerank(G, personalization=[["v1"]], epsilom=1e-3)  # type: ignore[call-overload]
    for asked in ({"dtype": np.arange(3.0)}, {"method": np.arange(3.0)}, {"damping": np.arange(3.0), "method": "push"}):
        with pytest.raises(GraphlaError, match=next(iter(asked))):
            gl.pagerank(G, personalization=[["v1"]], **asked)


def test_an_option_of_a_method_chooses_it() -> None:
    G, seeds = make(3), [[1], [2, 5]]
    chosen = gl.pagerank(G, personalization=seeds, epsilon=1e-2)
    named = gl.pagerank(G, personalization=seeds, epsilon=1e-2, method="push")
    assert chosen.isequal(named)
    assert chosen.nvals < len(seeds) * N


def test_seeds_are_lists_arrays_and_ranges_of_vertices() -> None:
    G = make(5)
    expected = gl.pagerank(G, personalization=[[2, 3], [4, 7]], dtype="FP64").to_numpy()
    for seeds in ([np.array([2, 3]), np.array([4, 7], "uint8")], [range(2, 4), range(4, 10, 3)]):
        assert (gl.pagerank(G, personalization=seeds, dtype="FP64").to_numpy() == expected).all()
    named = gl.Graph({"source": ["a", "b"], "target": ["b", "c"]}, engine="cpu")
    rows = gl.pagerank(named, personalization=[np.array(["a"]), ["b", "c"]]).to_numpy()
    np.testing.assert_allclose(rows, gl.pagerank(named, personalization=[["a"], {"b", "c"}]).to_numpy())


@pytest.mark.parametrize(
    ("seeds", "said"),
    [
        ([3], r"personalization: weights of shape \(1,\) .*: give a weight for each .*, \{3: 1\}.* \{3\}.*\[\[3\]\]"),
        (["a", "b"], r"personalization=\['a', 'b'\]: give .*, \{'a'\}, .* or \[\['a'\]\], a list of seed sets"),
        (range(3), r"personalization: weights of shape \(3,\) .*\{0\}, a set of vertices, or \[\[0\]\]"),
        ([[1], []], r"personalization\[1\]=\{\} holds no vertex"),
        ([[1], {}], r"personalization\[1\]=\{\} holds no vertex"),
        ([[1], [2], {3: -1}], r"personalization\[2\]=\{3: -1\}: the weights of vertices must be"),
        ([[1], {3: "x"}], r"personalization\[1\]\[3\]"),
        ([[1], [99]], r"personalization\[1\]=99 is no vertex"),
        ([[1], [[2]]], r"personalization\[1\]=\[\[2\]\]: a seed is a vertex"),
        ([[1], np.array([0.5])], r"personalization\[1\]=.*an array holds vertices"),
        ([[1], np.array([[2]])], r"personalization\[1\]=.*an array holds vertices"),
    ],
)
def test_bad_seeds_are_named_by_their_place(seeds: Any, said: str) -> None:
    with pytest.raises((InvalidOption, InvalidGraph), match=said):
        gl.pagerank(make(5), personalization=seeds)


@pytest.mark.parametrize("options", [{}, {"rounds": 3}, {"dtype": "FP64"}, {"dangling": {3: 1}}])
@pytest.mark.parametrize("small", [False, True])
def test_the_highest_are_chosen_a_few_rows_at_a_time(
    options: dict[str, Any], small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    G, seeds = make(8), draw_seeds(8, 11)
    monkeypatch.setattr(_sweeps_cpu, "can_sweep", lambda G, s: small and s.tolerance is not None)
    whole = gl.pagerank(G, personalization=seeds, top=4, **options)
    asked: list[int] = []
    monkeypatch.setattr(batch, "require_large", lambda nbytes, *others: asked.append(nbytes))
    monkeypatch.setattr(batch, "MOST_ROWS", 4)
    monkeypatch.setattr(batch, "ROWS_BYTES", 0)
    parts = gl.pagerank(G, personalization=seeds, top=4, **options)
    assert asked == [8 * 4 * N]
    assert parts.to_dicts().keys() == whole.to_dicts().keys()
    np.testing.assert_allclose(parts.to_numpy(0), whole.to_numpy(0), atol=2e-6)
    full = gl.pagerank(G, personalization=seeds, **options).to_numpy()
    np.testing.assert_allclose(np.sort(parts.to_numpy(0), axis=1)[:, -4:], np.sort(full, axis=1)[:, -4:], atol=1e-5)


def test_ranks_that_fp32_does_not_settle_are_in_fp64_in_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    G, seeds = make(8), draw_seeds(8, 6)
    monkeypatch.setattr(batch, "MOST_ROWS", 2)
    monkeypatch.setattr(batch, "ROWS_BYTES", 0)
    honest, met = batch.choose_rank, []

    def choose(G: Any, s: Any) -> Any:
        rank = honest(G, s)

        def fails_once(G: Any, s: Any, piece: Any) -> Any:
            ranks, residual = rank(G, s, piece)
            met.append(s.dtype.name)
            return ranks, 1.0 if met.count("FP32") == 2 and s.dtype.name == "FP32" else residual

        return fails_once

    monkeypatch.setattr(batch, "choose_rank", choose)
    found = gl.pagerank(G, personalization=seeds, top=3)
    assert (found.shape, found.dtype, met) == ((6, N), "FP64", ["FP32"] * 2 + ["FP64"] * 3)
