"""Rounds that begin with values of the caller: against dense rounds, and an answer has settled."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidOption, VerificationError
from tests.graphla.algorithms.centralities.test_centralities import PLACES, dense, fresh
from tests.graphla.engine.engines import get_engine_named

PROBLEMS: dict[str, Any] = {"katz": lambda G, **asked: gl.katz(G, 0.02, 0.5, **asked), "eigenvector": gl.eigenvector}
CASES = [(name, method) for name in PROBLEMS for method in getattr(gl, name).methods]


def run_rounds(problem: str, A: np.ndarray, x: np.ndarray, rounds: int) -> np.ndarray:
    """So many rounds, written out."""
    shift, x = 1.0, x if problem == "katz" else x / x.max() / np.linalg.norm(x / x.max())
    for _ in range(rounds):
        if problem == "katz":
            x = 0.02 * A.T @ x + 0.5
        else:
            y = A.T @ x + shift * x
            norm = np.linalg.norm(y)
            x, shift = y / norm, abs(norm - shift) / 8 + 1e-12
    return x


def verify(problem: str, G: gl.Graph, found: gl.Vector, **asked: Any) -> None:
    getattr(gl, problem).verify(G, found, *((0.02, 0.5) if problem == "katz" else ()), **asked)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("rounds", [0, 4])
@pytest.mark.parametrize(("problem", "method"), CASES)
def test_rounds_from_random_values(problem: str, method: str, rounds: int, dtype: str, place: str) -> None:
    seed = secrets.randbits(32)
    rng = np.random.default_rng(seed)
    G = fresh(seed, get_engine_named(place))
    x = rng.random(G.n) * (rng.random(G.n) < 0.7)
    x[3] = 1e300 if problem == "eigenvector" and dtype == "FP64" else 7
    forms = x, x.tolist(), gl.Vector.from_dense(x, missing_value=0, engine=G.engine), G.engine.xp.asarray(x)
    for form in forms:
        found = PROBLEMS[problem](G, start=form, rounds=rounds, method=method, dtype=dtype)
        wanted = run_rounds(problem, dense(G, weights=False), x, rounds)
        np.testing.assert_allclose(found.to_numpy(), wanted, rtol=1e-4, atol=1e-6, err_msg=f"seed {seed}")
        verify(problem, G, found, start=form, rounds=rounds, dtype=dtype)
    with pytest.raises(VerificationError, match="it differs from that of"):
        verify(problem, G, found, rounds=rounds, dtype=dtype)
    np.testing.assert_array_equal(G.engine.to_host(forms[-1]), x)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize(("problem", "method"), CASES)
def test_an_answer_has_settled(problem: str, method: str, dtype: str, place: str) -> None:
    G = gl.generate.kronecker(6, engine=get_engine_named(place))
    solve = (
        (lambda **asked: gl.katz(G, 0.01, **asked))
        if problem == "katz"
        else (lambda **asked: gl.eigenvector(G, **asked))
    )
    asked = {"method": method, "dtype": dtype, "tolerance": 1e-5}
    found = solve(**asked)
    again = solve(start=found, max_rounds=2, **asked)
    np.testing.assert_allclose(again.to_numpy(), found.to_numpy(), rtol=1e-3, atol=1e-6)
    with pytest.raises(gl.errors.NotConverged):
        solve(start=np.arange(1, G.n + 1), max_rounds=2, **asked)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_graph_without_vertices(problem: str) -> None:
    G = gl.Graph(([], []), n=0, engine="cpu")
    assert PROBLEMS[problem](G, start=[]).size == 0


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (np.ones(29), r"start: 29 values for 30 vertices; give one for each, as a Vector has after resize\(30\)"),
        (np.ones((30, 1)), "give a Vector or an array of 30 real numbers"),
        (1.0, "start=1.0: give a Vector or an array"),
        ("ones", "start='ones'"),
        ({0: 1.0}, "start={0: 1.0}"),
        (np.ones(30, complex), "real numbers"),
        (np.ones(30, bool), "real numbers"),
        ([[1.0], 2.0], "start="),
        (np.full(30, np.nan), "no finite FP32 number"),
        (np.full(30, 1e39), "no finite FP32 number"),
    ],
)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_what_is_no_start_is_refused(problem: str, start: Any, what: str) -> None:
    with pytest.raises(InvalidOption, match=what):
        PROBLEMS[problem](fresh(1), start=start, dtype="FP32")


def test_signs() -> None:
    G = fresh(2)
    for start in (np.zeros(30), -np.ones(30)):
        with pytest.raises(InvalidOption, match="start: give values of which none is negative and one is positive"):
            gl.eigenvector(G, start=start)
        assert gl.katz(G, 0.01, start=start).isclose(gl.katz(G, 0.01), abs_tol=1e-4)
