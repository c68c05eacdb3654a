"""Sweeps in place over small graphs: what they answer, that their bound holds, and that they settle in time."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.pagerank import _blocks_cpu, _sweeps_cpu
from graphla.algorithms.pagerank._verify import make_round
from graphla.algorithms.pagerank.fused import inverse_sums, run_on_cpu, weights_of_entering
from graphla.common.errors import NotConverged
from semirings.dtypes import FP64

REQUESTS: list[dict[str, Any]] = [
    {},
    {"personalization": {1: 1, 4: 3}},
    {"personalization": {1: 1}, "dangling": "ignore"},
    {"personalization": {2: 1}, "dangling": {0: 1, 3: 2}},
    {"weights": True, "damping": 0.97, "personalization": {0: 1}},
    {"damping": 0},
]


def draw(seed: int, n: int = 50, arcs: int = 130) -> gl.Graph:
    """A random graph with loops and vertices without leaving arcs."""
    bits = np.random.default_rng(seed)
    ends, weights = bits.integers(0, n, (2, arcs)), bits.integers(1, 9, arcs).astype(float)
    return gl.Graph((*ends, weights), n=n, dup="first", engine="cpu")


@pytest.mark.parametrize("asked", REQUESTS)
def test_the_bound_is_one_of_what_a_further_round_changes(asked: dict[str, Any]) -> None:
    for most in (1, 2, 3, 5, 8, 100):
        G = draw(seed := secrets.randbits(32))
        s = replace(gl.pagerank.resolve(G, **asked, dtype="FP64", tolerance=1e-11), rounds=most)
        ranks, sweeps, bound = _sweeps_cpu.sweep(G.csc, weights_of_entering(G, s), inverse_sums(G, s), s)
        change = make_round(G.csr, s)(ranks) - ranks
        assert np.abs(change).sum() <= bound + 1e-14, f"seed {seed}"
        assert abs(change.sum()) < 1e-13, f"seed {seed}: c is not where the residual adds up to 0"
        assert sweeps <= most
        assert bound <= 1e-11 or sweeps == most
        (columns, most_of_all) = _blocks_cpu.run_sweeps(G, s, [s.seeds] * 3)
        if s.sinks is s.seeds:
            np.testing.assert_allclose(columns, np.tile(ranks, (3, 1)), atol=1e-14)
            assert most_of_all == pytest.approx(bound, rel=1e-6, abs=1e-14)


def make_hard(name: str, n: int = 60) -> gl.Graph:
    """Rings in both orders, a chain into a loop, and two cliques with one arc between them."""
    v = np.arange(n)
    half = np.kron(np.eye(2), np.ones((n // 2, n // 2)))
    half[0, -1] = 1
    ends = {
        "ring": (v, (v + 1) % n),
        "ring backwards": (v, (v - 1) % n),
        "chain": (v, np.minimum(v + 1, n - 1)),
        "chain backwards": (v, np.maximum(v - 1, 0)),
        "cliques": np.nonzero(half),
    }[name]
    return gl.Graph(tuple(ends), n=n, engine="cpu")


@pytest.mark.parametrize("damping", [0.5, 0.85, 0.99])
@pytest.mark.parametrize("name", ["ring", "ring backwards", "chain", "chain backwards", "cliques"])
def test_sweeps_settle_within_the_rounds_that_are_allowed(
    name: str, damping: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    G, asked = make_hard(name), {"damping": damping, "tolerance": 1e-9, "personalization": {7: 1}, "dtype": "FP64"}
    s = gl.pagerank.resolve(G, **asked)
    ranks, sweeps, bound = run_on_cpu(G, s)
    assert bound <= 1e-9
    assert sweeps <= s.rounds
    monkeypatch.setattr(_sweeps_cpu, "WORTH_A_PASS", 0)
    in_rounds, _, _ = run_on_cpu(G, s)
    assert np.abs(ranks - in_rounds).sum() <= 2e-9 / (1 - damping)
    gl.pagerank.verify(G, gl.pagerank(G, **asked), **asked)


def test_ranks_of_the_convention_of_networkx_are_those_of_its_rounds() -> None:
    G, asked = draw(4), {"convention": "networkx", "tolerance": 1e-3}
    in_rounds = gl.pagerank(G, method="algebraic", **asked).to_numpy()
    np.testing.assert_allclose(gl.pagerank(G, **asked).to_numpy(), in_rounds, atol=1e-12)
    swept = gl.pagerank(G, weights=True, dtype="FP64", tolerance=50e-3).to_numpy()
    assert np.abs(swept - in_rounds).max() > 1e-12


def test_too_few_sweeps_are_told() -> None:
    with pytest.raises(NotConverged, match="max_rounds=2"):
        gl.pagerank(draw(1), personalization={0}, max_rounds=2)
    with pytest.raises(NotConverged, match="max_rounds=2"):
        gl.pagerank(draw(1), personalization=[[0], [1]], max_rounds=2)


def test_what_fp32_does_not_settle_is_swept_in_fp64() -> None:
    G = draw(3, 4000, 9000)
    s = gl.pagerank.resolve(G, tolerance=9e-7, personalization={0})
    assert s.dtype.name == "FP32"
    assert gl.pagerank.resolve(G, tolerance=1e-9).dtype == FP64
    found = gl.pagerank(G, personalization=[[0], [1, 2]], tolerance=1e-9)
    for k, seeds in enumerate(({0}, {1, 2})):
        alone = gl.pagerank(G, personalization=seeds, tolerance=1e-9).to_numpy()
        assert np.abs(alone - found.to_dense()[k]).sum() < 2e-8
