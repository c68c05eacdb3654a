"""Products of matrices and vectors agree with the oracle: directions, schedules, formats, masks, dtypes."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest
from entry_oracle import assert_same, cast, make_allowance, matmul, to_column, to_row, transpose, write
from operands import (
    FORMS,
    Operand,
    make_from_cells,
    make_full_matrix,
    make_generator,
    make_matrix,
    make_skewed,
    make_vector,
    to_entries,
)
from products import check_matvec, make_mask, multiply

import graphla as gl
from graphla.engine.cuda.matvec import push
from graphla.planning.plan import make_plan
from graphla.planning.steps import Mask
from semirings import semiring

MASKS = ("none", "S", "~S", "V", "~V")
SCHEDULES = ("thread", "warp", "block", "edges")
TYPED = [
    ("plus_times", "FP32", "FP32"),
    ("min_plus", "FP32", "FP32"),
    ("plus_times", "FP64", "INT32"),
    ("max_plus", "FP64", "FP64"),
    ("max_plus", "UINT16", "UINT16"),
    ("max_plus", "UINT64", "UINT64"),
    ("min_plus", "INT32", "INT32"),
    ("min_first", "INT64", "BOOL"),
    ("max_min", "INT16", "INT16"),
    ("plus_times", "UINT8", "UINT8"),
    ("min_max", "UINT64", "UINT64"),
    ("any_pair", "BOOL", "FP32"),
    ("any_secondi", "BOOL", "INT32"),
    ("min_secondj", "INT8", "INT8"),
    ("max_firsti", "FP32", "BOOL"),
    ("lor_land", "BOOL", "BOOL"),
    ("land_lor", "BOOL", "BOOL"),
    ("lxor_land", "BOOL", "BOOL"),
    ("times_plus", "INT32", "INT32"),
    ("bor_band", "UINT16", "UINT16"),
    ("plus_minus", "INT8", "UINT32"),
]


CASES = [
    (name, a, b, SCHEDULES[k % 4] if way == "push" else way, MASKS[(k + shift) % 5], FORMS[(k // 2 + shift) % 3])
    for k, (name, a, b) in zip(count(), TYPED)
    for shift, way in enumerate(("push", "pull"))
]


@pytest.mark.parametrize(("name", "a", "b", "way", "kind", "form"), CASES)
def test_matrix_and_vector(engine: Any, name: str, a: str, b: str, way: str, kind: str, form: str) -> None:
    """The three formats of the vector, on either side of the matrix and of its transpose."""
    rng = make_generator(name, a, b)
    A = make_skewed(engine, rng, a, (70, 90), [80, 40, 0, 33])
    turned = form == "bitmap"
    v = make_vector(engine, rng, b, 70 if turned else 90, form)
    check_matvec(engine, A, v, name, turned, False, way, kind, FORMS[(FORMS.index(form) + 1) % 3])
    first, second = semiring[name].multiply, (b, a)
    if first.reads_first and first.reads_second and a == b:
        u = make_vector(engine, rng, second[0], 90 if turned else 70, form)
        check_matvec(engine, A, u, name, turned, True, way, kind, "bitmap")


@pytest.mark.parametrize("way", [*SCHEDULES, "pull"])
@pytest.mark.parametrize("kind", ["none", "~S"])
def test_rows_of_every_length(engine: Any, way: str, kind: str) -> None:
    """Rows for one lane, eight, a warp and a block; more arcs than a block takes at once; a long result list."""
    rng = make_generator(way, kind)
    A = make_skewed(engine, rng, "INT32", (60, 4000), [3900, 2100, 700, 65, 64, 5, 4, 0])
    for turned, form in ((False, "full"), (False, "bitmap"), (True, "full"), (True, "sparse")):
        v = make_vector(engine, rng, "INT32", 60 if turned else 4000, form)
        check_matvec(engine, A, v, "min_plus", turned, False, way, kind, "bitmap")
        check_matvec(engine, A, v, "any_secondi", turned, False, way, kind, "sparse")


@pytest.mark.parametrize("allowed", [0.02, 0.3, 0.97])
@pytest.mark.parametrize(("name", "dtype"), [("min_plus", "INT32"), ("lor_land", "BOOL"), ("any_pair", "BOOL")])
def test_rows_that_a_mask_allows(engine: Any, name: str, dtype: str, allowed: float) -> None:
    """Few, some or nearly all of many rows of each kind, listed by the warps that look at them."""
    rng = make_generator("allowed", name, allowed)
    A = make_skewed(engine, rng, dtype, (1500, 300), [80] * 60 + [20] * 200)
    v = make_vector(engine, rng, dtype, 300, "bitmap")
    places = np.flatnonzero(rng.random(1500) < allowed)
    M = gl.Vector.from_coo(places, np.ones(places.size, bool), size=1500, engine=engine)
    for complement in (False, True):
        w = gl.Vector(dtype, 1500, engine=engine)
        w(~M.S if complement else M.S, gl.replace, direction="pull") << semiring[name](A.held @ v.held)
        T = multiply(A, False, v, False, name, dtype)
        allows = make_allowance(dict.fromkeys(places.tolist(), True), True, complement)
        assert_same(to_entries(w), write({}, T, allows, None, True), f"{name} {allowed} {complement}")


@pytest.mark.parametrize("chunks", [1, 2])
def test_arcs_counted_in_rounds(engine: Any, monkeypatch: Any, chunks: int) -> None:
    """A push of more entries than its blocks count at once."""
    monkeypatch.setattr(push, "BOARD_CHUNKS", chunks)
    rng = make_generator("rounds", chunks)
    A, v = make_skewed(engine, rng, "INT32", (5000, 70), [60, 0, 30]), make_vector(engine, rng, "INT32", 5000, "bitmap")
    check_matvec(engine, A, v, "plus_times", True, False, "edges", "none", "full")


def test_entries_without_arcs_between_those_of_a_share(engine: Any) -> None:
    """More entries begin in a share of a push than it has arcs, and than fit in shared memory."""
    rng = make_generator("gap")
    A = make_from_cells(engine, rng, "INT32", (5000, 70), np.array([3, 60, 4000 * 70, 4999 * 70 + 5]))
    v = make_vector(engine, rng, "INT32", 5000, "full")
    check_matvec(engine, A, v, "plus_times", True, False, "edges", "none", "full")


@pytest.mark.parametrize("many", [5, 3000])
def test_sparse_result_of_a_push(engine: Any, many: int) -> None:
    """A list of few and of many places comes back sorted, and leaves the work space clean."""
    rng, size = make_generator(many), 100_000
    A = make_from_cells(engine, rng, "FP32", (2, size), np.sort(rng.choice(2 * size, many, replace=False)))
    v = make_vector(engine, rng, "FP32", 2, "full")
    for _ in range(2):
        w = gl.Vector("FP32", size, engine=engine)
        w(direction="push") << semiring.plus_times(A.held.T @ v.held)
        assert_same(to_entries(w), multiply(A, True, v, False, "plus_times", "FP32"), f"{many} arcs")


@pytest.mark.parametrize("way", ["push", "pull"])
def test_wide_row_pointers(engine: Any, way: str) -> None:
    """Row pointers of 64 bits give the same."""
    rng = make_generator("wide")
    A, v = make_matrix(engine, rng, "FP64", (40, 50)), make_vector(engine, rng, "FP64", 50, "bitmap")
    A.held._held = replace(A.held._storage, indptr=A.held._storage.indptr.astype("int64"), _cache={})
    turned = way == "push"
    v = make_vector(engine, rng, "FP64", 40, "bitmap") if turned else v
    check_matvec(engine, A, v, "plus_times", turned, False, "edges" if turned else "pull", "none", "full")


@pytest.mark.parametrize("kind", MASKS)
def test_full_matrix_and_vector(engine: Any, kind: str) -> None:
    rng = make_generator("full", kind)
    A = make_full_matrix(engine, rng, "FP32", (37, 45))
    for form in FORMS:
        check_matvec(
            engine, A, make_vector(engine, rng, "FP32", 45, form), "min_plus", False, False, "pull", kind, form
        )


def test_inner_product(engine: Any) -> None:
    rng = make_generator("inner")
    for form in FORMS:
        u, v = make_vector(engine, rng, "INT32", 200, form), make_vector(engine, rng, "INT32", 200, "bitmap")
        wanted = matmul(to_row(u.entries), to_column(v.entries), semiring.plus_times, "INT32", "INT32", "INT32")
        assert semiring.plus_times(u.held @ v.held).new().value == wanted.get((0, 0)), form


MATRICES = [
    ("plus_times", "FP32", "FP32"),
    ("min_plus", "FP32", "FP32"),
    ("any_secondi", "BOOL", "INT32"),
    ("plus_times", "INT8", "UINT8"),
    ("lor_land", "BOOL", "BOOL"),
    ("plus_times", "INT64", "INT64"),
    ("max_min", "UINT16", "UINT16"),
]


def check_matmat(
    engine: Any, A: Operand, B: Operand, name: str, turned: tuple[bool, bool], how: str, kind: str
) -> None:
    """One product of matrices by one way under one mask, into a new matrix."""
    left, right = A.held.T if turned[0] else A.held, B.held.T if turned[1] else B.held
    expression = semiring[name](left @ right)
    x, y = (transpose(M.entries) if t else M.entries for M, t in zip((A, B), turned, strict=True))
    wanted, record = matmul(x, y, semiring[name], A.dtype, B.dtype, expression.dtype.name), None
    if kind != "none":
        M = make_matrix(engine, make_generator(how, kind), "INT8", expression.shape, 0.2)
        structural, complement = kind.endswith("S"), kind.startswith("~")
        record = Mask(M.held._storage, structural, complement)
        wanted = write({}, wanted, make_allowance(M.entries, structural, complement), None, True)
    plan = make_plan(expression, None, expression.dtype, record)
    plan = replace(plan, step=replace(plan.step, how=how, schedule="rows", mask=record))
    assert_same(
        to_entries(gl.Matrix._from_storage(engine.run(plan), engine)), wanted, f"{name} {A.dtype} {how} {kind} {turned}"
    )


@pytest.mark.parametrize(("name", "a", "b"), MATRICES)
def test_rows_of_few_products(engine: Any, name: str, a: str, b: str) -> None:
    rng = make_generator("rows", name, a)
    A, B = make_matrix(engine, rng, a, (50, 60), 0.03), make_matrix(engine, rng, b, (60, 70), 0.04)
    for kind in MASKS[:3]:
        check_matmat(engine, A, B, name, (False, False), "rows", kind)


@pytest.mark.parametrize(("name", "a", "b"), MATRICES)
def test_rows_of_many_products(engine: Any, name: str, a: str, b: str) -> None:
    """Tables and bitmaps of columns, rows with none, and a turned operand."""
    rng = make_generator("many", name, a)
    A = make_skewed(engine, rng, a, (20, 60), [60, 50, 0, 1])
    B = make_skewed(engine, rng, b, (60, 400), [120, 90, 0, 1])
    for kind, turned in zip(("none", "V", "~V"), (False, True, False), strict=True):
        right = B if not turned else Operand(B.held.T.new(), transpose(B.entries))
        check_matmat(engine, A, right, name, (False, turned), "rows", kind)


def test_rows_over_several_windows(engine: Any) -> None:
    """Columns from one end of 300,000 to the other."""
    rng = make_generator("windows")
    A = make_skewed(engine, rng, "FP32", (4, 40), [40, 3])
    B = make_skewed(engine, rng, "FP32", (40, 300_000), [60] * 38)
    check_matmat(engine, A, B, "plus_times", (False, False), "rows", "none")


@pytest.mark.parametrize(("name", "a", "b"), MATRICES)
@pytest.mark.parametrize("kind", ["S", "V"])
def test_dots_under_a_mask(engine: Any, name: str, a: str, b: str, kind: str) -> None:
    rng = make_generator("dots", name, a)
    A, B = make_matrix(engine, rng, a, (30, 60), 0.2), make_matrix(engine, rng, b, (60, 40), 0.2)
    check_matmat(engine, A, B, name, (False, False), "dots", kind)


@pytest.mark.parametrize(("name", "a", "b"), MATRICES[:3])
def test_dots_of_rows_of_every_length(engine: Any, name: str, a: str, b: str) -> None:
    """Rows for a small table, a large one and none; long rows searched for short ones; tasks of many entries."""
    rng = make_generator("lengths", name)
    A = make_skewed(engine, rng, a, (30, 2600), [2500, 0, 2049, 2048, 600, 129, 128, 65])
    B = make_skewed(engine, rng, b, (260, 2600), [2400, 2300, 2600, 2200, 2400, 2500, 1500, 0, 300, 90])
    turned = Operand(B.held.T.new(), transpose(B.entries))
    check_matmat(engine, A, turned, name, (False, False), "dots", "S")
    check_matmat(engine, A, B, name, (False, True), "dots", "V")


@pytest.mark.parametrize(("name", "a", "b"), MATRICES)
def test_full_tiles(engine: Any, name: str, a: str, b: str) -> None:
    rng = make_generator("tiles", name, a)
    A, B = make_full_matrix(engine, rng, a, (70, 19)), make_full_matrix(engine, rng, b, (19, 66))
    check_matmat(engine, A, B, name, (False, False), "tiles", "none")
    A = make_full_matrix(engine, rng, a, (19, 5))
    check_matmat(engine, A, B, name, (True, False), "tiles", "none")


@pytest.mark.parametrize(("name", "a", "b"), [*MATRICES[1:4], ("min_minus", "INT16", "FP64")])
def test_a_diagonal_scales_rows_or_columns(engine: Any, name: str, a: str, b: str) -> None:
    """On either side of a sparse and of a full matrix, read transposed or not, under a mask; and with holes."""
    rng = make_generator("diagonal", name)
    size, every = 40, np.arange(40) * 41
    for left in (True, False):
        D = make_from_cells(engine, rng, a if left else b, (size, size), every)
        A = make_skewed(engine, rng, b if left else a, (size, 70) if left else (70, size), [40, 0, 7])
        turned = Operand(A.held.T.new(), transpose(A.entries))
        full = make_full_matrix(engine, rng, b if left else a, (size, 9) if left else (9, size))
        for M, read in ((A, A.held), (A, turned.held.T), (full, full.held)):
            x, y = (D, M) if left else (M, D)
            expression = semiring[name](D.held @ read if left else read @ D.held)
            wanted = matmul(x.entries, y.entries, semiring[name], a, b, expression.dtype.name)
            positional = semiring[name].multiply.positional
            assert (make_plan(expression, None, expression.dtype).step.how == "scale") != positional
            assert_same(to_entries(expression.new()), wanted, f"{name} left={left}")
        mask = make_matrix(engine, rng, "INT8", expression.shape, 0.4)
        got = expression.new(mask=~mask.held.V)
        outside = make_allowance(mask.entries, False, True)
        assert_same(to_entries(got), write({}, wanted, outside, None, True), f"{name} left={left} masked")
    for missing in ([82], [82, 41 * 39], [*every[2:]]):  # the last one has too few entries
        hole = make_from_cells(engine, rng, a, (size, size), np.setdiff1d(every, missing))
        for rows in ([40, 0, 7], [40, 3, 0]):  # the row that has no entry in the diagonal is empty, too
            A = make_skewed(engine, rng, b, (size, 70), rows)
            expression = semiring[name](hole.held @ A.held)
            few = len(missing) > 30
            assert (make_plan(expression, None, expression.dtype).step.how == "scale") != bool(positional or few)
            wanted = matmul(hole.entries, A.entries, semiring[name], a, b, expression.dtype.name)
            assert_same(to_entries(expression.new()), wanted, f"{name} with holes {rows}")
    hole = make_from_cells(engine, rng, b, (size, size), every[::2])
    A = make_skewed(engine, rng, a, (70, size), [40, 0, 7])
    expression = semiring[name](A.held @ hole.held)
    wanted = matmul(A.entries, hole.entries, semiring[name], a, b, expression.dtype.name)
    assert_same(to_entries(expression.new()), wanted, f"{name} with holes in columns")


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (5, 5)])
def test_nothing(engine: Any, shape: tuple[int, int]) -> None:
    """Empty operands and empty shapes."""
    A, v = gl.Matrix("FP32", *shape, engine=engine), gl.Vector("FP32", shape[1], engine=engine)
    for direction in ("push", "pull"):
        w = gl.Vector("FP32", shape[0], engine=engine)
        w(direction=direction) << semiring.plus_times(A @ v)
        assert (w.size, w.nvals) == (shape[0], 0)
    assert semiring.plus_times(A @ A.T).new().nvals == 0


@pytest.mark.parametrize("entries", [0, 1, 2])
def test_a_full_matrix_beside_one_of_few_entries(engine: Any, entries: int) -> None:
    """Whole rows, or columns, of the product have no entries, perhaps all."""
    full = gl.Matrix.from_scalar(2, 5, 4, "INT32", engine=engine)
    for shape, left in (((4, 3), False), ((3, 5), True)):
        A = gl.Matrix.from_coo(range(entries), [2] * entries, 3, "INT32", nrows=shape[0], ncols=shape[1], engine=engine)
        found = semiring.plus_times(A @ full if left else full @ A).new()
        wanted = A.to_dense(0) @ full.to_dense() if left else full.to_dense() @ A.to_dense(0)
        assert len(found.to_csr()[0]) == found.nrows + 1
        assert found.to_dense(0).tolist() == wanted.tolist()


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_product_into_a_target(engine: Any, kind: str, direction: str) -> None:
    """Accumulator, replace and a cast into the dtype of the target."""
    rng = make_generator(kind, direction)
    A, v = make_matrix(engine, rng, "INT32", (60, 80)), make_vector(engine, rng, "INT32", 80, "bitmap")
    for form in FORMS:
        for accum in (None, gl.binary.plus):
            for replaces in (False, True):
                target = make_vector(engine, rng, "FP64", 60, form)
                _, allows, view = make_mask(engine, rng, kind, 60, "bitmap")
                how = {"mask": view, "accum": accum, "replace": replaces and view is not None}
                target.held(direction=direction, **how) << semiring.plus_times(A.held @ v.held)
                T = cast(multiply(A, False, v, False, "plus_times", "INT32"), "INT32", "FP64")
                add = (lambda x, y: x + y) if accum else None
                wanted = write(target.entries, T, allows, add, how["replace"])
                assert_same(to_entries(target.held), wanted, f"{kind} {direction} {form} {accum} {replaces}")
