"""Elimination: the structure by brute force, distances by Floyd–Warshall and Dijkstra, and what a factor answers."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from apsp_graphs import SIGNED, compute_expected, make_graph, to_cells
from elimination_graphs import ARCS, Arcs, make_random, make_weighted, solve_by_dijkstra

import graphla as gl
from graphla.algorithms.apsp import batches
from graphla.algorithms.apsp.elimination import fronts, structure, sweeps_cuda, tree
from graphla.algorithms.apsp.elimination.eliminate import get_structure
from graphla.algorithms.shared.weights import infinity
from graphla.common.errors import (
    DimensionMismatch,
    DomainMismatch,
    GraphlaError,
    InvalidGraph,
    InvalidIndex,
    NegativeCycle,
    NotSupported,
    OutOfMemory,
    Overflow,
)
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("name", ARCS)
def test_distances_are_those_of_dijkstra(name: str, directed: bool) -> None:
    G = make_weighted(name, directed)
    D = gl.apsp(G, method="elimination", dense=True)
    np.testing.assert_array_equal(D, solve_by_dijkstra(G).astype(D.dtype))


def fill_by_brute_force(G: gl.Graph, order: Any) -> Any:
    """The filled pattern, positions by positions, by elimination of one vertex after another."""
    rank = structure.invert(order)
    filled = np.eye(G.n, dtype=bool)
    tails, heads = (rank[part] for part in G.A.to_coo()[:2])
    filled[tails, heads] = filled[heads, tails] = True
    for k in range(G.n):
        later = np.flatnonzero(filled[k, k + 1 :]) + k + 1
        filled[np.ix_(later, later)] = True
    return filled


@pytest.mark.parametrize("name", ["planar", "road", "random", "sparse and disconnected"])
def test_fronts_cover_the_filled_pattern(name: str) -> None:
    G = make_weighted(name, directed=True)
    S = structure.analyze(G.csr.indptr, G.csr.indices)
    assert sorted(S.order) == list(range(G.n))
    filled, held = fill_by_brute_force(G, S.order), np.zeros((G.n, G.n), bool)
    for s in range(S.parent.size):
        own, edge = np.arange(S.first[s], S.first[s + 1]), S.rows[S.start[s] : S.start[s + 1]]
        assert (np.diff(edge) > 0).all()
        assert (edge >= S.first[s + 1]).all()
        front = np.concatenate([own, edge])
        held[np.ix_(own, front)] = held[np.ix_(front, own)] = True
        if edge.size:
            p = S.parent[s]
            above = np.concatenate([np.arange(S.first[p], S.first[p + 1]), S.rows[S.start[p] : S.start[p + 1]]])
            np.testing.assert_array_equal(above[S.place[S.start[s] : S.start[s + 1]]], edge)
    assert not (filled & ~held).any()
    assert held.sum() < 3 * filled.sum()


def test_supernodes_without_merging_hold_the_filled_pattern_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "find_supernodes", lambda parent, count: np.arange(parent.size, dtype=np.int32))
    G = make_weighted("planar", directed=False)
    S = structure.analyze(G.csr.indptr, G.csr.indices)
    filled = fill_by_brute_force(G, S.order)
    assert int(S.boundaries.sum()) == int(np.triu(filled, 1).sum())


def test_large_fronts_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fronts, "LARGE", 1000)
    for name in ("cube", "random"):
        G = make_weighted(name, directed=True)
        D = gl.apsp(G, method="elimination", dense=True)
        np.testing.assert_array_equal(D, solve_by_dijkstra(G).astype(D.dtype))


def test_a_negative_cycle_in_a_large_front(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fronts, "LARGE", 100)
    here = np.arange(100)
    W = np.ones((100, 100), np.float32)
    W[here, (here + 1) % 100] = -0.5
    with pytest.raises(NegativeCycle):
        gl.factorize(gl.Graph((*np.nonzero(W), W.ravel()), n=100, engine="cpu"))


def test_negative_weights_of_a_factor() -> None:
    for W in SIGNED.values():
        F = gl.factorize(make_graph(W, "float32", "cpu"))
        np.testing.assert_array_equal(to_cells(F[:]), compute_expected(W, "float32"))


@pytest.fixture(scope="module")
def road() -> tuple[gl.Graph, gl.Factor, Any]:
    G = make_weighted("road", directed=True)
    return G, gl.factorize(G), solve_by_dijkstra(G)


def test_sources_and_targets(road: Any) -> None:
    G, F, D = road
    n = G.n
    rng = np.random.default_rng(8)
    some, others = rng.integers(0, n, 130), rng.integers(0, n, 7)
    np.testing.assert_array_equal(to_cells(F[some]), D[some].astype("float32"))
    np.testing.assert_array_equal(to_cells(F[some, others]), D[np.ix_(some, others)].astype("float32"))
    np.testing.assert_array_equal(F[3].to_numpy(np.inf), D[3].astype("float32"))
    np.testing.assert_array_equal(F[5, ::-7].to_numpy(np.inf), D[5, ::-7].astype("float32"))
    np.testing.assert_array_equal(F[others, 11].to_numpy(np.inf), D[others, 11].astype("float32"))
    assert F[[], :].shape == (0, n)
    for i, j in zip(some, others, strict=False):
        assert F[int(i), j] == (None if np.isinf(D[i, j]) else D[i, j])


def test_blocks_are_all_rows(road: Any) -> None:
    _, F, D = road
    starts, blocks = zip(*F.blocks(70), strict=True)
    assert starts == tuple(range(0, F.n, 70))
    np.testing.assert_array_equal(np.concatenate(blocks), D.astype("float32"))


class Stop(Exception):
    pass


@pytest.mark.parametrize("on", ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)])
@pytest.mark.parametrize("semiring", ["min_plus", "max_plus"])
def test_rows_go_to_a_file(on: str, semiring: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "CELLS", 300 * 20)
    path, G = tmp_path / "rows.npy", make_weighted("planar", directed=True)
    G = gl.Graph(G.A.apply(gl.unary.ainv).new() if semiring == "max_plus" else G.A, engine="cpu")
    F = gl.factorize(G.to("cpu" if on == "cpu" else make_engine()), semiring=semiring)

    def stop(done: int, total: int) -> None:
        if 2 * done > total:
            raise Stop

    with pytest.raises(Stop):
        F.write_rows(path, progress=stop)
    told: list[int] = []
    rows = F.write_rows(path, progress=lambda done, total: told.append(done))
    assert told[0] > G.n // 2
    assert told[-1] == G.n
    sign = -1 if semiring == "max_plus" else 1
    np.testing.assert_array_equal(rows, sign * solve_by_dijkstra(gl.Graph(G.A.apply("times", sign).new())))
    with pytest.raises(NotSupported, match="over max_min writes no files"):
        gl.factorize(G.to("cpu"), semiring="max_min").write_rows(path)
    with pytest.raises(GraphlaError, match="there is no folder"):
        F.write_rows(tmp_path / "none" / "rows.npy")
    with pytest.raises(GraphlaError, match=r"give the name of a \.npy file"):
        F.write_rows(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_paths_and_next_hops(road: Any, dtype: str) -> None:
    G = make_weighted("road", directed=True, dtype=dtype)
    F, D = gl.factorize(G), road[2]
    A = G.A.to_dicts()
    hops = F.next_hops(4).to_dict()
    for j in range(0, G.n, 29):
        path = F.path(4, j)
        assert bool(path) == np.isfinite(D[4, j])
        if path:
            assert (path[0], path[-1]) == (4, j)
            assert sum(A[u][v] for u, v in pairwise(path)) == D[4, j]
            assert hops[j] == j if j == 4 else D[4, j] == A[4][hops[j]] + D[hops[j], j]
    assert hops.keys() == set(np.flatnonzero(np.isfinite(D[4])))


def test_paths_of_weights_that_round() -> None:
    tails, heads = ARCS["planar"]
    w = np.random.default_rng(1).random(tails.size).astype("float32")
    G = gl.Graph((tails, heads, w), n=300, engine="cpu")
    F, A = gl.factorize(G), G.A.to_dicts()
    for j in range(0, 300, 31):
        path = F.path(0, j)
        assert np.isclose(sum(A[u][v] for u, v in pairwise(path)), F[0, j] or 0.0, rtol=1e-5)


def test_new_weights_take_the_old_structure(road: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    G, F, _ = road
    H = gl.Graph(G.A.apply(gl.binary.plus, 3).new())
    monkeypatch.setattr(structure, "compute_order", None)
    D = F.refactor(H)[:]
    np.testing.assert_array_equal(to_cells(D), solve_by_dijkstra(H).astype("float32"))
    other = gl.Graph(([0], [1], np.ones(1, "float32")), n=G.n, engine="cpu")
    with pytest.raises(InvalidGraph, match="its arcs are not those of this factor"):
        F.refactor(other)


def test_a_factor_stays_when_its_graph_changes() -> None:
    G = gl.Graph(([0, 1], [1, 2], [1, 2]), engine="cpu")
    F = gl.factorize(G)
    G.A[0, 1] = 50
    assert F[0, 2] == 3
    assert F.path(0, 2) == [0, 1, 2]


def test_a_file_brings_the_factor_back(road: Any, tmp_path: Path) -> None:
    _, F, D = road
    F.save(tmp_path / "f.npz")
    back = gl.Factor.load(tmp_path / "f.npz", engine="cpu")
    np.testing.assert_array_equal(to_cells(back[:40]), D[:40].astype("float32"))
    assert back.path(0, 7) == F.path(0, 7)


ARRAY = b"\x93NUMPY\1\0F\0" + b"{'descr':'|u1','fortran_order':False,'shape':(0,)}".ljust(70)


def test_a_damaged_file_is_refused(road: Any, tmp_path: Path) -> None:
    road[1].save(path := tmp_path / "f.npz")
    whole = path.read_bytes()
    for content in (b"", ARRAY, b"PK\3\4", whole[: len(whole) // 2], whole[:3000] + b"\7" * 9 + whole[3009:]):
        path.write_bytes(content)
        with pytest.raises(GraphlaError, match="factor"):
            gl.Factor.load(path)
    np.savez(path, a=np.ones(3))
    with pytest.raises(GraphlaError, match="it is no factor, or damaged"):
        gl.Factor.load(path)


@pytest.mark.parametrize(
    ("key", "error"),
    [
        ("a", InvalidGraph),
        (9999, InvalidGraph),
        (-1, InvalidGraph),
        ((0, 1, 2), InvalidIndex),
        (slice("a", None), InvalidIndex),
        ((0, slice(None, None, 0)), InvalidIndex),
        ([[1, 2], [3]], InvalidGraph),
        ([0.5], InvalidGraph),
        (None, InvalidGraph),
    ],
    ids=str,
)
def test_bad_keys_are_refused(road: Any, key: Any, error: type[GraphlaError]) -> None:
    with pytest.raises(error):
        road[1][key]


def test_distances_that_do_not_fit_are_refused() -> None:
    F = gl.factorize(gl.Graph(([0, 1], [1, 2], np.full(2, 2**30, "int32")), engine="cpu"))
    for key in (0, (0, 2), ([1, 0], [2, 2]), (slice(None), 2)):
        with pytest.raises(Overflow, match="ask for dtype='INT64'"):
            F[key]
    assert F[2, 0] is None
    assert F[0, 1] == 2**30
    wide = gl.factorize(gl.Graph(([0, 1], [1, 2], np.full(2, 2**30, "int32")), engine="cpu"), dtype="INT64")
    assert wide[0, 2] == 2**31
    assert infinity(wide.dtype) == 2**63 - 1


def test_a_factor_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    G = make_weighted("cube", directed=False)
    monkeypatch.setattr(fronts, "Elimination", None)
    with (
        gl.config.set(memory_limit=50_000),
        pytest.raises(OutOfMemory, match=r"elimination of .* vertices .*sssp_sweep"),
    ):
        gl.factorize(G)


def make_engine(seed: int | None = None) -> Any:
    build = make_loader(build="plain") if seed is None else make_loader(build="checked", seed=seed)
    return CudaEngine(np, build)


@pytest.fixture
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several passes, subtrees as tasks, and fronts whose strips are shared out."""
    monkeypatch.setattr(sweeps_cuda, "SUBTREES", 6)
    monkeypatch.setattr(sweeps_cuda, "TOGETHER", 64)


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> None:
    """What X held before is the best of all distances."""
    allocate = sweeps_cuda.DeviceSweeps._allocate

    def allocate_zeros(sweeps: Any, width: int) -> Any:
        X = allocate(sweeps, width)
        X.fill(0)
        return X

    monkeypatch.setattr(sweeps_cuda.DeviceSweeps, "_allocate", allocate_zeros)


