"""The verifier accepts what is right, and names what is not."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.algorithms.bfs._verify import verify
from graphla.common.errors import VerificationError
from tests.graphla.algorithms.bfs.graphs import GRAPHS, TinyGraph
from tests.graphla.algorithms.bfs.reference import compute_reference_levels

CSR = TinyGraph(GRAPHS["path"], None).csr
LEVELS = compute_reference_levels(CSR, 0)
PARENTS = np.maximum(np.arange(70) - 1, 0).astype(np.int32)


def break_at(array: np.ndarray, at: int, value: int) -> np.ndarray:
    copy = array.copy()
    copy[at] = value
    return copy


def test_accepts_a_right_answer() -> None:
    verify(CSR, 0, LEVELS, PARENTS)


@pytest.mark.parametrize(
    ("at", "value", "says"),
    [
        (0, 1, "source 0 has level 1"),
        (5, 0, "other than the source has level 0"),
        (69, -1, "a reached vertex has an arc to it"),
        (5, 9, "spans more than one level"),
        (69, 68, "no arc comes to it from the level above"),
    ],
)
def test_refuses_wrong_levels(at: int, value: int, says: str) -> None:
    with pytest.raises(VerificationError, match=says):
        verify(CSR, 0, break_at(LEVELS, at, value))


@pytest.mark.parametrize(
    ("at", "value", "says"),
    [
        (0, 3, "parent of the source"),
        (5, -1, "a level or a parent, but not both"),
        (5, 70, "not a vertex"),
        (5, 6, "not one level above"),
    ],
)
def test_refuses_wrong_parents(at: int, value: int, says: str) -> None:
    with pytest.raises(VerificationError, match=says):
        verify(CSR, 0, LEVELS, break_at(PARENTS, at, value))


def test_refuses_a_parent_without_an_arc() -> None:
    csr = TinyGraph(GRAPHS["grid"], None).csr
    levels = compute_reference_levels(csr, 0)
    at_two = np.flatnonzero(levels == 2)
    parents = np.array([next((u for u in range(csr.nrows) if levels[u] == d - 1), 0) for d in levels], np.int32)
    assert at_two.size
    with pytest.raises(VerificationError, match="no arc leads to it from its parent"):
        verify(csr, 0, levels, parents)


def test_refuses_levels_of_another_graph() -> None:
    with pytest.raises(VerificationError, match="shape"):
        verify(CSR, 0, LEVELS[:-1])
