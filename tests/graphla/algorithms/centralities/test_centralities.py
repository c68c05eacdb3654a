"""Katz, eigenvector, hubs and authorities by every method against NetworkX and dense iterations."""

from __future__ import annotations

import secrets
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph, InvalidOption, NotConverged, VerificationError
from tests.graphla.engine.engines import get_engine_named

PLACES = ["cpu", pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
PROBLEMS = {"katz": (gl.katz, (0.02, 0.5)), "eigenvector": (gl.eigenvector, ()), "hits": (gl.hits, ())}
CASES = [(problem, name) for problem, (solve, _) in PROBLEMS.items() for name in solve.methods]
REQUESTS: list[dict[str, Any]] = [
    {"rounds": 0},
    {"rounds": 6},
    {"rounds": 5, "weights": True, "dtype": "FP32"},
    {"tolerance": 1e-3, "max_rounds": 5000},
]


def fresh(seed: int, engine: Any = "cpu", n: int = 30, arcs: int = 120) -> gl.Graph:
    rng = np.random.default_rng(seed)
    cells = np.unique(rng.integers(0, n * n, arcs))
    return gl.Graph((cells // n, cells % n, rng.integers(1, 5, cells.size).astype("int32")), n=n, engine=engine)


def dense(G: gl.Graph, weights: bool) -> np.ndarray:
    A = np.zeros((G.n, G.n))
    rows, cols, values = G.to("cpu").A.to_coo()
    A[rows, cols] = values if weights else 1
    return A


def compute_expected(problem: str, A: np.ndarray, rounds: int) -> np.ndarray:
    """So many rounds, written out; of hits the hub values."""
    n = len(A)
    if problem == "katz":
        x = np.zeros(n)
        for _ in range(rounds):
            x = 0.02 * A.T @ x + 0.5
        return x
    x = np.full(n, n**-0.5 if problem == "eigenvector" else 1 / n)
    shift = 2.0 ** np.floor(np.log2(A.max()))
    for _ in range(rounds):
        x = A.T @ x + shift * x if problem == "eigenvector" else A @ (A.T @ x)
        size = np.linalg.norm(x) if problem == "eigenvector" else x.sum()
        x, shift = x / size, (size - shift) / 8
    return x


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("asked", REQUESTS, ids=str)
@pytest.mark.parametrize(("problem", "name"), CASES)
def test_random_graphs(problem: str, name: str, asked: dict[str, Any], place: str) -> None:
    solve, where = PROBLEMS[problem]
    seed = secrets.randbits(32)
    G = fresh(seed, get_engine_named(place))
    found = solve(G, *where, method=name, **asked)
    answers = found if isinstance(found, tuple) else (found,)
    solve.verify(G, *answers, *where, **asked)
    assert answers[0].dtype == asked.get("dtype", "FP64")
    if "rounds" in asked:
        wanted = compute_expected(problem, dense(G, asked.get("weights", False)), asked["rounds"])
        np.testing.assert_allclose(answers[0].to_numpy(), wanted, rtol=1e-4, atol=1e-9, err_msg=f"seed {seed}")


@pytest.mark.parametrize("name", ["algebraic", "fused"])
def test_networkx_agrees(name: str) -> None:
    K = gl.generate.kronecker(6, engine="cpu")
    D = K.A.to_networkx()
    tight = {"tolerance": 1e-11, "max_rounds": 10_000, "method": name}
    x = gl.katz(K, 0.01, **tight).to_numpy()
    theirs = nx.katz_centrality(D, 0.01, tol=1e-12)
    np.testing.assert_allclose(x / np.linalg.norm(x), [theirs[v] for v in range(K.n)], atol=1e-8)
    theirs = nx.eigenvector_centrality(D, 1000, tol=1e-13)
    np.testing.assert_allclose(gl.eigenvector(K, **tight).to_numpy(), [theirs[v] for v in range(K.n)], atol=1e-6)
    hubs, authorities = nx.hits(D)
    found = gl.hits(K, **tight)
    for ours, wanted in zip(found, (hubs, authorities), strict=True):
        np.testing.assert_allclose(ours.to_numpy(), [wanted[v] for v in range(K.n)], atol=1e-6)


@pytest.mark.parametrize(("problem", "name"), CASES)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_no_arcs(n: int, problem: str, name: str) -> None:
    solve, where = PROBLEMS[problem]
    G = gl.Graph(([], []), n=n, engine="cpu")
    found = solve(G, *where, method=name)
    answers = found if isinstance(found, tuple) else (found,)
    value = {"katz": 0.5, "eigenvector": max(1, n) ** -0.5, "hits": 0.0}[problem]
    for each in answers:
        np.testing.assert_allclose(each.to_numpy(), [value] * n)
    solve.verify(G, *answers, *where)


@pytest.mark.parametrize("name", ["algebraic", "fused"])
def test_values_that_grow_without_end_are_told(name: str) -> None:
    with pytest.raises(NotConverged, match=r"katz: the values grow beyond FP64: alpha must be less than 1 over"):
        gl.katz(gl.generate.complete(20, engine="cpu"), 0.2, method=name)


@pytest.mark.parametrize(
    ("call", "error", "what"),
    [
        (lambda G: gl.katz(G, float("nan")), InvalidOption, "alpha=nan: give a finite number"),
        (lambda G: gl.katz(G, beta="1"), InvalidOption, "beta='1'"),
        (lambda G: gl.hits(G, tolerance=-1), InvalidOption, "tolerance=-1: give a positive number"),
        (lambda G: gl.hits(G, rounds=3, tolerance=1e-3), InvalidOption, "rounds=3 with tolerance=0.001"),
        (lambda G: gl.eigenvector(G, rounds=-2), InvalidOption, "rounds=-2"),
        (lambda G: gl.eigenvector(G, dtype="INT8"), InvalidOption, "dtype='INT8'"),
        (lambda G: gl.eigenvector(gl.Graph(([0], [1], [0])), weights=True), InvalidGraph, "smallest weight is 0"),
    ],
)
def test_bad_input_is_refused(call: Any, error: type[Exception], what: str) -> None:
    with pytest.raises(error, match=what):
        call(fresh(1))


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_verifier_finds_wrong_values(problem: str) -> None:
    solve, where = PROBLEMS[problem]
    G = fresh(7)
    found = solve(G, *where, rounds=9)
    first, *rest = found if isinstance(found, tuple) else (found,)
    wrong = gl.Vector.from_dense(first.to_numpy() * (1 + 0.1 * (np.arange(G.n) == 4)), engine="cpu")
    with pytest.raises(VerificationError, match=f"{problem}: it differs from that of 9 rounds .* vertex 4"):
        solve.verify(G, wrong, *rest, *where, rounds=9)
    if rest:
        with pytest.raises(VerificationError, match="authorities are not"):
            solve.verify(G, first, wrong, rounds=9)


def test_comparisons() -> None:
    for problem in PROBLEMS:
        found = gl.compare(problem, fresh(3), rounds=5, repeat=1)
        assert {row.status for row in found} == {"right"}, str(found)


@pytest.mark.parametrize("method", gl.eigenvector.methods)
@pytest.mark.parametrize("place", PLACES)
def test_changes_that_swing_do_not_end_the_rounds_early(method: str, place: str) -> None:
    """Eigenvalues at λ, -λ and ±iλ: every other round changed little, and a further one more than is allowed."""
    far = 2**32 - 1
    tails, heads, weights = [0, 1, 1, 2, 2, 3, 3, 3], [3, 0, 1, 1, 3, 1, 2, 3], [far, 3, 1, far, 1, 3, far, 3]
    G = gl.Graph((tails, heads, np.array(weights, "uint32")), n=4, engine=get_engine_named(place))
    found = gl.eigenvector(G, weights=True, dtype="FP64", method=method)
    gl.eigenvector.verify(G, found, weights=True, dtype="FP64")
