"""Several sources at once, and the walk along parents."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import KINDS
from standin import SmallGraph, engine
from test_methods import check

from graphla.algorithms.sssp import batched
from graphla.algorithms.sssp._path import walk
from graphla.algorithms.sssp.batched import compute_distances
from graphla.common.errors import NotSupported, VerificationError
from graphla.measuring.watching import trace

ENGINES = ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)]


def make_graph(kind: str, on: str) -> SmallGraph:
    n, rows, cols, weights = KINDS[kind](np.random.default_rng(6))
    return SmallGraph(n, rows, cols, weights.astype("int32"), engine(on))


@pytest.mark.parametrize("on", ENGINES)
@pytest.mark.parametrize("kind", ["kron", "grid", "uniform_directed", "core_with_tail", "zero_cycles"])
def test_each_row_is_the_answer_of_its_source(kind: str, on: str) -> None:
    G = make_graph(kind, on)
    sources = [3, 0, G.n - 1, 3]
    d, p = compute_distances(G, sources, parents=True)
    assert d.shape == p.shape == (4, G.n)
    for row, source in enumerate(sources):
        check(G, source, (d[row], p[row]))


@pytest.mark.emulated
def test_a_graph_that_fills_the_device_is_solved_source_by_source(monkeypatch: pytest.MonkeyPatch) -> None:
    G = make_graph("kron", "cuda")
    sources = [3, 0, 3]
    at_once = compute_distances(G, sources, parents=True)
    assert batched.count_together(G) > 3
    monkeypatch.setattr(batched, "FILLS", 10)
    assert batched.count_together(G) == 1
    assert batched.count_together(make_graph("grid", "cuda")) > 3
    with trace() as t:
        in_turn = compute_distances(G, sources, parents=True)
    np.testing.assert_array_equal(at_once[0], in_turn[0])
    for row, source in enumerate(sources):
        check(G, source, (in_turn[0][row], in_turn[1][row]))
    (step,) = t
    assert step.equation == "sssp fused from 3 sources"
    assert step.work > 0


@pytest.mark.parametrize("on", ENGINES)
def test_no_source_and_one(on: str) -> None:
    G = make_graph("path", on)
    assert compute_distances(G, [])[0].shape == (0, G.n)
    check(G, 7, (compute_distances(G, [7])[0][0], None))
    G.weights[0] = -1
    with pytest.raises(NotSupported, match="algebraic"):
        compute_distances(G, [0])


def test_a_path_is_walked_from_its_end() -> None:
    before = np.array([0, 0, 1, 2, -1, 6, 5], np.int32)
    assert walk(before, 0, 3) == [0, 1, 2, 3]
    assert walk(before, 0, 0) == [0]
    assert walk(before, 0, 4) == []
    with pytest.raises(VerificationError, match="circle"):
        walk(before, 0, 5)
