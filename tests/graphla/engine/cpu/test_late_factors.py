"""Kernels of factors that Python interprets at first: the same bits, by twins of their own."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, eye_array, random_array

import graphla as gl
from graphla.algorithms.apsp.elimination.arithmetic import MaxMin, MaxTimes
from graphla.algorithms.apsp.elimination.ldl import Decomposition
from graphla.algorithms.apsp.elimination.rules import plus, plus_each, times, times_each
from graphla.algorithms.apsp.elimination.structure import analyze
from graphla.algorithms.roads.prepare import prepare
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.late import LateKernel, compile_at_once


@pytest.fixture(autouse=True)
def machine_code() -> None:
    """Here kernels are interpreted."""


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


def solve(dtype: str, k: int) -> list[Any]:
    """Solutions of one and of several right-hand sides, and resistances, of a graph with hubs and one without."""
    found, rng = list[Any](), np.random.default_rng(3)
    for G in (gl.generate.kronecker(8, seed=2, engine="cpu"), gl.generate.grid2d(17, 19, engine="cpu")):
        A = G.A.to_scipy_sparse("csr").astype(float) + 900 * eye_array(G.n)
        F = gl.factorize(gl.Graph(gl.Matrix.from_scipy_sparse(csr_array(A))), semiring="plus_times", dtype=dtype)
        found += [F.solve(rng.random(G.n)), F.solve(rng.random((G.n, k)))]
        found.append(gl.effective_resistance(G, [[0, 1], [3, 90], [5, 7]]))
    return found


@pytest.mark.parametrize(("dtype", "k"), [("FP64", 3), ("FP32", 40)])
def test_solutions_are_the_same_bits(dtype: str, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with compile_at_once():
        compiled = solve(dtype, k)
    monkeypatch.setattr(LateKernel, "__call__", lambda self, *args: self.interpret(*args))
    for one, other in zip(compiled, solve(dtype, k), strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


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


def ask_about_roads() -> list[Any]:
    """Distances, routes, what is near, and distances with turns."""
    G = gl.generate.grid2d(12, 30, weights=(1, 255), seed=2, engine="cpu")
    roads, turning = prepare(G), prepare(G, turns={}, u_turn=1)
    near = roads.nearest([0, 5, 40], [9, 99, 300, 311], k=2)
    reached = roads.isochrone([3, 200], 400)
    return [roads.distances([0, 1], [350, 7]), *near, turning.distances([0], [359]), *itertools.chain(*reached)]


def test_roads_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with compile_at_once():
        compiled = ask_about_roads()
    monkeypatch.setattr(LateKernel, "__call__", lambda self, *args: self.interpret(*args))
    assert len(compiled) > 6
    for one, other in zip(map(np.asarray, compiled), map(np.asarray, ask_about_roads()), strict=True):
        assert one.dtype == other.dtype != object
        assert one.tobytes() == other.tobytes()


NUMBERS = np.array([-100, -7, 0, 1, 5, 127, 120, -128], np.int8)
RULES = [
    (NUMBERS, (np.int8(-128), np.int8(127))),
    (NUMBERS.view(np.uint8)[NUMBERS >= 0], None),
    (NUMBERS, MaxMin(np.int8(-128))),
    (NUMBERS / np.float32(7), MaxTimes(np.float32(-1))),
]


@pytest.mark.parametrize(("numbers", "rule"), RULES)
def test_arrays_of_cells_meet_as_cells_do(numbers: Any, rule: Any) -> None:
    one, other = np.repeat(numbers, numbers.size), np.tile(numbers, numbers.size)
    added, multiplied = np.empty_like(one), np.empty_like(one)
    meet_cells(one, other, rule, added, multiplied)
    assert (plus_each(one, other, rule) == added).all()
    found = times_each(one, other, rule)
    assert (found == multiplied).all()
    assert found.dtype == numbers.dtype


@njit()
def meet_cells(one, other, rule, added, multiplied):  # type: ignore[no-untyped-def]
    """Add and multiply cells in machine code."""
    for k in range(one.size):
        added[k] = plus(one[k], other[k], rule)
        multiplied[k] = times(one[k], other[k], rule)


def test_a_first_factor_of_a_small_graph_compiles_nothing(tmp_path: Path) -> None:
    program = "\n".join(
        [
            "import numpy as np",
            "import graphla as gl",
            "from graphla.algorithms.roads.examples import ask_roads",
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
            "gl.effective_resistance(G, [[0, 1]])",
            "ask_roads(G)",
            "D = gl.Matrix.from_dense(np.ones((200, 200)) + 200 * np.eye(200))",
            "gl.factorize(gl.Graph(D, engine='cpu'), semiring='plus_times').solve(np.ones((200, 8)))",
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
