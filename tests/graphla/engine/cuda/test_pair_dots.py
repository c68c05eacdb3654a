"""Masked products that count common columns: rows of bits for hub columns, tables and searches for the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engines import NAMES, get_engine_named
from operands import make_generator
from scipy.sparse import csr_array

import graphla as gl
from graphla.engine.cuda.matmat import pair_dots
from graphla.planning import plan as planning
from graphla.planning.plan import make_plan
from graphla.planning.steps import Mask
from semirings import any_pair, plus_pair, plus_times


def make_rows(rng: Any, lengths: list[int], columns: int, hubs: Any) -> csr_array:
    """Rows of given lengths; half of the columns of each are among the hubs, as far as there are so many."""
    rows = []
    for length in lengths:
        few = rng.choice(hubs, min(len(hubs), length // 2), replace=False)
        others = rng.permutation(np.setdiff1d(np.arange(columns), few))[: length - few.size]
        rows.append(np.sort(np.concatenate([few, others])))
    indices = np.concatenate([*rows, np.zeros(0, int)]).astype("int32")
    indptr = np.concatenate([[0], np.cumsum([row.size for row in rows])])
    return csr_array((np.ones(indices.size), indices, indptr), shape=(len(lengths), columns))


def hold(engine: Any, matrix: csr_array) -> Any:
    """A matrix of the engine."""
    rows, columns = matrix.shape
    parts = (*matrix.tocoo().coords, np.ones(matrix.nnz, "int8"))
    return gl.Matrix.from_coo(*map(engine.xp.asarray, parts), nrows=rows, ncols=columns, engine=engine)


def check(engine: Any, A: Any, B: Any, M: csr_array, dtype: str = "INT64") -> None:
    """C<M> = A plus.pair Bᵀ by hubs, beside SciPy; A and B may be one matrix."""
    left = hold(engine, A)
    right = left if A is B else hold(engine, B)
    expression = plus_pair[dtype](left @ right.T)
    record = Mask(hold(engine, M)._storage, True, False)
    plan = make_plan(expression, None, expression.dtype, record)
    plan = replace(plan, step=replace(plan.step, how="dots", schedule="hubs", mask=record))
    found = gl.Matrix._from_storage(engine.run(plan), engine).to_coo()
    rows, columns, values = (np.asarray(engine.to_host(part)) for part in found)
    wanted = (A.astype("int64") @ B.astype("int64").T).multiply(M.astype(bool)).tocsr()
    wanted.eliminate_zeros()
    wanted.sort_indices()
    wanted = wanted.tocoo()
    assert np.array_equal(rows, wanted.coords[0])
    assert np.array_equal(columns, wanted.coords[1])
    assert np.array_equal(values, wanted.data.astype(values.dtype))


def draw_mask(rng: Any, rows: int, columns: int, fill: float) -> csr_array:
    """Cells at random; some rows of the mask are full, some empty."""
    cells = rng.random((rows, columns)) < fill
    cells[rows // 2], cells[0] = True, False
    return csr_array(cells)


@pytest.fixture(params=NAMES[1:])
def engine(request: pytest.FixtureRequest) -> Any:
    """The engines that have the kernels."""
    return get_engine_named(request.param)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of bits for shorter rows than on a GPU."""
    monkeypatch.setattr(pair_dots, "LEAST_HUBS", 20)


@pytest.mark.parametrize("dtype", ["INT64", "FP32", "INT8"])
def test_rows_with_and_without_bits(engine: Any, small: None, dtype: str) -> None:
    """Hubs in several words; rows with none, with few hubs and with many; tables that are filled twice and more."""
    rng = make_generator("bits", dtype)
    hubs = rng.choice(3000, 250, replace=False)
    lengths = [0, 1, 2, 33, 64, 65, 300, 700, 0, 1500, 31, 32, 40, 5]
    A = make_rows(rng, lengths, 3000, hubs)
    B = make_rows(rng, [*(int(x) for x in rng.integers(0, 90, 60)), 600, 0, 900, 2900], 3000, hubs)
    check(engine, A, B, draw_mask(rng, A.shape[0], B.shape[0], 0.4), dtype=dtype)


def test_more_columns_than_bits(engine: Any, small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that are not hubs, rows that a block splits, and rows that are left to the other kernels."""
    monkeypatch.setattr(pair_dots, "MOST_OTHERS", 300)
    rng = make_generator("columns")
    hubs = rng.choice(20_000, 6000, replace=False)
    A = make_rows(rng, [5000, 700, 400, 0, 20, 9000, 3], 20_000, hubs)
    B = make_rows(rng, [*(int(x) for x in rng.integers(0, 400, 70)), 12_000, 2500, 6000], 20_000, hubs)
    check(engine, A, B, draw_mask(rng, A.shape[0], B.shape[0], 0.5))


def test_tasks_of_one_row(engine: Any, small: None) -> None:
    """A row of the mask of several tasks, whose last ends within a warp."""
    rng = make_generator("tasks")
    hubs = rng.choice(500, 64, replace=False)
    A = make_rows(rng, [200, 40, 1], 500, hubs)
    B = make_rows(rng, [int(x) for x in rng.integers(0, 30, 2 * pair_dots.TASK + 45)], 500, hubs)
    check(engine, A, B, draw_mask(rng, 3, B.shape[0], 0.5))


def test_triangles_of_one_operand(engine: Any, small: None) -> None:
    """C<U> = U plus.pair Uᵀ, where both operands are one matrix, and an empty mask."""
    rng = make_generator("triangles")
    weights = 1 / np.arange(1, 301)
    cells = rng.random((300, 300)) < np.minimum(1, 90 * np.outer(weights, weights) ** 0.5)
    U = csr_array(np.triu(cells, 1)[::-1, ::-1].T)
    check(engine, U, U, U)
    check(engine, U, U, csr_array(U.shape, dtype=bool))


def test_plan_chooses_hubs_for_counts_of_skewed_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "HUB_READS", 100)
    rng = np.random.default_rng(3)
    star = csr_array((np.ones(2999), (np.zeros(2999, int), np.arange(1, 3000))), shape=(3000, 3000))
    even = csr_array((np.ones(3000), (np.arange(3000), rng.permutation(3000))), shape=(3000, 3000))
    engine = gl.engine.get_engine("cpu")
    skewed, flat = hold(engine, (star + even).tocsr()), hold(engine, even)

    def plan(expression: Any, mask: Any) -> Any:
        return make_plan(expression, None, expression.dtype, Mask(mask._storage, True, False))

    chosen = plan(plus_pair(flat @ skewed.T), flat)
    assert (chosen.step.how, chosen.step.schedule) == ("dots", "hubs")
    assert "rows of bits" in str(chosen)
    assert plan(plus_pair(flat @ flat.T), flat).step.schedule == "rows"
    assert plan(plus_times(flat @ skewed.T), flat).step.schedule == "rows"
    assert plan(any_pair(flat @ skewed.T), flat).step.schedule == "rows"
    assert plan(plus_pair(skewed @ skewed.T), flat).step.schedule == "hubs"
    monkeypatch.setattr(planning, "HUB_LONGEST", 2998)
    assert plan(plus_pair(skewed @ skewed.T), flat).step.schedule == "rows"
    assert plan(plus_pair(flat @ skewed.T), flat).step.schedule == "hubs"
    monkeypatch.setattr(planning, "HUB_READS", 10**9)
    assert plan(plus_pair(flat @ skewed.T), flat).step.schedule == "rows"
