"""``expr.estimate()`` is an upper bound of what an expression takes, work space and padding included."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import binary, select
from graphla.containers.execute import estimate_bytes, plan_expression
from graphla.containers.update import Updater
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from graphla.engine.cuda.matmat import pair_dots
from graphla.planning import few_rows
from graphla.planning import plan as planning
from graphla.planning import words as planned_words
from semirings import any_pair, lor_land, min_plus, plus_pair, plus_times
from tests.emulator import load

SIZE = 600
OBJECTS = 60_000
"""Bytes of Python's own objects beside the arrays."""
DEPENDS_ON_DATA = ("intersection", "extract rows", "extract scattered columns", "extract a column")
"""What nobody knows before it is computed, and so may be far below the bound."""
emulated = CudaEngine(np, load)


def make_sparse(engine: Any, seed: int, dtype: str = "INT64") -> gl.Matrix:
    rng = np.random.default_rng(seed)
    cells = np.sort(rng.choice(SIZE * SIZE, 30_000, replace=False))
    return gl.Matrix.from_coo(
        cells // SIZE, cells % SIZE, rng.integers(0, 9, cells.size), dtype, nrows=SIZE, ncols=SIZE, engine=engine
    )


def few(engine: Any, count: int) -> gl.Matrix:
    return gl.Matrix.from_dense(np.ones((count, SIZE)), engine=engine)


def make_full_vector(engine: Any) -> gl.Vector:
    return gl.Vector.from_dense(np.arange(1 << 20), engine=engine)


def make_dense(engine: Any, dtype: str, size: int = 130) -> gl.Matrix:
    return gl.Matrix.from_dense(np.ones((size, size), dtype), engine=engine)


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "rows": lambda e: plus_times(make_sparse(e, 1) @ make_sparse(e, 2).select("colle", 9).new()),
    "a row as a vector": lambda e: plus_times(make_sparse(e, 1)[:1, :].new() @ make_sparse(e, 2)),
    "few full rows": lambda e: plus_times(few(e, 6) @ make_sparse(e, 2)),
    "few full columns": lambda e: plus_times(make_sparse(e, 2) @ gl.Matrix.from_dense(np.ones((SIZE, 6)), engine=e)),
    "few sparse rows": lambda e: plus_times(make_sparse(e, 1)[:6, :].new() @ make_sparse(e, 2)),
    "tiles": lambda e: min_plus(make_dense(e, "float32") @ make_dense(e, "float32")),
    "tiles of wide numbers": lambda e: plus_times(make_dense(e, "int64") @ make_dense(e, "int64")),
    "tiles of truths": lambda e: lor_land(make_dense(e, "bool", 300) @ make_dense(e, "bool", 300)),
    "union": lambda e: binary.plus(make_sparse(e, 1) | make_sparse(e, 2)),
    "intersection": lambda e: binary.plus(make_sparse(e, 1) & make_sparse(e, 2)),
    "select": lambda e: select.tril(make_sparse(e, 1), 0),
    "extract": lambda e: make_sparse(e, 1)[100:500, 3:400],
    "extract rows": lambda e: make_sparse(e, 1)[[9, 3, 3, 100], :],
    "extract scattered columns": lambda e: make_sparse(e, 1)[list(range(300, 0, -1)), list(range(500, 100, -3))],
    "extract repeated columns": lambda e: make_sparse(e, 1)[:, [3, 3, 5, 9, 100, 8, 1, 2]],
    "extract a column": lambda e: make_sparse(e, 1)[:, 7],
    "extract a row": lambda e: make_sparse(e, 1)[7, :],
    "extract a column of a transpose": lambda e: make_sparse(e, 1).T[:, 7],
    "extract a window": lambda e: make_sparse(e, 1)[:20, 10:30],
    "extract a run of a vector": lambda e: make_full_vector(e)[30:500_000],
    "extract places of a vector": lambda e: make_full_vector(e)[list(range(0, 500_000, 3))],
    "extract places of a sparse vector": lambda e: make_full_vector(e).select("<", 900).new()[::2],
    "apply": lambda e: make_sparse(e, 1).apply("ainv"),
    "fold": lambda e: make_sparse(e, 1).reduce_rowwise("plus"),
    "product with a vector": lambda e: plus_times(make_sparse(e, 1) @ gl.Vector.from_scalar(1, SIZE, engine=e)),
    "kronecker": lambda e: make_sparse(e, 1)[:40, :40].new().kronecker(make_sparse(e, 2)[:40, :40].new(), binary.times),
}


@pytest.fixture(params=["cpu", pytest.param("emulated", marks=pytest.mark.emulated)])
def engine(request: pytest.FixtureRequest) -> Any:
    return emulated if request.param == "emulated" else get_engine("cpu")


