"""Products of full matrices on the CPU: every shape of remainder, several semirings."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.engine.cpu.templates import compile_product
from semirings import max_min, max_plus, min_max, min_plus, plus_times
from semirings.dtypes import lookup

FORMULAS = {
    "min_plus": lambda x, y: (x[:, :, None] + y[None]).min(1),
    "max_plus": lambda x, y: (x[:, :, None] + y[None]).max(1),
    "max_min": lambda x, y: np.minimum(x[:, :, None], y[None]).max(1),
    "min_max": lambda x, y: np.maximum(x[:, :, None], y[None]).min(1),
    "plus_times": lambda x, y: x @ y,
}
SHAPES = [(1, 1, 1), (2, 3, 5), (3, 4, 1), (5, 65, 7), (8, 130, 515), (9, 67, 1030)]


def multiply(semiring, A, B):
    kind = lookup(A.dtype)
    C = np.empty((A.shape[0], B.shape[1]), A.dtype)
    compile_product("full", semiring, kind, kind, kind, False).multiply_full(A, B, C)
    return C


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("semiring", [min_plus, max_plus, max_min, min_max, plus_times], ids=lambda s: s.name)
def test_every_shape(semiring, dtype: str) -> None:
    rng = np.random.default_rng(0)
    for m, k, n in SHAPES:
        A, B = rng.integers(-9, 100, (m, k)).astype(dtype), rng.integers(-9, 100, (k, n)).astype(dtype)
        np.testing.assert_array_equal(multiply(semiring, A, B), FORMULAS[semiring.name](A, B))


def test_no_terms_give_the_identity() -> None:
    assert (multiply(min_plus, np.ones((2, 0), "float32"), np.ones((0, 3), "float32")) == np.inf).all()


def test_integers_stop_at_infinity() -> None:
    top = np.iinfo("int32").max
    A, B = np.array([[top, top - 1]], "int32"), np.array([[-5, -5], [7, 1]], "int32")
    assert multiply(min_plus, A, B).tolist() == [[top, top]]
