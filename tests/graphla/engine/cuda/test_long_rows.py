"""Pulls over rows that several blocks share, products with one sparse row, and bounds of the arcs of a frontier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import KERNEL_NAMES, get_engine_with_lists

import graphla as gl
from graphla.engine.cuda.matvec import pull
from graphla.planning import degrees
from graphla.planning.schedules import PUSH_BLOCK_DEGREE, choose_push_schedule
from graphla.storage import Deferred
from semirings import min_plus, plus_first, plus_second, plus_times

ROWS, COLUMNS = 40, 9000


@pytest.fixture(params=KERNEL_NAMES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    return get_engine_with_lists(request.param, monkeypatch)


@pytest.fixture
def rng() -> np.random.Generator:
    """Other inputs at each run; pytest shows the seed of one that fails."""
    seed = int(np.random.default_rng().integers(1 << 62))
    print("seed", seed)
    return np.random.default_rng(seed)


def draw_matrix(rng: np.random.Generator) -> np.ndarray:
    """Short rows, an empty one, and rows of one, two and three tasks; NaN where there is no entry."""
    there = rng.random((ROWS, COLUMNS)) < 0.02
    there[3], there[20] = True, False
    there[7, :2500] = True
    there[11] = rng.random(COLUMNS) < 0.6
    return np.where(there, rng.integers(1, 9, there.shape).astype("float64"), np.nan)


def make_matrix(dense: np.ndarray, engine: Any) -> gl.Matrix:
    rows, columns = np.nonzero(~np.isnan(dense))
    height, width = dense.shape
    return gl.Matrix.from_coo(rows, columns, dense[rows, columns], nrows=height, ncols=width, engine=engine)


def reduce_terms(terms: np.ndarray, by: Any) -> np.ndarray:
    """Reduce the terms of each row that are numbers; NaN of none."""
    return np.array([by(row[~np.isnan(row)]) if (~np.isnan(row)).any() else np.nan for row in terms])


@pytest.mark.parametrize(("full", "mask"), [(True, None), (True, "~S"), (False, None), (False, "S")])
def test_long_rows(engine: Any, rng: np.random.Generator, full: bool, mask: str | None) -> None:
    dense, x = draw_matrix(rng), rng.integers(0, 9, COLUMNS).astype("float64")
    x[np.zeros(COLUMNS, bool) if full else rng.random(COLUMNS) < 0.5] = np.nan
    A, places, flags = make_matrix(dense, engine), np.flatnonzero(~np.isnan(x)), rng.random(ROWS) < 0.5
    v = gl.Vector.from_coo(places, x[places], size=COLUMNS, engine=engine)
    M = gl.Vector.from_coo(np.flatnonzero(flags), True, size=ROWS, engine=engine)
    how = {} if mask is None else {"mask": M.S if mask == "S" else ~M.S, "replace": True}
    allowed = np.ones(ROWS, bool) if mask is None else flags == (mask == "S")
    wanted = reduce_terms(dense + x, np.min) if mask == "~S" else reduce_terms(dense * x, np.sum)
    w = gl.Vector("FP64", ROWS, engine=engine)
    w(direction="pull", **how) << (min_plus if mask == "~S" else plus_times)(A @ v)
    np.testing.assert_array_equal(w.to_numpy(np.nan), np.where(allowed, wanted, np.nan))
    assert w.nvals == np.count_nonzero(allowed & ~np.isnan(wanted))
    tasks = A._storage.cached("row_layout", None).tasks
    assert (tasks.count, tasks.joined) == (3 + 1 + 2, 2)
    assert pull.CHUNK == 4096


def test_one_sparse_row_is_read_later(engine: Any, rng: np.random.Generator) -> None:
    """As a matrix and as a vector; nobody waits for the number of its entries."""
    dense = draw_matrix(rng)
    A, places = make_matrix(dense, engine), np.flatnonzero(rng.random(ROWS) < 0.3)
    values = rng.integers(1, 9, places.size).astype("float64")
    q = gl.Vector.from_coo(places, values, size=ROWS, engine=engine)
    F = gl.Matrix.from_coo(np.zeros(places.size, int), places, values, nrows=1, ncols=ROWS, engine=engine)
    found, column = plus_first(F @ A).new(), plus_second(A.T @ F.T).new()
    assert isinstance(found._held, Deferred)
    assert found.shape == (1, COLUMNS)
    wanted = plus_first(q @ A).new().to_dict()
    assert found[0, :].new().to_dict() == column[:, 0].new().to_dict() == wanted
    assert found.dup(dtype="INT64").reduce_scalar("plus").new().value == sum(wanted.values())
    F << found[:, :ROWS]
    assert F.nvals == sum(place < ROWS for place in wanted)


def test_a_push_shares_a_long_row(engine: Any, rng: np.random.Generator) -> None:
    """Blocks share the row of a hub even if it is the only entry."""
    dense = draw_matrix(rng)
    A, places = make_matrix(dense, engine), np.array([3, 11, 20])
    q = gl.Vector.from_coo(places, [5.0, 2.0, 1.0], size=ROWS, engine=engine)
    found = gl.Vector("FP64", COLUMNS, engine=engine)
    found(direction="push") << plus_times(q @ A)
    wanted = reduce_terms(dense[places].T * [5.0, 2.0, 1.0], np.sum)
    np.testing.assert_array_equal(found.to_numpy(np.nan), wanted)
    assert choose_push_schedule(len(places), COLUMNS) == "edges"
    assert choose_push_schedule(len(places), PUSH_BLOCK_DEGREE) == "block"


@pytest.mark.parametrize("kind", ["kronecker", "grid", "one arc"])
def test_arcs_are_bounded_closely(engine: Any, kind: str) -> None:
    graphs = {
        "kronecker": lambda: gl.generate.kronecker(9, engine=engine),
        "grid": lambda: gl.generate.grid2d(9, 7, engine=engine),
        "one arc": lambda: gl.Graph(([0], [1]), n=3, engine=engine),
    }
    matrix = graphs[kind]().A._storage
    lengths = np.sort(np.diff(engine.to_host(matrix.indptr)))[::-1]
    most = np.r_[0, np.cumsum(lengths)]
    for rows in range(matrix.nrows + 1):
        assert most[rows] <= degrees.bound_arcs(matrix, rows) <= 1.05 * most[rows]


def test_a_small_frontier_is_not_counted(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest rows together have few arcs enough; of many entries the arcs are counted, if all arcs are many."""
    counted: list[int] = []
    count = degrees.count_reads
    monkeypatch.setattr(degrees, "count_reads", lambda matrix, rows: counted.append(len(rows)) or count(matrix, rows))
    A = gl.generate.kronecker(10, engine=engine).A
    for entries, unseen, waits in ((20, 0, []), (400, degrees.UNSEEN_ARCS, []), (400, 0, [400])):
        monkeypatch.setattr(degrees, "UNSEEN_ARCS", unseen)
        q = gl.Vector.from_coo(range(entries), 1, size=A.nrows, engine=engine)
        assert plus_times(A.T @ q).new().plan.step.direction == "push" or entries == 400
        assert counted == waits
