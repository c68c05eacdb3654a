"""Negative edges: pairs that no arc joins, each as likely as another."""

from __future__ import annotations

import secrets

import numpy as np
import pytest
from scipy import stats

import graphla as gl
from graphla.common.errors import InvalidGraph, InvalidOption
from tests.graphla.engine.engines import NAMES, get_engine_named

UNLIKELY = 1e-7


def fresh(seed: int, n: int = 30, arcs: int = 200) -> gl.Graph:
    """A directed random graph with hubs and loops, with a row that is full and one that is empty."""
    rng = np.random.default_rng(seed)
    tails, heads = (rng.random(arcs) ** 2 * n).astype(int), (rng.random(arcs) ** 2 * n).astype(int)
    keep = tails != n - 2
    ends = np.r_[tails[keep], [n - 1] * n], np.r_[heads[keep], range(n)]
    return gl.Graph(ends, n=n, dup="first", engine="cpu")


def list_absent(G: gl.Graph) -> set[tuple[int, int]]:
    dense = G.A.to_dense(0) != 0
    return {(u, v) for u in range(G.n) for v in range(G.n) if u != v and not dense[u, v]}


@pytest.mark.parametrize("engine", NAMES)
def test_pairs_are_absent_and_different(engine: str) -> None:
    seed = secrets.randbits(31)
    G, H = fresh(seed), fresh(seed).to(get_engine_named(engine))
    absent = list_absent(G)
    for count in (0, 1, 50, len(absent) // 2 + 9, len(absent)):
        row, col = map(H.engine.to_host, gl.sample_negative_edges(H, count, seed=seed))
        pairs = list(zip(row.tolist(), col.tolist(), strict=True))
        assert len(pairs) == count == len(set(pairs))
        assert set(pairs) <= absent
        expected = gl.sample_negative_edges(G, count, seed=seed)
        assert (row == expected[0]).all()
        assert (col == expected[1]).all()
    sources = [3, G.n - 1, 3, G.n - 2, 0]
    for replace in (False, True):
        row, col = map(H.engine.to_host, gl.sample_negative_edges(H, 12, sources, replace=replace, seed=seed))
        degree = {u: sum(pair[0] == u for pair in absent) for u in sources}
        each = [min(12, degree[u]) if not replace else 12 * (degree[u] > 0) for u in sources]
        assert row.tolist() == np.repeat(sources, each).tolist()
        assert set(zip(row.tolist(), col.tolist(), strict=True)) <= absent
        if not replace:
            parts = np.split(col, np.cumsum(each)[:-1])
            assert all(np.unique(part).size == part.size for part in parts)
            assert sorted(parts[3].tolist()) != sorted(range(12))


@pytest.mark.parametrize("replace", [False, True])
def test_all_pairs_are_alike(replace: bool) -> None:
    G, seed = fresh(1, n=8, arcs=25), secrets.randbits(31)
    absent = sorted(list_absent(G))
    counts = dict.fromkeys(absent, 0)
    for draw in range(60):
        size = 200 if replace else 7 if draw % 2 else len(absent) - 3
        for pair in zip(*gl.sample_negative_edges(G, size, replace=replace, seed=seed + draw), strict=True):
            counts[pair] += 1
    assert stats.chisquare(list(counts.values())).pvalue > UNLIKELY


def test_corners_and_labels() -> None:
    for n, count in ((0, 0), (1, 0), (2, 2), (3, 6)):
        row, col = gl.sample_negative_edges(gl.Graph(([], []), n=n, engine="cpu"), count)
        assert sorted(zip(row, col, strict=True)) == [(u, v) for u in range(n) for v in range(n) if u != v]
    G = gl.Graph.from_arrow({"source": ["a", "b"], "target": ["b", "c"]}, engine="cpu")
    assert [part.tolist() for part in gl.sample_negative_edges(G, 1, ["a"])] == [[0], [2]]
    loops = gl.Graph(([0, 1], [0, 1]), engine="cpu")
    assert sorted(gl.sample_negative_edges(loops, 2)[1].tolist()) == [0, 1]


def test_bad_input_is_refused() -> None:
    full = gl.Graph(([0, 1], [1, 0]), engine="cpu")
    for options, message in (
        ({"count": 1}, "no arc joins 0 pairs"),
        ({"count": 1, "replace": True}, "no arc joins 0 pairs"),
        ({"count": -1}, "count=-1"),
        ({"count": 1, "seed": None}, "seed=None"),
        ({"count": 1, "replace": "x"}, "replace='x'"),
    ):
        with pytest.raises(InvalidOption, match=message):
            gl.sample_negative_edges(full, **options)
    with pytest.raises(InvalidGraph, match="sources=7"):
        gl.sample_negative_edges(full, 1, [7])
    assert [part.size for part in gl.sample_negative_edges(full, 3, [0, 1])] == [0, 0]
