"""Ranks that begin with those of a caller: against dense rounds, and with the answer they have settled."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidOption, NotConverged, NotSupported, VerificationError
from tests.graphla.algorithms.pagerank.test_pagerank import METHODS, PLACES, compute_expected, fresh
from tests.graphla.engine.engines import get_engine_named

REQUESTS: list[dict[str, Any]] = [
    {},
    {"weights": True, "damping": 0.95},
    {"personalization": {0: 2, 3: 1}, "dangling": {1: 1.0}},
    {"dangling": "ignore"},
    {"convention": "networkx"},
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("asked", REQUESTS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_rounds_from_random_ranks(method: str, asked: dict[str, Any], dtype: str, place: str) -> None:
    seed = secrets.randbits(32)
    rng = np.random.default_rng(seed)
    G = fresh(seed, get_engine_named(place))
    for scale, rounds in ((1e-300, 0), (1e300, 3), (0.01, 3)):
        x = scale * rng.random(G.n) * (rng.random(G.n) < 0.7)
        x[4] = scale
        kept = asked.get("dangling") == "ignore" and x.sum() <= 1
        first = x if kept else x / scale / (x / scale).sum()
        wanted = compute_expected(G, rounds, start=first, **asked)
        for start in (x, gl.Vector.from_dense(x, missing_value=0, engine=G.engine), G.engine.xp.asarray(x)):
            found = gl.pagerank(G, start=start, rounds=rounds, method=method, dtype=dtype, **asked)
            np.testing.assert_allclose(found.to_numpy(), wanted, rtol=1e-4, atol=1e-9, err_msg=f"seed {seed}")
            gl.pagerank.verify(G, found, start=start, rounds=rounds, dtype=dtype, **asked)
        if not kept:
            with pytest.raises(VerificationError):
                gl.pagerank.verify(G, found, rounds=rounds, dtype=dtype, **asked)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("asked", REQUESTS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_an_answer_has_settled(method: str, asked: dict[str, Any], dtype: str, place: str) -> None:
    seed = secrets.randbits(32)
    G = fresh(seed, get_engine_named(place))
    asked = {**asked, "method": method, "dtype": dtype, "tolerance": 1e-5}
    found = gl.pagerank(G, **asked)
    again = gl.pagerank(G, start=found, **asked, max_rounds=2)
    np.testing.assert_allclose(again.to_numpy(), found.to_numpy(), atol=3e-3, err_msg=f"seed {seed}")
    other = np.zeros(G.n)
    other[seed % G.n] = 1
    with pytest.raises(NotConverged):
        gl.pagerank(G, start=other, **asked | {"tolerance": 1e-9}, max_rounds=2)


def test_what_is_no_start_is_refused() -> None:
    G = fresh(1)
    for start, what in (
        (np.ones(39), r"start: 39 values for 40 vertices; give one for each, as a Vector has after resize\(40\)"),
        ({0: 1}, "give a Vector or an array of 40 real numbers"),
        (np.zeros(40), "none is negative and one is positive"),
        (np.arange(40) - 1, "none is negative and one is positive"),
        (np.full(40, np.inf), "no finite FP64 number"),
    ):
        with pytest.raises(InvalidOption, match=what):
            gl.pagerank(G, start=start)
    with pytest.raises(NotSupported, match=r"start=.* in no rounds of all"):
        gl.pagerank(G, personalization={0}, start=np.ones(40), method="push")
    with pytest.raises(NotSupported, match=r"start= with personalization= of several seed sets"):
        gl.pagerank(G, personalization=[[0], [1]], start=np.ones(40))
    assert gl.pagerank(gl.Graph(([], []), n=0, engine="cpu"), start=[]).size == 0


@pytest.mark.parametrize("scale", [6, 13])
def test_few_rounds_are_left_after_a_change(scale: int) -> None:
    """In sweeps of small graphs and in rounds of large ones: the most rounds that may run are what is looked at."""
    G, rng = gl.generate.kronecker(scale, engine="cpu"), np.random.default_rng(scale)
    tails, heads, _ = G.A.to_coo()
    some = rng.choice(tails.size, tails.size // 100, replace=False)
    H = G.update(delete=(tails[some], heads[some]))
    old = gl.pagerank(G)
    wanted = gl.pagerank(H, tolerance=1e-9)

    def count(**asked: Any) -> int:
        for most in range(1, 100):
            try:
                found = gl.pagerank(H, max_rounds=most, tolerance=1e-4, **asked)
            except NotConverged:
                continue
            np.testing.assert_allclose(found.to_numpy(), wanted.to_numpy(), atol=1e-3)
            return most
        raise AssertionError

    assert count(start=old) < 0.75 * count()
