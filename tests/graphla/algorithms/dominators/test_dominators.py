"""Dominators by every method against paths that avoid a vertex; the verifier against wrong answers."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import breadth_first_order

import graphla as gl
from graphla.common.errors import (
    DimensionMismatch,
    GraphlaError,
    InvalidGraph,
    NotSupported,
    OutOfMemory,
    VerificationError,
)
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import make_directed
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.dominators)


def fresh(seed: int, n: int = 66, arcs: int = 120) -> gl.Graph:
    """A random graph with long chains, loops, cycles, and vertices that are not reached."""
    rng = np.random.default_rng(seed)
    tails = rng.integers(0, n, arcs)
    heads = np.minimum(n - 1, tails + rng.integers(-6, 7, arcs)).clip(0)
    return gl.Graph((tails, heads), n=n + 2, dup="first", engine="cpu")


def find_last(G: gl.Graph, source: int) -> dict[int, int]:
    """By the definition: d dominates what cannot be reached without it."""
    A = G.A.to_scipy_sparse("csr").astype(float).tolil()
    reached = set(breadth_first_order(A.tocsr(), source, return_predecessors=False).tolist())
    above: dict[int, set[int]] = {v: {v} for v in reached}
    for d in reached - {source}:
        B = A.copy()
        B[d, :] = 0
        B[:, d] = 0
        left = set(breadth_first_order(B.tocsr(), source, return_predecessors=False).tolist())
        for v in reached - left:
            above[v].add(d)
    for v in reached:
        above[v].add(source)
    strict = {v: above[v] - {v} for v in reached}
    return {v: source if v == source else max(strict[v], key=lambda d: len(above[d])) for v in reached}


@pytest.mark.parametrize(("name", "engine"), CASES)
@pytest.mark.parametrize("n", [1, 63, 64, 65, 128])
def test_a_path_and_a_vertex_that_leads_into_it(name: str, engine: str, n: int) -> None:
    """All bits of a word are set at the end of the path."""
    path = gl.Graph((np.arange(n - 1), np.arange(1, n)), n=n, engine="cpu").to(get_engine_named(engine))
    assert gl.dominators(path, 0, method=name).to_dense(-1).tolist() == [0, *range(n - 1)]
    entered = gl.Graph(([*range(n - 1), n], [*range(1, n), n - 1]), n=n + 1, engine="cpu")
    found = gl.dominators(entered.to(get_engine_named(engine)), 0, method=name)
    assert found.to_dense(-1).tolist() == [0, *range(n - 1), -1]


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_the_kernels_in_any_order_of_threads(seed: int) -> None:
    """More words than a warp has lanes."""
    G, engine = fresh(secrets.randbits(31), n=2100, arcs=6000), CudaEngine(np, make_loader(seed=seed, resident=3))
    found = gl.dominators(G.to(engine), 7, method="algebraic")
    assert found.to("cpu").isequal(gl.dominators(G, 7, method="semi_nca"))


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str) -> None:
    for arcs in (60, 120, 300):
        seed = secrets.randbits(31)
        G = fresh(seed, arcs=arcs)
        found = gl.dominators(G.to(get_engine_named(engine)), seed % 66, method=name)
        assert found.dtype == "INT32"
        assert found.to_dict() == find_last(G, seed % 66), f"seed {seed}, {arcs} arcs"
        gl.dominators.verify(G, seed % 66, found.to("cpu"))


SHAPES = {
    "one vertex": ([], [], 1),
    "a loop": ([0], [0], 1),
    "no arcs": ([], [], 5),
    "a path": (range(69), range(1, 70), 70),
    "a ring": (range(40), np.roll(range(40), -1), 40),
    "diamonds": ([*range(0, 60, 3), *range(0, 60, 3), *range(1, 60, 3), *range(2, 60, 3)],
                 [*range(1, 60, 3), *range(2, 60, 3), *range(3, 63, 3), *range(3, 63, 3)], 61),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    G = make_directed(tails, heads, n)
    assert gl.dominators(G.to(get_engine_named(engine)), 0, method=name).to_dict() == find_last(G, 0)


def test_a_larger_graph() -> None:
    G = fresh(secrets.randbits(31), n=20_000, arcs=50_000)
    found = gl.dominators(G, 9_000)
    gl.dominators.verify(G, 9_000, found)
    deep = gl.generate.path(100_000, engine="cpu")
    assert gl.dominators(deep, 0).to_numpy().tolist() == [0, *range(99_999)]


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    G = fresh(2)
    monkeypatch.setattr(gl.config, "memory_limit", 100)
    with pytest.raises(OutOfMemory, match="a bit for each pair of 68 vertices"):
        gl.dominators(G, 0, method="algebraic")


def test_bad_input_is_refused() -> None:
    G = fresh(1)
    with pytest.raises(InvalidGraph, match="source=99 is no vertex"):
        gl.dominators(G, 99)
    with pytest.raises(NotSupported, match="no method 'dfs'"):
        gl.dominators(G, 0, method="dfs")
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.dominators(3, 0)  # type: ignore[arg-type]
    with pytest.raises(DimensionMismatch, match="found=3"):
        gl.dominators.verify(G, 0, 3)  # type: ignore[arg-type]


def test_the_verifier_finds_wrong_dominators() -> None:
    G = gl.Graph(([0, 0, 1, 2, 3], [1, 2, 3, 3, 4]), n=6, engine="cpu")
    found = gl.dominators(G, 0)
    for v, wrong, message in ((3, 1, "vertex 3 has 1 instead of 0"), (5, 0, "vertex 5 has 0 instead of none")):
        changed = found.dup()
        changed[v] = wrong
        with pytest.raises(VerificationError, match=message):
            gl.dominators.verify(G, 0, changed)


def test_a_comparison() -> None:
    found: Any = gl.compare("dominators", fresh(3), source=2, repeat=1)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "semi_nca", "NetworkX"}


@pytest.mark.emulated
def test_a_deep_graph_on_a_gpu_is_answered_by_its_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """As deep as it is large, twice: the copy stays with the graph, and goes when that changes."""
    n = 3000
    G = gl.Graph((np.arange(n - 1), np.arange(1, n)), n=n, engine="cpu").to(get_engine_named("emulated"))
    copy = gl.Graph.to
    copies: list[Any] = []
    monkeypatch.setattr(gl.Graph, "to", lambda self, engine: copies.append(engine) or copy(self, engine))
    for _ in range(2):
        assert gl.dominators(G, 0).to_dense(-1).tolist() == [0, *range(n - 1)]
    assert copies == ["cpu"]
    G.A[0, n - 1] = True
    assert gl.dominators(G, 0).to_dense(-1)[n - 1] == 0
    assert copies == ["cpu", "cpu"]
