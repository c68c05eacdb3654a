"""Searches from many sources at once against one at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from graphla.algorithms.bfs import fused
from graphla.algorithms.bfs.many import _renumbered, _words_cpu, multi_source, narrow
from graphla.algorithms.bfs.many._renumbered import renumber
from graphla.algorithms.bfs.many.multi_source import search_many
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.bfs.graphs import GRAPHS, TinyGraph, make_leaves, path
from tests.graphla.algorithms.bfs.reference import compute_reference_levels

CPU = SimpleNamespace(name="cpu", xp=np)


def check(G: TinyGraph, count: int) -> None:
    check_from(G, np.random.default_rng(3).integers(0, G.n, count).tolist())


def check_from(G: TinyGraph, sources: list[int]) -> None:
    levels = search_many(G, sources)
    assert levels.shape == (len(sources), G.n)
    for source, found in zip(sources, levels, strict=True):
        np.testing.assert_array_equal(found, compute_reference_levels(G.csr, source))


@pytest.mark.parametrize("graph", GRAPHS)
def test_cpu(graph: str) -> None:
    check(TinyGraph(GRAPHS[graph], CPU), 70)


@pytest.mark.parametrize("graph", GRAPHS)
def test_cpu_with_each_alone(graph: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_words_cpu, "WORTH_A_THREAD", 0)
    monkeypatch.setattr(_words_cpu, "ALONE", 70)
    monkeypatch.setattr(_words_cpu, "_search_word", lambda *_: pytest.fail("a word"))
    check(TinyGraph(GRAPHS[graph], CPU), 70)


def test_words_that_see_little_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a long path, but not at the end of one on which most is seen; others of the same call go on."""
    alone: list[int] = []
    search = _words_cpu.search_alone
    monkeypatch.setattr(_words_cpu, "search_alone", lambda G, s, at: (alone.append(s.size), search(G, s, at)))
    monkeypatch.setattr(_words_cpu, "ALONE", 0)
    long, short = TinyGraph(path(300), CPU), TinyGraph(path(_words_cpu.DEEP + 4), CPU)
    check(long, 70)
    assert not alone
    monkeypatch.setattr(_words_cpu, "WORTH_A_THREAD", 0)
    check(short, 70)
    assert not alone
    check_from(long, [5] * 64 + [150] * 64 + [299])
    assert alone == [64, 64, 1]


@pytest.mark.emulated
@pytest.mark.parametrize("graph", GRAPHS)
def test_cuda(graph: str, emulated: Any) -> None:
    check(TinyGraph(GRAPHS[graph], emulated), 69)


@pytest.mark.emulated
@pytest.mark.parametrize("share", [0, 10**6], ids=["pushed", "pulled"])
@pytest.mark.parametrize("graph", ["kronecker", "star", "directed", "two components"])
def test_cuda_in_one_direction(graph: str, share: int, shuffled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multi_source, "COMMON_SHARE", share)
    check(TinyGraph(GRAPHS[graph], shuffled), 5)


@pytest.mark.emulated
@pytest.mark.parametrize("share", [1, 16])
@pytest.mark.parametrize("graph", ["kronecker", "star", "directed", "long rows"])
def test_cuda_with_few_hubs(graph: str, share: int, shuffled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some tails of a pack in shared memory, and some not."""
    monkeypatch.setattr(_renumbered, "HUBS", 9)
    monkeypatch.setattr(multi_source, "COMMON_SHARE", share)
    check(TinyGraph(GRAPHS[graph], shuffled), 64)


@pytest.mark.emulated
def test_cuda_leaves_the_end_of_a_long_row_to_the_grid(shuffled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The centre of a star pulls from its last leaves, which are numbered last as well."""
    monkeypatch.setattr(multi_source, "COMMON_SHARE", 10**6)
    check_from(TinyGraph(GRAPHS["star"], shuffled), [2300, 2499, 5, 6])


@pytest.mark.emulated
@pytest.mark.parametrize("little", [1, 10**6], ids=["soon", "late"])
@pytest.mark.parametrize("graph", ["kronecker", "path", "long rows"])
def test_cuda_left_to_a_queue(graph: str, little: int, shuffled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multi_source, "LITTLE_SHARE", little)
    check(TinyGraph(GRAPHS[graph], shuffled), 64)


@pytest.mark.emulated
def test_cuda_with_more_sources_than_vertices(emulated: Any) -> None:
    check(TinyGraph(path(3), emulated), 64)


@pytest.mark.emulated
@pytest.mark.parametrize("count", [1, 4, 33])
def test_cuda_with_64_bit_row_pointers(count: int, emulated: Any) -> None:
    check(TinyGraph(GRAPHS["isolated vertices"], emulated, np.int64), count)


@pytest.mark.emulated
@pytest.mark.parametrize("graph", ["kronecker", "directed", "isolated vertices"])
def test_renumbered_rows_are_those_of_the_graph(graph: str, emulated: Any) -> None:
    G = TinyGraph(GRAPHS[graph], emulated)
    found = renumber(G)
    strength = np.diff(G.csr.indptr) + (0 if G.symmetric else np.diff(G.csc.indptr))
    assert (np.diff(strength[found.vertex]) <= 0).all()
    assert found.n == (strength > 0).sum()
    for rows, of in ((found.out, G.csr), (found.into, G.csc)):
        for number, v in enumerate(found.vertex):
            row = rows.packs[4 * rows.indptr[number] : 4 * rows.indptr[number + 1]]
            whole = of.indices[of.indptr[v] : of.indptr[v + 1]]
            assert len(row) == -(-len(whole) // 4) * 4
            assert (np.diff(row) >= 0).all()
            assert set(found.vertex[row]) == set(whole)


def test_no_sources() -> None:
    assert search_many(TinyGraph(GRAPHS["path"], CPU), []).shape == (0, 70)


NARROW = {
    "shared": {},
    "in place": {"SHARED_BYTES": 0},
    "rows of eight": {"MANY_LONGER": -1},
    "beyond shared memory": {"ROOM": 8, "COPIED_VERTICES": (0, 0)},
}


@pytest.mark.emulated
@pytest.mark.parametrize("way", NARROW)
def test_deep_graphs_of_low_degree(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One block a source; frontiers of more vertices than a block has room for. A kernel is built for each ROOM."""
    engine = CudaEngine(np, make_loader(build="checked", seed=3))
    for name, value in {"DEEP_LEVELS": 0, **NARROW[way]}.items():
        monkeypatch.setattr(fused, name, value)
    for graph in (GRAPHS["grid"], GRAPHS["long rows"], GRAPHS["directed path"], make_leaves()):
        G = TinyGraph(graph, engine)
        assert narrow.find_scratch(G) is not None
        check_from(G, [0, 1, G.n - 1, *np.random.default_rng(5).integers(0, G.n, 5).tolist()])


@pytest.mark.emulated
def test_wide_levels_are_shared_out(emulated: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused, "DEEP_LEVELS", 0)
    monkeypatch.setattr(narrow, "ROOM", 1)
    G = TinyGraph(GRAPHS["grid"], emulated)
    assert narrow.find_scratch(G) is None
    check(G, 5)