def measure_peak(run: Callable[[], Any]) -> int:
    """Bytes that a call holds at most, its result included."""
    tracemalloc.start()
    try:
        kept = run()
        assert kept is not None
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_the_estimate_is_an_upper_bound(engine: Any, name: str) -> None:
    expression = EXPRESSIONS[name](engine)
    expression.new()
    peak = measure_peak(expression.new)
    assert peak <= expression.estimate() + OBJECTS, f"{name}: {peak:,} bytes against {expression.estimate():,}"
    if name not in DEPENDS_ON_DATA:
        assert expression.estimate() <= 12 * peak + OBJECTS, f"{name}: {expression.estimate():,} for {peak:,} bytes"


def make_hubs(n: int, entries: int) -> gl.Matrix:
    """Return a matrix in which the k-th row and column are 1/k as likely to have an entry as the first."""
    rng, share = np.random.default_rng(5), 1 / np.arange(1, n + 1)
    rows, columns = (rng.choice(n, entries, p=share / share.sum()) for _ in range(2))
    cells = np.unique(rows * n + columns)
    return gl.Matrix.from_coo(
        cells // n, cells % n, np.ones(cells.size, "float32"), nrows=n, ncols=n, engine=get_engine("cpu")
    )


def make_part(rows: int, columns: int, share: float) -> gl.Matrix:
    """Return a matrix in which a share of the cells has entries."""
    there = np.argwhere(np.random.default_rng(6).random((rows, columns)) < share)
    values = np.ones(len(there), "float32")
    return gl.Matrix.from_coo(*there.T, values, nrows=rows, ncols=columns, engine=get_engine("cpu"))


HUBS = 1200
PRODUCTS: dict[str, Callable[[gl.Matrix], tuple[Any, Any]]] = {
    "hubs": lambda A: (plus_times(A @ A), None),
    "hubs, transposed": lambda A: (plus_times(A.T @ A), None),
    "hubs under a mask, by rows": lambda A: (plus_pair(A @ A), A.S),
    "hubs under a mask, dot products": lambda A: (plus_pair(A @ A.T), make_part(HUBS, HUBS, 0.01).S),
    "hubs outside a mask": lambda A: (plus_pair(A @ A), ~A.S),
    "tall, wide": lambda A: (plus_times(make_part(HUBS, 50, 0.1) @ make_part(50, HUBS, 0.1)), None),
    "33 half full rows": lambda A: (plus_times(make_part(33, HUBS, 0.5) @ A), None),
    "300 half full rows": lambda A: (plus_times(make_part(300, HUBS, 0.5) @ A), None),
    "300 full rows": lambda A: (plus_times(make_part(300, HUBS, 2) @ A), None),
    "64 half full columns": lambda A: (plus_times(A @ make_part(HUBS, 64, 0.5)), None),
    "a diagonal matrix": lambda A: (
        plus_times(gl.Vector.from_scalar(2, HUBS, "FP32", engine=A.engine).diag() @ A),
        None,
    ),
    "a diagonal matrix with gaps": lambda A: (
        plus_times(gl.Vector.from_coo(range(1, HUBS), 2, "FP32", size=HUBS, engine=A.engine).diag() @ A),
        None,
    ),
    "a vector": lambda A: (plus_times(A @ gl.Vector.from_scalar(2, HUBS, "FP32", engine=A.engine)), None),
}
"""Products and their masks."""


@pytest.mark.parametrize("name", PRODUCTS)
def test_the_estimate_of_a_product_is_within_twice_what_it_takes(name: str) -> None:
    expression, mask = PRODUCTS[name](make_hubs(HUBS, 20 * HUBS))
    expression.new(mask=mask)
    peak = measure_peak(lambda: expression.new(mask=mask))
    engine = get_engine("cpu")
    estimate = estimate_bytes(engine, plan_expression(expression, None, mask, engine))
    assert peak - OBJECTS <= estimate <= 2 * peak + OBJECTS, f"{name}: {estimate:,} for {peak:,} bytes"


