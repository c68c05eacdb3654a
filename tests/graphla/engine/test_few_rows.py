"""Products with few rows or few columns: as vectors, pushed and pulled, under masks, in batches, by the plan."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest
from engines import get_engine_named
from entry_oracle import assert_same, make_allowance, matmul, transpose, write
from operands import MASKS, Operand, make_full_matrix, make_generator, make_matrix, make_skewed, make_view, to_entries

import graphla as gl
from graphla.common.errors import OutOfMemory
from graphla.engine.cuda.matmat import few_by_rows, few_pull, few_push
from graphla.engine.cuda.matvec import pull_even
from graphla.planning import few_rows as planned
from graphla.planning import schedules
from graphla.planning.plan import make_plan
from graphla.planning.steps import Mask
from graphla.storage import CompressedMatrix, FullMatrix
from semirings import any_pair, binary, min_plus, plus_first, plus_times, semiring

TYPED = [
    ("plus_times", "FP32", "FP32"),
    ("plus_first", "FP64", "FP32"),
    ("min_plus", "INT32", "INT32"),
    ("any_pair", "BOOL", "FP32"),
    ("any_secondi", "INT32", "INT32"),
    ("max_min", "INT16", "INT16"),
    ("lor_land", "BOOL", "BOOL"),
    ("plus_times", "INT8", "UINT8"),
]
COUNTS = (2, 31, 32, 33, 64)
LENGTHS = [600, 0, 430, 260, 90, 33, 32, 31]


def few_matrix(engine: Any, rng: Any, dtype: str, shape: tuple[int, int], form: str) -> Operand:
    """Full, or sparse with rows that have no entry and others that have many."""
    if form == "full":
        return make_full_matrix(engine, rng, dtype, shape)
    if shape[0] % 2 or min(shape) < 7:
        return make_matrix(engine, rng, dtype, shape, 0.3)
    return make_skewed(engine, rng, dtype, shape, [0, shape[1]])


def run_way(engine: Any, expression: Any, way: str, mask: Mask | None = None) -> Any:
    """Compute a product by one way."""
    plan = make_plan(expression, None, expression.dtype, mask)
    plan = replace(plan, step=replace(plan.step, how="rows", schedule=way, vector=None, mask=mask))
    return gl.Matrix._from_storage(engine.run(plan), engine)


def check(engine: Any, few: Operand, A: Operand, name: str, left: bool, way: str, kind: str | None) -> None:
    """F A, or A Fᵀ for few columns, under one mask."""
    if left:
        expression = semiring[name](few.held @ A.held)
        wanted = matmul(few.entries, A.entries, semiring[name], few.dtype, A.dtype, expression.dtype.name)
    else:
        expression = semiring[name](A.held @ few.held)
        wanted = matmul(A.entries, few.entries, semiring[name], A.dtype, few.dtype, expression.dtype.name)
    record = None
    if kind is not None:
        M = make_matrix(engine, make_generator(name, kind), "INT8", expression.shape, 0.4)
        record = Mask(M.held._storage, kind.endswith("S"), kind.startswith("~"))
        wanted = write({}, wanted, make_allowance(M.entries, record.structural, record.complement), None, True)
    got = run_way(engine, expression, way, record)
    assert_same(to_entries(got), wanted, f"{name} {few.dtype} {A.dtype} {expression.shape} left={left} {way} {kind}")


CASES = [
    (name, a, b, COUNTS[(k + shift) % 5], way, (k + shift) % 2 == 0, MASKS[(k + 2 * shift) % 5], form)
    for k, (name, a, b) in zip(count(), TYPED)
    for shift, (way, form) in enumerate((("pull", "full"), ("pull", "sparse"), ("push", "sparse")))
]


@pytest.mark.parametrize(("name", "a", "b", "few", "way", "left", "kind", "form"), CASES)
def test_pushed_and_pulled(
    engine: Any, name: str, a: str, b: str, few: int, way: str, left: bool, kind: str | None, form: str
) -> None:
    """Hubs over several stretches of arcs, vertices without arcs, rows without entries."""
    rng = make_generator(name, a, few, way, form)
    if left:
        A = make_skewed(engine, rng, b, (80, 620), LENGTHS)
        turned = Operand(A.held.T.new(), transpose(A.entries))
        for B, inner in ((A, 80), (turned, 620)):
            check(engine, few_matrix(engine, rng, a, (few, inner), form), B, name, True, way, kind)
    else:
        A = make_skewed(engine, rng, a, (620, 80), [80, 0, 70, 3])
        check(engine, few_matrix(engine, rng, b, (80, few), form), A, name, False, way, kind)


@pytest.mark.parametrize("way", ["push", "pull"])
@pytest.mark.parametrize("few", COUNTS)
def test_every_count(engine: Any, way: str, few: int) -> None:
    """Against NumPy, with few rows and with few columns, full and not."""
    rng = np.random.default_rng(few)
    dense = (rng.random((150, 130)) < 0.2) * rng.integers(1, 5, (150, 130))
    dense[3], dense[:, 5], dense[:, 40:50] = 1, 2, 0
    A = gl.Matrix.from_dense(dense, missing_value=0, engine=engine)
    for full in (True, False):
        rows = rng.integers(1, 5, (few, 150)) * (full | (rng.random((few, 150)) < 0.3))
        F = gl.Matrix.from_dense(rows, engine=engine, **({} if full else {"missing_value": 0}))
        X = gl.Matrix.from_dense(rows.T.copy(), engine=engine, **({} if full else {"missing_value": 0}))
        for expression, wanted in (
            (plus_times(F @ A), rows @ dense),
            (plus_times(X.T @ A), rows @ dense),
            (plus_times(A.T @ X), (rows @ dense).T),
            (plus_times(A.T @ F.T), (rows @ dense).T),
        ):
            C = run_way(engine, expression, way)
            assert (C.engine.to_host(C.to_dense(0)) == wanted).all()
            assert C.nvals == np.count_nonzero(wanted)


def test_a_result_with_every_cell_is_full(engine: Any) -> None:
    F = gl.Matrix.from_dense(np.ones((3, 40), "float32"), engine=engine)
    dense = np.eye(40, 50, dtype="float32") + np.eye(40, 50, 10, dtype="float32")
    C = plus_times(F @ gl.Matrix.from_dense(dense, missing_value=0, engine=engine)).new()
    if engine.name == "cuda":
        assert isinstance(C._storage, FullMatrix)
    assert C.nvals == 150
    dense[:, 7] = 0
    holes = plus_times(F @ gl.Matrix.from_dense(dense, missing_value=0, engine=engine)).new()
    assert isinstance(holes._storage, CompressedMatrix)
    assert holes.nvals == 147


def test_rows_pushed_in_batches(engine: Any, monkeypatch: Any) -> None:
    """Two rows of cells fit at once."""
    monkeypatch.setattr(few_push, "MOST_CELLS", 1300)
    rng = make_generator("batches")
    A = make_skewed(engine, rng, "INT32", (80, 620), LENGTHS)
    F = few_matrix(engine, rng, "INT32", (7, 80), "sparse")
    for kind in MASKS:
        check(engine, F, A, "any_firstj", True, "push", kind)
        check(engine, F, A, "min_plus", True, "push", kind)


@pytest.mark.parametrize("way", ["push", "pull"])
def test_wide_row_pointers(engine: Any, way: str) -> None:
    rng = make_generator("wide")
    A, F = make_matrix(engine, rng, "FP32", (50, 60)), make_matrix(engine, rng, "FP32", (35, 50))
    for M in (A, F):
        M.held._held = replace(M.held._storage, indptr=M.held._storage.indptr.astype("int64"), _cache={})
    check(engine, F, A, "plus_times", True, way, "~S")


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("kind", MASKS)
def test_a_row_or_a_column_is_a_vector(engine: Any, direction: str, kind: str | None) -> None:
    rng = make_generator("vector", direction, kind)
    A = make_skewed(engine, rng, "INT32", (60, 90), [80, 40, 0, 33])
    for shape, form in (((1, 60), "sparse"), ((1, 60), "full"), ((90, 1), "sparse"), ((90, 1), "full")):
        few = few_matrix(engine, rng, "INT32", shape, form)
        left = shape[0] == 1
        expression = min_plus(few.held @ A.held if left else A.held @ few.held)
        x, y = (few, A) if left else (A, few)
        T = matmul(x.entries, y.entries, semiring.min_plus, "INT32", "INT32", "INT32")
        C = make_matrix(engine, rng, "INT32", expression.shape, 0.5)
        M = make_matrix(engine, rng, "INT8", expression.shape, 0.5)
        how = {} if kind is None else {"mask": make_view(M, kind)}
        allows = make_allowance(None, True, False)
        if kind is not None:
            allows = make_allowance(M.entries, kind.endswith("S"), kind.startswith("~"))
        plan = make_plan(expression, None, expression.dtype, direction=direction)
        assert plan.step.vector is not None
        assert plan.step.vector.direction == direction
        C.held(accum=binary.plus, direction=direction, **how) << expression
        assert_same(
            to_entries(C.held), write(C.entries, T, allows, lambda a, b: a + b, False), f"{shape} {form} {kind}"
        )


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("rows", [1, 3])
def test_the_target_may_be_an_operand(engine: Any, direction: str, rows: int) -> None:
    """F(~P.S) << F A, as a search of several sources is written."""
    rng = make_generator("alias", rows)
    A = make_skewed(engine, rng, "INT32", (90, 90), [80, 40, 0, 33])
    F, P = make_matrix(engine, rng, "INT32", (rows, 90), 0.3), make_matrix(engine, rng, "BOOL", (rows, 90), 0.4)
    T = matmul(F.entries, A.entries, semiring.plus_first, "INT32", "INT32", "INT32")
    outside = make_allowance(P.entries, True, True)
    F.held(~P.held.S, direction=direction) << plus_first(F.held @ A.held)
    assert_same(to_entries(F.held), write(F.entries, T, outside, None, False), f"{direction} {rows}")
    own = to_entries(F.held)
    T = matmul(own, A.entries, semiring.plus_first, "INT32", "INT32", "INT32")
    F.held(~F.held.S, replace=True, direction=direction) << plus_first(F.held @ A.held)
    assert_same(
        to_entries(F.held), write(own, T, make_allowance(own, True, True), None, True), f"{direction} {rows} itself"
    )


def plan_whole(expression: Any) -> Any:
    return make_plan(expression, None, expression.dtype)


def test_the_plan_divides_few_long_rows_by_products(monkeypatch: Any) -> None:
    """Few products stay with rows; many are pushed; where nearly every arc is used they are pulled."""
    for name in ("PULL_BATCH", "PUSH_BEGIN", "ROWS_BEGIN"):  # of a graph so small they would decide alone
        monkeypatch.setattr(planned, name, 0)
    n, rng = 3000, np.random.default_rng(1)
    rows, cols = rng.integers(0, n, (2, 60_000))
    A = gl.Matrix.from_coo(rows, cols, np.ones(rows.size), nrows=n, ncols=n, dup_op=binary.plus, engine="cpu")

    def few(entries: int, count: int = 4) -> gl.Matrix:
        cells = np.sort(rng.choice(count * n, entries, replace=False))
        return gl.Matrix.from_coo(cells // n, cells % n, 1.0, nrows=count, ncols=n, engine="cpu")

    def schedule(F: gl.Matrix) -> str:
        return plan_whole(plus_times(F @ A)).step.schedule

    assert schedule(few(4)) == "rows"
    assert schedule(few(300)) == "push"
    assert schedule(few(9000)) == "pull"
    assert schedule(few(3000, 3000)) == "rows"
    assert plan_whole(plus_times(gl.Matrix.from_dense(np.ones((4, n))) @ A)).step.schedule == "pull"
    assert plan_whole(plus_times(A @ gl.Matrix.from_dense(np.ones((n, 4))))).step.schedule == "pull"
    product = plus_times(few(300) @ A)
    assert "on a GPU, push: " in str(plan_whole(product))
    assert "few rows cost" in str(plan_whole(product))
    assert "GPU" not in product.explain(), "the CPU engine divides no product by a schedule"


def test_hubs_are_counted() -> None:
    """Four entries whose rows hold nearly all arcs are more than the mean degree tells."""
    n = 20_000
    rows, cols = np.repeat(np.arange(4), n), np.tile(np.arange(n), 4)
    A = gl.Matrix.from_coo(rows, cols, 1.0, nrows=n, ncols=n, engine="cpu")
    F = gl.Matrix.from_coo(np.arange(4), np.arange(4), 1.0, nrows=4, ncols=n, engine="cpu")
    plan = plan_whole(any_pair(F @ A))
    assert plan.step.schedule == "pull"
    assert "80,000 products" in str(plan)


def betweenness(A: Any, sources: list[int]) -> Any:
    """Betweenness of some sources, as LAGraph writes it."""
    n, many = A.nrows, len(sources)
    paths = gl.Matrix.from_coo(range(many), sources, 1.0, "FP64", nrows=many, ncols=n, engine=A.engine)
    frontier = gl.Matrix("FP64", many, n, engine=A.engine)
    frontier(~paths.S, gl.replace) << plus_first(paths @ A)
    levels = []
    while frontier.nvals:
        levels.append(frontier.dup())
        paths(binary.plus) << frontier
        frontier(~paths.S, gl.replace) << plus_first(frontier @ A)
    update = gl.Matrix.from_dense(np.ones((many, n)), engine=A.engine)
    W = gl.Matrix("FP64", many, n, engine=A.engine)
    for depth in range(len(levels) - 1, 0, -1):
        W(levels[depth].S, gl.replace) << binary.truediv(update & paths)
        W(levels[depth - 1].S, gl.replace) << plus_first(W @ A.T)
        update(binary.plus) << binary.times(W & paths)
    return update.reduce_columnwise(gl.monoid.plus).new()


@pytest.mark.parametrize("many", [1, 4])
@pytest.mark.parametrize("lone", [1.0, 1e6])
def test_betweenness_as_lagraph_writes_it(engine: Any, monkeypatch: Any, many: int, lone: float) -> None:
    """By rows, and by pushes and pulls where a lone row is dear; beside NetworkX."""
    networkx = pytest.importorskip("networkx")
    monkeypatch.setattr(planned, "LONE_ENTRY", lone)
    monkeypatch.setattr(planned, "SHORT_ROW", 1024 if lone == 1 else 0)
    for name in ("PULL_BATCH", "PUSH_BEGIN"):
        monkeypatch.setattr(planned, name, 0)
    N = networkx.gnm_random_graph(60, 150, seed=3, directed=True)
    N.add_edges_from((0, v) for v in range(1, 40))
    rows, cols = np.array(list(N.edges)).T
    A = gl.Matrix.from_coo(rows, cols, 1.0, "FP32", nrows=60, ncols=60, engine=engine)
    sources = [0, 7, 21, 33][:many]
    found = np.asarray(engine.to_host(betweenness(A, sources).to_dense(0))) - many
    wanted = networkx.betweenness_centrality_subset(N, sources, range(60))
    assert np.allclose(found, [wanted[v] for v in range(60)])


@pytest.mark.parametrize("swapped", [False, True])
def test_entries_beside_a_full_matrix(engine: Any, swapped: bool) -> None:
    """An intersection with a full matrix has the entries of the other operand, read transposed or not."""
    rng = make_generator("beside")
    A, B = make_full_matrix(engine, rng, "INT32", (40, 50)), make_skewed(engine, rng, "FP64", (50, 40), [40, 0, 7])
    pair = (B.held, A.held.T) if swapped else (A.held, B.held.T)
    got = binary.minus(pair[0] & pair[1]).new()
    wanted = {}
    for (i, j), y in B.entries.items():
        x = A.entries[j, i]
        wanted[(i, j) if swapped else (j, i)] = y - x if swapped else x - y
    assert_same(to_entries(got), wanted, f"{swapped}")
    assert got.dtype == "FP64"


def test_accumulated_into_a_make_full_matrix(engine: Any) -> None:
    """The target stays full and casts what comes; its copies and the array that it was made of stay as they were."""
    rng = make_generator("accumulated")
    C, T = make_full_matrix(engine, rng, "INT32", (40, 50)), make_skewed(engine, rng, "FP32", (40, 50), [50, 0, 7])
    kept, array = C.held.dup(), engine.to_host(C.held._storage.values).copy()
    source = gl.Matrix.from_dense(engine.asarray(array), engine=engine)
    whole = T.held.apply("floor").new()
    for target in (C.held, source):
        target(binary.minus) << whole
        assert isinstance(target._storage, FullMatrix)
        wanted = {key: x - int(np.floor(T.entries.get(key, 0))) for key, x in C.entries.items()}
        assert_same(to_entries(target), wanted, "minus")
    assert to_entries(kept) == C.entries
    assert {key: array[key] for key in C.entries} == C.entries


@pytest.mark.emulated
@pytest.mark.parametrize("way", ["push", "pull"])
def test_work_space_keeps_to_the_limit(way: str, monkeypatch: Any) -> None:
    """A push takes fewer rows at once; what does not fit all the same is refused with the numbers."""
    engine, rng = get_engine_named("emulated"), make_generator("limit")
    A, F = make_skewed(engine, rng, "FP32", (80, 620), LENGTHS), make_matrix(engine, rng, "FP32", (9, 80), 0.3)
    expression = plus_times(F.held @ A.held)
    whole, batches = run_way(engine, expression, way), []
    monkeypatch.setattr(few_push, "collect_cells", lambda *of, do=few_push.collect_cells: batches.append(of) or do(*of))
    with gl.config.set(memory_limit=45_000 if way == "push" else 90_000):
        assert run_way(engine, expression, way).isequal(whole)
    assert len(batches) == (2 if way == "push" else 0)
    with gl.config.set(memory_limit=2000), pytest.raises(OutOfMemory, match=r"the work space of a product of 9 × 620"):
        run_way(engine, expression, way)


def test_a_long_row_of_few_products_is_not_left_to_one_block() -> None:
    """A block walks over its row once for each window of columns: 187 ms for one level of 64 searches, by rows."""
    n = 1 << 20
    A = gl.Matrix.from_coo(np.arange(n), (np.arange(n) + 1) % n, True, nrows=n, ncols=n, engine="cpu")
    for many, short in ((5000, False), (500, True)):
        F = gl.Matrix.from_coo(np.zeros(many, int), 7 * np.arange(many), True, nrows=64, ncols=n, engine="cpu")
        schedule = make_plan(any_pair(F @ A), None, A.dtype, None).step.schedule
        assert (schedule == "rows") is short, schedule


@pytest.mark.parametrize(
    ("name", "dtype", "few"), [("plus_times", "FP64", 33), ("min_plus", "INT32", 4), ("plus_times", "FC64", 3)]
)
def test_full_rows_beside_short_rows(engine: Any, monkeypatch: Any, name: str, dtype: str, few: int) -> None:
    """By rows of the other matrix: two of them are long, with arcs for several tasks; or every third one is empty."""
    calls: list[int] = []
    plain = few_pull.pull_by_rows
    monkeypatch.setattr(few_pull, "pull_by_rows", lambda *given: (calls.append(1), plain(*given)))
    monkeypatch.setattr(few_by_rows, "LONG_SHARE", 1)
    rng, n = make_generator("short", name, few), 2500
    dense = np.zeros((n, n), "int8")
    for step in (0, 1, 7):
        dense[np.arange(n), (np.arange(n) + step) % n] = rng.integers(1, 5, n)
    for empty in (False, True):
        dense[[5, 900]] = 1 + np.arange(n) % 3
        dense[0::3] *= not empty
        A = gl.Matrix.from_dense(dense, missing_value=0, dtype=dtype, engine=engine)
        rows = rng.integers(1, 9, (few, n))
        F, X = (gl.Matrix.from_dense(held, dtype=dtype, engine=engine) for held in (rows, rows.T.copy()))
        wanted = combine(name, dense, rows)
        for expression, turned in ((A @ X, False), (A @ F.T, False), (F @ A.T, True), (X.T @ A.T, True)):
            C = run_way(engine, semiring[name](expression), "pull")
            found = np.asarray(engine.to_host(C.to_dense(0)))
            assert np.array_equal(found.T if turned else found, wanted)
            assert C.nvals == few * int((dense != 0).any(axis=1).sum())
    assert len(calls) == (8 if few < 32 else 16) or engine.name != "cuda"


@pytest.mark.parametrize(("name", "dtype"), [("plus_times", "FP64"), ("min_plus", "INT32")])
def test_a_full_vector_beside_short_rows(engine: Any, monkeypatch: Any, name: str, dtype: str) -> None:
    """The same for a vector on either side, and every third row empty or not."""
    calls: list[int] = []
    plain = few_by_rows.pull_vector
    monkeypatch.setattr(few_by_rows, "pull_vector", lambda *given: (calls.append(1), plain(*given)))
    monkeypatch.setattr(few_by_rows, "LONG_SHARE", 1)
    monkeypatch.setattr(schedules, "PULL_EVEN_ARCS", 0)
    monkeypatch.setattr(schedules, "PULL_ROWS_DEGREE", 0)
    monkeypatch.setattr(pull_even, "TABLE_BYTES", 0)
    rng, n = make_generator("vector", name), 2500
    dense = np.zeros((n, n), "int8")
    for step in (0, 1, 7):
        dense[np.arange(n), (np.arange(n) + step) % n] = rng.integers(1, 5, n)
    for empty in (False, True):
        dense[[5, 900]] = 1 + np.arange(n) % 3
        dense[0::3] *= not empty
        A = gl.Matrix.from_dense(dense, missing_value=0, dtype=dtype, engine=engine)
        values = rng.integers(1, 9, (1, n))
        x = gl.Vector.from_dense(values[0], dtype=dtype, engine=engine)
        wanted = combine(name, dense, values)[:, 0]
        for expression in (A @ x, x @ A.T):
            w = semiring[name](expression).new()
            assert np.array_equal(np.asarray(engine.to_host(w.to_dense(0))), wanted)
            assert w.nvals == int((dense != 0).any(axis=1).sum())
    assert len(calls) == 4 or engine.name != "cuda"


def combine(name: str, dense: Any, rows: Any) -> Any:
    """A ⊕.⊗ Xᵀ in NumPy, 0 where there is no entry."""
    if name == "plus_times":
        return dense.astype("int64") @ rows.T
    out = np.zeros((dense.shape[0], rows.shape[0]), "int64")
    for i in np.flatnonzero((dense != 0).any(axis=1)):
        at = np.flatnonzero(dense[i])
        out[i] = (dense[i, at][:, None] + rows.T[at]).min(axis=0)
    return out
