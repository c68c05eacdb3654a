"""Walks in batches: those of the matrix of all walks, in any order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph, InvalidOption
from tests.graphla.engine.engines import NAMES, get_engine_named


@pytest.mark.parametrize("engine", NAMES)
def test_batches_are_the_walks_of_the_matrix(engine: str) -> None:
    G = gl.generate.kronecker(6, weights=(1, 9), engine="cpu")
    H = G.to(get_engine_named(engine))
    for options in ({}, {"p": 4.0, "q": 0.5, "walks": 3}, {"weights": True, "starts": [5, 9, 5], "walks": 2}):
        expected = gl.random_walks(G, 8, seed=7, **options).to_dense(-1)
        corpus = gl.WalkBatches(H, 8, seed=7, batch_size=17, **options)
        batches = [H.engine.to_host(batch) for batch in corpus]
        assert len(batches) == len(corpus) == -(-len(expected) // 17)
        assert (np.concatenate(batches) == expected).all()
        mixed: Any = gl.WalkBatches(H, 8, seed=7, batch_size=17, shuffle=True, **options)
        found = np.concatenate([H.engine.to_host(batch) for batch in mixed])
        assert sorted(map(tuple, found.tolist())) == sorted(map(tuple, expected.tolist()))
        assert len(found) < 10 or (found != expected).any()
        assert (np.concatenate([H.engine.to_host(batch) for batch in mixed]) == found).all()


def test_corners_and_bad_input() -> None:
    assert list(gl.WalkBatches(gl.Graph(([], []), n=0, engine="cpu"), 3)) == []
    G = gl.generate.path(4, engine="cpu")
    assert list(gl.WalkBatches(G, 3, [])) == []
    for options, message in (({"batch_size": 0}, "batch_size=0"), ({"shuffle": 3}, "shuffle=3"), ({"p": 0}, "p=0")):
        with pytest.raises(InvalidOption, match=message):
            gl.WalkBatches(G, 3, **options)
    with pytest.raises(InvalidGraph, match="starts=9"):
        gl.WalkBatches(G, 3, [9])
