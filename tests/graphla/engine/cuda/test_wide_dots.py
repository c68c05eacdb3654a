"""Masked dot products of long rows, whose columns stand as bits, and those computed by columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import NAMES, get_engine_named
from operands import make_generator
from scipy.sparse import csr_array

import graphla as gl
from graphla import binary, semiring
from graphla.engine.cuda.matmat import dots, turned, wide_dots
from graphla.planning import few_rows
from graphla.planning import plan as planning

LENGTHS = [2500, 0, 1500, 1100, 300, 20]


@pytest.fixture(params=NAMES[1:])
def engine(request: pytest.FixtureRequest) -> Any:
    """The engines that have the kernels."""
    return get_engine_named(request.param)


def make_rows(rng: Any, lengths: list[int], columns: int) -> csr_array:
    """Rows of given lengths; values are small integers, so that sums are exact."""
    indices = [np.sort(rng.permutation(columns)[:length]) for length in lengths]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    values = rng.integers(1, 5, indptr[-1]).astype("float32")
    return csr_array((values, np.concatenate(indices), indptr), shape=(len(lengths), columns))


def hold(engine: Any, matrix: csr_array) -> gl.Matrix:
    rows, columns = matrix.tocoo().coords
    parts = map(engine.xp.asarray, (rows, columns, matrix.tocoo().data))
    return gl.Matrix.from_coo(*parts, nrows=matrix.shape[0], ncols=matrix.shape[1], engine=engine)


def draw_mask(rng: Any, shape: tuple[int, int]) -> csr_array:
    return csr_array((rng.random(shape) < 0.5).astype("float32"))


def check(found: gl.Matrix, wanted: csr_array) -> None:
    """Compare a matrix with SciPy's."""
    rows, columns, values = (np.asarray(found.engine.to_host(part)) for part in found.to_coo())
    ours = csr_array((values, (rows, columns)), shape=wanted.shape).toarray()
    assert np.array_equal(ours, wanted.toarray())
    assert found.nvals == np.count_nonzero(wanted.toarray())


def multiply(name: str, A: csr_array, B: csr_array, M: csr_array) -> csr_array:
    """A Bᵀ under a mask; of plus.pair the numbers of common columns."""
    if name == "plus_pair":
        A, B = (csr_array((np.ones(X.nnz), X.indices, X.indptr), shape=X.shape) for X in (A, B))
    return csr_array((A @ B.T).multiply(M != 0))


def choose_dots_by_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose dot products for small matrices too, and neither a push nor a pull of few rows."""
    monkeypatch.setattr(planning, "DOT_PRODUCT_ADVANTAGE", 1e9)
    monkeypatch.setattr(few_rows, "FEW_ROWS", 0)


@pytest.mark.parametrize("name", ["plus_pair", "plus_times"])
@pytest.mark.parametrize("windows", [1, 3, 9])
def test_long_rows(engine: Any, monkeypatch: pytest.MonkeyPatch, name: str, windows: int) -> None:
    """Bits in one window of columns, in three, and searches where there would be nine."""
    room = -(-(2600 // 32 + 1) // windows)
    beside = engine.device.most_shared() - room * (8 if name == "plus_times" else 4)
    monkeypatch.setattr(wide_dots, "OTHER_SHARED", beside)
    choose_dots_by_rows(monkeypatch)
    rng = make_generator("wide", name, windows)
    A, B = make_rows(rng, LENGTHS, 2600), make_rows(rng, [2600, 0, 1, 40, 500, 2200, 1030], 2600)
    M = draw_mask(rng, (6, 7))
    C = gl.Matrix("FP32", 6, 7, engine=engine)
    C(hold(engine, M).S) << semiring[name](hold(engine, A) @ hold(engine, B).T)
    assert (C.plan.step.how, C.plan.step.schedule) == ("dots", "rows")
    check(C, multiply(name, A, B, M))


def test_entries_with_long_walks(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All threads of a block share the rows of Bᵀ that are longer than WIDE_LONG, also over two windows."""
    choose_dots_by_rows(monkeypatch)
    rng = make_generator("walks")
    A, B = make_rows(rng, [9000, 1200], 12_000), make_rows(rng, [11_000, 10_500, 30], 12_000)
    M = csr_array(np.ones((2, 3), "float32"))
    for room in (400, 200):
        monkeypatch.setattr(wide_dots, "OTHER_SHARED", engine.device.most_shared() - 8 * room)
        C = gl.Matrix("FP32", 2, 3, engine=engine)
        C(hold(engine, M).S) << semiring.plus_times(hold(engine, A) @ hold(engine, B).T)
        assert (C.plan.step.how, C.plan.step.schedule) == ("dots", "rows")
        check(C, multiply("plus_times", A, B, M))


