"""Every problem by every method on small graphs of every kind; fresh seeds are among the slow tests."""

from __future__ import annotations

import secrets
import time
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.fuzz import drawn, methods

FOUND = {
    50: "eccentricities of UINT64 by 'searches' and 'algebraic' in FP64",
    7001: "shortest paths over lengths of UINT64 beyond 2**53, compared in FP64 by 'brandes'",
    57: "a RuntimeWarning of bounds near the end of FP64",
    20107: "a RuntimeWarning, and inf, of a flow beyond FP64",
    20205: "a RuntimeWarning of upper bounds beyond FP64",
}
"""Seeds that found something, and what."""
SECONDS = 20
"""Of fresh seeds, at each run."""


def test_every_problem_has_a_rule() -> None:
    assert methods.list_missing() == set()


@pytest.mark.parametrize("seed", FOUND)
def test_seeds_that_found_something(seed: int) -> None:
    methods.check(seed)


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_problems_by_every_method(first: int) -> None:
    for seed in range(first, first + 20):
        methods.check(seed)


@pytest.mark.slow
def test_fresh_seeds() -> None:
    """A seed that fails is named with its graph, and ``python -m tests.fuzz methods --seed S --count 1`` repeats it."""
    end, seed = time.monotonic() + SECONDS, secrets.randbits(40)
    while time.monotonic() < end:
        try:
            methods.check(seed)
        except Exception as error:
            raise AssertionError(f"python -m tests.fuzz methods --seed {seed} --count 1") from error
        seed += 1


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10**7, 10**7 + 20_000, 100))
def test_many_seeds(first: int) -> None:
    for seed in range(first, first + 100):
        methods.check(seed)


@pytest.mark.emulated
@pytest.mark.parametrize("seed", range(4))
def test_the_kernels_of_every_problem(seed: int) -> None:
    methods.check(seed, CudaEngine(np, make_loader(build="plain")))


@pytest.mark.slow
@pytest.mark.emulated
@pytest.mark.parametrize("first", range(10**7, 10**7 + 2000, 20))
def test_many_seeds_on_the_emulator(first: int) -> None:
    for seed in range(first, first + 20):
        methods.check(seed, CudaEngine(np, make_loader(build="plain")))


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that its verifier lets pass is caught by the rule, and an error that is not due by the net."""
    monkeypatch.setattr(methods.Ask, "verify", lambda *_: None)
    monkeypatch.setitem(gl.coloring.methods["greedy"].runs, "cpu", lambda G, *_: (np.zeros(G.n, "int32"),))
    with pytest.raises(AssertionError, match=r"gl\.coloring"):
        methods.check(1)
    monkeypatch.setitem(gl.coloring.methods["greedy"].runs, "cpu", refuse)
    with pytest.raises(AssertionError, match=r"InvalidGraph: planted\ngl\.coloring"):
        methods.check(1)


def refuse(*_: Any) -> None:
    raise InvalidGraph("planted")


def test_graphs_of_every_kind_are_drawn() -> None:
    cases = [drawn.draw(seed) for seed in range(600)]
    assert {case.shape for case in cases} == set(drawn.SHAPES)
    assert {case.kind for case in cases} == set(drawn.KINDS)
    assert {str(case.weights.dtype) for case in cases} == set(drawn.DTYPES)
    assert {0, 1, 2, drawn.MOST} <= {case.n for case in cases}
    assert any(len(case.arcs) < case.rows.size for case in cases)