def make_graph(engine: Any, kind: str, n: int = 3000) -> gl.Matrix:
    """Return a matrix with 8 entries per row, each row at random, or with hubs and with rows and columns of none."""
    rng, share = np.random.default_rng(5), 1 / np.arange(1, n + 1)
    rows, columns = (rng.choice(n, 8 * n, p=share / share.sum() if kind == "hubs" else None) for _ in range(2))
    if kind == "gapless":
        rows, columns = np.r_[rows, :n], np.r_[columns, :n]
    cells = np.unique(rows * n + columns)
    return gl.Matrix.from_coo(cells // n, cells % n, np.ones(cells.size, "float32"), nrows=n, ncols=n, engine=engine)


@pytest.mark.parametrize("kind", ["hubs", "gapless"])
@pytest.mark.parametrize("way", ["columns", "columns of the transpose", "rows"])
@pytest.mark.parametrize("count", [2, 33])
def test_the_estimate_of_a_product_with_full_rows_is_within_twice_what_it_takes(
    engine: Any, kind: str, way: str, count: int
) -> None:
    A = make_graph(engine, kind)
    X = gl.Matrix.from_dense(np.ones((A.nrows, count)[:: -1 if way == "rows" else 1], "float32"), engine=engine)
    operands = (X, A) if way == "rows" else (A if way == "columns" else A.T, X)
    expression = plus_times(operands[0] @ operands[1])
    first = expression.estimate()
    expression.new()
    peak = measure_peak(expression.new)
    assert peak <= first + OBJECTS
    assert peak - OBJECTS <= expression.estimate() <= 2 * peak + OBJECTS


def test_a_product_under_a_mask_is_counted(engine: Any) -> None:
    A, B = make_sparse(engine, 1), make_sparse(engine, 2).select("rowle", 40).new()
    expression, mask = plus_pair(A @ B), A.select("colle", 3).new()
    expression.new(mask=mask.S)
    peak = measure_peak(lambda: expression.new(mask=mask.S))
    assert peak <= expression.estimate() + OBJECTS


def test_counts_with_rows_of_bits_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both operands are split; with a few hubs in every row each row of the second one has bits."""
    monkeypatch.setattr(planning, "HUB_READS", 0)
    monkeypatch.setattr(planning, "HUB_SKEW", 0)
    monkeypatch.setattr(few_rows, "FEW_ROWS", 8)
    monkeypatch.setattr(pair_dots, "LEAST_HUBS", 40)
    A, mask = make_sparse(emulated, 1), make_sparse(emulated, 2)
    C = gl.Matrix("INT64", *mask.shape, engine=emulated)

    def run() -> Any:
        C.clear()
        C(mask.S) << plus_pair["INT64"](A @ A.T)
        return C

    run()
    assert C.plan.step.schedule == "hubs"
    estimate = C.plan.nbytes + emulated.work_bytes(C.plan.step)
    peak = measure_peak(run)
    assert peak <= estimate + OBJECTS
    assert estimate <= 2.5 * peak


def test_a_transpose_is_counted_until_it_is_known() -> None:
    A = make_sparse(emulated, 1)
    expression = select.tril(A.T, 0)
    first = expression.estimate()
    assert measure_peak(expression.new) <= first + OBJECTS
    assert expression.estimate() < first


def test_padding_is_counted_without_running() -> None:
    """130 columns are padded to 256 and as many rows to 144; truths, ten words of 32, to 16 words for 384 columns."""
    A = make_dense(emulated, "float32")
    assert min_plus(A @ A).estimate() == 4 * (130 * 130 + 2 * 144 * 256)
    truths = make_dense(emulated, "bool", 300)
    assert lor_land(truths @ truths).estimate() == 300 * 300 + 16 * 2 * 384 * 4
    here = make_dense(get_engine("cpu"), "float32")
    assert min_plus(here @ here).estimate() == 4 * 130 * 130


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("replaced", [True, False])
@pytest.mark.parametrize("on", ["cpu", "emulated"])
def test_the_estimate_of_a_product_by_words_is_within_twice_what_it_takes(
    on: str, direction: Any, replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """65 rows: two words a column."""
    for name, value in (("LEAST_WORD_CELLS", 0), ("LEAST_ARCS", 0), ("LEAST_SHARE", 1 << 40)):
        monkeypatch.setattr(planned_words, name, value)
    engine, n = emulated if on == "emulated" else get_engine("cpu"), 20_000
    A = make_graph(engine, "gapless", n)
    F, C = (gl.Matrix.from_coo(np.arange(n) % 65, np.arange(n), True, nrows=65, ncols=n, engine=engine) for _ in "FC")
    plan = Updater(C, F.S if replaced else None, None if replaced else binary.lor, replaced, direction).plan(
        any_pair(F @ A)
    )
    assert type(plan.step).__name__ == "WordProduct"
    engine.run(plan)
    engine.release()
    peak, estimate = measure_peak(lambda: engine.run(plan)), estimate_bytes(engine, plan)
    assert peak - OBJECTS <= estimate <= 2 * peak + OBJECTS, f"{estimate:,} for {peak:,} bytes"


@pytest.mark.parametrize(
    "part",
    [
        lambda A, v: A[5, :],
        lambda A, v: A[:, 5],
        lambda A, v: A.T[5, :],
        lambda A, v: A[:10, :10],
        lambda A, v: v[:5],
        lambda A, v: v[[1, 2]],
        lambda A, v: v[3],
    ],
)
def test_a_part_is_refused_for_its_own_size_alone(engine: Any, part: Any) -> None:
    n = 100_000
    row, column = np.arange(4 * n) // 4, (np.arange(4 * n) * 7) % n
    A, v = gl.Matrix.from_coo(row, column, 1.0, nrows=n, ncols=n, engine=engine), make_full_vector(engine)
    A.T.new()
    with gl.config.set(memory_limit=13 * n * 8):
        part(A, v).new()
    assert part(A, v).estimate() < 13 * n * 8
