"""Flows by every method against SciPy and each other; certificates; capacities of every kind."""

from __future__ import annotations

import secrets
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import maximum_flow

import graphla as gl
from graphla.algorithms.max_flow import MaxFlow, _preflow_cuda, describe_difference
from graphla.algorithms.max_flow._network import SUM_BITS, make_network
from graphla.common.errors import (
    DimensionMismatch,
    GraphlaError,
    InvalidGraph,
    InvalidOption,
    NotSupported,
    VerificationError,
)
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.max_flow)


def fresh(seed: int, n: int = 40, arcs: int = 180, dtype: str = "int32") -> gl.Graph:
    """A random network with hubs, loops, antiparallel arcs and capacities of zero."""
    rng = np.random.default_rng(seed)
    tails, heads = (rng.random(arcs) ** 2 * n).astype(int), rng.integers(0, n, arcs)
    weights = rng.integers(0, 30, arcs)
    values = weights.astype(dtype) if dtype.startswith("int") else (weights / 7).astype(dtype)
    return gl.Graph((tails, heads, values), n=n, dup="first", engine="cpu")


def solve(G: gl.Graph, source: int, sink: int, name: str, engine: str) -> MaxFlow:
    """The answer of a method, certified."""
    found = gl.max_flow(G.to(get_engine_named(engine)), source, sink, method=name)
    found = MaxFlow(found.value, found.flow.to("cpu"), found.cut.to("cpu"))
    gl.max_flow.verify(G, source, found, sink=sink)
    return found


def find_cut_by_hand(G: gl.Graph, found: MaxFlow, sink: int) -> list[bool]:
    """Which vertices cannot reach the sink by arcs that could take more, or give back."""
    capacity, flow = G.A.to_dense(0).astype(float), found.flow.to_dense(0).astype(float)
    room = capacity - flow + flow.T > 1e-9
    reached = {sink}
    while more := {v for w in reached for v in np.flatnonzero(room[:, w]).tolist()} - reached:
        reached |= more
    return [v not in reached for v in range(G.n)]


@pytest.mark.parametrize(("name", "engine"), [case for case in CASES if case.values != ("algebraic", "emulated")])
@pytest.mark.parametrize("small", [1e-300, 5e-324, 3e-14])
def test_a_flow_far_below_the_largest_capacity(name: str, engine: str, small: float) -> None:
    """Two small arcs limit what huge and infinite ones could take; then a flow that is nothing."""
    G = gl.Graph(([0, 1, 0, 2, 3, 4], [1, 3, 2, 3, 4, 5], [1e300, small, 0.1, 2 * small, np.inf, 0.7]), n=7)
    found = solve(G, 0, 5, name, engine)
    assert found.value == 3 * small
    assert found.flow.get(1, 3) == small
    assert found.cut.to_numpy(False).tolist() == [True, True, True, False, False, False, True]
    assert solve(G, 0, 6, name, engine).value == 0
    apart = gl.Graph(([1, 2], [2, 1], [2.0**1000, 2.0**-200]), n=3)  # the ratio is beyond FP64
    assert solve(apart, 0, 1, name, engine).cut.to_numpy(False).tolist() == [True, False, False]
    with pytest.raises(VerificationError, match="cut take"):
        gl.max_flow.verify(G, 0, MaxFlow(0.0, gl.Matrix("FP64", 7, 7), found.cut), sink=5)


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_networks(name: str, engine: str) -> None:
    """The value of SciPy, and the cut nearest to the sink."""
    seed = secrets.randbits(31)
    rng = np.random.default_rng(seed)
    for n, arcs in ((12, 40), (16 if engine == "emulated" and name == "algebraic" else 40, 250)):
        G = fresh(seed, n, arcs)
        source, sink = rng.choice(G.n, 2, replace=False).tolist()
        found = solve(G, source, sink, name, engine)
        A = sp.csr_array(G.A.to_scipy_sparse()).astype(np.int32)
        assert found.value == maximum_flow(A, source, sink).flow_value, seed
        assert isinstance(found.value, int)
        assert found.flow.dtype == "INT64"
        assert found.cut.to_numpy(False).tolist() == find_cut_by_hand(G, found, sink), seed
        assert (found.flow.to_dense(0) * found.flow.to_dense(0).T).sum() == 0


