"""Ranks on the command line: what is told of them, and the files that hold them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import graphla as gl


def test_ranks_as_asked(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.csv"
    asked = "--rounds", "3", "--weighted", "--personalization", "1", "--dtype", "FP64", "--verify"
    facts = json.loads(graphla("pagerank", triangle, *asked, "--output", target, "--json").out)
    assert facts["sum"] == pytest.approx(1)
    G = gl.read(triangle)
    expected = gl.pagerank(G, rounds=3, weights=True, personalization={1: 1}, dtype="FP64").to_dense()
    lines = [line.split(",") for line in target.read_text().splitlines()]
    assert lines[0] == ["vertex", "rank"]
    np.testing.assert_allclose([float(rank) for _, rank in lines[1:]], expected, rtol=1e-6)
    assert facts["highest"] == (-expected).argsort(kind="stable").tolist()
    found = graphla("pagerank", triangle, "--max-rounds", "1", "--tolerance", "1e-9")
    assert found.code == 1
    assert "max_rounds=1: the last round changed the ranks by" in found.err
    found = graphla("pagerank", triangle, "--convention", "gap", "--damping", "2")
    assert (found.code, "damping=2.0" in found.err) == (2, True)


@pytest.mark.parametrize("more", [(), ("--method", "push", "--epsilon", "1e-3", "--personalization", "1")])
def test_the_highest_ranks(graphla, triangle: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    facts = json.loads(graphla("pagerank", triangle, "--top", 2, *more, "--output", tmp_path / "r.npy", "--json").out)
    ranks = np.load(tmp_path / "r.npy")
    assert np.count_nonzero(ranks) == 2
    assert facts["sum"] == pytest.approx(ranks.sum())
    assert sorted(facts["highest"]) == np.flatnonzero(ranks).tolist()
    graphla("pagerank", triangle, "--top", 2, *more, "--output", tmp_path / "r.csv")
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 3
    every = graphla("pagerank", triangle, "--personalization", "0", "--output", "-").out
    assert len(every.splitlines()) == 1 + gl.read(triangle).n
