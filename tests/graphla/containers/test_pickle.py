"""Matrices, vectors and graphs go to another process and come back, on the one engine that a process has."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Vector
from semirings import min_plus


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_what_was_pickled_computes_with_what_was_not(again: Any) -> None:
    G = gl.generate.kronecker(6, weights=(1, 9), engine="cpu")
    A, v = G.A, Vector.from_coo([3], [0], "INT32", size=G.n, name="start", engine="cpu")
    B, w = again(A), again(v)
    assert B.isequal(A)
    assert (w.name, w.dtype, w.engine is v.engine) == ("start", v.dtype, True)
    assert min_plus(w @ B).new().isequal(min_plus(v @ A).new())
    assert gl.sssp(again(G), 3).isequal(gl.sssp(G, 3))


def test_answers_that_nobody_has_looked_at_are_pickled() -> None:
    G = gl.generate.grid2d(4, 4, engine="cpu")
    levels = pickle.loads(pickle.dumps(gl.bfs(G, 0)))
    assert np.array_equal(levels.to_numpy(), gl.bfs(G, 0).to_numpy())
    assert pickle.loads(pickle.dumps(Vector.from_scalar(2.5, 3, engine="cpu"))).to_dict() == {0: 2.5, 1: 2.5, 2: 2.5}


def test_a_copy_is_written_alone() -> None:
    v = Vector.from_scalar(1, 4, engine="cpu")
    w = copy.copy(v)
    w[2] << 9
    assert (v[2].new().value, w[2].new().value) == (1, 9)
