"""The kernels of betweenness in the emulator: hubs, deep graphs, many paths, and any order of threads."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.betweenness import _batched_cuda, _brandes_cuda, algebraic
from graphla.algorithms.bfs import fused
from graphla.common.errors import NotSupported
from graphla.engine.cuda.engine import CudaEngine
from graphla.storage import CompressedMatrix
from tests.emulator import make_loader
from tests.graphla.algorithms.betweenness.test_betweenness import make_grid, make_network
from tests.graphla.engine.engines import get_engine_named

pytestmark = pytest.mark.emulated


def make_graphs() -> dict[str, gl.Graph]:
    """A hub with leaves and rows of all lengths, one that is deep, one with arcs one way."""
    ladder = gl.Graph(([*range(58), *range(0, 60, 2)], [*range(2, 60), *range(1, 60, 2)]), n=60, engine="cpu")
    return {
        "kronecker": gl.generate.kronecker(7, engine="cpu"),
        "ladder": gl.Graph(gl.binary.lor(ladder.A | ladder.A.T).new(), engine="cpu"),
        "directed": gl.Graph(make_network(secrets.randbits(32), directed=True), engine="cpu"),
        "lengths": gl.generate.kronecker(6, weights=(1, 3), engine="cpu"),
    }


def check(G: gl.Graph, engine: Any, method: str, **request: Any) -> None:
    """Compare with the CPU."""
    found = gl.betweenness(G.to(engine), method=method, **request)
    expected = gl.betweenness(G, **{**request, "dtype": "FP64"})
    wide = request.get("dtype") == "FP64"
    parts = [np.asarray(each.to_coo()[-1], float) for each in (found.to("cpu"), expected)]
    np.testing.assert_allclose(*parts, rtol=1e-9 if wide else 1e-4, atol=1e-13 if wide else 1e-6)


@pytest.mark.parametrize("name", ["kronecker", "ladder", "directed", "lengths"])
@pytest.mark.parametrize("degree", [0, 10**6])
@pytest.mark.parametrize("few", [1, 3, 2048])
def test_levels_alone_and_together(name: str, few: int, degree: int, monkeypatch: Any) -> None:
    """A warp or a thread per vertex; all levels by the grid, some, or none."""
    monkeypatch.setattr(_brandes_cuda, "WIDE_DEGREE", degree)
    monkeypatch.setattr(_brandes_cuda, "FEW", few * (32 if degree == 0 else 1))
    G, engine = make_graphs()[name], get_engine_named("emulated")
    weights = name in ("directed", "lengths")
    check(G, engine, "brandes", sources=[2, 7], endpoints=True, weights=weights)
    check(G, engine, "brandes", sources=[2, 7], edges=True, dtype="FP64", weights=weights)


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("count", [1, 4, 40])
def test_rows_in_pieces(count: int, dtype: str, monkeypatch: Any) -> None:
    """Hubs in pieces of eight arcs, sources that occur twice, words that are not full."""
    monkeypatch.setattr(_batched_cuda, "PIECE", 8)
    engine, rng = get_engine_named("emulated"), np.random.default_rng(secrets.randbits(32))
    for name in ("kronecker", "directed"):
        G = make_graphs()[name]
        sources = rng.integers(0, G.n, count).tolist()
        check(G, engine, "batched", sources=sources, dtype=dtype, endpoints=count != 4)


@pytest.mark.parametrize("limit", ["levels", "words", "paths", "precision"])
def test_what_is_left_to_the_other_method(limit: str, monkeypatch: Any) -> None:
    """Sources that go deeper than the words are kept, and numbers of paths that leave the dtype."""
    left, accumulate = [], _brandes_cuda.accumulate
    monkeypatch.setattr(_brandes_cuda, "accumulate", lambda G, s: left.append(s.sources.tolist()) or accumulate(G, s))
    if limit == "levels":
        monkeypatch.setattr(_batched_cuda, "MOST_LEVELS", 3)
    elif limit == "words":
        monkeypatch.setattr(_batched_cuda, "WORDS_BYTES", 3 * 4 * 128)
    else:
        monkeypatch.setattr(_batched_cuda, "MOST_PATHS", {"float32": 2.0, "float64": 3.0 if limit == "paths" else 1e9})
    check(make_graphs()["kronecker"], get_engine_named("emulated"), "batched", sources=list(range(40)))
    assert left == ([list(range(40))] if limit != "precision" else [])


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_more_paths_than_the_dtype_holds(dtype: Any, monkeypatch: Any) -> None:
    """A grid with more paths than FP32 holds; a chain of diamonds with more than FP64 does."""
    engine, diamonds = get_engine_named("emulated"), 1100 if dtype == "FP64" else 150
    corner = 3 * np.arange(diamonds)
    tails = np.concatenate([corner, corner, corner + 1, corner + 2])
    heads = np.concatenate([corner + 1, corner + 2, corner + 3, corner + 3])
    G = gl.Graph((tails, heads), n=3 * diamonds + 1, engine="cpu")
    check(G, engine, "brandes", sources=[0, 3], dtype=dtype, normalized=False)
    side = (
        gl.betweenness(G.to(engine), sources=[0], dtype=dtype, normalized=False, method="brandes").to("cpu").to_numpy()
    )
    assert side[-2] == side[-3] == 0.5
    if dtype == "FP32":
        check(make_grid(70, 70), engine, "brandes", sources=[0])


@pytest.mark.parametrize("seed", [0, 11])
def test_kernels_in_any_order_of_threads(seed: int) -> None:
    """The emulator reports races that are not meant."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    graphs = make_graphs()
    for name in ("kronecker", "directed"):
        check(graphs[name], engine, "batched", sources=[1, 5, 9, 9, 30])
        check(graphs[name], engine, "brandes", sources=[1, 5], weights=name == "directed")
    check(graphs["ladder"], engine, "brandes", sources=[3])


