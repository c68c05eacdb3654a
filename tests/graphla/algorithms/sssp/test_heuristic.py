"""A path toward one target: by any lower bounds it is a shortest one, and good ones meet few vertices."""

from __future__ import annotations

import secrets
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.sssp import _detours_cuda, _k_shortest_cpu, _lengths, _toward
from graphla.common.errors import InvalidOption, NotSupported, Overflow
from tests.graphla.engine.engines import NAMES, get_engine_named

INF = float("inf")

N = 40


@pytest.fixture(autouse=True)
def small_kernels() -> None:
    """Kernels as they are: the engines of these tests know no small ones."""


def draw(seed: int, kind: str) -> gl.Graph:
    """A random graph with loops, arcs of weight 0 and vertices out of reach."""
    bits = np.random.default_rng(seed)
    weights = {
        "ints": bits.integers(0, 20, 90),
        "floats": bits.random(90),
        "bools": np.ones(90, bool),
        "zeros": bits.integers(0, 2, 90),
    }[kind]
    return gl.Graph((*bits.integers(0, N - 1, (2, 90)), weights), n=N, dup="min", engine="cpu")


def walk_back(G: gl.Graph, source: int, target: int) -> list[int]:
    """The path that is documented: back each time to the least vertex that is nearer, else along weights of 0."""
    A, d = G.A.to_numpy(np.inf), gl.sssp(G, source).to_numpy(np.inf)
    if not np.isfinite(d[target]):
        return []
    tight = (d[:, None] + A == d[None, :]) & np.isfinite(d)[None, :]
    parents = {v: int(us[0]) for v in range(G.n) if (us := np.flatnonzero(tight[:, v] & (d < d[v]))).size}
    known = {source, *parents}
    while len(known) < np.isfinite(d).sum():
        more = {v: min(us) for v in range(G.n) if v not in known and (us := [u for u in known if tight[u, v]])}
        parents |= more
        known |= {*more}
    path = [target]
    while path[-1] != source:
        path.append(parents[path[-1]])
    return path[::-1]


def measure(G: gl.Graph, path: list[int]) -> float:
    A = G.A.to_numpy(0)
    return float(sum(A[u, v] for u, v in pairwise(path)))


@pytest.mark.parametrize("kind", ["ints", "floats", "bools"])
def test_any_lower_bounds_lead_to_a_shortest_path(kind: str) -> None:
    for _ in range(8):
        G, bits = draw(seed := secrets.randbits(32), kind), np.random.default_rng(1)
        source, target = bits.integers(0, N, 2).tolist()
        right = gl.sssp(gl.Graph(G.A.T.new(), engine="cpu"), target).to_numpy(np.inf).astype(float)
        shares = bits.random(N)  # of the distances: lower bounds that are not consistent
        finite = np.where(np.isfinite(right), right, 0) * shares
        for bounds in (np.zeros(N), right, finite, np.where(np.isfinite(right), finite, np.inf)):
            path = gl.shortest_path(G, source, target, heuristic=bounds)
            if not np.isfinite(right[source]):
                assert path == [], f"seed {seed}"
                continue
            assert (path[0], path[-1], len(set(path))) == (source, target, len(path)), f"seed {seed}"
            assert measure(G, path) == pytest.approx(right[source], rel=1e-12), f"seed {seed}"


def give_up(monkeypatch: pytest.MonkeyPatch, most: int | None) -> None:
    """Let searches relax so many arcs and no more."""

    def open_few(G: gl.Graph, weights: Any) -> Any:
        detours = _lengths.open_detours(G, weights)
        detours.most = detours.most if most is None else most
        return detours

    monkeypatch.setattr(_toward, "open_detours", open_few)


@pytest.mark.parametrize("most", [None, 0, 20])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["ints", "zeros", "bools", "floats"])
def test_the_path_is_the_documented_one_on_every_engine(
    monkeypatch: pytest.MonkeyPatch, name: str, kind: str, most: int | None
) -> None:
    give_up(monkeypatch, most)
    for number in range(6):
        G, bits = draw(seed := secrets.randbits(32), kind), np.random.default_rng(number)
        there = G.to(get_engine_named(name))
        source, target = bits.integers(0, N, 2).tolist()
        right = gl.sssp(gl.Graph(G.A.T.new(), engine="cpu"), target).to_numpy(np.inf).astype(float)
        shares = np.where(np.isfinite(right), right, 0) * bits.random(N)
        expected = walk_back(G, source, target)
        for bounds in (np.zeros(N), right, shares):
            assert gl.shortest_path(there, source, target, heuristic=bounds) == expected, f"seed {seed}"


