"""Full matrices beside compressed ones: read at their cells, and accumulated into."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import NAMES, get_engine_named

import graphla as gl
from graphla import binary


@pytest.fixture(params=NAMES)
def engine(request: pytest.FixtureRequest) -> Any:
    return get_engine_named(request.param)


@pytest.mark.parametrize("shape", [(4, 3000), (3000, 4), (1, 7)])
@pytest.mark.parametrize("dtype", ["FP64", "INT8"])
def test_cells_of_a_full_matrix(engine: Any, shape: tuple[int, int], dtype: str) -> None:
    """On both sides of an operator that does not commute, and under an accumulator, which changes no operand."""
    rng = np.random.default_rng(shape)
    dense, sparse = rng.integers(1, 20, shape), rng.integers(1, 9, shape) * (rng.random(shape) < 0.4)
    F = gl.Matrix.from_dense(dense, dtype=dtype, engine=engine)
    A = gl.Matrix.from_dense(sparse, missing_value=0, dtype=dtype, engine=engine)
    there = sparse != 0
    for expression, wanted in ((F & A, dense - sparse), (A & F, sparse - dense)):
        C = binary.minus(expression).new()
        assert C.nvals == there.sum()
        assert np.array_equal(np.asarray(engine.to_host(C.to_dense(0))), wanted * there)
    G = F.dup()
    G(binary.minus) << A
    assert np.array_equal(np.asarray(engine.to_host(G.to_dense())), dense - sparse)
    assert np.array_equal(np.asarray(engine.to_host(F.to_dense())), dense)
    G(binary.plus) << gl.Matrix(dtype, *shape, engine=engine)
    assert np.array_equal(np.asarray(engine.to_host(G.to_dense())), dense - sparse)


def test_matrices_of_one_structure(engine: Any) -> None:
    """What is applied to a matrix has its entries: then only values are combined, by unions, too."""
    rng = np.random.default_rng(2)
    dense = rng.integers(1, 9, (30, 20)) * (rng.random((30, 20)) < 0.3)
    A = gl.Matrix.from_dense(dense, missing_value=0, dtype="INT32", engine=engine)
    B = A.apply(binary.times, right=3).new()
    for expression in (A | B, A & B):
        C = binary.minus(expression).new()
        assert C.nvals == A.nvals
        assert np.array_equal(np.asarray(engine.to_host(C.to_dense(0))), -2 * dense)
    assert np.array_equal(np.asarray(engine.to_host(A.ewise_union(B, "plus", 100, 100).new().to_dense(0))), 4 * dense)
