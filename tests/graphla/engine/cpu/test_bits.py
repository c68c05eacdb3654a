"""Products of truths in words against NumPy's, in shapes that do not fill words."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
import semirings
from graphla.engine.cpu.bits import lor_land


@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (3, 0, 2), (0, 3, 2), (2, 3, 0), (5, 64, 63), (70, 9, 65), (90, 130, 513)]
)
@pytest.mark.parametrize("density", [0.02, 0.9])
def test_every_shape(shape: tuple[int, int, int], density: float) -> None:
    m, k, n = shape
    rng = np.random.default_rng(m + k + n)
    A, B = rng.random((m, k)) < density, rng.random((k, n)) < density
    expected = (A.astype(int) @ B) > 0
    for left, right in ((A, B), (np.asfortranarray(A), np.asfortranarray(B))):
        got = lor_land(left, right)
        assert got.dtype == bool
        np.testing.assert_array_equal(got, expected)


def test_the_engine_takes_it_for_truths_alone() -> None:
    rng = np.random.default_rng(4)
    A = rng.random((40, 70)) < 0.1
    expected = (A.astype(int) @ A.T) > 0
    for cells in (A, A.astype("float32") / 2):
        M = gl.Matrix.from_dense(cells, engine="cpu")
        C = semirings.lor_land(M @ M.T).new()
        assert C.dtype.name == "BOOL"
        np.testing.assert_array_equal(C.to_numpy(), expected)