@pytest.mark.parametrize("most", [None, 0])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["ints", "zeros", "floats"])
def test_bounds_above_the_distance_give_a_path_or_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, kind: str, most: int | None
) -> None:
    refused = 0
    give_up(monkeypatch, most)
    for number in range(6):
        G, bits = draw(seed := secrets.randbits(32), kind), np.random.default_rng(number)
        there = G.to(get_engine_named(name))
        right = gl.sssp(gl.Graph(G.A.T.new(), engine="cpu"), 1).to_numpy(np.inf).astype(float)
        for source in range(2, N, 9):
            bounds = bits.integers(0, 60, N).astype(float)
            bounds[1] = 0
            try:
                path = gl.shortest_path(there, source, 1, heuristic=bounds)
            except InvalidOption as error:
                refused += 1
                v = int(str(error).split()[2])
                assert bounds[v] > right[v], f"seed {seed}"
                continue
            assert all(there.A.get(u, v) is not None for u, v in pairwise(path)), f"seed {seed}"
            assert bool(path) == bool(np.isfinite(right[source])), f"seed {seed}"
    assert refused


def test_the_nearer_the_bounds_the_fewer_vertices_are_met(monkeypatch: pytest.MonkeyPatch) -> None:
    G, seen = gl.generate.grid2d(40, 40, weights=(50, 60), seed=1, engine="cpu"), []
    detour = _k_shortest_cpu.detour

    def count(*given: Any) -> Any:
        found = detour(*given)
        seen.append(int(given[-2][2].sum()))
        return found

    monkeypatch.setattr(_k_shortest_cpu, "detour", count)
    target = 20 * 40 + 30
    rows, columns = np.divmod(np.arange(G.n), 40)
    steps = 50.0 * (abs(rows - 20) + abs(columns - 30))
    paths = [gl.shortest_path(G, 20 * 40 + 10, target, heuristic=each) for each in (0 * steps, steps)]
    assert measure(G, paths[0]) == measure(G, paths[1])
    assert seen[1] < seen[0] / 3


@pytest.mark.parametrize("name", NAMES)
def test_a_search_without_bounds_is_given_up(
    monkeypatch: pytest.MonkeyPatch, relaxed_arcs: list[int], name: str
) -> None:
    """One block would relax the arcs of all hubs again and again."""
    G = gl.generate.kronecker(10, seed=1, weights=(1, 255), engine="cpu")
    there = G.to(get_engine_named(name))
    monkeypatch.setattr(_detours_cuda, "LEAST_ARCS", 0)
    give_up(monkeypatch, 2000 if name == "cpu" else None)
    path = gl.shortest_path(there, 0, 613, heuristic=np.zeros(G.n))
    most = 2000 + G.max_degree if name == "cpu" else G.n**2 // (2 * (G.n + G.nvals)) + 32 * G.max_degree
    assert 0 < sum(relaxed_arcs) <= most
    assert path == walk_back(G, 0, 613)


