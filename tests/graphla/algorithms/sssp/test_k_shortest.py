"""The k shortest paths, against NetworkX's and against all simple paths of small graphs."""

from __future__ import annotations

import secrets
from itertools import islice, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.sssp import _detours_cuda
from graphla.algorithms.sssp._detours import Detours
from graphla.algorithms.sssp._detours_cuda import DeviceDetours
from graphla.algorithms.sssp.k_shortest import Search
from graphla.common.errors import InvalidGraph, InvalidOption, NotSupported, Overflow
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.engine.engines import NAMES, get_engine_named

KINDS: dict[str, Any] = {
    "INT8": lambda bits, m: bits.integers(0, 9, m).astype(np.int8),
    "UINT32": lambda bits, m: bits.integers(0, 4, m).astype(np.uint32),
    "FP32": lambda bits, m: bits.random(m, np.float32),
    "FP64": lambda bits, m: bits.integers(1, 9, m) / 4,
    "BOOL": lambda bits, m: np.ones(m, bool),
    "ZEROS": lambda bits, m: bits.integers(0, 2, m),
    "THIRDS": lambda bits, m: bits.integers(0, 4, m) / 3,
}


FAR_APART = 487, 525
"""Ends in Kronecker 10 from seed 1."""


@pytest.fixture(autouse=True)
def small_kernels() -> None:
    """Kernels as they are: the engines of these tests know no small ones."""


def draw(seed: int, kind: str, n: int, arcs: int, undirected: bool) -> gl.Graph:
    """A random graph with loops, isolated vertices and weights that are equal, or 0."""
    bits = np.random.default_rng(seed)
    ends, weights = bits.integers(0, max(1, n - 2), (2, arcs)), KINDS[kind](bits, arcs)
    return gl.Graph((*ends, weights), n=n, dup="min", undirected=undirected, engine="cpu")


def to_networkx(G: gl.Graph) -> Any:
    """The same graph, whose weights are Python's numbers."""
    rows, cols, values = G.A.to_coo()
    made = nx.DiGraph()
    made.add_nodes_from(range(G.n))
    made.add_weighted_edges_from(zip(rows.tolist(), cols.tolist(), (1 * values).tolist(), strict=True))
    return made


def check(G: gl.Graph, source: int, target: int, k: int, expected: list[float], note: str) -> None:
    """The lengths are those expected; the paths are simple, different, of arcs of G, and as long as is said."""
    paths, lengths = gl.k_shortest_paths(G, source, target, k)
    np.testing.assert_allclose(lengths, expected, rtol=1e-12, err_msg=note)
    assert len({tuple(path) for path in paths}) == len(paths) == len(expected), note
    weights = to_networkx(G)
    for path, length in zip(paths, lengths.tolist(), strict=True):
        assert (path[0], path[-1]) == (source, target), note
        assert len(set(path)) == len(path), note
        assert length == sum(weights[u][v]["weight"] for u, v in pairwise(path)), note


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_paths_are_those_of_networkx(kind: str, undirected: bool) -> None:
    for n, arcs, k in ((2, 3, 4), (8, 20, 1), (8, 24, 500), (12, 40, 60), (30, 120, 40)):
        G = draw(seed := secrets.randbits(32), kind, n, arcs, undirected)
        reference, bits = to_networkx(G), np.random.default_rng(seed)
        for source, target in bits.integers(0, n, (6, 2)).tolist():
            expected = [0.0] if source == target else []
            if source != target and nx.has_path(reference, source, target):
                found = islice(nx.shortest_simple_paths(reference, source, target, "weight"), k)
                expected = [nx.path_weight(reference, path, "weight") for path in found]
            check(G, source, target, k, expected, f"seed {seed}: {source} to {target}")


def test_all_simple_paths_are_found() -> None:
    for _ in range(5):
        G = draw(seed := secrets.randbits(32), "INT8", 7, 30, undirected=False)
        reference = to_networkx(G)
        paths = list(nx.all_simple_paths(reference, 0, 4))
        expected = sorted(nx.path_weight(reference, path, "weight") for path in paths)
        check(G, 0, 4, 10**6, expected, f"seed {seed}")


def test_most_deviations_are_never_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    G, searched = gl.generate.grid2d(30, 30, weights=(1, 99), seed=3, engine="cpu"), []
    answer = Detours.answer
    monkeypatch.setattr(Detours, "answer", lambda self, asked: searched.append(asked) or answer(self, asked))
    paths, lengths = gl.k_shortest_paths(G, 0, G.n - 1, 100)
    assert (np.diff(lengths) >= 0).all()
    assert 0 < len(searched) < sum(map(len, paths)) / 10


@pytest.mark.parametrize("name", NAMES)
def test_searches_end_where_the_last_path_may_be(
    monkeypatch: pytest.MonkeyPatch, relaxed_arcs: list[int], name: str
) -> None:
    """Without limits they would find deviations beyond the last path, far away among hubs."""
    G = gl.generate.kronecker(10, seed=1, weights=(1, 255), engine="cpu").to(get_engine_named(name))
    found = list[tuple[int, Any]]()
    for limit in (Search.limit, lambda self, *_: self.detours.none, lambda _, least, bound: 2 * least - bound):
        monkeypatch.setattr(Search, "limit", limit)
        relaxed_arcs.clear()
        paths, _ = gl.k_shortest_paths(G, *FAR_APART, 30)
        found.append((sum(relaxed_arcs), paths))
    (few, expected), (many, those_without), (_, those_step_by_step) = found
    assert expected == those_without == those_step_by_step
    assert 0 < few < 3 * G.nvals
    assert few < many / 4


