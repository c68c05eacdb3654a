"""Edge lists of names: what is a name, what a heading, and what stands between."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph


@pytest.mark.parametrize(
    ("text", "labels", "arcs"),
    [
        ("# SNAP\n# FromNodeId\tToNodeId\nAnn\tBob\nBob\tCid\n", ["Ann", "Bob", "Cid"], {0: {1: True}, 1: {2: True}}),
        ("source target\nAnn Bob\nBob Ann\n", ["Ann", "Bob"], {0: {1: True}, 1: {0: True}}),
        ("Ann Bob\n", ["Ann", "Bob"], {0: {1: True}}),
        ("New York\tSão Paulo\t3\nSão Paulo\tOslo\t4\n", ["New York", "São Paulo", "Oslo"], {0: {1: 3}, 1: {2: 4}}),
        ("Ann,Bob,0.5\n# between\n\nBob,Ann,2\n", ["Ann", "Bob"], {0: {1: 0.5}, 1: {0: 2.0}}),
        ("Ann Bob 1\nBob 7 2\n7 Ann 3", None, None),
        ("payer payee\nAnn Bob\n", ["payer", "payee", "Ann", "Bob"], {0: {1: True}, 2: {3: True}}),
    ],
)
def test_names_in_lines(tmp_path: Path, text: str, labels: list[str] | None, arcs: dict[int, dict[int, float]]) -> None:
    (tmp_path / "g.txt").write_text(text, "utf-8")
    if labels is None:  # the second arc ends in a number: it may be a slip
        with pytest.raises(InvalidGraph, match=r"line 1: 'Ann' is not a whole number"):
            gl.read(tmp_path / "g.txt", engine="cpu")
        return
    G = gl.read(tmp_path / "g.txt", engine="cpu")
    assert G.labels.tolist() == labels
    assert G.A.to_dicts() == arcs
    assert gl.bfs(G, labels[0]).nvals >= 2


def test_a_heading_alone_is_no_arc(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("source,target\n")
    assert (gl.read(tmp_path / "g.csv", engine="cpu").n, gl.read(tmp_path / "g.csv", engine="cpu").labels) == (0, None)


def test_repeats_are_named_by_their_lines(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("# x\nAnn Bob\nBob Ann\nAnn Bob\n")
    with pytest.raises(InvalidGraph, match="line 4: the arc 'Ann' → 'Bob' occurs here and on line 2"):
        gl.read(tmp_path / "g.txt", engine="cpu")
    G = gl.read(tmp_path / "g.txt", dup="sum", undirected=True, engine="cpu")
    assert (G.symmetric, G.labels.tolist(), G.max_weight) == (True, ["Ann", "Bob"], 2)


def test_random_lists_are_as_tables(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        m = int(rng.integers(2, 60))
        tails, heads = ([f"user {k}" for k in rng.integers(0, 20, m)] for _ in range(2))
        weights = rng.integers(0, 9, m)
        rows = zip(tails, heads, weights, strict=True)
        (tmp_path / "g.tsv").write_text("".join(f"{u}\t{v}\t{w}\n" for u, v, w in rows))
        found = gl.read(tmp_path / "g.tsv", dup="min", engine="cpu")
        table = {"source": tails, "target": heads, "weight": weights}
        right = gl.Graph.from_arrow(table, labels=found.labels, dup="min", engine="cpu")
        assert found.A.isequal(right.A)
