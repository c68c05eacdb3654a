"""Many seed sets side by side on a GPU: each row is the ranking of its seeds alone, after the same rounds."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.pagerank import _columns_cuda
from graphla.algorithms.pagerank._columns_cuda import COLUMNS_CHUNK, COLUMNS_LONG, WIDTH
from graphla.common.errors import NotConverged, OutOfMemory
from tests.graphla.engine.engines import get_engine_named

N = 50
PLACES = [pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
REQUESTS: dict[str, dict[str, Any]] = {
    "default": {},
    "settled early": {"tolerance": 1e-3},
    "rounds": {"rounds": 11},
    "no rounds": {"rounds": 0},
    "weights": {"weights": True, "damping": 0.6},
    "lost": {"dangling": "ignore"},
    "sinks": {"dangling": {0: 1, 3: 2}},
    "sinks everywhere": {"dangling": np.arange(1.0, N + 1)},
    "no arcs are followed": {"damping": 0},
}


def draw(seed: int, place: str, arcs: int = 130, n: int = N) -> gl.Graph:
    """A random graph with loops, weights and vertices without leaving or entering arcs."""
    bits = np.random.default_rng(seed)
    ends, weights = bits.integers(0, n, (2, arcs)), bits.integers(1, 9, arcs).astype(float)
    return gl.Graph((*ends, weights), n=n, dup="first", engine="cpu").to(get_engine_named(place))


def draw_seeds(seed: int, count: int, n: int = N) -> list[dict[int, float]]:
    """Seed sets of one vertex to four, of any weights."""
    bits = np.random.default_rng(seed)
    return [{int(v): float(bits.integers(1, 5)) for v in bits.integers(0, n, 1 + k % 4)} for k in range(count)]


def rank_alone(G: gl.Graph, seeds: list[Any], **asked: Any) -> Any:
    return np.stack([gl.pagerank(G, personalization=each, method="fused", **asked).to_numpy() for each in seeds])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", REQUESTS)
def test_each_row_is_as_alone(name: str, place: str) -> None:
    for count, arcs in ((1, 130), (2, 20), (3, 0), (7, 600), (WIDTH, 130), (WIDTH + 5, 90)):
        G, seeds = draw(seed := secrets.randbits(32), place, arcs), draw_seeds(count, count)
        for dtype, room in (("FP64", 1e-13), ("FP32", 3e-6)):
            found = gl.pagerank(G, personalization=seeds, dtype=dtype, **REQUESTS[name])
            assert found.dtype == dtype
            alone = rank_alone(G, seeds, dtype=dtype, **REQUESTS[name])
            np.testing.assert_allclose(found.to_numpy(), alone, atol=room, rtol=0, err_msg=f"seed {seed}, {count}")


@pytest.mark.parametrize("place", PLACES)
def test_rows_are_those_of_the_cpu(place: str) -> None:
    G, seeds = draw(seed := secrets.randbits(32), place), draw_seeds(5, 9)
    found = gl.pagerank(G, personalization=seeds, tolerance=1e-9)
    on_cpu = gl.pagerank(G.to("cpu"), personalization=seeds, tolerance=1e-9)
    np.testing.assert_allclose(found.to_numpy(), on_cpu.to_numpy(), atol=2e-8, err_msg=f"seed {seed}")
    top = gl.pagerank(G, personalization=seeds, tolerance=1e-9, top=3)
    assert top.nvals <= 3 * len(seeds)
    np.testing.assert_allclose(top.to_numpy(0).max(axis=1), found.to_numpy().max(axis=1))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("length", [COLUMNS_LONG, COLUMNS_LONG + 1, 2 * COLUMNS_CHUNK + 7])
def test_long_rows_are_summed_by_chunks(length: int, place: str) -> None:
    """Two hubs, that all others point at, with weights; the second one is the last vertex."""
    n = length + 2
    others = np.arange(1, n - 1)
    ends = np.concatenate([others, others]), np.repeat([0, n - 1], length)
    back = np.zeros(3, int), np.array([1, 2, n - 1])
    weights = np.random.default_rng(length).integers(1, 9, 2 * length + 3).astype(float)
    arcs = np.append(ends[0], back[0]), np.append(ends[1], back[1]), weights
    G = gl.Graph(arcs, n=n, engine="cpu").to(get_engine_named(place))
    seeds, asked = [{0: 1}, {5: 1, n - 1: 2}, {7: 3}], {"rounds": 3, "dtype": "FP64"}
    for weighted in (False, True):
        found = gl.pagerank(G, personalization=seeds, weights=weighted, **asked)
        on_cpu = gl.pagerank(G.to("cpu"), personalization=seeds, weights=weighted, **asked)
        np.testing.assert_allclose(found.to_numpy(), on_cpu.to_numpy(), atol=1e-14)


@pytest.mark.parametrize("place", PLACES)
def test_runs_have_the_same_bits_in_pieces_of_any_width(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    G, seeds = draw(3, place), draw_seeds(3, 21)
    whole, again = (gl.pagerank(G, personalization=seeds).to_numpy() for _ in range(2))
    assert (whole == again).all()
    widths, choose = [], _columns_cuda.choose_width
    monkeypatch.setattr(_columns_cuda, "choose_width", lambda *given: widths.append(choose(*given)) or widths[-1])
    with gl.config.set(memory_limit=14_000):
        pieces = gl.pagerank(G, personalization=seeds).to_numpy()
    assert widths == [16]
    np.testing.assert_allclose(pieces, whole, atol=1e-7)
    with gl.config.set(memory_limit=4_000), pytest.raises(OutOfMemory, match="the ranks of 21 seed sets"):
        gl.pagerank(G, personalization=seeds)


@pytest.mark.parametrize("place", PLACES)
def test_what_does_not_settle_says_so(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    G, seeds = draw(4, place), draw_seeds(4, 3)
    with pytest.raises(NotConverged, match="max_rounds=2") as told:
        gl.pagerank(G, personalization=seeds, max_rounds=2, dtype="FP64")
    residuals = []
    for each in seeds:
        with pytest.raises(NotConverged) as alone:
            gl.pagerank(G, personalization=each, max_rounds=2, dtype="FP64")
        residuals.append(alone.value.residual)
    assert told.value.residual == pytest.approx(max(residuals))
    tried = []
    rank = _columns_cuda.rank_columns
    monkeypatch.setattr(
        _columns_cuda, "rank_columns", lambda G, s, seeds: tried.append(s.dtype.name) or rank(G, s, seeds)
    )
    with pytest.raises(NotConverged):
        gl.pagerank(G, personalization=seeds, max_rounds=2)
    assert tried == ["FP32", "FP64"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("n", [0, 1])
def test_graphs_without_arcs(n: int, place: str) -> None:
    G = gl.Graph(([], []), n=n, engine="cpu").to(get_engine_named(place))
    seeds = [np.ones(n), np.full(n, 2.0)]
    assert (
        gl.pagerank(G, personalization=[gl.Vector.from_dense(each, engine="cpu") for each in seeds]).to_numpy().tolist()
        == [[1.0] * n] * 2
    )
