"""Union, intersection, masks, selection and parts of CSR matrices on the CPU, against SciPy and dense NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import binary, select
from graphla.engine import get_engine
from graphla.engine.cpu.engine import CpuEngine
from graphla.engine.cpu.entries import select as entries
from graphla.storage import CompressedMatrix

NROWS, NCOLS = 60, 900


def scatter(seed: int, shape: tuple[int, int] = (NROWS, NCOLS), wide: bool = False) -> tuple[gl.Matrix, Any, Any]:
    """Make a matrix whose rows have 0 to all columns, so that a row may be far longer than that of another matrix."""
    rng = np.random.default_rng(seed)
    fill = rng.choice([0.0, 0.002, 0.03, 0.6, 1.0], shape[0])
    present = rng.random(shape) < fill[:, None]
    values = rng.integers(1, 100, shape) * present
    rows, columns = np.nonzero(present)
    A = gl.Matrix.from_coo(rows, columns, values[rows, columns], "INT64", nrows=shape[0], ncols=shape[1], engine="cpu")
    if wide:
        held: Any = A._storage
        A = gl.Matrix._from_storage(
            CompressedMatrix(*shape, held.indptr.astype("int64"), held.indices, held.values), get_engine("cpu"), None
        )
    return A, present, values


def assert_holds(C: gl.Matrix, present: Any, values: Any) -> None:
    """Check entries, and that the columns of each row are sorted."""
    rows, columns, found = C.to_coo()
    expected = np.nonzero(present)
    np.testing.assert_array_equal(rows, expected[0])
    np.testing.assert_array_equal(columns, expected[1])
    np.testing.assert_array_equal(found, values[expected])


@pytest.mark.parametrize("dtype", ["BOOL", "INT8", "UINT64", "FP32", "FP64"])
@pytest.mark.parametrize("name", list(entries.COMPARISONS))
def test_comparisons_of_few_entries_are_those_of_many(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 4, 500) / (2 if dtype.startswith("FP") else 1)
    if dtype.startswith("FP"):
        values[::9], values[::11] = np.nan, np.inf
    A = gl.Matrix.from_coo(np.arange(500) // 9, np.arange(500) % 9, values, dtype, nrows=60, ncols=9, engine="cpu")
    few = getattr(select, name)(A, 1).new().to_coo()
    monkeypatch.setattr(entries, "SMALL", -1)
    many = getattr(select, name)(A, 1).new().to_coo()
    assert few[0].size not in (0, 500) or dtype == "BOOL"
    assert all(one.tobytes() == other.tobytes() for one, other in zip(few, many, strict=True))


@pytest.mark.parametrize("thunk", [-3, 0, 2, 900, 2**62, -(2**62)])
def test_all_but_a_diagonal(thunk: int) -> None:
    A, present, values = scatter(4)
    rows, columns = np.indices(present.shape)
    assert_holds(A.select("offdiag", thunk).new(), present & (columns != rows + thunk), values)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_union_and_intersection(seed: int, wide: bool) -> None:
    (A, in_a, a), (B, in_b, b) = scatter(seed), scatter(seed + 10, wide=wide)
    assert_holds(binary.minus(A | B).new(), in_a | in_b, np.where(in_a & in_b, a - b, a + b))
    assert_holds(binary.minus(A & B).new(), in_a & in_b, a - b)
    filled = np.where(in_a, a, 7) - np.where(in_b, b, -5)
    assert_holds(A.ewise_union(B, "minus", 7, -5).new(), in_a | in_b, filled)


def test_matrices_of_one_structure_share_it() -> None:
    A, present, a = scatter(1)
    B = A.apply("ainv").new()
    assert_holds(binary.times(A & B).new(), present, -a * a)
    assert binary.plus(A | B).new()._storage.indices is A._storage.indices


@pytest.mark.parametrize("seed", range(3))
def test_writing_under_a_mask(seed: int) -> None:
    (C, in_c, c), (T, in_t, t), (M, in_m, _) = scatter(seed), scatter(seed + 20), scatter(seed + 40)
    for complement in (False, True):
        mask, allowed = (~M.S, ~in_m) if complement else (M.S, in_m)
        for replace in (False, True):
            D = C.dup()
            D(mask, replace=replace) << T
            kept = in_c & ~allowed & (not replace)
            assert_holds(D, (in_t & allowed) | kept, np.where(allowed, t, c))
            D = C.dup()
            D(mask, binary.plus, replace=replace) << T
            assert_holds(D, ((in_c | in_t) & allowed) | kept, np.where(allowed, c + t, c))


def test_a_value_at_every_place_that_a_mask_allows() -> None:
    (C, in_c, c), (M, in_m, m) = scatter(5), scatter(6)
    true = in_m & (m > 50)
    truths = M.apply("gt", right=50).new()
    for replace in (False, True):
        D, E = C.dup(), C.dup()
        D(truths.V, replace=replace) << 3
        assert_holds(D, true | (in_c & (not replace)), np.where(true, 3, c))
        E(truths.V, binary.plus, replace=replace) << 3
        assert_holds(E, true | (in_c & (not replace)), np.where(true, c + 3, c))


@pytest.mark.parametrize("thunk", [-1000, -3, 0, 5, 2**40, -(2**40), 2**63 - 1, -(2**63)])
def test_selection_by_position(thunk: int) -> None:
    A, present, a = scatter(7)
    i, j = np.indices(present.shape).astype(object)
    for name, rule in {
        "tril": j <= i + thunk, "triu": j >= i + thunk, "colle": j <= thunk, "colgt": j > thunk,
        "rowle": i <= thunk, "diag": j == i + thunk, "offdiag": j != i + thunk,
    }.items():  # fmt: skip
        if abs(thunk) < 2**62:
            assert_holds(getattr(select, name)(A, thunk).new(), present & rule.astype(bool), a)
        elif name in ("tril", "triu", "colle", "colgt"):
            found = getattr(select, name)(A, thunk).new().nvals
            assert found == (A.nvals if rule.astype(bool).all() else 0), name


def test_selection_by_value_and_functions_of_position() -> None:
    A, present, a = scatter(8)
    i, j = np.indices(present.shape)
    assert_holds(select.valuegt(A, 50).new(), present & (a > 50), a)
    assert_holds(A.apply("rowindex", 2).new(), present, i + 2)
    assert_holds(A.apply("colindex", -1).new(), present, j - 1)


INDICES = {
    "all": slice(None), "one": 17, "some": [3, 4, 19, 40], "backwards": list(range(59, -1, -7)),
    "repeated": [9, 9, 2, 9], "none": [], "permuted": None,
}  # fmt: skip


@pytest.mark.parametrize("columns", INDICES)
@pytest.mark.parametrize("rows", INDICES)
def test_parts(rows: str, columns: str) -> None:
    A, present, a = scatter(9)
    rng = np.random.default_rng(4)
    index = [
        rng.permutation(size) if INDICES[name] is None else INDICES[name]
        for name, size in ((rows, NROWS), (columns, NCOLS))
    ]
    part = A[index[0], index[1]].new()
    if part.ndim == 2:
        picked = np.arange(NROWS)[index[0]][:, None], np.arange(NCOLS)[index[1]][None, :]
        assert_holds(part, present[picked], a[picked])
    elif part.ndim == 1:
        np.testing.assert_array_equal(part.to_dense(fill_value=0), a[tuple(index)])
    else:
        assert (part.value or 0) == a[tuple(index)]


@pytest.mark.parametrize("few", [0, 64])
def test_assignment_writes_the_rows_that_it_covers(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the rows between copied, and with every row walked."""
    monkeypatch.setattr(CpuEngine, "few_rows", few)
    (C, in_c, c), (M, in_m, _) = scatter(11), scatter(12)
    T, in_t, t = scatter(13, (4, 5))
    rows, columns = np.array([50, 3, 4, 59]), np.array([800, 2, 17, 3, 899])
    here = np.zeros((NROWS, NCOLS), bool)
    here[np.ix_(rows, columns)] = True
    in_part, part = np.zeros_like(in_c), np.zeros_like(c)
    in_part[np.ix_(rows, columns)], part[np.ix_(rows, columns)] = in_t, t
    D = C.dup()
    D[rows, columns] << T
    assert_holds(D, np.where(here, in_part, in_c), np.where(here, part, c))
    D = C.dup()
    D(binary.plus)[rows, columns] << T
    assert_holds(D, in_c | in_part, c + part)
    D = C.dup()
    D(M.S)[rows, columns] << T
    assert_holds(D, np.where(here & in_m, in_part, in_c), np.where(here & in_m, part, c))
    D = C.dup()
    D[rows, columns] << 5
    assert_holds(D, in_c | here, np.where(here, 5, c))
    D = C.dup()
    D(binary.plus)[rows, columns] << 5
    assert_holds(D, in_c | here, np.where(here, c + 5, c))
    D = C.dup()
    D[58, 4] = 1
    assert D[58, 4].new().value == 1
    assert D.nvals == C.nvals + (not in_c[58, 4])


