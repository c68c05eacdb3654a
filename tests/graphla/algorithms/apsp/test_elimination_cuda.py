"""Elimination by kernels: the panels are those of the host, for fronts that a block closes and those that tiles do."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from apsp_graphs import to_cells
from elimination_graphs import make_planar, make_tree, make_weighted, solve_by_dijkstra

import graphla as gl
from graphla.algorithms.apsp.elimination import fronts_cuda, tables
from graphla.algorithms.apsp.elimination.closed import code
from graphla.algorithms.apsp.elimination.eliminate import DevicePanels, eliminate, get_structure
from graphla.algorithms.apsp.lanes import Branches
from graphla.common.errors import DomainMismatch, NegativeCycle, NotSupported, OutOfMemory, Overflow
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader

pytestmark = pytest.mark.emulated


def make_engine(seed: int | None = None) -> Any:
    build = make_loader(build="plain") if seed is None else make_loader(build="checked", seed=seed)
    return CudaEngine(np, build)


@pytest.fixture(params=["blocks", "tiles"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Close fronts of more than 20 rows by blocks, or by tiles."""
    if request.param == "tiles":
        monkeypatch.setattr(tables, "LARGE_SIDE", 20)
    return request.param


def make_both(G: gl.Graph, dtype: str, semiring: str = "min_plus", seed: int | None = None) -> list[Any]:
    """The panels of the host, and those of the device, copied to the host; cells without a path are all the same."""
    S = get_structure(G)
    found = []
    for each in (G, G.to(make_engine(seed))):
        coding = code(each, semiring, dtype)
        panels = eliminate(coding.graph, coding.cells, S, coding.core)
        assert isinstance(panels, DevicePanels) == (each is not G)
        cells, last = panels.fetch(), panels.arithmetic.last
        found.append([np.where(part > last, panels.arithmetic.zero, part) for part in (cells.up, cells.down)])
    return found


def make_fresh(arcs: tuple[Any, Any], low: int, high: int, dtype: str, seed: int) -> gl.Graph:
    """Random weights over arcs, some of them left out, so that the graph falls into parts."""
    rng = np.random.default_rng(seed)
    kept = rng.random(arcs[0].size) < 0.9
    weights = rng.integers(low, high, int(kept.sum())).astype(dtype)
    n = int(max(map(np.max, arcs))) + 1
    return gl.Graph((arcs[0][kept], arcs[1][kept], weights), n=n, dup="min", engine="cpu")


@pytest.mark.parametrize("name", ["planar", "grid", "cube", "tree", "road", "sparse and disconnected", "star"])
def test_panels_are_those_of_the_host(name: str, way: str) -> None:
    G = make_weighted(name, directed=True)
    for host, device in zip(*make_both(G, "float32"), strict=True):
        np.testing.assert_array_equal(device, host)


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64", "uint32", "uint64", "float64"])
def test_panels_of_every_dtype(dtype: str) -> None:
    G = make_weighted("planar", directed=True, dtype="float64" if dtype == "float64" else "int32")
    for host, device in zip(*make_both(G, dtype), strict=True):
        np.testing.assert_array_equal(device, host)


def test_panels_of_pairs_by_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LARGE_SIDE", 30)
    G = make_weighted("planar", directed=True, dtype="int32")
    for host, device in zip(*make_both(G, "int16"), strict=True):
        np.testing.assert_array_equal(device, host)


SEMIRINGS = [("max_plus", "int32"), ("max_min", "float32"), ("min_max", "int32"), ("max_times", "float64"),
             ("lor_land", "BOOL")]  # fmt: skip