def choose_dots_by_their_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose dot products for small matrices too, and their side by the entries that are read alone."""
    choose_dots_by_rows(monkeypatch)
    for name in ("HUB_READS", "TURN_READS"):
        monkeypatch.setattr(planning, name, 0)


@pytest.mark.parametrize("name", ["plus_pair", "plus_times"])
def test_products_by_columns(engine: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Short rows of A beside long ones of Bᵀ: the columns of B stand in tables; the sum needs no transpose."""
    choose_dots_by_their_reads(monkeypatch)
    rng = make_generator("columns", name)
    A, B = make_rows(rng, [3, 0, 5, 9, 2, 1], 2600), make_rows(rng, LENGTHS, 2600)
    M = draw_mask(rng, (6, 6))
    left, right, mask = hold(engine, A), hold(engine, B), hold(engine, M)
    C = gl.Matrix("FP32", 6, 6, engine=engine)
    C(mask.S) << semiring[name](left @ right.T)
    assert C.plan.step.schedule == "columns"
    assert "columns" in str(C.plan)
    wanted = multiply(name, A, B, M)
    check(C, wanted)
    total = semiring[name](left @ right.T).mask(mask.S).reduce_scalar("plus").new()
    assert total.value == wanted.sum()


def test_multiplication_that_does_not_commute_stays_by_rows(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_dots_by_their_reads(monkeypatch)
    rng = make_generator("first")
    A, B = make_rows(rng, [3, 0, 5, 9, 2, 1], 2600), make_rows(rng, LENGTHS, 2600)
    M = csr_array(np.ones((6, 6), "float32"))
    C = gl.Matrix("FP32", 6, 6, engine=engine)
    C(hold(engine, M).S) << semiring.plus_first(hold(engine, A) @ hold(engine, B).T)
    assert C.plan.step.schedule == "rows"
    ones = csr_array((np.ones(B.nnz, "float32"), B.indices, B.indptr), shape=B.shape)
    check(C, csr_array(A @ ones.T))
    assert binary.first.commutative is False


@pytest.mark.parametrize("name", ["plus_pair", "plus_times", "min_plus", "plus_first"])
@pytest.mark.parametrize("least", [1, 10**9])
def test_entries_in_the_longer_row(engine: Any, monkeypatch: pytest.MonkeyPatch, name: str, least: int) -> None:
    """L Lᵀ under L where rows differ much in length, the entries in the longer row of both or as they stand."""
    choose_dots_by_rows(monkeypatch)
    monkeypatch.setattr(turned, "LEAST", least)
    monkeypatch.setattr(turned, "TURN_COST", 0)
    done, turn = [], dots.turn
    monkeypatch.setattr(dots, "turn", lambda *a: done.append(turn(*a)) or done[-1])
    rng = make_generator("turned", name, least)
    dense = np.tril(rng.random((400, 400)) < np.where(np.arange(400) % 40 == 0, 0.9, 0.03), -1)
    L = csr_array(dense * rng.integers(1, 5, (400, 400)).astype("float32"))
    held = hold(engine, L)
    C = gl.Matrix("FP32", 400, 400, engine=engine)
    C(held.S) << semiring[name](held @ held.T)
    assert (C.plan.step.how, C.plan.step.schedule) == ("dots", "rows")
    assert len([each for each in done if each is not None]) == (least == 1 and name != "plus_first")
    values, there = L.toarray(), (dense.astype(int) @ dense.T > 0) & dense
    wanted = {
        "plus_pair": lambda: dense.astype(float) @ dense.T,
        "plus_times": lambda: values @ values.T,
        "plus_first": lambda: values @ dense.T,
        "min_plus": lambda: np.where(dense, values, np.inf)[:, None].__add__(np.where(dense, values, np.inf)).min(2),
    }[name]()
    check(C, csr_array(np.where(there, wanted, 0)))