@pytest.mark.parametrize("size", [0, 1, 7, 8, 1000, 100_003])
def test_reductions_of_any_length(size: int) -> None:
    x = np.random.default_rng(size).integers(-9, 9, size)
    v = gl.Vector.from_dense(x, engine="cpu")
    assert v.reduce("plus").new().value == (x.sum() if size else None)
    assert v.reduce("max").new().value == (x.max() if size else None)
    assert v.reduce("any").new().value in (set(x) if size else {None})


def test_sums_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphla.engine.cpu import threads

    v = gl.Vector.from_dense(np.random.default_rng(1).random(300_000, np.float32), engine="cpu")
    found = set()
    for count in (1, 2, 3):
        monkeypatch.setattr(threads, "count_workers", lambda count=count: count)
        found.add(v.reduce("plus").new().value)
    assert len(found) == 1


@pytest.mark.parametrize("share", [0.0, 0.02, 0.4, 0.95])
def test_a_column_is_looked_for_in_each_row(share: float) -> None:
    random = np.random.default_rng(5)
    dense = np.where(random.random((300, 200)) < share, random.integers(1, 9, (300, 200)), 0)
    rows, columns = np.nonzero(dense)
    A = gl.Matrix.from_coo(rows, columns, dense[rows, columns], nrows=300, ncols=200, engine="cpu")
    for column in (0, 5, 199):
        wanted = {int(row): int(dense[row, column]) for row in np.flatnonzero(dense[:, column])}
        assert A[:, column].new().to_dict() == wanted
        assert A.T[column, :].new().to_dict() == wanted


def test_a_column_of_many_rows_is_found_in_pieces() -> None:
    n = 60_000
    A = gl.Matrix.from_coo(np.arange(0, n, 3), np.arange(0, n, 3) % 7, 1, nrows=n, ncols=7, engine="cpu")
    assert A[:, 3].new().to_coo()[0].tolist() == [row for row in range(0, n, 3) if row % 7 == 3]
    turned = A.dup()
    turned.engine.transpose(turned._storage)
    assert turned[:, 3].new().isequal(A[:, 3].new())
