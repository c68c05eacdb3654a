"""A mask of few entries changes few rows of a matrix: the same as where all rows are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import binary
from graphla.engine.arrays import write_rows
from graphla.engine.cuda.entries import cells
from semirings import plus_times


def make_matrix(engine: Any, rows: int, columns: int, share: float, seed: int) -> gl.Matrix:
    random = np.random.default_rng(seed)
    i, j = np.nonzero(random.random((rows, columns)) < share)
    return gl.Matrix.from_coo(i, j, random.integers(1, 9, i.size), nrows=rows, ncols=columns, engine=engine)


def write_everywhere(C: gl.Matrix, M: gl.Matrix, B: gl.Matrix, S: gl.Matrix) -> list[gl.Matrix]:
    """C after writes under a mask of few entries, in each way."""
    found = []
    for accum in (None, binary.plus):
        for mask in (M.S, M.V):
            for source in (B, plus_times(C @ S)):
                D = C.dup()
                D(mask, accum) << source
                found.append(D)
    D = C.dup()
    D[3, 4], D[90, 7] = 5, 6
    del D[3, 4], D[50, 1]
    D[50, 2] = 1
    return [*found, D]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_mask_of_few_entries_changes_few_rows(engine: Any, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    C, B = (make_matrix(engine, 120, 20, 0.3, seed + k) for k in (0, 10))
    S = make_matrix(engine, 20, 20, 0.3, seed + 20)
    M = gl.Matrix.from_coo([3, 3, 90, 119, 0], [4, 5, 7, 19, 0], [1, 0, 1, 1, 0], nrows=120, ncols=20, engine=engine)
    monkeypatch.setattr(type(engine), "walks_at_once", 0)
    monkeypatch.setattr(type(engine), "few_rows", 0)
    monkeypatch.setattr(cells, "MOST_ROWS", 0)  # a GPU replaces few cells otherwise (test_cells.py)
    wanted = write_everywhere(C, M, B, S)
    monkeypatch.setattr(type(engine), "few_rows", 5)
    taken: list[int] = []
    write = write_rows.write_few_rows

    def write_noted(self: Any, *given: Any) -> Any:
        taken.append(int(given[3].shape[0]))
        return write(self, *given)

    monkeypatch.setattr(write_rows, "write_few_rows", write_noted)
    for ours, theirs in zip(write_everywhere(C, M, B, S), wanted, strict=True):
        assert ours.isequal(theirs, check_dtype=True)
    assert taken.count(4) == 8
    assert len(taken) > 8, "elements that waited are written in few rows, too"
    M(~M.S) << C
    assert M.nvals > 5
