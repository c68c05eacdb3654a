"""What the CPU engine does in fewer passes gives what a dense computation gives, on fresh graphs with hubs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Vector, binary
from graphla.engine import get_engine
from graphla.engine.cpu import threads
from graphla.engine.cpu.engine import REDUCED_AT_ONCE
from graphla.storage.flags import choose_flagged, copy_flagged
from semirings import plus_minus, plus_pair, plus_times
from semirings.dtypes import lookup

SEED = int(np.random.SeedSequence().generate_state(1)[0])


def draw(rng: Any, rows: int, columns: int, share: float) -> Any:
    """Return a dense matrix of small numbers; zero means that there is no entry. The first row and column are hubs."""
    dense = rng.integers(1, 9, (rows, columns)) * (rng.random((rows, columns)) < share)
    dense[0, ::2] = 3
    dense[::2, 0] = 2
    dense[rows // 2] = 0
    return dense.astype("float32")


def load(dense: Any) -> Matrix:
    rows, columns = np.nonzero(dense)
    return Matrix.from_coo(
        rows, columns, dense[rows, columns], nrows=dense.shape[0], ncols=dense.shape[1], engine="cpu"
    )


def read(matrix: Any) -> Any:
    return matrix.to_dense(0)


@pytest.fixture
def rng() -> Any:
    print(f"seed {SEED}")
    return np.random.default_rng(SEED)


@pytest.mark.parametrize("rows", [1, 4, 33, 90])
@pytest.mark.parametrize("share", [0.02, 0.6])
def test_products_of_few_rows(rng: Any, rows: int, share: float) -> None:
    few, dense = draw(rng, rows, 120, share), draw(rng, 120, 120, 0.1)
    assert (read(plus_times(load(few) @ load(dense)).new()) == few @ dense).all()


def test_products_under_a_mask(rng: Any) -> None:
    A, B, M = (draw(rng, 90, 90, share) for share in (0.1, 0.2, 0.3))
    found = plus_times(load(A) @ load(B).T).new(mask=load(M).S)
    assert (read(found) == (A @ B.T) * (M != 0)).all()
    C = load(B)
    C(load(M).S, binary.plus) << plus_pair(load(A) @ load(B))
    counted = ((A != 0).astype("float32") @ (B != 0)) * (M != 0)
    assert (read(C) == B + counted).all()


@pytest.mark.parametrize(("rows", "columns"), [([5], [2]), ([3, 4, 60], [0, 7]), (list(range(80)), [1])])
def test_parts_are_replaced(rng: Any, rows: list[int], columns: list[int]) -> None:
    dense, part = draw(rng, 80, 70, 0.2), draw(rng, len(rows) + 2, len(columns) + 2, 0.5)[2:, 2:]
    C, wanted = load(dense), dense.copy()
    C[rows, columns] << load(part)
    wanted[np.ix_(rows, columns)] = part
    assert (read(C) == wanted).all()
    C[rows, columns] << 7
    wanted[np.ix_(rows, columns)] = 7
    assert (read(C) == wanted).all()


@pytest.mark.parametrize("accumulate", [False, True])
def test_rows_and_columns_are_assigned(rng: Any, accumulate: bool) -> None:
    dense = draw(rng, 80, 70, 0.2)
    C, wanted = load(dense), dense.copy()
    for index, size in (((5, slice(None)), 70), ((slice(None), 6), 80), ((slice(3, 40, 2), 6), 19)):
        values = rng.integers(0, 3, size).astype("float32")
        v = Vector.from_coo(np.flatnonzero(values), values[values != 0], size=size, engine="cpu")
        C(binary.plus if accumulate else None)[index] << v
        wanted[index] = wanted[index] + values if accumulate else values
    assert (read(C) == wanted).all()


def test_entries_are_laid_over_others(rng: Any) -> None:
    A, B = draw(rng, 80, 70, 0.2), draw(rng, 80, 70, 0.2)
    C, D = load(A), load(B)
    C(D.S) << D
    wanted = np.where(B != 0, B, A)
    assert (read(C) == wanted).all()
    C[3, 4], C[79, 0] = 5, 6
    del C[0, 2]
    wanted[3, 4], wanted[79, 0], wanted[0, 2] = 5, 6, 0
    assert (read(C) == wanted).all()


@pytest.mark.parametrize("dtype", ["INT64", "FP32"])
def test_counts_read_row_pointers(rng: Any, dtype: str) -> None:
    dense, mask = draw(rng, 80, 70, 0.2), Vector.from_coo([0, 3, 40], [1, 1, 1], size=80, engine="cpu")
    ones, lengths = Vector.from_scalar(5, 70, engine="cpu"), np.count_nonzero(dense, axis=1)
    found = plus_pair(load(dense) @ ones).new(dtype, mask=~mask.S)
    wanted = {i: n for i, n in enumerate(lengths.tolist()) if n and i not in (0, 3, 40)}
    assert found.to_dict() == wanted
    pushed = Vector(dtype, 80, engine="cpu")
    pushed(~mask.S, direction="push") << plus_pair(load(dense) @ ones)
    assert pushed.to_dict() == wanted
    counted = load(dense).T.reduce_rowwise(gl.agg.count).new()
    assert counted.to_dense(0).tolist() == np.count_nonzero(dense, axis=0).tolist()


def test_sums_over_a_bitmap_keep_signs_and_infinities(rng: Any) -> None:
    dense = draw(rng, 80, 70, 0.3)
    present = rng.random(70) < 0.5
    values = np.where(rng.random(70) < 0.2, np.inf, -1.0).astype("float32")
    v = Vector.from_coo(np.flatnonzero(present), values[present], size=70, engine="cpu")
    reached = (dense[:, present] != 0).any(axis=1)
    found = plus_times(load(dense) @ v).new()
    assert found.to_coo()[0].tolist() == np.flatnonzero(reached).tolist()
    wanted = (np.where(dense != 0, values, 0) * np.maximum(dense, 1))[:, present].sum(axis=1)
    assert found.to_coo()[1].tolist() == wanted[reached].tolist()


@pytest.mark.parametrize("kind", ["int32", "uint8", "int64"])
def test_sorted_coordinates_are_compressed(kind: str) -> None:
    rows, columns = np.array([0, 0, 2, 3], kind), np.array([1, 4, 0, 4], kind)
    values = np.array([1.0, 2, 3, 4])
    A = Matrix.from_coo(rows, columns, values, nrows=5, ncols=5, engine="cpu")
    values[:], rows[:], columns[:] = 0, 0, 0
    assert A.to_dicts() == {0: {1: 1.0, 4: 2.0}, 2: {0: 3.0}, 3: {4: 4.0}}
    assert Matrix.from_csr(*A.to_csr(), ncols=5, engine="cpu").isequal(A)
    with pytest.raises(gl.errors.IndexOutOfBounds, match="column 4"):
        Matrix.from_coo(np.array([0, 1]), np.array([1, 4]), np.ones(2), nrows=5, ncols=4, engine="cpu")
    with pytest.raises(gl.errors.InvalidGraph, match=r"\(0, 1\) occurs twice"):
        Matrix.from_coo(np.array([0, 0]), np.array([1, 1]), np.ones(2), nrows=5, ncols=4, engine="cpu")
    unsorted = Matrix.from_csr(np.array([0, 2, 2]), np.array([3, 1]), np.array([5, 6]), ncols=4, engine="cpu")
    assert unsorted.to_dicts() == {0: {1: 6, 3: 5}}


def test_sparse_vectors_are_united() -> None:
    x = Vector.from_coo([3, 500, 900], [1.5, 2, 3], size=1000, engine="cpu")
    y = Vector.from_coo([0, 500], [7, 8], size=1000, engine="cpu")
    assert binary.minus(x | y).new().to_dict() == {0: 7.0, 3: 1.5, 500: -6.0, 900: 3.0}
    assert binary.minus(x | Vector("INT64", 1000, engine="cpu")).new().isequal(x)


@pytest.mark.parametrize("k", [-3, 0, 2])
def test_diagonals_and_kronecker_products(rng: Any, k: int) -> None:
    x = rng.integers(0, 3, 30).astype("float32")
    v = Vector.from_coo(np.flatnonzero(x), x[x != 0], size=30, engine="cpu")
    assert (read(v.diag(k)) == np.diag(x, k)).all()
    A, B = draw(rng, 6, 9, 0.4), draw(rng, 7, 5, 0.4)
    assert (read(load(A).kronecker(load(B).dup("INT32"), binary.times).new()) == np.kron(A, B)).all()


@pytest.mark.parametrize("by_rows", [True, False])
@pytest.mark.parametrize("share", [0.5, 1])
def test_products_with_diagonals(rng: Any, by_rows: bool, share: float) -> None:
    """Minus tells its operands apart; a row without an entry takes no factor."""
    A, x = draw(rng, 30, 30, 0.3), rng.integers(1, 9, 30).astype("float32")
    x[rng.random(30) >= share] = 0
    D = Vector.from_coo(np.flatnonzero(x), x[x != 0], size=30, engine="cpu").diag()
    product = (plus_minus(D @ load(A)) if by_rows else plus_minus(load(A) @ D)).new()
    found = product.to_dense(np.nan)
    factor = x[:, None] if by_rows else x[None, :]
    there = (A != 0) & (factor != 0)
    assert np.array_equal(found, np.where(there, factor - A if by_rows else A - factor, np.nan), equal_nan=True)


def test_means_of_narrow_integers_do_not_wrap(rng: Any) -> None:
    dense = np.full((3, 400), 100, "int8")
    A = load(dense).dup("INT8")
    assert A.reduce_rowwise(gl.agg.mean).new().to_dict() == {0: 100.0, 1: 100.0, 2: 100.0}
    assert A.reduce_scalar(gl.agg.mean).new().value == 100.0


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("size", [100, 40_001])
def test_values_are_chosen_by_flags(rng: Any, dtype: str, size: int) -> None:
    flags, yes, no = rng.random(size) < 0.5, *(rng.integers(0, 3, (2, size)).astype(dtype))
    assert (choose_flagged(np, flags, yes, no) == np.where(flags, yes, no)).all()
    held = no.copy()
    copy_flagged(held, flags, yes)
    assert (held == np.where(flags, yes, no)).all()


@pytest.mark.parametrize(
    ("monoid", "dtype", "out", "reference"),
    [
        ("plus", "int64", "INT64", np.sum),
        ("plus", "float32", "FP64", lambda x: x.astype(float).sum()),
        ("bxor", "uint32", "UINT32", np.bitwise_xor.reduce),
        ("max", "float64", "FP64", np.max),
    ],
)
@pytest.mark.parametrize("pieces", [1, 2.7, 13.2])
def test_many_values_are_reduced(rng: Any, monoid: str, dtype: str, out: str, reference: Any, pieces: float) -> None:
    x = (rng.random(int(pieces * REDUCED_AT_ONCE) + 1) * 200).astype(dtype)
    found = get_engine("cpu").reduce_values(getattr(gl.monoid, monoid), x, lookup(out))
    assert found.shape == (1,)
    assert found.dtype == lookup(out).numpy
    np.testing.assert_allclose(found[0], reference(x), rtol=1e-12)


@pytest.mark.parametrize("threads_from", [1, 1 << 30])
def test_kronecker_products_of_full_and_of_sparse_matrices(monkeypatch: pytest.MonkeyPatch, threads_from: int) -> None:
    monkeypatch.setattr(threads, "WORTH_A_PASS", threads_from)
    rng = np.random.default_rng(SEED)
    shapes = [(rng.integers(1, 9), rng.integers(1, 9)) for _ in range(2)]
    full = [rng.integers(1, 9, shape).astype("float32") for shape in shapes]
    A, B = (Matrix.from_dense(one, engine="cpu") for one in full)
    assert (read(A.kronecker(B, binary.times).new()) == np.kron(*full)).all(), SEED
    u, v = (Vector.from_dense(one[0], engine="cpu") for one in full)
    assert (read(u.outer(v, binary.minus).new()) == np.subtract.outer(full[0][0], full[1][0])).all(), SEED
    sparse = draw(rng, 9, 7, 0.3), draw(rng, 6, 8, 0.3)
    assert (read(load(sparse[0]).kronecker(load(sparse[1]), binary.times).new()) == np.kron(*sparse)).all(), SEED
    assert (read(A.kronecker(load(sparse[1]), binary.times).new()) == np.kron(full[0], sparse[1])).all(), SEED


def test_a_full_vector_is_assigned_to_a_row_and_to_a_column() -> None:
    rng = np.random.default_rng(SEED)
    dense = draw(rng, 7, 5, 0.4)
    C, row, column = load(dense), rng.integers(1, 9, 5), rng.integers(1, 9, 7)
    C[2, :] << Vector.from_dense(row.astype("float32"), engine="cpu")
    C[:, 3] << Vector.from_dense(column.astype("float32"), engine="cpu")
    dense[2], dense[:, 3] = row, column
    assert (read(C) == dense).all(), SEED
    assert C.nvals == np.count_nonzero(dense)
