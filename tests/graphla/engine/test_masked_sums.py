"""Sums over masked products: as over the matrix of their entries, in one piece and in many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import agg, binary, monoid, select
from graphla.common.errors import DimensionMismatch, DomainMismatch
from graphla.engine.arrays import products
from semirings import any_pair, min_plus, plus_pair, plus_times


@pytest.fixture(params=[None, 400], ids=["whole", "pieces"])
def most(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int | None:
    """How many entries of the mask are computed at a time; None as it is."""
    if request.param is not None:
        monkeypatch.setattr(products, "find_most_entries", lambda product: request.param)
    return request.param


def make_lower(engine: Any, seed: int = 1) -> gl.Matrix:
    return select.tril(gl.generate.kronecker(8, seed=seed, weights=(1, 255), engine="cpu").to(engine).A, -1).new()


@pytest.mark.parametrize("semiring", [plus_pair, plus_times, min_plus], ids=lambda one: one.name)
def test_a_sum_is_that_of_the_entries(engine: Any, most: int | None, semiring: Any) -> None:
    L = make_lower(engine)
    C = semiring(L @ L.T).new(mask=L.S)
    expression = semiring(L @ L.T).mask(L.S)
    for op in ("plus", monoid.max, binary.min):
        assert expression.reduce_scalar(op).new().value == C.reduce_scalar(op).new().value
    assert "reduced as it is computed" in expression.reduce_scalar().explain()
    assert expression.new().isequal(C)
    assert expression.nvals == C.nvals


def test_triangles_are_counted_without_a_matrix_of_them(engine: Any, most: int | None) -> None:
    L = make_lower(engine, seed=3)
    dense = np.tril(L.to_dense(fill_value=0) != 0).astype(np.int64)
    assert int(plus_pair(L @ L.T).mask(L.S).reduce_scalar()) == (dense @ dense.T)[dense > 0].sum()


def test_other_masks_products_and_reductions(engine: Any) -> None:
    L = make_lower(engine)
    for mask in (~L.S, L.V):
        wanted = plus_times(L @ L).new(mask=mask).reduce_scalar("plus").new().value
        assert plus_times(L @ L).mask(mask).reduce_scalar("plus").new().value == wanted
    mean = plus_pair(L @ L.T).new(mask=L.S).reduce_scalar(agg.mean).new().value
    assert plus_pair(L @ L.T).mask(L.S).reduce_scalar(agg.mean).new().value == pytest.approx(mean)
    assert any_pair(L @ L.T).mask(L.S).reduce_scalar("any").new().value == 1
    C = gl.Matrix("INT64", *L.shape, engine=engine)
    C << plus_pair(L @ L.T).mask(L.S)
    assert C.isequal(plus_pair(L @ L.T).new(mask=L.S))


def test_nothing_gives_nothing_or_the_identity(engine: Any) -> None:
    L, E = make_lower(engine), gl.Matrix("BOOL", 256, 256, engine=engine)
    nothing = plus_pair(L @ L.T).mask(E.S)
    assert nothing.reduce_scalar().new().is_empty
    assert nothing.reduce_scalar(allow_empty=False).new().value == 0


def test_what_has_no_mask_is_refused() -> None:
    L = make_lower("cpu")
    with pytest.raises(DomainMismatch, match=r"mask: mask=.*give M.S or M.V"):
        plus_pair(L @ L.T).mask(L)
    with pytest.raises(DimensionMismatch, match="and the mask"):
        plus_pair(L @ L.T).mask(gl.Matrix("BOOL", 3, 3).S)
    v = gl.Vector.from_scalar(1, L.ncols)
    with pytest.raises(DomainMismatch, match="a product of two matrices has a mask"):
        plus_pair(L @ v).mask(v.S)
