"""Ranks and values that are a fixed point, in fractions: these neither wrap, overflow nor vanish."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

import graphla as gl
from graphla.common.errors import InvalidGraph, NotConverged, Overflow
from tests.fuzz.drawn import Case, close

Row = list[Fraction]
ROOM = {"FP32": 1e-5, "FP64": 1e-11, None: 1e-5}


FAR = 10**6
"""Weights of a directed graph so far apart make vectors of powers that seem settled, and are not."""


def get_weights(case: Case, weighted: bool) -> dict[tuple[int, int], Fraction]:
    """What each arc counts."""
    counts = weighted and case.weights.dtype != bool
    return {arc: Fraction(w) if counts else Fraction(1) for arc, w in case.arcs.items()}


def draw_weighted(ask: Any, case: Case, rng: Any) -> tuple[bool, Any]:
    """Whether weights count, and the errors that are due then; a GPU takes denormal numbers of FP32 for zero."""
    weighted = bool(rng.random() < 0.6)
    refused = weighted and case.weights.dtype != bool and not case.positive
    if weighted and case.weights.dtype == np.float32 and ask.G.engine.name == "cuda":
        refused |= any(w < np.finfo("float32").tiny for w in case.arcs.values())
    return weighted, InvalidGraph if refused else ()


def gather(weights: dict[tuple[int, int], Fraction], x: Row, back: bool = False) -> Row:
    """The sum over the entering arcs, or the leaving ones, of what their other ends have."""
    found = [Fraction(0)] * len(x)
    for (u, v), w in weights.items():
        if back:
            found[u] += w * x[v]
        else:
            found[v] += w * x[u]
    return found


def rank(case: Case, weights: Any, rounds: int, d: Fraction, teleport: Row, ignores: bool) -> Row:
    """So many rounds of PageRank."""
    sums = [Fraction(0)] * case.n
    for (u, _), w in weights.items():
        sums[u] += w
    x = [Fraction(1, max(1, case.n))] * case.n
    for _ in range(rounds):
        lost = Fraction(0) if ignores else sum((x[v] for v in range(case.n) if not sums[v]), Fraction(0))
        y = gather(weights, [x[v] / sums[v] if sums[v] else Fraction(0) for v in range(case.n)])
        x = [d * (y[v] + lost * teleport[v]) + (1 - d) * teleport[v] for v in range(case.n)]
    return x


def check_pagerank(ask: Any, case: Case, rng: Any) -> None:
    """So many rounds are those of fractions; what settles adds up to 1."""
    weighted, due = draw_weighted(ask, case, rng)
    damping, dtype, ignores = (
        float(rng.choice([0, 0.5, 0.85, 0.99])),
        rng.choice(["", "FP32", "FP64"]),
        rng.random() < 0.2,
    )
    asked: dict[str, Any] = {"weights": weighted, "damping": damping, "dangling": "ignore" if ignores else "teleport"}
    teleport = [Fraction(1, max(1, case.n))] * case.n
    if case.n and rng.random() < 0.3:
        given = dict.fromkeys(rng.integers(0, case.n, 2).tolist(), float(rng.choice([1, 5e-324, 1.5e308])))
        asked["personalization"], teleport = given, [Fraction(v in given, len(given)) for v in range(case.n)]
    if dtype:
        asked["dtype"] = str(dtype)
    rounds = int(rng.integers(0, 4))
    wanted = (
        None
        if due
        else [float(x) for x in rank(case, get_weights(case, weighted), rounds, Fraction(damping), teleport, ignores)]
    )
    for told, found in ask(gl.pagerank, due=due, rounds=rounds, **asked):
        assert close(found.to_numpy(0), wanted, ROOM[asked.get("dtype")]), (found, wanted, told)
    if dtype == "FP32" and damping > 0.9:
        return
    for told, found in ask(gl.pagerank, due=due, **asked):
        assert ignores or not case.n or close(found.to_numpy(0).sum(), 1, 1e-4), (found, told)


def check_katz(ask: Any, case: Case, rng: Any) -> None:
    """So many rounds are those of fractions, or too large for the dtype."""
    weighted, due = draw_weighted(ask, case, rng)
    dtype, alpha, beta, rounds = str(rng.choice(["FP32", "FP64"])), 0.125, 0.5, int(rng.integers(0, 4))
    if due:
        assert not list(ask(gl.katz, alpha=alpha, due=due, weights=weighted))
        return
    x, weights = [Fraction(0)] * case.n, get_weights(case, weighted)
    for _ in range(rounds):
        x = [Fraction(alpha) * y + Fraction(beta) for y in gather(weights, x)]
    last = Fraction(float(np.finfo("float32" if dtype == "FP32" else "float64").max))
    if max(x, default=0) > last:
        due = Overflow
    may = Overflow if max(weights.values(), default=0) > last else ()
    asked = {"alpha": alpha, "beta": beta, "rounds": rounds, "weights": weighted, "dtype": dtype}
    for told, found in ask(gl.katz, due=due, may=may, **asked):
        assert close(found.to_numpy(0), [float(y) for y in x], ROOM[dtype]), (found, x, told)
    for _ in ask(gl.katz, may=(NotConverged, Overflow), alpha=alpha, weights=weighted, dtype=dtype):
        pass


def check_hits(ask: Any, case: Case, rng: Any) -> None:
    """So many rounds are those of fractions."""
    weighted, due = draw_weighted(ask, case, rng)
    dtype, rounds = str(rng.choice(["FP32", "FP64"])), int(rng.integers(0, 4))
    asked = {"weights": weighted, "dtype": dtype}
    if due:
        assert not list(ask(gl.hits, due=due, **asked))
        return
    weights, h = get_weights(case, weighted), [Fraction(1 if case.arcs else 0, max(1, case.n))] * case.n
    for _ in range(rounds):
        h = over_sum(gather(weights, over_sum(gather(weights, h)), True))
    a = over_sum(gather(weights, h))
    for told, (hubs, authorities) in ask(gl.hits, rounds=rounds, **asked):
        for found, wanted in ((hubs, h), (authorities, a)):
            assert close(found.to_numpy(0), [float(y) for y in wanted], ROOM[dtype]), (found, wanted, told)
    for _ in ask(gl.hits, may=NotConverged, **asked):
        pass


def over_sum(x: Row) -> Row:
    """Numbers over their sum."""
    total = sum(x, Fraction(0))
    return [y / total for y in x] if total else x


def check_eigenvector(ask: Any, case: Case, rng: Any) -> None:
    """The values have norm 1, are those of the matrix over a power of two, and settle where eigenvalues are apart."""
    weighted, due = draw_weighted(ask, case, rng)
    dtype, rounds = str(rng.choice(["FP32", "FP64"])), int(rng.integers(0, 5))
    asked = {"weights": weighted, "dtype": dtype}
    for told, found in ask(gl.eigenvector, due=due, rounds=rounds, **asked):
        assert not case.n or close(np.linalg.norm(found.to_numpy(0).astype(float)), 1, 1e-5), (found, told)
        assert not found.nvals or found.to_numpy(0).min() >= 0, (found, told)
    settles = case.undirected and len(set(case.arcs.values())) <= 1
    sizes = get_weights(case, weighted).values()
    if not due and not case.undirected and max(sizes, default=0) > FAR * min(sizes, default=0):
        return  # rounds rest for a while where a cycle is far lighter than what leads past it
    for _ in ask(gl.eigenvector, due=due, may=() if settles else NotConverged, **asked):
        pass
