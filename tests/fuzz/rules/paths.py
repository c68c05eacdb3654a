"""Distances, shortest paths and widths, by numbers of Python."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

import graphla as gl
from graphla.common.errors import InvalidGraph, NotSupported, Overflow
from tests.fuzz.drawn import Case, close, is_finite


def measure(case: Case, weighted: bool, source: int, back: bool = False) -> dict[int, Any]:
    """The distances from a source, or to it, by Bellman and Ford over fractions."""
    plain = not weighted or case.weights.dtype == bool
    arcs = [(v, u, w) if back else (u, v, w) for (u, v), w in case.arcs.items()]
    found: dict[int, Any] = {source: Fraction(0)}
    for _ in range(case.n):
        for u, v, w in arcs:
            if u in found:
                through = found[u] + (1 if plain else Fraction(w))
                found[v] = min(found.get(v, through), through)
    return found


def draw_lengths(case: Case, rng: Any, zero: bool = True) -> tuple[bool, Any, Any]:
    """Whether weights are lengths, of which some may be zero; the errors due, and those that may come, then."""
    weighted = bool(rng.random() < 0.6)
    counts = weighted and case.weights.dtype != bool
    refused = counts and not (all(w >= 0 for w in case.arcs.values()) if zero else case.positive)
    large = counts and case.kind in ("end", "both ends", "beyond", "denormal")
    lost = (InvalidGraph, Overflow) if case.weights.dtype.kind == "f" else (NotSupported, Overflow)
    return weighted, InvalidGraph if refused else (), lost if large else ()


def check_eccentricity(ask: Any, case: Case, rng: Any) -> None:
    """The greatest distance from each source, to the last digit of whole numbers."""
    weighted, due, may = draw_lengths(case, rng)
    sources = None if rng.random() < 0.6 or not case.n else rng.integers(0, case.n, 3).tolist()
    wanted = (
        {}
        if due
        else {v: max(measure(case, weighted, v).values()) for v in (range(case.n) if sources is None else sources)}
    )
    for told, found in ask(gl.eccentricity, due=due, may=may, sources=sources, weights=weighted):
        assert same(case, weighted, dict(found.to("cpu").to_dict()), wanted), (found, wanted, told)
    if not due:
        most = max((max(measure(case, weighted, v).values()) for v in range(case.n)), default=0)
        for told, found in ask(gl.diameter, may=may, weights=weighted):
            assert same(case, weighted, {0: found}, {0: most}), (found, most, told)
        for told, (low, high) in ask(gl.diameter, may=may, weights=weighted, sweeps=1):
            assert low <= most * (1 + Fraction(1, 10**9)), (low, most, told)
            assert high >= most * (1 - Fraction(1, 10**9)), (high, most, told)


def same(case: Case, weighted: bool, found: dict[int, Any], wanted: dict[int, Any]) -> bool:
    """Whether distances are right: to the last digit, but of floats."""
    if found.keys() != wanted.keys():
        return False
    if not weighted or case.weights.dtype.kind != "f":
        return all(found[v] == wanted[v] for v in wanted)
    room = 1e-5 if case.weights.dtype == np.float32 else 1e-12
    return all(
        is_finite(found[v]) and abs(Fraction(found[v]) - wanted[v]) <= Fraction(room) * wanted[v] for v in wanted
    )


check_diameter = check_eccentricity
"""They share their distances."""


def check_closeness(ask: Any, case: Case, rng: Any) -> None:
    """The definitions, in fractions."""
    weighted, due, may = draw_lengths(case, rng)
    harmonic, improved = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
    direction = str(rng.choice(["in", "out"]))
    asked = {"weights": weighted, "harmonic": harmonic, "improved": improved, "direction": direction}
    if due:
        assert not list(ask(gl.closeness, due=due, **asked))
        return
    wanted = []
    for v in range(case.n):
        far = measure(case, weighted, v, direction == "in")
        total, others = sum(far.values()), len(far) - 1
        if harmonic:
            wanted.append(sum(1 / d for d in far.values() if d))
        else:
            share = Fraction(others, case.n - 1) if improved and case.n > 1 else Fraction(1)
            wanted.append(share * others / total if total else Fraction(0))
    if not all(map(is_finite, wanted)):
        return
    values = [float(w) for w in wanted]
    for told, found in ask(gl.closeness, may=may, **asked):
        room = 1e-5 if case.weights.dtype == np.float32 else 1e-9
        assert close(found.to_numpy(0), values, room), (found, values, told)


def count_paths(case: Case, s: int, weighted: bool) -> tuple[dict[int, Any], dict[int, int], list[tuple[int, int]]]:
    """Distances, numbers of shortest paths, and the arcs on them, from a source."""
    d = measure(case, weighted, s)
    plain = not weighted or case.weights.dtype == bool
    tight = [
        (u, v) for (u, v), w in case.arcs.items() if u in d and u != v and d[u] + (1 if plain else Fraction(w)) == d[v]
    ]
    paths = dict.fromkeys(d, 0) | {s: 1}
    for v in sorted(d, key=d.__getitem__):
        if v != s:
            paths[v] = sum(paths[u] for u, w in tight if w == v)
    return d, paths, tight


def check_betweenness(ask: Any, case: Case, rng: Any) -> None:
    """Sums of shares over all pairs, in fractions; with lengths only where these add up exactly."""
    weighted, due, may = draw_lengths(case, rng, zero=False)
    dtype = str(rng.choice(["FP32", "FP64"]))
    edges, endpoints, normalized = rng.random() < 0.3, rng.random() < 0.3, bool(rng.random() < 0.5)
    sources = None if rng.random() < 0.5 or not case.n else rng.integers(0, case.n, 3).tolist()
    asked: dict[str, Any] = {"weights": weighted, "dtype": dtype, "sources": sources, "edges": bool(edges)}
    asked |= {"endpoints": bool(endpoints and not edges), "normalized": normalized}
    exact = not due and (not weighted or all(float(w).is_integer() and w < 2**40 for w in case.arcs.values()))
    plain = {"normalized": False, "endpoints": False, "edges": False, "directed": True}
    wanted = [0.0] * case.n
    for s in (range(case.n) if sources is None else sources) if exact else ():
        d, paths, tight = count_paths(case, s, weighted)
        back = dict.fromkeys(paths, Fraction(0))
        for v in sorted(d, key=d.__getitem__, reverse=True):
            back[v] = sum((Fraction(paths[v], paths[w]) * (1 + back[w]) for u, w in tight if u == v), Fraction(0))
            wanted[v] += float(back[v]) if v != s else 0.0
    for told, found in ask(gl.betweenness, due=due, may=may, **asked | plain):
        assert not exact or close(found.to_numpy(0), wanted, 1e-4 if dtype == "FP32" else 1e-9), (found, wanted, told)
    for _ in ask(gl.betweenness, due=due, may=may, **asked):
        pass


def check_widest_paths(ask: Any, case: Case, rng: Any) -> None:
    """The greatest weight such that arcs of it or more lead from the source to a vertex."""
    if not case.n:
        assert not list(ask(gl.widest_paths, 0, due=InvalidGraph))
        return
    source = int(rng.integers(case.n))
    kind = case.weights.dtype.kind
    whole = True if kind == "b" else np.inf if kind == "f" else int(np.iinfo(case.weights.dtype).max)
    wanted = {source: whole}
    for least in sorted(set(case.arcs.values()), reverse=True):
        for v in case.reach(source, [{v: w for v, w in row.items() if w >= least} for row in case.out]):
            wanted.setdefault(v, least)
    for told, found in ask(gl.widest_paths, source):
        assert found.dtype == ask.G.dtype, told
        assert found.to("cpu").to_dict() == wanted, (found, wanted, told)
    for told, (widths, _) in ask(gl.widest_paths, source, parents=True):
        assert widths.to("cpu").to_dict() == wanted, (widths, wanted, told)