@pytest.mark.parametrize(("name", "engine"), [case for case in CASES if case.values != ("algebraic", "emulated")])
def test_capacities_that_are_floats(name: str, engine: str) -> None:
    """A seventh of whole capacities gives a seventh of the flow and the same cut, for each width and unit."""
    seed = secrets.randbits(31)
    whole = gl.max_flow(fresh(seed, 12, 50), 0, 9)
    for factor, dtype in ((1.0, "float32"), (1e200, "float64"), (1e-200, "float64")):
        G = fresh(seed, 12, 50, dtype)
        G = gl.Graph((G.A * factor).new()) if factor != 1 else G
        found = solve(G, 0, 9, name, engine)
        assert found.value == pytest.approx(whole.value / 7 * factor, rel=1e-6), seed
        assert found.flow.dtype == "FP64"


SHAPES: dict[str, Any] = {
    "no arcs": ([], [], [], 3, 0),
    "one arc": ([0], [2], [5], 3, 5),
    "the wrong way": ([2], [0], [5], 3, 0),
    "both ways": ([0, 2], [2, 0], [5, 9], 3, 5),
    "a loop on the way": ([0, 1, 1], [1, 1, 2], [5, 9, 4], 3, 4),
    "a path": ([*range(3, 30), 0], [*range(4, 30), 2, 3], [9] * 28, 30, 9),
    "nothing through": ([0, 1], [1, 2], [5, 0], 3, 0),
    "one to give back": ([0, 0, 1, 1, 3, 4], [1, 3, 3, 4, 2, 2], [2, 2, 2, 1, 3, 1], 5, 4),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, weights, n, value = SHAPES[shape]
    arcs = (np.array(tails, int), np.array(heads, int), np.array(weights, "int32"))
    assert solve(gl.Graph(arcs, n=n, engine="cpu"), 0, 2, name, engine).value == value


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_infinite_capacities(name: str, engine: str) -> None:
    inf = np.inf
    G = gl.Graph(([0, 0, 1, 3, 3], [1, 3, 2, 2, 1], [inf, inf, 2.5, 1.25, inf]), engine="cpu")
    found = solve(G, 0, 2, name, engine)
    assert (found.value, found.cut.to_numpy().tolist()) == (3.75, [True, True, False, True])
    G = gl.Graph(([0, 1, 0], [1, 2, 2], [inf, inf, 1.0]), engine="cpu")
    with pytest.raises(InvalidGraph, match="infinite capacities leads from source to sink"):
        solve(G, 0, 2, name, engine)


@pytest.mark.parametrize("dtype", ["BOOL", "UINT8", "INT64", "FP32"])
def test_every_dtype(dtype: str) -> None:
    """All capacities are one: the value is the number of paths without a common arc."""
    g = nx.gnp_random_graph(30, 0.15, seed=3, directed=True)
    G = gl.Graph(gl.Graph(g, engine="cpu").A.apply("one").new(dtype))
    assert gl.max_flow(G, 0, 9).value == len(list(nx.edge_disjoint_paths(g, 0, 9)))


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [9, 0])
def test_the_kernels_in_any_order_of_threads(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with rows that a block pushes along, and with few rounds between searches; the emulator reports races."""
    monkeypatch.setattr(_preflow_cuda, "LONG_ROW", 40)
    monkeypatch.setattr(_preflow_cuda, "LEAST_ROUNDS", 1)
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    other = secrets.randbits(31)
    for G in (fresh(other, 70, 900), gl.generate.grid2d(9, weights=(1, 20), engine="cpu")):
        expected = gl.max_flow(G, 0, 50)
        found = gl.max_flow(G.to(engine), 0, 50, method="push_relabel")
        assert found.value == expected.value, other
        assert found.cut.to_numpy().tolist() == expected.cut.to_numpy().tolist(), other
        gl.max_flow.verify(G, 0, found, sink=50)


def test_larger_networks_agree() -> None:
    """Kronecker and a grid of many levels: by SciPy."""
    for G in (gl.generate.kronecker(10, weights=(1, 255), engine="cpu"), gl.generate.grid2d(40, engine="cpu")):
        A = sp.csr_array(G.A.to_scipy_sparse()).astype(np.int32)
        degrees = np.asarray(G.degrees)
        source, sink = np.argsort(-degrees)[[0, 3]].tolist()
        found = gl.max_flow(G, source, sink)
        gl.max_flow.verify(G, source, found, sink=sink)
        assert found.value == maximum_flow(A, source, sink).flow_value


def make_frames(seed: int, side: int, frames: int) -> gl.Graph:
    """An RMF network: frames of wide arcs, joined by narrow ones from each vertex to one of the next frame."""
    rng, area = np.random.default_rng(seed), side * side
    frame = np.arange(area).reshape(side, side)
    pairs = [(frame[:, :-1], frame[:, 1:]), (frame[:-1], frame[1:])]
    one = np.concatenate([np.stack(both).reshape(2, -1) for x, y in pairs for both in ((x, y), (y, x))], axis=1)
    within = np.concatenate([one + k * area for k in range(frames)], axis=1)
    after = [(frame.ravel() + k * area, rng.permutation(area) + (k + 1) * area) for k in range(frames - 1)]
    between = np.concatenate(after, axis=1)
    weights = np.concatenate([np.full(within.shape[1], 10000 * area), rng.integers(1, 10000, between.shape[1])])
    return gl.Graph((*np.concatenate([within, between], axis=1), weights.astype("int32")), engine="cpu")


def test_many_long_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Push and relabel goes on from the flow of some searches, and does all by itself."""
    from graphla.algorithms.max_flow import _dinic_cpu

    seed, calls, finish = secrets.randbits(31), [], _dinic_cpu.finish
    monkeypatch.setattr(_dinic_cpu, "finish", lambda *given: calls.append(1) or finish(*given))
    G = make_frames(seed, 5, 30)
    expected = maximum_flow(sp.csr_array(G.A.to_scipy_sparse()).astype(np.int32), 0, G.n - 1).flow_value
    cuts = []
    for name in ("dinic", "push_relabel"):
        found = solve(G, 0, G.n - 1, name, "cpu")
        assert found.value == expected, seed
        cuts.append(found.cut.to_numpy().tolist())
    assert cuts[0] == cuts[1]
    assert len(calls) == 1


def test_sums_are_bounded_and_floats_keep_their_bits() -> None:
    most = 2 ** (SUM_BITS - 1)
    G = gl.Graph(([0, 1], [1, 2], np.array([most - 1, most - 1])), engine="cpu")
    assert gl.max_flow(G, 0, 2).value == most - 1
    with pytest.raises(NotSupported, match=r"their sum must be below 2\*\*61"):
        gl.max_flow(gl.Graph(([0, 1], [1, 2], np.array([most, most]))), 0, 2)
    network = make_network(gl.Graph(([0, 1, 2], [1, 2, 0], [0.1, 3.0, 1e-9]), engine="cpu"))
    assert network.finite < 2**SUM_BITS
    assert network.exponent is not None
    assert np.ldexp(float(network.capacity.values[0]), -network.exponent) == 0.1


@pytest.mark.parametrize(("name", "engine"), CASES)
@pytest.mark.parametrize("held", [np.int64(2**62), np.int64(-1), np.inf, 1e300])
def test_loops_carry_nothing_whatever_they_hold(name: str, engine: str, held: Any) -> None:
    """Whole numbers on loops alone were too large to be added up, and floats there took the bits of small ones."""
    G = gl.Graph(([0, 0, 1, 2], [0, 1, 2, 2], np.array([held, 3, 2, held])), n=3)
    found = solve(G, 0, 2, name, engine)
    assert found.value == 2
    assert found.flow.nvals == 2


def test_wrong_answers_are_found() -> None:
    G = gl.Graph(([0, 0, 1, 2], [1, 2, 3, 3], [3, 2, 2, 3]), engine="cpu")

    def claim(value: int, arcs: list[tuple[int, int, int]], cut: list[bool]) -> MaxFlow:
        tails, heads, flows = np.array(arcs).T
        shape = {"nrows": 4, "ncols": 4, "engine": "cpu"}
        F = gl.Matrix.from_coo(tails, heads, flows.astype("int64"), **shape)
        return MaxFlow(value, F, gl.Vector.from_dense(np.array(cut), engine="cpu"))

    whole, side = [(0, 1, 2), (1, 3, 2), (0, 2, 2), (2, 3, 2)], [True, True, False, False]
    gl.max_flow.verify(G, 0, claim(4, whole, side), sink=3)
    for answer, message in (
        (claim(3, whole, side), "4 leaves the source, and the value is 3"),
        (claim(2, whole[:2], side), "the arcs of the cut take 4, and the value is 2"),
        (claim(4, [(0, 1, 2), *whole[2:]], side), "-2 more leaves vertex 1"),
        (claim(6, [(0, 1, 4), (1, 3, 4), *whole[2:]], side), "4 flows along 0 → 1, which takes 3"),
        (claim(4, [(0, 3, 4)], side), "4 flows along 0 → 3, which takes 0"),
        (claim(4, whole, [True] * 4), "the cut does not separate 0 from 3"),
    ):
        with pytest.raises(VerificationError, match=message):
            gl.max_flow.verify(G, 0, answer, sink=3)


def test_bad_input_is_refused() -> None:
    G = fresh(1)
    with pytest.raises(InvalidGraph, match=r"an arc has the capacity -1.*no capacity may be negative"):
        gl.max_flow(gl.Graph(([0, 1], [1, 2], [2, -1])), 0, 2)
    with pytest.raises(InvalidOption, match="sink=3: it is the source, too"):
        gl.max_flow(G, 3, 3)
    for source, sink, what in ((40, 0, "source=40"), (0, -1, "sink=-1"), (0, "x", "sink='x'")):
        with pytest.raises(GraphlaError, match=what):
            gl.max_flow(G, source, sink)  # type: ignore[arg-type]
    with pytest.raises(NotSupported, match="no method 'fast'"):
        gl.max_flow(G, 0, 1, method="fast")
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.max_flow(3, 0, 1)  # type: ignore[arg-type]
    for answer in (3, gl.max_flow(fresh(1, n=30), 0, 1)):
        with pytest.raises(DimensionMismatch, match="answer="):
            gl.max_flow.verify(G, 0, answer, sink=1)  # type: ignore[arg-type]


def test_a_comparison() -> None:
    G = fresh(3)
    found = gl.compare("max_flow", G, repeat=1, source=2, sink=9)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "dinic", "NetworkX", "SciPy"}
    answer = gl.max_flow(G, 2, 9)
    (kind,) = gl.max_flow.gives
    again = kind.from_array(G, kind.to_array(answer))
    assert (again.value, again.cut.isequal(answer.cut), again.flow.isequal(answer.flow)) == (answer.value, True, True)
    other = kind.to_array(answer)
    other["value"][-1] += 1
    assert describe_difference(other, kind.to_array(answer), {}) is not None


@pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")
def test_networkx_finds_the_same_cut_and_a_flow_of_its_value() -> None:
    seed = secrets.randbits(31)
    for g in (nx.gnp_random_graph(40, 0.15, seed=seed, directed=True), nx.gnp_random_graph(40, 0.1, seed=seed)):
        rng = np.random.default_rng(seed)
        for k, (_, _, data) in enumerate(g.edges(data=True)):
            if k % 9:
                data["capacity"] = int(rng.integers(0, 20))
        g.add_edge(0, 1, capacity=3)
        try:
            expected = nx.minimum_cut(g, 0, 7)
        except nx.NetworkXUnbounded:
            with pytest.raises(nx.NetworkXUnbounded):
                nx.minimum_cut(g, 0, 7, backend="graphla")
            continue
        assert nx.minimum_cut(g, 0, 7, backend="graphla") == expected, seed
        value, flows = nx.maximum_flow(g, 0, 7, backend="graphla")
        assert (value, type(value)) == (expected[0], int)
        for v in set(g) - {0, 7}:
            assert sum(flows[v].values()) == sum(row.get(v, 0) for row in flows.values()), seed
        assert all(amount <= g[u][v].get("capacity", np.inf) for u in flows for v, amount in flows[u].items())
