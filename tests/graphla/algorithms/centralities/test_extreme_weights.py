"""Weights at the ends of each dtype: no centrality overflows, vanishes, wraps or settles on what is no answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph, NotConverged, Overflow, VerificationError
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.engine.engines import get_engine_named

FORK = ([0, 0, 1, 2], [1, 2, 0, 0])
STEPS = np.arange(4)
PATH = (np.r_[STEPS, STEPS + 1], np.r_[STEPS + 1, STEPS])
ENDS = (5e-324, 1e-310, 1e-50, 1e-19, 1e19, 1e20, 1e154, 1e200, 1.7e308)
DENORMAL = "denormal numbers of FP32"
WEIGHTS = {
    "inverse sums that overflow FP32": [1e-50, 1e-50, 1, 1],
    "sums that wrap": np.uint8([200, 100, 1, 1]),
    "sums beyond int64": np.int64([2**63 - 1, 2**63 - 1, 1, 1]),
    "sums beyond FP32": np.float32([3e38, 3e38, 1, 1]),
    "sums beyond FP64": [1.7e308, 1.7e308, 5e-324, 5e-324],
    "both ends of FP64": [5e-324, 5e-324, 1e308, 1],
    DENORMAL: np.float32([1e-45, 3e-45, 1, 1]),
}
SOLVERS: dict[str, Any] = {"eigenvector": gl.eigenvector, "hits": gl.hits}


def to_tuple(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize(
    ("name", "place"), [case for case in list_cases(gl.pagerank) if case.values[0] != "conjugate"]
)  # which takes undirected graphs alone
def test_ranks_follow_weights_of_any_size(name: str, place: str, weights: str, dtype: Any) -> None:
    G = gl.Graph((*FORK, WEIGHTS[weights]), engine=get_engine_named(place))
    if weights == DENORMAL and G.engine.name == "cuda":  # a GPU takes them for zero
        with pytest.raises(InvalidGraph, match="are zero on a GPU; multiply the weights"):
            gl.pagerank(G, weights=True, dtype=dtype, method=name)
        return
    held = np.asarray(WEIGHTS[weights], float)[:2]
    share = held[0] / held.max() / (held / held.max()).sum()
    for asked in ({},) if name == "push" else ({"rounds": 3}, {}):
        ranks = gl.pagerank(G, weights=True, dtype=dtype, method=name, **asked)
        gl.pagerank.verify(G, ranks, weights=True, dtype=dtype, **asked)
        assert ranks.to_numpy().sum() == pytest.approx(1, abs=1e-5)
    wanted = 0.05 + 0.85 * share * ranks.to_numpy()[0]
    assert ranks.to_numpy()[1] == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(("problem", "name", "place"), [
    pytest.param(problem, *case.values, marks=case.marks)
    for problem, solve in SOLVERS.items() for case in list_cases(solve)
])  # fmt: skip
def test_the_unit_of_the_weights_does_not_matter(problem: str, name: str, place: str, end: float) -> None:
    solve, engine = SOLVERS[problem], get_engine_named(place)
    plain = to_tuple(solve(gl.Graph(PATH, engine=engine), method=name))
    for dtype in ("FP32", "FP64"):
        found = to_tuple(
            solve(G := gl.Graph((*PATH, np.full(8, end)), engine=engine), weights=True, dtype=dtype, method=name)
        )
        solve.verify(G, *found, weights=True, dtype=dtype)
        for mine, right in zip(found, plain, strict=True):
            np.testing.assert_allclose(mine.to_numpy(), right.to_numpy(), atol=1e-5)


@pytest.mark.parametrize("name", gl.eigenvector.methods)
@pytest.mark.parametrize("weight", [0.001, 1, 100, 1e6])
def test_eigenvector_settles_where_powers_alternate(weight: float, name: str) -> None:
    found = gl.eigenvector(gl.Graph((*PATH, np.full(8, weight))), weights=True, method=name).to_numpy()
    np.testing.assert_allclose(found, np.sin(np.arange(1, 6) * np.pi / 6) / 3**0.5, atol=1e-5)
    leaves = np.arange(1, 10_001)
    star = gl.Graph((np.r_[leaves * 0, leaves], np.r_[leaves, leaves * 0]))
    assert gl.eigenvector(star, method=name, max_rounds=100).to_numpy()[0] == pytest.approx(0.5**0.5, abs=1e-4)


@pytest.mark.parametrize("problem", SOLVERS)
def test_verifiers_find_zeros_and_what_is_no_number(problem: str) -> None:
    G, solve = gl.Graph(PATH), SOLVERS[problem]
    for wrong in (0.0, np.nan, np.inf):
        answers = [gl.Vector.from_dense(np.full(5, wrong))] * len(to_tuple(solve(G)))
        with pytest.raises(VerificationError, match=f"{problem}: "):
            solve.verify(G, *answers)


@pytest.mark.parametrize("name", gl.katz.methods)
def test_katz_counts_heavy_arcs_and_says_what_grows(name: str) -> None:
    G = gl.Graph((*PATH, np.full(8, 1e50)))
    light = gl.katz(gl.Graph((*PATH, np.full(8, 1.0))), 0.1).to_numpy()
    for dtype in ("FP32", "FP64"):
        np.testing.assert_allclose(
            gl.katz(G, 1e-51, weights=True, dtype=dtype, method=name).to_numpy(), light, rtol=1e-5
        )
    with pytest.raises(Overflow, match="katz: the values grow beyond FP32"):
        gl.katz(G, 0.1, weights=True, dtype="FP32", rounds=5, method=name)
    with pytest.raises(NotConverged, match="alpha must be less than 1 over the largest eigenvalue"):
        gl.katz(G, 0.1, weights=True, method=name)


@pytest.mark.parametrize("name", gl.pagerank.methods)
@pytest.mark.parametrize("n", [3, 7, 20, 50])
@pytest.mark.parametrize("damping", [0.85, 0.95, 0.98, 0.999])
def test_ranks_settle_at_the_default_tolerance(damping: float, n: int, name: str) -> None:
    steps = np.arange(n - 1)
    G = gl.Graph((np.r_[steps, steps + 1], np.r_[steps + 1, steps]), engine="cpu")
    gl.pagerank.verify(G, gl.pagerank(G, damping, method=name), damping=damping)


def test_a_tolerance_chooses_the_dtype_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphla.algorithms.pagerank._sweeps_cpu.WORTH_A_PASS", 0)
    G = gl.Graph(PATH, engine="cpu")
    assert gl.pagerank(G).dtype == "FP32"
    assert gl.pagerank(G, rounds=20).dtype == "FP32"
    assert gl.pagerank(G, tolerance=1e-9).dtype == "FP64"
    with pytest.raises(NotConverged, match=r"dtype='FP64': with damping=0\.98 rounding of FP32 alone"):
        gl.pagerank(G, 0.98, dtype="FP32")
    with pytest.raises(NotConverged, match=r"the digits of FP32 end at 1\.2e-07; dtype='FP64' has more"):
        gl.eigenvector(G, tolerance=1e-12, max_rounds=20, dtype="FP32")


def test_teleports_of_any_weight() -> None:
    G = gl.Graph(PATH, engine="cpu")
    for weight in (1e308, 5e-324):
        found = gl.pagerank(G, personalization={0: weight, 1: weight}).to_numpy()
        np.testing.assert_allclose(found, gl.pagerank(G, personalization={0: 1, 1: 1}).to_numpy(), rtol=1e-6)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_algebraic_ranks_are_of_fp64(kind: str) -> None:
    weights = np.random.default_rng(3).random(8).astype(kind)
    G = gl.Graph((*PATH, weights), engine="cpu")
    one, other = (
        gl.pagerank(G, weights=True, dtype="FP64", tolerance=1e-14, method=name).to_numpy()
        for name in ("fused", "algebraic")
    )
    np.testing.assert_allclose(one, other, rtol=1e-12)