@pytest.mark.parametrize(("semiring", "dtype"), SEMIRINGS)
def test_panels_of_every_semiring(semiring: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if semiring == "max_times":  # whose empty path is not 0
        monkeypatch.setattr(tables, "LARGE_SIDE", 20)
    seed = int(np.random.default_rng().integers(1 << 30))
    low, high = (-20, 0) if semiring == "max_plus" else (0, 2)
    G = make_fresh(make_planar(150, seed % 1000), low, high, {"BOOL": "bool"}.get(dtype, dtype), seed)
    for host, device in zip(*make_both(G, dtype, semiring), strict=True):
        np.testing.assert_array_equal(device, host, err_msg=f"seed {seed}")


def test_fresh_graphs_with_negative_weights(way: str) -> None:
    """Potentials make weights negative, and no cycle."""
    seed = int(np.random.default_rng().integers(1 << 30))
    for arcs in (make_planar(140, seed % 997), make_tree(150, seed % 991)):
        H = make_fresh(arcs, 0, 9, "int32", seed)
        tails, heads, weights = H.A.to_coo()
        height = np.random.default_rng(seed).integers(0, 50, H.n)
        G = gl.Graph((tails, heads, (weights + height[heads] - height[tails]).astype("int32")), n=H.n, engine="cpu")
        for host, device in zip(*make_both(G, "int32"), strict=True):
            np.testing.assert_array_equal(device, host, err_msg=f"seed {seed}")


@pytest.mark.parametrize(("seed", "name", "large"), [(1, "cube", 50), (2, "planar", 384)])
def test_no_race(seed: int, name: str, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LARGE_SIDE", large)
    G = make_weighted(name, directed=True)
    for host, device in zip(*make_both(G, "float32", seed=seed), strict=True):
        np.testing.assert_array_equal(device, host)


def test_a_negative_cycle_is_named(way: str) -> None:
    arcs = make_planar(120, 3)
    tails, heads = np.concatenate([arcs, [[5, 6], [6, 5]]], axis=1)
    weights = np.full(tails.size, 7, "int32")
    weights[-2:] = 3, -4
    G = gl.Graph((tails, heads, weights), n=120, dup="min", engine=make_engine())
    with pytest.raises(NegativeCycle) as caught:
        gl.factorize(G)
    cycle, A = caught.value.vertices, G.A.to_dicts()
    assert sum(A[u][v] for u, v in zip(cycle, [*cycle[1:], cycle[0]], strict=True)) < 0
    with pytest.raises(NotSupported, match="has a product of more than 1"):
        gl.Graph(([0, 1], [1, 0], np.array([2.0, 0.9])), engine=make_engine()).A.star("max_times")


SMALL = [
    gl.Graph(([], []), n=0, engine="cpu"),
    gl.Graph(([], []), n=3, engine="cpu"),
    gl.Graph(([0, 0], [0, 1], np.array([5, 2], "int32")), n=2, engine="cpu"),
]


@pytest.mark.parametrize("G", SMALL, ids=["no vertex", "no arc", "a loop"])
def test_small_graphs(G: gl.Graph) -> None:
    F = gl.factorize(G.to(make_engine()))
    assert F[:].to_dicts() == gl.factorize(G)[:].to_dicts()


def test_a_factor_of_a_device_is_saved_and_takes_new_weights(tmp_path: Path) -> None:
    G = make_weighted("road", directed=True).to(make_engine())
    F, D = gl.factorize(G), solve_by_dijkstra(G).astype("float32")
    F.save(tmp_path / "f.npz")
    for engine in ("cpu", G.engine):
        np.testing.assert_array_equal(to_cells(gl.Factor.load(tmp_path / "f.npz", engine=engine)[:90]), D[:90])
    twice = F.refactor(gl.Graph(G.A.apply(gl.binary.times, 2).new()))
    np.testing.assert_array_equal(to_cells(twice[:90]), 2 * D[:90])


def test_fronts_that_do_not_fit_on_the_device_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    G = make_weighted("cube", directed=False).to(make_engine())
    monkeypatch.setattr(fronts_cuda, "DeviceElimination", None)
    with gl.config.set(memory_limit=50_000), pytest.raises(OutOfMemory, match=r"elimination of .* vertices"):
        gl.factorize(G)


def test_large_fronts_are_chosen_by_their_work() -> None:
    depth, heights = np.array([0, 1, 1, 1, 2]), np.array([385, 300, 300, 300, 30])
    widths = np.array([1, 140, 94, 94, 1 << 21])
    assert tables.choose_by_turn(depth, widths, heights).tolist() == [True, True, True, False, False]


class FakeStream:
    """A stream that notes which events it waits for, and which it has recorded."""

    def __init__(self, non_blocking: bool = False) -> None:
        self.seen: list[Any] = []

    def wait_event(self, event: Any) -> None:
        self.seen.append(("waits for", event))

    def record(self, event: Any = None) -> Any:
        event = event or object()
        self.seen.append(("records", event))
        return event


def test_branches_begin_after_the_main_stream_and_end_before_it_goes_on() -> None:
    main = FakeStream()
    cuda = SimpleNamespace(
        Stream=FakeStream,
        get_current_stream=lambda: main,
        Event=lambda disable_timing: SimpleNamespace(record=lambda stream: stream.record("begin")),
    )
    with Branches(SimpleNamespace(__name__="cupy", cuda=cuda), 3).fork() as streams:
        assert len(streams) == 3
        for stream in streams:
            stream.seen.append("work")
    assert main.seen[0] == ("records", "begin")
    for stream, after in zip(streams, main.seen[1:], strict=True):
        (waits, _), work, (records, event) = stream.seen
        assert (waits, work, records) == ("waits for", "work", "records")
        assert after == ("waits for", event)


def test_int16_that_does_not_fit_is_refused() -> None:
    arcs = make_tree(200, 4)
    G = gl.Graph((*arcs, np.full(arcs[0].size, 9000, "int32")), n=200, engine=make_engine())
    far = int(np.argmax(gl.sssp(G, 0).to_numpy(-1)))
    F = gl.factorize(G, dtype="INT16")
    for key in (0, (0, far)):
        with pytest.raises(Overflow, match="INT16"):
            F[key]
    with pytest.raises(Overflow, match="INT16"):
        gl.apsp(G, method="elimination", dtype="INT16")
    heavy = gl.Graph(([0], [1], np.array([40_000], "int32")), engine=make_engine())
    with pytest.raises(DomainMismatch, match="40000"):
        gl.factorize(heavy, dtype="INT16")
