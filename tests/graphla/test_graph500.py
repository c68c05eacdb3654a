"""The benchmark end to end on the host, its figures, and each of the five rules broken once."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.algorithms.bfs import bfs
from graphla.common.errors import InvalidGraph, VerificationError
from graphla.graphs.generators.kronecker import kronecker
from graphla.graphs.graph import Graph
from graphla.measuring import graph500

#     0 - 1 - 2 - 3       6 - 7
#      \     /   \
#        4 -      5
TAILS = [0, 1, 2, 0, 4, 2, 6]
HEADS = [1, 2, 3, 4, 2, 5, 7]
PARENTS = np.array([0, 0, 1, 2, 0, 2, -1, -1], np.int32)


@pytest.fixture
def G() -> Graph:
    return Graph((TAILS + HEADS, HEADS + TAILS), n=8, engine="cpu")


def test_runs_and_reports() -> None:
    steps = []
    report = graph500.run(9, engine="cpu", sources=5, progress=lambda what, done, of: steps.append(what))
    assert (report.scale, len(report.seconds), len(set(steps))) == (9, 5, 3)
    assert all(0 < m <= 16 << 9 for m in report.edges)
    assert 0 < report.harmonic_mean_teps <= report.teps.max()
    assert any(line.startswith("harmonic_mean_TEPS:") for line in report.format_lines())


@pytest.mark.parametrize(("chunk", "at_once"), [(1 << 26, 1 << 29), (1000, 3000)])
def test_construction_in_ranges_of_rows(chunk: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph500, "CHUNK", chunk)
    monkeypatch.setattr(graph500, "ARCS_AT_ONCE", at_once)
    edges = graph500.draw_edges(8, 16 << 8, 1, np)
    found, wanted = graph500.build_graph(np, 1 << 8, edges), Graph(kronecker(8), engine="cpu").csr
    for part in ("indptr", "indices", "values"):
        np.testing.assert_array_equal(getattr(found, part), getattr(wanted, part))
    assert int(graph500.count_ends(np, 1 << 8, edges).sum()) == 2 * edges.size
    G = Graph(kronecker(8), engine="cpu")
    tails = np.concatenate([tails for tails, _ in graph500.iterate_arcs(G)])
    np.testing.assert_array_equal(tails, np.repeat(np.arange(G.n), np.diff(wanted.indptr)))


def test_any_method_with_parents_will_do() -> None:
    graph500.run(7, engine="cpu", sources=2, method="algebraic")


def test_harmonic_mean_is_time_over_edges() -> None:
    report = graph500.Graph500(3, 16, "cpu", 1.0, (1.0, 3.0), (6, 6))
    assert report.harmonic_mean_teps == pytest.approx(3.0)


def test_a_graph_without_edges_is_refused() -> None:
    with pytest.raises(InvalidGraph, match="no vertex has an edge"):
        graph500.run(0, engine="cpu")


def test_accepts_a_search(G: Graph) -> None:
    graph500.check_tree(G, 0, PARENTS)
    graph500.check_tree(G, 4, bfs(G, 4, parents=True)[1].to_numpy(-1))


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({0: 1}, "1: .* not its own parent"),
        ({3: 5, 5: 3}, "1: .* cycle"),
        ({5: 6}, "1: .* outside"),
        ({1: 2, 2: 4, 3: 1}, "3"),
        ({5: -1}, "4"),
        ({5: 1}, "5"),
    ],
)
def test_refuses_a_wrong_tree(G: Graph, changes: dict[int, int], rule: str) -> None:
    parents = PARENTS.copy()
    for v, u in changes.items():
        parents[v] = u
    with pytest.raises(VerificationError, match=f"rule {rule}"):
        graph500.check_tree(G, 0, parents)
