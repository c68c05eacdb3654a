"""Next hops where walks could go round: cycles that weigh nothing, rounding that hides arcs, sums beyond the type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from apsp_graphs import NONE, compute_expected, make_graph, make_random, to_cells
from test_apsp_methods import CASES, get_engine_named

import graphla as gl
from graphla.algorithms.apsp import _levels, _trace, trace_cpu
from graphla.algorithms.apsp._towards import trace_hops_towards

BOTH = ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)]
ALL = [*CASES, pytest.param("algebraic", "cpu", id="algebraic-cpu")]


def make_weightless(n: int, density: float, seed: int) -> np.ndarray:
    """Half of the arcs weigh nothing, so that many cycles do."""
    return make_random(n, density, 0, 2, seed)


def make_both_signs(n: int, density: float, seed: int) -> np.ndarray:
    """The same with a potential added, which every cycle cancels: some arcs are negative."""
    h = np.random.default_rng(seed).integers(0, 5, n)
    return make_weightless(n, density, seed) + h[:, None] - h[None, :]


def check_walks(name: str, W: np.ndarray, dtype: str, on: str, **request: Any) -> None:
    """The distances are right and the hops walk them, or the method refuses the graph."""
    G = make_graph(W, dtype, get_engine_named(on))
    if not gl.apsp.methods[name].refusal(G, {"next_hops": True, **request}):
        D, H = gl.apsp(G, method=name, next_hops=True, **request)
        np.testing.assert_array_equal(to_cells(D), compute_expected(W, D.dtype.numpy))
        gl.apsp.verify(G, D, H)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize(("name", "on"), ALL)
def test_cycles_of_weight_zero(name: str, on: str, dtype: str) -> None:
    for seed in (1, 2, 3):
        check_walks(name, make_weightless(91, 0.02, seed), dtype, on)
        check_walks(name, make_both_signs(70, 0.03, seed), dtype, on)


@pytest.mark.parametrize(("name", "on"), ALL)
def test_a_long_way_without_weight(name: str, on: str) -> None:
    """All distances are 0, so that hops come one arc after the other."""
    n, there = 70, np.random.default_rng(4).permutation(70)
    W = np.full((n, n), NONE)
    W[there[:-1], there[1:]] = W[there[1:], there[:-1]] = 0
    check_walks(name, W, "float32", on)


@pytest.mark.parametrize(("name", "on"), ALL)
def test_hops_where_the_sum_is_beyond_the_type(name: str, on: str) -> None:
    W = np.full((4, 4), NONE)
    W[[0, 1, 2], [1, 2, 3]] = 2**30 + 7, 2**30 + 7, 5
    check_walks(name, W, "int32", on)
    W[3, 2] = -5
    check_walks(name, W, "int32", on)


def make_uneven(n: int, kind: str, seed: int) -> np.ndarray:
    """Weights whose sums depend on their order."""
    rng, W = np.random.default_rng(seed), make_random(n, 0.06, seed=seed)
    u, h = rng.random((n, n)), 1000 * rng.random(n)
    weights = {
        "wide": 10.0 ** rng.uniform(-9, 4, (n, n)),
        "half nothing": np.where(rng.random((n, n)) < 0.5, 0, u),
        "both signs": u + 1e-3 + h[:, None] - h[None, :],
    }
    return np.where(np.isnan(W), NONE, weights[kind])


@pytest.mark.parametrize("kind", ["wide", "half nothing", "both signs"])
@pytest.mark.parametrize(("name", "on"), ALL)
def test_sums_that_depend_on_their_order(name: str, on: str, kind: str) -> None:
    G = make_graph(make_uneven(60, kind, 8), "float32", get_engine_named(on))
    if not gl.apsp.methods[name].refusal(G, {}):
        gl.apsp.verify(G, *gl.apsp(G, method=name, next_hops=True))


@pytest.mark.parametrize(("name", "on"), ALL)
def test_rounding_may_hide_the_arc(name: str, on: str) -> None:
    """Weights that a sum does not feel: 0 → 1 → 2 costs what 1 → 2 does, and the arc back weighs nothing either."""
    tiny = 1e-30
    W = np.array([[NONE, tiny, NONE, 4], [tiny, NONE, 3, NONE], [NONE, NONE, NONE, tiny], [NONE, NONE, tiny, NONE]])
    G = make_graph(W, "float32", get_engine_named(on))
    D, H = gl.apsp(G, method=name, next_hops=True, dense=True)
    assert D[:2, 2:].tolist() == [[3, 3], [3, 3]]
    gl.apsp.verify(G, D, H)


def trace_on(on: str, W: np.ndarray) -> tuple[gl.Graph, Any, Any]:
    """The graph, the distances that the CPU finds, and the hops that an engine traces from them."""
    G = make_graph(W, "float32", get_engine_named(on))
    D = gl.apsp(make_graph(W, "float32", get_engine_named("cpu")), method="blocked_floyd_warshall", dense=True)
    return G, D, trace_from(G, D, on)


def trace_from(G: gl.Graph, D: np.ndarray, on: str) -> Any:
    return trace_cpu.trace_hops(G, D) if on == "cpu" else _trace.trace_hops(G, D)


@pytest.mark.parametrize("on", BOTH)
def test_real_weights_of_both_signs_need_no_search(on: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the arcs along the level lead up by rounding: they count where the walk from their head ends."""
    monkeypatch.setattr(_levels, "trace_hops_towards", None)
    for seed in (1, 2, 3):
        G, D, H = trace_on(on, make_uneven(60, "both signs", seed))
        gl.apsp.verify(G, D, H)


@pytest.mark.emulated
def test_open_pairs_in_two_groups_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A warp owns the open pairs of 1,024 columns of a row; arcs in a random order join more columns."""
    monkeypatch.setattr(_levels, "trace_hops_towards", None)
    n, there = 1040, np.random.default_rng(11).permutation(1040)[:60]
    W = np.full((n, n), NONE)
    W[there[:-1], there[1:]] = W[there[1:], there[:-1]] = 0
    W[np.setdiff1d(np.arange(n), there), there[0]] = 1
    assert {int(v) // 1024 for v in there} == {0, 1}
    G, D, H = trace_on("cuda", W)
    gl.apsp.verify(G, D, H)


@pytest.mark.parametrize("on", BOTH)
@pytest.mark.parametrize("made", [make_weightless, make_both_signs])
def test_hops_that_are_lost_come_from_searches(on: str, made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Distances that no arc bears out, as rounding may leave them, have hops all the same."""
    replaced: list[int] = []
    monkeypatch.setattr(_levels, "trace_hops_towards", lambda G, at: replaced.extend(at) or trace_hops_towards(G, at))
    G = make_graph(made(40, 0.1, 7), "float32", get_engine_named(on))
    D = gl.apsp(G, method="blocked_floyd_warshall", dense=True)
    hidden = int(np.flatnonzero(np.isfinite(D).sum(axis=0) > 5)[0])
    D[:, hidden] -= 0.25
    D[hidden, hidden] = 0
    H = trace_from(G, D, on)
    assert hidden in replaced
    gl.apsp.verify(G, gl.apsp(G), H)