@pytest.mark.parametrize("name", NAMES)
def test_the_path_is_the_same_wherever_a_search_is_given_up(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Also among the last arcs, where some vertices have parents that are not the least yet."""
    tails, heads, _ = gl.generate.grid2d(7, 7, engine="cpu").A.to_coo()
    for number in range(4, 12):
        named = np.random.default_rng(number).permutation(49)
        G = gl.Graph((named[tails], named[heads]), n=49, engine="cpu")
        there, ends = G.to(get_engine_named(name)), (int(named[0]), int(named[48]))
        expected = walk_back(G, *ends)
        for most in (*range(0, 300, 50), *range(310, 332, 4)):
            give_up(monkeypatch, most)
            assert gl.shortest_path(there, *ends, heuristic=np.zeros(G.n)) == expected, most


@pytest.mark.parametrize("name", NAMES)
def test_more_hubs_than_a_block_lists_are_relaxed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Forty vertices of 300 arcs each, all in one round; the path to each other vertex leads through one of them."""
    hubs, others = np.arange(1, 41), np.arange(41, 341)
    tails = np.concatenate([0 * hubs, np.repeat(hubs, others.size)])
    heads = np.concatenate([hubs, np.tile(others, hubs.size)])
    weights = np.where((tails == 0) | (heads % 40 == tails % 40), 1, 9)
    G = gl.Graph((tails, heads, weights), n=341, engine="cpu")
    there = G.to(get_engine_named(name))
    give_up(monkeypatch, 10**9)
    for target in range(41, 81):
        path = gl.shortest_path(there, 0, target, heuristic=np.zeros(G.n))
        assert path == [0, target - 40, target]


def test_labels_vectors_and_one_vertex() -> None:
    G = gl.Graph(([0, 1], [1, 2]), n=4, labels=["a", "b", "c", "d"], engine="cpu")
    bounds = gl.Vector.from_coo([0], [1.5], size=4, engine="cpu")
    assert gl.shortest_path(G, "a", "c", heuristic=bounds) == ["a", "b", "c"]
    assert gl.shortest_path(G, "d", "d", heuristic=bounds) == ["d"]
    assert gl.shortest_path(G, "a", "d", heuristic=np.zeros(4)) == []


@pytest.mark.parametrize(
    ("weights", "asked", "error", "text"),
    [
        ([1, 2], {"heuristic": [0, 0]}, InvalidOption, r"shape \(2,\) for 3 vertices"),
        ([1, 2], {"heuristic": [0, -1, 0]}, InvalidOption, "vertex 1 has the bound -1"),
        ([1, 2], {"heuristic": [np.nan, 0, 0]}, InvalidOption, "vertex 0 has the bound nan"),
        ([1, 2], {"heuristic": [0, 0, 3]}, InvalidOption, "the target has the bound 3"),
        ([1, 2], {"heuristic": "far"}, InvalidOption, "heuristic='far' is no array of numbers"),
        ([1, 2], {"heuristic": [0, 0, 0], "method": "nearby"}, NotSupported, "method='nearby' and heuristic="),
        ([1, -2], {"heuristic": [0, 0, 0]}, NotSupported, "the smallest weight is -2"),
        ([1, 2**61], {"heuristic": [0, 0, 0]}, Overflow, "exceed INT64"),
    ],
)
def test_what_is_refused(weights: list[int], asked: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        gl.shortest_path(gl.Graph(([0, 1], [1, 2], weights), engine="cpu"), 0, 2, **asked)


def test_infinite_bounds_hide_no_path() -> None:
    G = gl.Graph(([0, 1, 2], [1, 2, 3], [1, 1, 1]), n=5, engine="cpu")
    for bounds, vertex in (([INF, INF, INF, 0, 0], 0), ([0, INF, 0, 0, 0], 1), ([0, 0, INF, 0, INF], 2)):
        with pytest.raises(InvalidOption, match=f"vertex {vertex} has the bound inf, and {3 - vertex} is to go"):
            gl.shortest_path(G, 0, 3, heuristic=bounds)
    assert gl.shortest_path(G, 0, 3, heuristic=[0, 0, 0, 0, INF]) == [0, 1, 2, 3]
    for bounds in ([INF] * 4 + [0], [0] * 5, [0, INF, 0, INF, 0]):
        assert gl.shortest_path(G, 0, 4, heuristic=bounds) == []


@pytest.mark.parametrize("dtype", ["INT64", "FP64"])
def test_random_infinite_bounds_answer_as_none_or_are_refused(dtype: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        n, m = int(rng.integers(2, 12)), int(rng.integers(1, 24))
        arcs = rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(1, 9, m)
        G = gl.Graph(gl.Graph(arcs, n=n, dup="min", engine="cpu").A.dup(dtype), engine="cpu")
        bounds = np.where(rng.random(n) < 0.4, INF, 0.0)
        bounds[n - 1] = 0
        right = gl.sssp(G, 0).to_numpy(-1)[n - 1]
        try:
            path = gl.shortest_path(G, 0, n - 1, heuristic=bounds)
        except InvalidOption:
            assert right >= 0
            continue
        assert sum(G.A[a, b].new().value for a, b in pairwise(path)) >= max(right, 0)  # high bounds, not on it
        assert bool(path) == (right >= 0)