def test_labels_and_infinite_arcs() -> None:
    G = gl.Graph(([0, 0, 1, 2], [1, 2, 2, 1], [1.0, np.inf, 2, 1]), labels=["a", "b", "c"], engine="cpu")
    paths, lengths = gl.k_shortest_paths(G, "a", "c", 5)
    assert (paths, lengths.tolist()) == ([["a", "b", "c"]], [3.0])


def test_a_graph_that_changes_is_asked_anew() -> None:
    G = gl.Graph(([0, 1], [1, 2], [1, 1]), n=4, engine="cpu")
    assert gl.k_shortest_paths(G, 0, 2, 5)[0] == [[0, 1, 2]]
    G.A[0, 2] = 5
    assert gl.k_shortest_paths(G, 0, 2, 5)[1].tolist() == [2, 5]


@pytest.mark.parametrize(
    ("weights", "asked", "error", "text"),
    [
        ([1, 2], {"k": 0}, InvalidOption, "k=0: it goes from 1 on"),
        ([1, 2], {"k": 1.5}, InvalidOption, "k=1.5"),
        ([1, 2], {"k": 1, "source": 7}, InvalidGraph, "source=7"),
        ([1, 2], {"k": 1, "target": "x"}, InvalidGraph, "target='x'"),
        ([1, -2], {"k": 1}, NotSupported, "the smallest weight is -2"),
        ([1, 2**62], {"k": 1}, Overflow, "exceed INT64"),
    ],
)
def test_what_is_refused(weights: list[Any], asked: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        gl.k_shortest_paths(gl.Graph(([0, 1], [1, 2], weights), engine="cpu"), **{"source": 0, "target": 2, **asked})


def make_engine(seed: int) -> CudaEngine:
    """Kernels in an order of their threads."""
    return CudaEngine(np, make_loader(seed=seed))


@pytest.mark.emulated
@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_paths_and_their_order_are_the_same_on_a_gpu(kind: str, undirected: bool) -> None:
    for number, (n, arcs, k) in enumerate([(1, 0, 3), (2, 3, 4), (8, 24, 500), (12, 40, 60), (60, 240, 40)]):
        G = draw(seed := secrets.randbits(32), kind, n, arcs, undirected)
        there = G.to(make_engine(number))
        for source, target in np.random.default_rng(seed).integers(0, n, (6, 2)).tolist():
            expected, found = (gl.k_shortest_paths(each, source, target, k) for each in (G, there))
            note = f"seed {seed}: {source} to {target}"
            assert found[0] == expected[0], note
            np.testing.assert_array_equal(found[1], expected[1], note, strict=True)


@pytest.mark.emulated
def test_questions_at_once_change_nothing_but_the_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    G, launches = gl.generate.grid2d(12, 12, weights=(1, 3), seed=3, engine="cpu"), []
    around = DeviceDetours.go_around

    def count(self: Any, questions: Any) -> Any:
        launches.append(len(questions))
        return around(self, questions)

    monkeypatch.setattr(DeviceDetours, "go_around", count)
    expected = gl.k_shortest_paths(G, 0, 143, 200)
    for room in (0, 2**30):
        launches.clear()
        monkeypatch.setattr(_detours_cuda, "ROOM", room)
        found = gl.k_shortest_paths(G.to(make_engine(1)), 0, 143, 200)
        assert found[0] == expected[0]
        assert max(launches) == 1 if room == 0 else 1 < max(launches) <= _detours_cuda.MOST
    assert len(launches) < 200


@pytest.mark.emulated
def test_labels_changes_and_refusals_on_a_gpu() -> None:
    G = gl.Graph(([0, 0, 1, 2], [1, 2, 2, 1], [1.0, np.inf, 2, 1]), labels=["a", "b", "c"], engine=make_engine(2))
    paths, lengths = gl.k_shortest_paths(G, "a", "c", 5)
    assert (paths, lengths.tolist()) == ([["a", "b", "c"]], [3.0])
    G.A[0, 2] = 5
    assert gl.k_shortest_paths(G, "a", "c", 5)[1].tolist() == [3.0, 5.0]
    G.A[0, 2] = -5
    with pytest.raises(NotSupported, match="the smallest weight is -5"):
        gl.k_shortest_paths(G, "a", "c", 5)


@pytest.mark.parametrize("name", NAMES)
def test_of_detours_as_long_the_one_to_the_least_clear_vertex_is_taken(name: str) -> None:
    """The ways onward of 3 and 6 lead back to 1; 5 is found before 4, from where the way is clear as well."""
    tails, heads, weights = [0, 1, 2, 1, 3, 3, 1, 6, 6, 4, 5], [1, 2, 7, 3, 1, 5, 6, 1, 4, 7, 7], [1] * 9 + [4] * 2
    G = gl.Graph((tails, heads, weights), engine="cpu").to(get_engine_named(name))
    paths, lengths = gl.k_shortest_paths(G, 0, 7, 3)
    assert (paths, lengths.tolist()) == ([[0, 1, 2, 7], [0, 1, 6, 4, 7], [0, 1, 3, 5, 7]], [3, 7, 7])
