"""Arrays with a sentinel as matrices: against a walk over the cells, in blocks of any size, in little memory."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import OutOfMemory
from graphla.engine import get_engine
from graphla.storage import CompressedMatrix, FullMatrix, compress
from graphla.storage.deferred import SentinelArray

CPU = get_engine("cpu")
ABSENT = {"int32": 2**31 - 1, "float64": np.inf, "uint8": 255}


def draw_cells(shape: tuple[int, int], dtype: str, share: float) -> np.ndarray:
    rng = np.random.default_rng(sum(shape))
    cells = rng.integers(0, 100, shape).astype(dtype)
    cells[rng.random(shape) >= share] = ABSENT[dtype]
    return cells


@pytest.mark.parametrize("at_once", [1, 20, 1 << 22])
@pytest.mark.parametrize("dtype", list(ABSENT))
@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (1, 1), (7, 5), (5, 40)])
def test_entries_are_the_cells_that_differ(
    shape: tuple[int, int], dtype: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compress, "CELLS", at_once)
    for share in (0.0, 0.3, 1.0):
        cells = draw_cells(shape, dtype, share)
        matrix: Any = SentinelArray(cells, ABSENT[dtype]).resolve()
        expected = {(i, j): v for (i, j), v in np.ndenumerate(cells) if v != ABSENT[dtype]}
        if len(expected) == cells.size:
            assert isinstance(matrix, FullMatrix)
            assert matrix.values is cells
            continue
        assert isinstance(matrix, CompressedMatrix)
        assert (matrix.indptr.dtype, matrix.indices.dtype, matrix.values.dtype) == ("int32", "int32", dtype)
        rows = np.repeat(np.arange(shape[0]), np.diff(matrix.indptr))
        assert dict(zip(zip(rows, matrix.indices, strict=True), matrix.values, strict=True)) == expected


def test_little_more_memory_than_the_result() -> None:
    cells = draw_cells((3000, 3000), "int32", 0.5)
    tracemalloc.start()
    matrix: Any = SentinelArray(cells, ABSENT["int32"]).resolve()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < matrix.indices.nbytes + matrix.values.nbytes + 24 * compress.CELLS


def test_what_does_not_fit_names_the_way_out() -> None:
    D = gl.Matrix._from_sentinel(draw_cells((50, 50), "int32", 0.5), ABSENT["int32"], CPU, "come back later")
    with (
        gl.config.set(memory_limit=1000),
        pytest.raises(OutOfMemory, match=r"a matrix of 50 × 50 with 1,\d+ entries .* come back later"),
    ):
        D.nvals


def test_to_dense_fills_in_the_sentinel_without_a_detour() -> None:
    cells = draw_cells((6, 7), "int32", 0.5)
    D = gl.Matrix._from_sentinel(cells, ABSENT["int32"], CPU)
    dense = D.to_dense(ABSENT["int32"])
    assert isinstance(D._held, SentinelArray)
    dense[:] = 0
    assert np.array_equal(D.to_dense(ABSENT["int32"]), cells)
    assert D.to_dense(np.inf).dtype == "float64"
    assert np.array_equal(D.to_dense(np.inf), np.where(cells == ABSENT["int32"], np.inf, cells))
    assert np.array_equal(D.to_dense(-1), np.where(cells == ABSENT["int32"], -1, cells))
