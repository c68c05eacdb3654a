"""Kernels that Python interprets at first: the same bits, and no longer than it pays."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, eye_array, random_array

import graphla as gl
from graphla.algorithms.apsp.elimination.ldl import Decomposition
from graphla.algorithms.apsp.elimination.structure import analyze
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


def analyze_and_decompose(seed: int, n: int, density: float) -> list[Any]:
    """All arrays of a symbolic phase and of a factor."""
    R = random_array((n, n), density=density, rng=np.random.default_rng(seed), format="csr")
    A = csr_array(R + R.T + n * eye_array(n))
    structure = analyze(A.indptr, A.indices)
    work = Decomposition(structure, A.data.astype(("float32", "float64")[seed % 2]), 1e-9)
    assert work.run() == -1
    return [getattr(structure, field.name) for field in fields(structure)] + [work.panels, work.d]


@pytest.mark.parametrize(("seed", "n", "density"), [(0, 40, 0.1), (1, 250, 0.01), (2, 600, 0.003), (3, 90, 0.3)])
def test_python_computes_the_bits_of_machine_code(
    seed: int, n: int, density: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    with compile_at_once():
        compiled = analyze_and_decompose(seed, n, density)
    monkeypatch.setattr(LateKernel, "__call__", lambda self, *args: self.interpret(*args))
    for one, other in zip(compiled, analyze_and_decompose(seed, n, density), strict=True):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(
    ("semiring", "dtype"),
    [("min_plus", "FP32"), ("min_plus", "INT16"), ("min_plus", "UINT64"), ("max_min", "INT64"), ("max_times", "FP64")],
)
def test_rows_are_the_same_bits(semiring: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    R = random_array((120, 120), density=0.02, rng=rng, format="csr")
    R.data = rng.integers(1, 200, R.nnz) / (256 if dtype.startswith("FP") else 1)
    G, same = (gl.Graph(gl.Matrix.from_scipy_sparse(R).dup(dtype), engine="cpu") for _ in range(2))
    with compile_at_once():
        compiled = gl.factorize(G, semiring=semiring)[:].to_dense(0)
    monkeypatch.setattr(LateKernel, "__call__", lambda self, *args: self.interpret(*args))
    interpreted = gl.factorize(same, semiring=semiring)[:].to_dense(0)
    assert compiled.dtype == interpreted.dtype
    assert compiled.tobytes() == interpreted.tobytes()


def ask(dtype: str) -> tuple[list[Any], list[list[int]]]:
    """Distances and paths of some pairs, from a factor that is made for them."""
    rng = np.random.default_rng(1)
    A = gl.generate.grid2d(10, 20, engine="cpu").A.to_scipy_sparse("csr").astype(float)
    A.data = rng.integers(1, 5, A.nnz) / (1 if dtype == "INT32" else 7)
    F = gl.factorize(gl.Graph(gl.Matrix.from_scipy_sparse(A).dup(dtype), engine="cpu"))
    pairs = rng.integers(0, 200, (30, 2)).tolist()
    return [F[u, v] for u, v in pairs], [F.path(u, v) for u, v in pairs]


@pytest.mark.parametrize("dtype", ["INT32", "FP64"])
def test_paths_and_pairs_are_the_same(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with compile_at_once():
        compiled = ask(dtype)
    monkeypatch.setattr(LateKernel, "__call__", lambda self, *args: self.interpret(*args))
    assert ask(dtype) == compiled


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
    "dominators": lambda G: gl.dominators(G, 0),
    "label_propagation": lambda G: gl.label_propagation(G, 5),
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


def test_a_first_factor_of_a_small_graph_compiles_nothing(tmp_path: Path) -> None:
    program = "\n".join(
        [
            "import graphla as gl",
            "from numba.core import event",
            "compiled = []",
            "class Watch(event.Listener):",
            "    def on_start(self, event): compiled.append(event)",
            "    def on_end(self, event): pass",
            "event.register('numba:compile', Watch())",
            "G = gl.generate.grid2d(20, 20, engine='cpu')",
            "assert gl.factorize(G)[0, 399] == 38",
            "assert not compiled, compiled",
            "assert gl.laplacian_eigenvectors(G, 2)[0][1] > 0",
            "assert not compiled, compiled",
            "gl.bfs(G, 0)",
            "assert compiled",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"GRAPHLA_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