@pytest.fixture(params=["a launch per level", "one launch"])
def way_down(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways down the tree."""
    monkeypatch.setattr(sweeps_cuda, "FEW_WORDS", 1 << 20 if request.param == "one launch" else 0)


@pytest.mark.emulated
@pytest.mark.usefixtures("small_tasks", "way_down", "poison")
@pytest.mark.parametrize("name", ["planar", "cube", "road", "sparse and disconnected"])
def test_sweeps_on_the_device(name: str) -> None:
    G = make_weighted(name, directed=True).to(make_engine())
    D = solve_by_dijkstra(G).astype("float32")
    told: list[tuple[int, int]] = []
    solved = gl.apsp(G, method="elimination", dense=True, progress=lambda done, of: told.append((done, of)))
    np.testing.assert_array_equal(solved, D)
    assert told[0] == (64, G.n)
    assert told[-1] == (G.n, G.n)
    F = gl.factorize(G)
    starts, blocks = zip(*F.blocks(24), strict=True)
    assert starts == tuple(range(0, G.n, 24))
    np.testing.assert_array_equal(np.concatenate(blocks), D)
    some, others = np.random.default_rng(3).integers(0, G.n, (2, 70))
    np.testing.assert_array_equal(to_cells(F[some, others]), D[np.ix_(some, others)])


@pytest.mark.emulated
@pytest.mark.usefixtures("small_tasks", "way_down")
@pytest.mark.parametrize(("dtype", "asked"), [("int32", "INT16"), ("int32", None), ("int64", None), ("float64", None)])
def test_dtypes_on_the_device(dtype: str, asked: str | None) -> None:
    G = make_weighted("road", directed=True, dtype=dtype).to(make_engine())
    D = gl.factorize(G, dtype=asked)[:]
    np.testing.assert_array_equal(D.to_numpy(-1), np.nan_to_num(solve_by_dijkstra(G), posinf=-1))


@pytest.mark.emulated
@pytest.mark.parametrize(("rows", "asked", "few"), [(64, None, True), (256, None, False), (256, "INT16", True)])
def test_few_words_go_down_in_one_launch(
    rows: int, asked: str | None, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    G = make_weighted("road", directed=True, dtype="int32" if asked else "float32").to(make_engine())
    names, kernel = set[str](), sweeps_cuda.DeviceSweeps.kernel

    def note(sweeps: Any, name: str, *args: Any, **options: Any) -> Any:
        names.add(name)
        return kernel(sweeps, name, *args, **options)

    monkeypatch.setattr(sweeps_cuda.DeviceSweeps, "kernel", note)
    D = gl.factorize(G, dtype=asked)[:rows]
    assert names & {"sweep_down", "sweep_down_few"} == {"sweep_down_few" if few else "sweep_down"}
    np.testing.assert_array_equal(D.to_numpy(-1), np.nan_to_num(solve_by_dijkstra(G)[:rows], posinf=-1))


@pytest.mark.emulated
@pytest.mark.usefixtures("small_tasks", "way_down")
@pytest.mark.parametrize("seed", [1, 2])
def test_sweeps_have_no_race(seed: int) -> None:
    G = make_weighted("cube", directed=True).to(make_engine(seed))
    np.testing.assert_array_equal(to_cells(gl.factorize(G)[:100]), solve_by_dijkstra(G)[:100].astype("float32"))


def test_roads_are_eliminated_by_default() -> None:
    G = gl.generate.road(12_000, engine="cpu")
    name, why = gl.apsp.preferred(G, {})
    assert name == "elimination"
    assert re.search(r"[\d,]+ fronts of up to \d+ vertices, a factor of [\d,]+ bytes, [\d,]+ updates, then", why)
    assert "against" in why
    assert gl.apsp.choose(G, None, {"next_hops": False}).name == "elimination"


def test_a_dtype_does_not_keep_roads_from_elimination() -> None:
    G = gl.generate.road(12_000, weights=(1, 9), engine="cpu")
    name, why = gl.apsp.preferred(G, {"dtype": "INT16"})
    assert name == "elimination"
    assert why.startswith("dtype='INT16' was requested; elimination with")
    assert gl.apsp.preferred(gl.generate.complete(200, engine="cpu"), {"dtype": "INT16"})[0] == "blocked_floyd_warshall"


@pytest.mark.parametrize("on", ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)])
def test_what_it_costs_is_said_before(on: str, monkeypatch: pytest.MonkeyPatch) -> None:
    G = gl.generate.road(1500, weights=(1, 9), engine="cpu" if on == "cpu" else make_engine())
    monkeypatch.setattr(gl.algorithms.apsp.elimination.factor, "eliminate", None)
    asked = gl.Factor.explain(G, dtype="INT16")
    S = get_structure(G)
    heights = S.widths + S.boundaries
    assert (
        f"{int((S.widths * heights**2).sum()):,} updates, {2 * int((S.widths * heights**2).sum()):,} operations"
        in asked
    )
    assert f"{S.parent.size:,} fronts of up to {heights.max():,} vertices" in asked
    assert f"{2 * S.cells:,} bytes of the factor" in asked
    assert f"{2 * G.n * G.n:,} bytes, about" in asked
    lines = gl.apsp.explain(G, method="elimination", dtype="INT16").splitlines()
    assert lines == ["elimination: requested by the caller", *asked.splitlines()]
    assert gl.Factor.explain(G, semiring="lor_land").splitlines()[0].endswith("uint8")


def test_graphs_without_separators_are_not_eliminated() -> None:
    rng = np.random.default_rng(0)
    G = gl.Graph(tuple(rng.integers(0, 6000, (2, 24_000))), n=6000, dup="first", engine="cpu")
    assert gl.apsp.preferred(G, {})[0] != "elimination"


def test_an_order_that_takes_long_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "compute_order", None)
    G = gl.Graph(tuple(np.random.default_rng(0).integers(0, 3000, (2, 300_000))), n=3000, dup="first", engine="cpu")
    assert gl.apsp.preferred(G, {})[0] == "blocked_floyd_warshall"


PLUS = {"min_plus": np.minimum, "max_plus": np.maximum, "max_min": np.maximum, "min_max": np.minimum,
        "max_times": np.maximum, "lor_land": np.logical_or}  # fmt: skip
TIMES = {"min_plus": np.add, "max_plus": np.add, "max_min": np.minimum, "min_max": np.maximum,
         "max_times": np.multiply, "lor_land": np.logical_and}  # fmt: skip
ENDS = {"min_plus": (np.inf, 0), "max_plus": (-np.inf, 0), "max_min": (-np.inf, np.inf), "min_max": (np.inf, -np.inf),
        "max_times": (0, 1), "lor_land": (False, True)}  # fmt: skip


def make_values(name: str, count: int, dtype: str) -> Any:
    values = np.random.default_rng(4).integers(1, 30, count)
    return {"max_plus": -values, "max_times": values / 30, "lor_land": values % 5 > 0}.get(name, values).astype(dtype)


def close_by_brute_force(name: str, n: int, arcs: Arcs, values: Any) -> Any:
    """Floyd–Warshall over a semiring, in float64 or truths."""
    zero, one = ENDS[name]
    C = np.full((n, n), zero, np.float64 if name != "lor_land" else bool)
    C[arcs] = values
    C[np.arange(n), np.arange(n)] = PLUS[name](one, C.diagonal())
    for k in range(n):
        C = PLUS[name](C, TIMES[name](C[:, k : k + 1], C[k : k + 1, :]))
    return C


STARS = [
    ("min_plus", "int32"), ("max_plus", "int32"), ("max_plus", "float32"), ("max_min", "float32"), ("min_max", "int32"),
    ("max_times", "float64"), ("lor_land", "bool"),
]  # fmt: skip


@pytest.mark.usefixtures("small_tasks")
@pytest.mark.parametrize(("name", "dtype"), STARS)
@pytest.mark.parametrize("on", ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)])
def test_the_star_of_a_semiring(name: str, dtype: str, on: str) -> None:
    arcs = tuple(np.unique(np.array([[u, v] for u, v in zip(*make_random(60, 8), strict=True)]), axis=0).T)
    n, values = 63, make_values(name, arcs[0].size, dtype)
    wanted = close_by_brute_force(name, n, arcs, values)
    A = gl.Matrix.from_coo(*arcs, values, nrows=n, ncols=n, engine="cpu" if on == "cpu" else make_engine())
    found = A.star(getattr(gl.semiring, name))
    if name == "lor_land":
        assert found.dtype == "BOOL"
        np.testing.assert_array_equal(found.to_numpy(False), wanted)
        return
    cells = found.dtype.numpy
    known = wanted != ENDS[name][0]
    ends = np.finfo(cells) if np.dtype(cells).kind == "f" else np.iinfo(cells)
    np.testing.assert_array_equal(found.to_numpy(7777) != 7777, known)
    exact = np.clip(wanted[known], ends.min, ends.max) if np.dtype(cells).kind != "f" else wanted[known]
    np.testing.assert_allclose(found.to_numpy(7777)[known].astype(float), exact, rtol=1e-12)


def test_factors_over_semirings(tmp_path: Path) -> None:
    G = gl.Graph(([0, 1, 0], [1, 2, 2], np.array([5, 3, 1], "float32")), engine="cpu")
    F = gl.factorize(G, semiring="max_plus")
    assert (F.semiring, F[0, 2], F.path(0, 2)) == ("max_plus", 8, [0, 1, 2])
    W = gl.factorize(G, semiring="max_min")
    W.save(tmp_path / "w")
    for each in (W, gl.Factor.load(tmp_path / "w", engine="cpu"), W.refactor(G)):
        assert (each.semiring, each[0, 2], each[2, 0]) == ("max_min", 3, None)
    _, block = next(gl.factorize(G, semiring="min_max").blocks(3))
    assert block[0].tolist() == [-np.inf, 5, 1]
    with pytest.raises(NotSupported, match="a factor over max_min has no paths"):
        W.path(0, 2)


def test_semirings_that_have_no_star_are_refused() -> None:
    A = gl.Matrix.from_coo([0, 1], [1, 0], np.array([2.0, 0.9]), nrows=2, ncols=2, engine="cpu")
    with pytest.raises(NotSupported, match="elimination takes the closed semirings min_plus"):
        A.star("plus_times")
    with pytest.raises(NotSupported, match=r"a cycle through vertex . has a product of more than 1"):
        A.star("max_times")
    with pytest.raises(NegativeCycle, match="a cycle of positive weight"):
        A.star("max_plus")
    with pytest.raises(DomainMismatch, match="give probabilities"):
        A.apply(gl.unary.ainv).new().star("max_times")
    with pytest.raises(NotSupported, match="lor_land gives BOOL"):
        gl.factorize(gl.Graph(A), semiring="lor_land", dtype="INT32")
    with pytest.raises(DimensionMismatch, match="2 × 3"):
        gl.Matrix("FP32", 2, 3, engine="cpu").star("min_plus")
