"""Kernels that Python interprets at first: the same bits, and no longer than it pays."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.components.tarjan_cpu import number_strong
from graphla.engine.cpu import late
from graphla.engine.cpu.atomic import fetch_and_add
from graphla.engine.cpu.cache import Store
from graphla.engine.cpu.late import LateKernel, compile_at_once, compile_late, foresee, strip


@pytest.fixture(autouse=True)
def machine_code() -> None:
    """Here kernels are interpreted."""


@compile_late(1.0, lambda values: values.size)
def add_up(values):  # type: ignore[no-untyped-def]
    """Add up whole numbers."""
    total = 0
    for value in values:
        total += value
    return total


def add_first(left, right, out):  # type: ignore[no-untyped-def]
    """Add the first elements of two arrays."""
    out[0] = left[0] + right[0]


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LateKernel:
    """A kernel that nothing is known of, with an empty cache."""
    store = Store(tmp_path)
    monkeypatch.setattr(late, "get_store", lambda: store)
    monkeypatch.setattr("graphla.engine.cpu.jit.get_store", lambda: store)
    return compile_late(1.0, lambda values: values.size)(add_up.__wrapped__)


def list_kinds(kernel: LateKernel) -> list[Any]:
    """The signatures that are compiled."""
    return list(kernel.compiled.overloads)


def test_little_is_interpreted_and_much_is_compiled(kernel: LateKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kernel(np.arange(100)) == 4950
    assert list_kinds(kernel) == []
    assert kernel(np.arange(1_000_001)) == 500_000_500_000
    assert len(list_kinds(kernel)) == 1
    monkeypatch.setattr(kernel, "interpret", None)
    assert kernel(np.arange(100)) == 4950


def test_what_is_interpreted_adds_up_in_all_processes(kernel: LateKernel) -> None:
    for _ in range(3):
        kernel(np.zeros(300_000, int))
    assert list_kinds(kernel) == []
    other = compile_late(1.0, lambda values: values.size)(kernel.__wrapped__)
    assert other.spent == 900_000
    other(np.zeros(300_000, int))
    assert len(list_kinds(other)) == 1


def test_what_is_foreseen_not_to_pay_is_compiled_at_once(kernel: LateKernel) -> None:
    foresee(kernel, 900_000)
    kernel(np.arange(100))
    assert list_kinds(kernel) == []
    foresee(kernel, 1_100_000)
    kernel(np.arange(100))
    assert len(list_kinds(kernel)) == 1


def test_what_a_search_took_counts_and_not_what_it_might_take(kernel: LateKernel) -> None:
    kernel.took = lambda total: total / 100
    for _ in range(3):
        assert kernel(np.ones(900_000, int)) == 900_000
    assert list_kinds(kernel) == []
    assert kernel.spent == 27_000
    kernel(np.zeros(980_000, int))
    assert len(list_kinds(kernel)) == 1


def test_it_is_seldom_asked_whether_there_is_machine_code(kernel: LateKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Any]()
    monkeypatch.setattr(kernel, "is_compiled", lambda args: asked.append(args))
    for _ in range(200):
        kernel(np.zeros(1000, int))
    assert 3 <= len(asked) <= 5


def test_machine_code_on_disk_is_taken_at_once(kernel: LateKernel) -> None:
    with compile_at_once():
        kernel(np.arange(3))
    other = compile_late(1.0, lambda values: values.size)(kernel.__wrapped__)
    assert other(np.arange(3)) == 3
    assert len(list_kinds(other)) == 1


@pytest.mark.parametrize("weighted", [False, True])
def test_walks_are_the_same(weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    G = gl.generate.kronecker(7, seed=3, weights=(1, 255), engine="cpu")
    with compile_at_once():
        compiled = gl.random_walks(G, 5, weights=weighted, seed=2).to_coo()
    monkeypatch.setattr(LateKernel, "__call__", lambda self, *args: self.interpret(*args))
    interpreted = gl.random_walks(G, 5, weights=weighted, seed=2).to_coo()
    assert all(np.array_equal(one, other) for one, other in zip(compiled, interpreted, strict=True))


def add_reverse(G: gl.Graph) -> gl.Graph:
    """The graph with the reverse of each arc."""
    return gl.Graph(gl.binary.any(G.A | G.A.T).new())


CALLS = {
    "betweenness": lambda G: gl.betweenness(G, sources=[0, 1, 2]),
    "betweenness, edges": lambda G: gl.betweenness(G, sources=[0, 1, 2], edges=True),
    "bfs, near": lambda G: gl.bfs(G, 0, limit=2, parents=True),
    "biconnected_components": lambda G: gl.biconnected_components(add_reverse(G)),
    "clustering": lambda G: gl.clustering(G),
    "components": lambda G: gl.components(G),
    "triangles": lambda G: gl.triangles(add_reverse(G)),
    "triangles, per vertex": lambda G: gl.triangles(add_reverse(G), per_vertex=True),
    "triangles, few hubs": lambda G: gl.triangles(add_reverse(G), method="bitmap", hubs=7, least_degree=2),
    "sample_neighbors": lambda G: [
        gl.sample_neighbors(G, [0, 3], [3, -1, 2], replace=replace, weights=weights, seed=1)
        for replace in (False, True)
        for weights in (False, True)
    ],
    "sample_neighbors, times": lambda G: gl.sample_neighbors(G, [0, 3], [2, 2], vertex_time=range(G.n), latest=True),
    "sssp": lambda G: gl.sssp(G, 0),
    "sssp, parents": lambda G: gl.sssp(G, 0, parents=True),
    "sssp, near": lambda G: gl.sssp(G, 0, limit=40),
    "shortest_path": lambda G: gl.shortest_path(G, 0, 3, heuristic=np.zeros(G.n)),
    "k_shortest_paths": lambda G: gl.k_shortest_paths(G, 0, 3, 20),
    "k_shortest_paths, zeros": lambda G: gl.k_shortest_paths(gl.Graph(gl.binary.times(G.A, 0).new()), 0, 3, 9),
    "dominators": lambda G: gl.dominators(G, 0),
    "label_propagation": lambda G: gl.label_propagation(G, 5),
    "layout": lambda G: gl.layout(G, steps=3, seed=1),
    "layout, 3-d": lambda G: gl.layout(G, 3, steps=2, theta=0.2, start=np.arange(3 * G.n).reshape(-1, 3) % 7),
    "leiden": lambda G: gl.leiden(G),
    "leiden, one by one": lambda G: gl.leiden(G, method="sequential"),
    "leiden, small": lambda G: gl.leiden(G, max_community_size=9),
    "louvain": lambda G: gl.louvain(G),
    "louvain, one by one": lambda G: gl.louvain(G, method="sequential"),
    "max_flow": lambda G: vars(gl.max_flow(G, 0, 3)),
    "louvain, small": lambda G: gl.louvain(G, max_community_size=9),
    "product": lambda G: gl.semiring.plus_times(G.A @ G.A).new(),
    "similarity": lambda G: gl.similarity(add_reverse(G)),
    "similarity, weighted": lambda G: gl.similarity(add_reverse(G), kind="adamic_adar"),
    "truss_numbers": lambda G: gl.truss_numbers(add_reverse(G)),
    "widest_paths": lambda G: [gl.widest_paths(gl.Graph(G.A.dup(kind)), 0) for kind in ("FP64", "INT64", "UINT64")],
}


def make_graphs() -> list[gl.Graph]:
    """Small graphs: with hubs, of a grid, directed, with loops, without arcs, and one with float32 weights."""
    rng, n = np.random.default_rng(7), 60
    ends = tuple(rng.integers(0, n, (2, 400)))
    arcs = [(*ends, rng.integers(1, 9, 400)), (*ends, rng.random(400).astype("float32"))]
    return [
        gl.generate.kronecker(7, seed=3, weights=(1, 255), engine="cpu"),
        gl.generate.grid2d(8, 9, engine="cpu"),
        *(gl.Graph(each, n=n, dup="first", engine="cpu") for each in arcs),
        gl.Graph(([], []), n=4, engine="cpu"),
    ]


def list_arrays(answer: Any) -> list[Any]:
    """The arrays of an answer."""
    if isinstance(answer, tuple | dict | list):
        parts = answer.values() if isinstance(answer, dict) else answer
        return [array for part in parts for array in list_arrays(part)]
    return list(answer.to_coo()) if hasattr(answer, "to_coo") else [np.asarray(answer)]


@pytest.mark.parametrize("name", CALLS)
def test_answers_are_the_same_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with compile_at_once():
        compiled = [list_arrays(CALLS[name](G)) for G in make_graphs()]
    monkeypatch.setattr(LateKernel, "__call__", lambda self, *args: self.interpret(*args))
    for G, before in zip(make_graphs(), compiled, strict=True):
        for one, other in zip(before, list_arrays(CALLS[name](G)), strict=True):
            assert one.dtype == other.dtype
            assert one.tobytes() == other.tobytes()


def test_float32_is_added_as_in_machine_code() -> None:
    narrow, wide, out = np.full(1, 0.1, np.float32), np.full(1, 1e-9), np.zeros(1)
    kernel = compile_late(1.0, lambda *_: 1.0, views=True)(add_first)
    kernel.interpret(narrow, wide, out)
    assert out[0] == np.float64(narrow[0]) + wide[0] != np.float32(out[0])


class Slow(list[int]):
    """Numbers that take a while to be read, so that threads come between."""

    def __getitem__(self, place: Any) -> Any:
        value = super().__getitem__(place)
        time.sleep(1e-5)
        return value


def test_threads_that_interpret_share_out_work_once() -> None:
    taken, begins = Slow([0]), list[int]()

    def take() -> None:
        begins.extend(strip(fetch_and_add.in_python, {}, True)(taken, 0, 2) for _ in range(50))  # type: ignore[attr-defined]

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(begins) == list(range(0, 400, 2))


def test_strong_components_are_the_same() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 60))
        A = gl.Graph(tuple(rng.integers(0, n, (2, 2 * n))), n=n, dup="first", engine="cpu").csr
        interpreted, compiled = np.empty(n, np.int32), np.empty(n, np.int32)
        count = number_strong.interpret(A.indptr, A.indices, interpreted)
        assert count == number_strong.compiled(A.indptr, A.indices, compiled)
        assert (interpreted == compiled).all()
