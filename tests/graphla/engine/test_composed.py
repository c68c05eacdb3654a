"""What is composed of several expressions gives the same on each engine."""

from typing import Any

import numpy as np
import pytest

import graphla as gl

ENTRIES = ([0, 0, 1, 2, 3, 3], [1, 3, 2, 0, 0, 3], [3.0, 1.0, 4.0, 1.0, 5.0, 9.0])


@pytest.fixture
def A(engine: Any) -> gl.Matrix:
    return gl.Matrix.from_coo(*ENTRIES, nrows=4, ncols=4, engine=engine)


def to_dense(entries: tuple[Any, ...] = ENTRIES) -> np.ndarray:
    made = np.zeros((4, 4))
    made[entries[0], entries[1]] = entries[2]
    return made


def test_powers(A: gl.Matrix) -> None:
    assert np.array_equal(A.power(5).new().to_numpy(0), np.linalg.matrix_power(to_dense(), 5))
    assert np.array_equal(A.T.power(0).new().to_numpy(0), np.eye(4))


def test_outer_products(A: gl.Matrix) -> None:
    u, v = A[0, :].new(), A[3, :].new()
    there = np.outer(u.to_numpy(0), v.to_numpy(0)) != 0
    expected = np.where(there, np.subtract.outer(u.to_numpy(0), v.to_numpy(0)), 99)
    assert np.array_equal(u.outer(v, "minus").new().to_numpy(99), expected)


def test_other_places(A: gl.Matrix) -> None:
    assert np.array_equal(A.reposition(1, -1).new().to_numpy(0)[1:, :3], to_dense()[:3, 1:])
    assert A[0, :].new().reposition(-1, size=3).to_dict() == {0: 3, 2: 1}
    A.resize(3, 5)
    assert np.array_equal(A.to_numpy(0)[:, :4], to_dense()[:3])


def test_diagonals_are_set(A: gl.Matrix) -> None:
    A.setdiag(A[0, :].new())
    assert np.array_equal(A.to_numpy(0), to_dense() - np.diag([0, 0, 0, 9]) + np.diag([0, 3, 0, 1]))


def test_a_line_under_the_mask_of_a_vector(A: gl.Matrix) -> None:
    A(A[0, :].new().S)[3, :] << 2
    assert A.to_numpy(0)[3].tolist() == [5, 2, 0, 2]


def test_aggregates(A: gl.Matrix) -> None:
    assert A.reduce_rowwise("mean").new().to_dict() == {0: 2, 1: 4, 2: 1, 3: 7}
    assert A.reduce_columnwise("varp").new().to_dict() == {0: 4, 1: 0, 2: 0, 3: 16}
    assert A.reduce_scalar("sum_of_squares").new().value == 133
    assert A[0, :].new().reduce("vars").new().value == 2
