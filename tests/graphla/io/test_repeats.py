"""Arcs that occur twice, edges listed both ways, numbers with gaps: named with their lines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphla as gl
from graphla.common.errors import DimensionMismatch, InvalidGraph, OutOfMemory
from graphla.graphs.io import join_repeats, read_coo, relabel
from graphla.graphs.reverse import add_reverse
from graphla.storage import Coo

arcs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2)), max_size=14)
JOIN = {"first": lambda values: values[0], "min": min, "sum": sum}


def make_matrix(edges: list[tuple[int, int, int]], weighted: bool = True) -> Coo:
    u, v, w = (np.array([edge[k] for edge in edges], np.int64) for k in range(3))
    return Coo(5, 5, u.astype(np.int32), v.astype(np.int32), w if weighted else None)


def list_triples(coo: Coo) -> list[tuple[int, ...]]:
    values = np.ones(coo.rows.size, int) if coo.values is None else coo.values
    return list(zip(coo.rows.tolist(), coo.cols.tolist(), values.tolist(), strict=True))


@settings(max_examples=300, deadline=None)
@given(edges=arcs, dup=st.sampled_from(sorted(JOIN)), weighted=st.booleans())
def test_joined_as_a_dictionary_joins(edges, dup: str, weighted: bool) -> None:
    expected: dict[tuple[int, int], list[int]] = {}
    for u, v, w in list_triples(make_matrix(edges, weighted)):
        expected.setdefault((u, v), []).append(w)
    found = list_triples(join_repeats(make_matrix(edges, weighted), dup))
    joined = {cell: JOIN[dup](values) if weighted else 1 for cell, values in expected.items()}
    assert found == [(u, v, w) for (u, v), w in joined.items()]  # in the order of the first occurrences


@settings(max_examples=300, deadline=None)
@given(edges=arcs, dup=st.sampled_from(sorted(JOIN)))
def test_undirected_is_symmetric_however_repeats_are_joined(edges, dup: str) -> None:
    both = add_reverse(make_matrix(edges))
    table = {(u, v): w for u, v, w in list_triples(join_repeats(both, dup))}
    assert table == {(v, u): w for (u, v), w in table.items()}
    assert sorted(list_triples(add_reverse(both))) == sorted(list_triples(both)), "nothing is left to add"
    assert not [arc for arc in edges if list_triples(both).count(arc) < edges.count(arc)]


def test_both_directions_of_an_edge_are_one_edge(tmp_path) -> None:
    (tmp_path / "a.wel").write_text("0 1 5\n1 0 5\n1 2 7\n2 2 1\n")
    G = gl.read(tmp_path / "a.wel", undirected=True, engine="cpu")
    assert (G.nvals, G.symmetric) == (5, True)
    assert G.A.to_dicts() == {0: {1: 5}, 1: {0: 5, 2: 7}, 2: {1: 7, 2: 1}}


REFUSED = {
    "twice": (
        "a.el",
        "# c\n0 1\n2 3\n\n0 1\n",
        {},
        "a.el, line 5: the arc 0 → 1 .* occurs here and on line 2; .*--dup",
    ),
    "mtx": (
        "a.mtx",
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 5\n3 3 1\n1 2 4\n",
        {},
        r"a.mtx, line 3 \(mirrored\): the arc 0 → 1 .* occurs here and on line 5",
    ),
    "two weights": (
        "a.wel",
        "0 1 5\n1 0 6\n",
        {"undirected": True},
        r"line 2: the arc 1 → 0 .* occurs here and on line 1 \(mirrored\); say what repeats become: dup='first'",
    ),
    "metis": ("a.graph", "3 3\n2 2\n1 1 3\n2\n", {}, "a.graph, line 2: the arc 0 → 1 .* occurs here and on line 2"),
    "gaps": (
        "a.el",
        "# c\n0 1\n2147483646 5\n",
        {},
        r"a.el, line 3: 2147483647 vertices \(the largest is 2147483646, counted from 0\) for 2 arcs .*io.relabel",
    ),
    "gaps in a header": (
        "a.gr",
        "c\np sp 2147483647 1\na 1 2 3\n",
        {},
        r"a.gr, line 2: 2147483647 vertices .* for 1 arcs are more than 1,000 for each",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_to_blame_is_named(tmp_path, case: str) -> None:
    name, text, options, said = REFUSED[case]
    (tmp_path / name).write_text(text)
    with pytest.raises(InvalidGraph, match=said) as caught:
        gl.read(tmp_path / name, engine="cpu", **options)
    assert str(caught.value).startswith(str(tmp_path))


def test_repeats_are_joined_as_asked(tmp_path) -> None:
    (tmp_path / "a.wel").write_text("0 1 5\n0 1 3\n1 0 4\n")
    for dup, weight in (("first", 5), ("min", 3), ("sum", 8)):
        assert gl.read(tmp_path / "a.wel", dup=dup, engine="cpu").A[0, 1].new().value == weight
    with pytest.raises(InvalidGraph, match="dup='mean': there are 'error', 'first', 'min', 'sum'"):
        gl.read(tmp_path / "a.wel", dup="mean", engine="cpu")
    both = gl.read(tmp_path / "a.wel", dup="sum", undirected=True, engine="cpu").A
    assert both.to_dicts() == {0: {1: 12}, 1: {0: 12}}


def test_a_graph_past_the_limit_is_refused_by_name(tmp_path) -> None:
    (tmp_path / "a.el").write_text("0 1\n5 200000\n")
    with (
        gl.config.set(memory_limit=100_000),
        pytest.raises(OutOfMemory, match=r"a\.el, line 2: a graph of 200001 vert"),
    ):
        gl.read(tmp_path / "a.el", engine="cpu")


def test_a_file_past_the_limit_is_refused_while_it_is_read(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphla.graphs.io.source.BLOCK", 1000)
    (tmp_path / "a.el").write_text("1 2\n" * 5000)
    with (
        gl.config.set(memory_limit=64_000),
        pytest.raises(OutOfMemory, match=r"a\.el, line [12]\d\d\d: what is read so far"),
    ):
        read_coo(tmp_path / "a.el")


def test_a_rectangle_is_refused_by_name(tmp_path) -> None:
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 2 3\n")
    with pytest.raises(DimensionMismatch, match=r"^\S*a\.mtx.*shape \(3, 4\)"):
        gl.read(tmp_path / "a.mtx", engine="cpu")


def test_numbers_without_gaps(tmp_path) -> None:
    (tmp_path / "a.wel").write_text("7 2147483646 1\n7 20 2\n")
    coo, numbers = relabel(read_coo(tmp_path / "a.wel"))
    assert list_triples(coo) == [(0, 2, 1), (0, 1, 2)]
    assert numbers.tolist() == [7, 20, 2147483646]
    assert gl.Graph(coo, engine="cpu").n == 3