@pytest.mark.parametrize("sources", [[5], [1, 5, 9, 30]])
def test_sums_by_levels_are_those_by_frontiers(sources: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two loops without a host, and the same level by level from Python."""
    G, done = make_graphs()["directed"].to(get_engine_named("emulated")), list[Any]()
    loop = algebraic.loop

    def run(*given: Any, **how: Any) -> Any:
        done.append(loop(*given, **how))
        return done[-1]

    monkeypatch.setattr(algebraic, "loop", run)
    make = {"nrows": len(sources), "ncols": G.n, "engine": G.engine}
    one, two = (gl.Matrix.from_coo(range(len(sources)), sources, 1.0, "FP64", **make) for _ in range(2))
    found, expected = algebraic.sum_shares_by_level(G, one), algebraic.sum_shares_by_frontier(G, two)
    back = "rounds on the host" if one.nvals > len(sources) else "no round"  # a source may reach nothing
    assert [each.plan for each in done] == ["rounds on the host", back]
    assert one.isequal(two)
    assert found.isclose(expected)


def test_the_methods_by_graph_and_request() -> None:
    engine = get_engine_named("emulated")
    G, deep = gl.generate.kronecker(6, engine=engine), gl.generate.path(80, engine=engine)
    assert gl.betweenness.choose(G, None, {}).name == "batched"
    assert gl.betweenness.choose(G, None, {"edges": True}).name == "brandes"
    assert gl.betweenness.choose(deep, None, {"sources": 8}).name == "brandes"
    assert gl.betweenness.choose(deep, None, {"sources": [1, 2]}).name == "brandes"
    one, two = (gl.betweenness(deep, sources=(v for v in (3,)), weights=True), gl.betweenness(deep, sources=[3]))
    assert one.isequal(two)
    assert gl.betweenness.choose(deep, None, {"sources": 9}).name == "batched"
    assert gl.betweenness.choose(deep, None, {}).name == "batched"
    with pytest.raises(NotSupported, match="has 79 levels; method 'brandes' goes through them"):
        gl.betweenness(deep, sources=3, method="batched")
    check(deep.to("cpu"), engine, "batched", sources=list(range(20, 60)))


@pytest.mark.parametrize("limits", [(2048, 4096), (3, 6)])
def test_a_search_of_low_degree_lists_its_vertices(limits: tuple[int, int], monkeypatch: Any) -> None:
    """Level by level, whether block 0 searches alone or the grid does."""
    monkeypatch.setattr(fused, "COPIED_VERTICES", limits)
    host = gl.generate.grid2d(30, 20, engine="cpu")
    G = host.to(get_engine_named("emulated"))
    listed = fused.run_in_order(G, 7)
    assert listed is not None
    levels, order, starts = listed
    expected = gl.bfs(host, 7).to_numpy(-1)
    assert levels.tolist() == expected.tolist()
    assert starts.tolist() == [0, *np.cumsum(np.bincount(expected)).tolist()]
    assert sorted(order[: G.n].tolist()) == list(range(G.n))
    assert levels[order].tolist() == sorted(expected.tolist())
    check(host, get_engine_named("emulated"), "brandes", sources=[7, 0], normalized=False)


@pytest.mark.parametrize("extra", [{}, {"edges": True}, {"endpoints": True, "dtype": "FP64"}])
@pytest.mark.parametrize("room", [1, 1 << 32])
def test_sources_side_by_side(extra: dict[str, Any], room: int, monkeypatch: Any) -> None:
    """A block takes each source of a deep graph of low degree; one source occurs twice, one reaches itself alone."""
    batches, add = list[int](), _brandes_cuda.Sums.add_batch
    monkeypatch.setattr(_brandes_cuda, "EACH_BYTES", room)
    monkeypatch.setattr(_brandes_cuda.Sums, "add_batch", lambda *a: (batches.append(int(a[1].size)), add(*a)))
    grid = gl.generate.grid2d(30, 20, engine="cpu")
    tails, heads, _ = grid.A.to_coo()
    kept = np.random.default_rng(secrets.randbits(32)).random(tails.size) < 0.95
    for host in (gl.Graph((tails[kept], heads[kept]), n=601, engine="cpu"), gl.generate.path(200, engine="cpu")):
        asked = {"sources": [7, 0, 7, host.n - 1], "normalized": False, **extra}
        check(host, get_engine_named("emulated"), "brandes", **asked)
    assert batches == ([4, 4] if room > 1 else [1] * 8)


def test_a_level_with_no_room_in_shared_memory() -> None:
    """A tree whose last levels are wider than the numbers of a level that a block keeps, at the end of a path."""
    child = np.arange(1, 2**13 - 1)
    tails, heads = np.append((child - 1) // 2, np.arange(8190, 8790)), np.append(child, np.arange(8191, 8791))
    tails[child.size] = 0
    G = gl.Graph((tails, heads), n=8791, undirected=True, engine="cpu")
    assert np.bincount(gl.bfs(G, 0).to_numpy()).max() > _brandes_cuda.ROOM
    check(G, get_engine_named("emulated"), "brandes", sources=[0, 8790], normalized=False)


@pytest.mark.parametrize("least", [0, 1])
def test_rows_are_cut_into_pieces(least: int, monkeypatch: Any) -> None:
    engine = get_engine_named("emulated")
    monkeypatch.setattr(_batched_cuda, "PIECE", 8)
    lengths = np.random.default_rng(5).choice([0, 1, 7, 8, 9, 16, 17, 40], 300)
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    rows = CompressedMatrix(300, 300, engine.asarray(indptr), engine.asarray(np.zeros(indptr[-1], np.int32)), None)
    found = _batched_cuda.cut_rows(engine, rows, least)
    cut, others = np.flatnonzero(lengths > 8), np.flatnonzero((lengths >= least) & (lengths <= 8))
    pieces = [(v, b, min(b + 8, indptr[v + 1])) for v in cut for b in range(indptr[v], indptr[v + 1], 8)]
    expected = pieces + [(v, indptr[v], indptr[v + 1]) for v in others]
    held = [np.asarray(engine.to_host(each)) for each in (found.rows, found.begins, found.ends)]
    assert list(zip(*held, strict=True)) == expected
    assert found.split == len(pieces)
    np.testing.assert_array_equal(engine.to_host(found.long), cut)
