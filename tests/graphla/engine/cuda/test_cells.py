"""Blocks and single cells of matrices, replaced by kernels, agree with dense arrays where NaN is no entry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import get_engine_named

import graphla as gl
from graphla.engine.cuda.entries import cells

KINDS = ["full", "sparse", "transposed", "number", "row", "column", "nothing", "bitmap"]


@pytest.fixture(
    params=[pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
)
def engine(request: pytest.FixtureRequest) -> Any:
    return get_engine_named(request.param)


@pytest.fixture
def rng() -> np.random.Generator:
    """Other inputs at each run; pytest shows the seed of one that fails."""
    seed = int(np.random.default_rng().integers(1 << 62))
    print("seed", seed)
    return np.random.default_rng(seed)


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many cells each call of `replace_cells` was given."""
    counts: list[int] = []
    replace = cells.replace_cells

    def count(engine: Any, matrix: Any, changed: cells.Cells) -> Any:
        counts.append(changed.count)
        return replace(engine, matrix, changed)

    monkeypatch.setattr(cells, "replace_cells", count)
    return counts


def draw(rng: np.random.Generator, shape: tuple[int, int], share: float) -> np.ndarray:
    """A dense array with NaN where there is no entry."""
    dense = rng.integers(1, 1000, shape).astype("float64")
    dense[rng.random(shape) >= share] = np.nan
    return dense


def make(dense: np.ndarray, engine: Any, dtype: str = "FP64") -> gl.Matrix:
    rows, columns = np.nonzero(~np.isnan(dense))
    shape = dict(zip(("nrows", "ncols"), dense.shape, strict=True))
    return gl.Matrix.from_coo(rows, columns, dense[rows, columns], dtype=dtype, engine=engine, **shape)


def assert_is(found: gl.Matrix, wanted: np.ndarray) -> None:
    """The entries, in rows that are sorted."""
    rows, columns, values = (np.asarray(found.engine.to_host(part)) for part in found.to_coo(sort=False))
    at = np.nonzero(~np.isnan(wanted))
    np.testing.assert_array_equal((rows, columns), at)
    np.testing.assert_array_equal(values, wanted[at])


def assign(C: gl.Matrix, wanted: np.ndarray, kind: str, places: Any, rng: np.random.Generator) -> None:
    """Assign to a part of a matrix, and of the array that it should agree with."""
    rows, columns = places
    engine, block = C.engine, draw(rng, (len(rows), len(columns)), 1 if kind in ("full", "column") else 0.4)
    if kind == "nothing":
        block[:] = np.nan
    if kind == "row":
        rows, block = rows[:1], block[:1]
        C[int(rows[0]), columns] << gl.Vector.from_coo(
            *list_vector(block[0]), size=len(columns), dtype="FP64", engine=engine
        )
    elif kind in ("column", "bitmap"):
        columns, block = columns[:1], block[:, :1]
        C[rows, int(columns[0])] << gl.Vector.from_coo(
            *list_vector(block[:, 0]), size=len(rows), dtype="FP64", engine=engine
        )
    elif kind == "number":
        block[:] = 7
        C[rows, columns] << 7
    elif kind == "full":
        C[engine.asarray(rows), columns.tolist()] << gl.Matrix.from_dense(block, engine=engine)
    else:
        part = make(block.T, engine).T if kind == "transposed" else make(block, engine)
        C[rows, engine.asarray(columns)] << part
    wanted[np.ix_(rows, columns)] = block


def list_vector(dense: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    places = np.nonzero(~np.isnan(dense))[0]
    return places, dense[places]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0, 0.03, 0.5, 1])
def test_a_block(engine: Any, rng: np.random.Generator, replaced: list[int], kind: str, share: float) -> None:
    for shape in ((1, 1), (90, 40), (5, 900), (300, 70)):
        wanted = draw(rng, shape, share)
        C = make(wanted, engine)
        for sort in (np.sort, rng.permutation):
            places = [sort(rng.choice(size, rng.integers(1, size + 1), replace=False)) for size in shape]
            assign(C, wanted, kind, places, rng)
            assert_is(C, wanted)
    assert len(replaced) == 8


def test_parts_by_slices_and_other_types(engine: Any, rng: np.random.Generator) -> None:
    """Steps down, one value for each dtype width, and a block that is as wide as what is assigned at once."""
    for dtype in ("INT8", "FP32", "INT64", "FC64"):
        wanted = np.where(np.isnan(draw(rng, (60, 5000), 0.1)), np.nan, rng.integers(1, 100, (60, 5000)))
        C = make(wanted, engine, dtype)
        for rows, columns in ((slice(50, 3, -3), slice(7, 9)), (slice(2, 3), slice(4999, 903, -1)), (slice(9), 5)):
            C[rows, columns] << 3
            wanted[rows, columns] = 3
            assert_is(C, wanted)


@pytest.mark.parametrize("kind", ["its mask", "another matrix", "values"])
@pytest.mark.parametrize("count", [1, 40, 1024])
def test_a_mask_of_few_entries(
    engine: Any, rng: np.random.Generator, replaced: list[int], kind: str, count: int
) -> None:
    wanted = draw(rng, (200, 60), 0.2)
    C, mask = make(wanted, engine), np.full(wanted.size, np.nan)
    mask[rng.choice(mask.size, count, replace=False)] = rng.integers(0, 2, count)
    mask = mask.reshape(wanted.shape)
    M, other = make(mask, engine), mask if kind == "its mask" else draw(rng, wanted.shape, 0.5)
    B = M if kind == "its mask" else make(other, engine)
    C(M.V if kind == "values" else M.S) << B
    allowed = mask == 1 if kind == "values" else ~np.isnan(mask)
    wanted[allowed] = other[allowed]
    assert_is(C, wanted)
    assert replaced == ([int(allowed.sum())] if allowed.any() else [])


@pytest.mark.parametrize("shares", [(0.3, 0.5, 0.5), (1, 0.05, 1), (0.05, 1, 0.3), (0.3, 0.5, 0)])
@pytest.mark.parametrize(("kind", "dtype"), [("S", "FP64"), ("V", "INT64")])
def test_a_mask_of_many_entries(
    engine: Any,
    rng: np.random.Generator,
    monkeypatch: pytest.MonkeyPatch,
    shares: tuple[float, ...],
    kind: str,
    dtype: str,
) -> None:
    """Two walks: where the mask has entries, and what stays."""
    monkeypatch.setattr(cells, "MOST_ROWS", 0)
    wanted, mask, other = (draw(rng, (90, 700), share) for share in shares)
    mask[~np.isnan(mask)] = rng.integers(0, 2, np.count_nonzero(~np.isnan(mask)))
    C, M = make(wanted, engine), make(mask, engine, "INT8")
    C(M.S if kind == "S" else M.V) << make(other, engine, dtype)
    assert_is(C, np.where(~np.isnan(mask) if kind == "S" else mask == 1, other, wanted))


def test_elements_set_and_deleted(engine: Any, rng: np.random.Generator, replaced: list[int]) -> None:
    """What waits is merged when the matrix is read."""
    wanted = draw(rng, (80, 300), 0.1)
    C = make(wanted, engine)
    for _ in range(60):
        i, j = int(rng.integers(80)), int(rng.integers(300))
        if rng.random() < 0.3:
            del C[i, j]
            wanted[i, j] = np.nan
        else:
            wanted[i, j] = C[i, j] = float(rng.integers(1, 9))
    assert replaced == []
    assert_is(C, wanted)
    assert len(replaced) == 1
