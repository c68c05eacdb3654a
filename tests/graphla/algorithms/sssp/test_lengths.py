"""In which dtype k shortest paths and A* search: that of `sssp` where it holds all distances, with the same answers."""

from __future__ import annotations

import secrets
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.shared.sorted_rows import sort_entering_arcs, sort_leaving_arcs
from graphla.algorithms.sssp import _lengths, _toward
from graphla.algorithms.sssp._detours import Detours
from tests.cupy_modules import trace_modules
from tests.graphla.engine.engines import NAMES, get_engine_named

N = 24
MOST = (2**31 - 2) // 7
"""The largest weight of which INT32 holds seven, and a distance is not the number that stands for none."""
DTYPES = ["BOOL", "INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64", "FP32", "FP64"]


@pytest.fixture(autouse=True)
def small_kernels() -> None:
    """Kernels as they are: the engines of these tests know no small ones."""


def draw(seed: int, dtype: str, undirected: bool) -> gl.Graph:
    """A random graph with loops, arcs of weight 0, and vertices out of reach."""
    bits = np.random.default_rng(seed)
    weights = bits.integers(dtype == "BOOL", 2 if dtype == "BOOL" else 9, 3 * N)
    given = *bits.integers(0, N - 2, (2, 3 * N)), weights
    return gl.Graph(gl.Graph(given, n=N, dup="min", undirected=undirected, engine="cpu").A.dup(dtype))


def give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each search by bounds given up, so that distances from the source find the path."""

    def open_none(G: gl.Graph, weights: Any) -> Detours:
        detours = _lengths.open_detours(G, weights)
        detours.most = 0
        return detours

    monkeypatch.setattr(_toward, "open_detours", open_none)


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_answers_are_those_of_wide_weights(
    monkeypatch: pytest.MonkeyPatch, name: str, dtype: str, undirected: bool
) -> None:
    give_up(monkeypatch)
    G, bits = draw(seed := secrets.randbits(32), dtype, undirected), np.random.default_rng(1)
    there = G.to(get_engine_named(name))
    wide = gl.Graph(G.A.dup("FP64" if dtype[0] == "F" else "INT64"))
    for source, target in bits.integers(0, N, (4, 2)).tolist():
        expected, found = (gl.k_shortest_paths(each, source, target, 12) for each in (wide, there))
        assert found[0] == expected[0], f"seed {seed}"
        np.testing.assert_array_equal(found[1], expected[1], f"seed {seed}", strict=True)
        ways = [gl.shortest_path(each, source, target, heuristic=np.zeros(N)) for each in (wide, there)]
        assert ways[0] == ways[1], f"seed {seed}"


def list_lengths(G: gl.Graph) -> list[int]:
    """The lengths of all simple paths from the first to the last vertex of a small graph, in Python's numbers."""
    tails, heads, weights = (part.tolist() for part in G.A.to("cpu").to_coo())
    arcs, inner = dict(zip(zip(tails, heads, strict=True), weights, strict=True)), range(1, G.n - 1)
    ways = [(0, *some, G.n - 1) for size in range(G.n - 1) for some in permutations(inner, size)]
    return sorted(sum(arcs[arc] for arc in pairwise(way)) for way in ways if all(arc in arcs for arc in pairwise(way)))


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("weight", [MOST, MOST + 1, 400_000_000, 2**31 - 1])
@pytest.mark.parametrize("name", NAMES)
def test_lengths_at_the_end_of_32_bits(
    monkeypatch: pytest.MonkeyPatch, name: str, weight: int, undirected: bool
) -> None:
    give_up(monkeypatch)
    tails, heads = [*range(6), 0, 1], [*range(1, 7), 2, 4]
    weights = np.array([*[weight] * 7, weight - 1], np.int32)
    G = gl.Graph((tails, heads, weights), n=7, undirected=undirected, engine=get_engine_named(name))
    assert _lengths.find_dtype(G) == ("int32" if weight <= MOST else "int64")
    paths, lengths = gl.k_shortest_paths(G, 0, 6, 99)
    assert (lengths.dtype, lengths.tolist()) == (np.int64, list_lengths(G))
    assert gl.shortest_path(G, 0, 6, heuristic=np.zeros(7)) == paths[0]
    assert gl.k_shortest_paths(G, 6, 0, 1)[0] == ([paths[0][::-1]] if undirected else [])


@pytest.mark.parametrize("dtype", ["INT32", "INT64", "FP64"])
def test_no_weights_are_copied_to_search_against_the_arcs(dtype: str) -> None:
    G, U = draw(1, dtype, undirected=False), draw(1, dtype, undirected=True)
    assert _lengths.get_searched(G) is G
    assert _lengths.get_reverse(U) is U
    back = _lengths.get_reverse(G)
    assert back.csr is G.csc
    assert back.csc is G.csr


@pytest.mark.parametrize("name", NAMES)
def test_no_path_stays_none_in_wide_distances(name: str) -> None:
    G = draw(1, "INT32", undirected=True).to(get_engine_named(name))
    given = np.arange(N, dtype=np.int32)
    given[[3, 7]] = 2**31 - 1
    wide = G.engine.to_host(_lengths.open_detours(G, _lengths.get_sums(G)).widen(G.engine.asarray(given)))
    assert wide.dtype == np.int64
    assert wide.tolist() == [2**63 - 1 if v in (3, 7) else v for v in range(N)]


@pytest.mark.emulated
@pytest.mark.parametrize("dtype", ["INT32", "FP32"])
def test_rows_are_sorted_once(dtype: str) -> None:
    searched = _lengths.get_searched(draw(1, dtype, undirected=False).to(get_engine_named("emulated")))
    back = _lengths.get_reverse(searched)
    assert sort_leaving_arcs(back) is sort_entering_arcs(searched)
    assert sort_entering_arcs(back) is sort_leaving_arcs(searched)


@pytest.mark.emulated
@pytest.mark.parametrize("dtype", ["INT32", "INT64", "FP64"])
def test_what_sssp_compiles_serves(dtype: str) -> None:
    """Beside the kernels of detours and the cast of weights, a first call compiles what a first search does."""
    G = gl.Graph(gl.generate.grid2d(20, 20, weights=(1, 255), seed=1, engine="cpu").A.dup(dtype))
    searched, *asked = (
        {*trace_modules(lambda engine: G.to(engine), call).own}
        for call in (
            lambda G: gl.sssp(G, 0),
            lambda G: gl.k_shortest_paths(G, 0, 5, 9),
            lambda G: gl.shortest_path(G, 0, 5, heuristic=np.zeros(G.n)),
        )
    )
    for own in asked:
        assert {each.split("<")[0] for each in own - searched} <= {
            "convert",
            "find_detours",
            "point_onward",
            "leave_each",
        }
