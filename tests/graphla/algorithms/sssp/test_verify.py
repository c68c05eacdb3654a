"""The verifier passes what is right and names what is wrong: each property is broken once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import KINDS
from standin import SmallGraph

from graphla.algorithms.sssp._verify import compute_reference_distances, verify
from graphla.common.errors import VerificationError

NONE = np.iinfo(np.int32).max


def make_diamond() -> SmallGraph:
    """0 -> 1 -> 3 (2 + 2), 0 -> 2 -> 3 (1 + 5), 1 <-> 4 of weight zero; 5 is alone."""
    rows, cols = np.array([0, 0, 1, 2, 1, 4]), np.array([1, 2, 3, 3, 4, 1])
    return SmallGraph(6, rows, cols, np.array([2, 1, 2, 5, 0, 0], np.int32))


RIGHT = ([0, 2, 1, 4, 2, NONE], [0, 0, 0, 1, 1, -1])


def run(distances: list[int], parents: list[int] | None) -> None:
    G = make_diamond()
    p = None if parents is None else np.array(parents, np.int32)
    d = np.array(distances, np.int32)
    verify(6, G.csr.indptr, G.csr.indices, G.csr.values, 0, d, p)


def test_the_right_answer_passes() -> None:
    run(*RIGHT)
    run(RIGHT[0], None)


@pytest.mark.parametrize(
    ("distances", "parents", "message"),
    [
        ([1, 2, 1, 4, 2, NONE], None, "is the source"),
        ([0, 2, 1, 6, 2, NONE], None, "vertex 3: distance 6, but the arc from 1 gives 4"),
        ([0, 2, 1, 3, 2, NONE], None, "vertex 3: distance 3, but no path"),
        ([0, 1, 1, 3, 1, NONE], None, "vertex 1: distance 1, but no path"),
        ([0, 2, 1, 4, 2, 7], None, "vertex 5: distance 7, but no path"),
        ([0, 2, 1, 4, 2, NONE], [1, 0, 0, 1, 1, -1], "is the source, and its parent is 1"),
        ([0, 2, 1, 4, 2, NONE], [0, 0, 0, 2, 1, -1], "parent 2 with distance 1 does not give"),
        ([0, 2, 1, 4, 2, NONE], [0, 4, 0, 1, 1, -1], "circle"),
        ([0, 2, 1, 4, 2, NONE], [0, 0, 0, 1, 1, 4], "do not agree"),
        ([0, 2, 1, 4, 2, NONE], [0, 0, 0, -1, 1, -1], "do not agree"),
    ],
)
def test_a_wrong_answer_is_named(distances: list[int], parents: Any, message: str) -> None:
    with pytest.raises(VerificationError, match=message):
        run(distances, parents)


def test_the_dtype_and_the_shape_are_asserted() -> None:
    G = make_diamond()
    with pytest.raises(VerificationError, match="not int32"):
        verify(6, G.csr.indptr, G.csr.indices, G.csr.values, 0, np.zeros(5, np.int32))


def test_negative_weights_are_verified() -> None:
    rows, cols = np.array([0, 0, 2]), np.array([1, 2, 1])
    G = SmallGraph(3, rows, cols, np.array([4, 6, -5], np.int32))
    csr = G.csr
    verify(3, csr.indptr, csr.indices, csr.values, 0, np.array([0, 1, 6], np.int32), np.array([0, 2, 0]))
    with pytest.raises(VerificationError, match="arc from 2 gives 1"):
        verify(3, csr.indptr, csr.indices, csr.values, 0, np.array([0, 4, 6], np.int32))
    assert compute_reference_distances(3, csr.indptr, csr.indices, csr.values, 0).tolist() == [0, 1, 6]


def test_the_reference_keeps_arcs_of_weight_zero() -> None:
    n, rows, cols, weights = KINDS["zero_cycles"](np.random.default_rng(0))
    G = SmallGraph(n, rows, cols, weights.astype(np.int32))
    assert compute_reference_distances(n, G.csr.indptr, G.csr.indices, G.csr.values, 0)[:40].tolist() == [0] * 40
