"""What is particular to one method: thread orders, the lost update, options, work that is counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import KINDS
from standin import EmulatedEngine, SmallGraph, engine
from test_methods import METHODS, check

from graphla.algorithms.sssp import _parents, _sizes, fused
from graphla.common.errors import NotSupported, VerificationError
from graphla.engine import tracing
from graphla.measuring.watching import trace

pytestmark = pytest.mark.emulated


def make_graph(kind: str, on: Any, dtype: str = "int32") -> SmallGraph:
    n, rows, cols, weights = KINDS[kind](np.random.default_rng(4))
    return SmallGraph(n, rows, cols, weights.astype(dtype), on)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_fused_in_any_order_of_the_threads(kind: str, seed: int) -> None:
    G = make_graph(kind, EmulatedEngine("plain", seed))
    for delta in (None, 2.0, 1e9):
        check(G, G.n // 2, METHODS["fused"].run(G, G.n // 2, parents=True, delta=delta))


@pytest.mark.parametrize(("kind", "built"), [("kron", "Dense"), ("core_with_tail", "Sparse"), ("grid", "Road")])
def test_fused_with_the_sizes_of_a_gpu(monkeypatch: pytest.MonkeyPatch, kind: str, built: str) -> None:
    for module in (fused, _parents):
        monkeypatch.setattr(module, "BLOCK", _sizes.BLOCK)
        monkeypatch.setattr(module, "choose_sizes", lambda degree: built)
    G = make_graph(kind, engine("cuda"))
    check(G, 0, METHODS["fused"].run(G, 0, parents=True))
    check(G, 0, METHODS["two_phase"].run(G, 0, parents=True))


def test_the_sizes_go_with_the_degree() -> None:
    assert [_sizes.choose_sizes(degree) for degree in (0, 2.5, 4, 6, 8, 32)] == [
        *["Road"] * 2,
        *["Sparse"] * 2,
        *["Dense"] * 2,
    ]


@pytest.mark.parametrize(("kind", "arcs"), [("dense", fused.EVEN_STEP), ("kron", fused.DENSE_STEP)])
def test_the_step_is_wider_where_degrees_are_even(kind: str, arcs: float) -> None:
    G = make_graph(kind, engine("cpu"))
    lighter = np.searchsorted(np.sort(G.weights), fused.choose_steps(G)[0]) / G.nvals
    assert abs(lighter - arcs * G.n / G.nvals) < 0.03


def test_the_racy_variant_loses_an_update_and_the_verifier_sees_it() -> None:
    """Two arcs into one vertex, relaxed by threads that both compare before either writes."""
    lost = 0
    for seed in range(1, 13):
        G = make_graph("dense", EmulatedEngine("checked", seed))
        check(G, 0, METHODS["two_phase"].run(G, 0))
        answer = METHODS["two_phase"].run(G, 0, variant="racy")
        try:
            check(G, 0, answer)
        except VerificationError:
            lost += 1
    assert lost


@pytest.mark.parametrize("room", [14, 30, 60])
@pytest.mark.parametrize("kind", ["kron", "grid", "hubs", "core_with_tail", "uniform_directed"])
def test_queues_that_overflow_lose_no_vertex(monkeypatch: pytest.MonkeyPatch, kind: str, room: int) -> None:
    G = make_graph(kind, engine("cuda"))
    monkeypatch.setattr(fused, "SPARE", room - G.n)
    monkeypatch.setattr(fused, "PATIENCE", 0)
    for delta in (None, 3.0, 60.0, 1e9):
        check(G, 1, METHODS["fused"].run(G, 1, parents=True, delta=delta))


@pytest.mark.parametrize("options", [{"loads": "plain"}, {"segments": 16}, {"segments": 1000}])
def test_edge_bellman_ford_options(options: dict[str, Any]) -> None:
    for kind in ("kron", "uniform_directed"):
        G = make_graph(kind, engine("cuda"))
        check(G, 0, METHODS["edge_bellman_ford"].run(G, 0, **options))


@pytest.mark.parametrize("factor", [1, 3, 64])
def test_coarsening_factors(factor: int) -> None:
    G = make_graph("grid", engine("cuda"))
    check(G, 5, METHODS["coarsened"].run(G, 5, factor=factor, parents=True))


@pytest.mark.parametrize(
    ("method", "option"),
    [("coarsened", {"factor": 0}), ("coarsened", {"factor": 2.5}), ("edge_bellman_ford", {"segments": -1})],
)
def test_options_that_mean_nothing_are_refused(method: str, option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(option))):
        METHODS[method].run(make_graph("path", engine("cuda")), 0, **option)
    with pytest.raises(NotSupported, match="atomic"):
        METHODS["two_phase"].run(make_graph("path", engine("cuda")), 0, variant="hopeful")


@pytest.mark.parametrize(("method", "on"), [("fused", "cuda"), ("delta_stepping", "cuda"), ("delta_stepping", "cpu")])
def test_relaxed_arcs_are_counted(method: str, on: str) -> None:
    G = make_graph("kron", engine(on))
    heard: list[Any] = []
    with tracing.counters.open(heard):
        METHODS[method].run(G, int(np.argmax(np.asarray(G.degrees))))
    (arcs,) = heard
    assert 0 < int(np.atleast_1d(arcs)[0]) <= 4 * G.nvals


def test_few_arcs_that_are_left_are_pulled() -> None:
    """Weights over many orders: later buckets relax few arcs each, and there would be many of them."""
    G = make_graph("heavy_tail", engine("cuda"))
    heard: list[Any] = []
    with tracing.counters.open(heard):
        METHODS["fused"].run(G, 0)
    assert 4 * int(np.atleast_1d(heard[0])[0]) < G.nvals


def test_a_trace_shows_how_much_a_kernel_relaxed() -> None:
    G = make_graph("kron", engine("cuda"))
    with trace() as t:
        METHODS["fused"].run(G, int(np.argmax(np.asarray(G.degrees))))
    (step,) = t
    assert (step.equation, step.engine) == ("sssp fused", "cuda")
    assert step.edges == round(step.work * G.nvals) > 0
