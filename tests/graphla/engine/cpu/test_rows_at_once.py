"""Products by rows are filled at once, into bounds of their entries; they are counted first where room is scarce."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.engine.cpu import matmat, threads, work
from semirings import any_pair, plus_times

SEED = int(np.random.SeedSequence().generate_state(1)[0])


def draw(rng: Any, shape: tuple[int, int], share: float) -> Any:
    """Return a dense matrix with a full row and empty ones; zero means that there is no entry."""
    dense = (rng.random(shape) < share) * rng.integers(1, 9, shape)
    dense[2], dense[[1, -1]] = 3, 0
    return dense.astype("float32")


def load(dense: Any) -> gl.Matrix:
    rows, columns = np.nonzero(dense)
    return gl.Matrix.from_coo(
        rows, columns, dense[rows, columns], nrows=dense.shape[0], ncols=dense.shape[1], engine="cpu"
    )


@pytest.mark.parametrize("scarce", [False, True])
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize(
    ("rows", "inner", "columns", "shares"),
    [(5, 300, 400, (0.6, 0.2)), (90, 60, 70, (0.1, 0.1)), (60, 80, 3000, (0.05, 0.01)), (400, 300, 20, (0.05, 0.1))],
)
def test_products_of_rows(
    rows: int,
    inner: int,
    columns: int,
    shares: tuple[float, float],
    workers: int,
    scarce: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows that are listed and sorted, and those that are read column by column; masks of every kind of row."""
    print(f"seed {SEED}")
    rng = np.random.default_rng(SEED)
    a, b = draw(rng, (rows, inner), shares[0]), draw(rng, (inner, columns), shares[1])
    allowed = rng.random((rows, columns)) < 0.3
    allowed[[0, 3]] = [[False], [True]]
    A, B, M = load(a), load(b), load(allowed.astype("float32"))
    counted: list[int] = []
    count = matmat.count_rows
    monkeypatch.setattr(matmat, "count_rows", lambda *given: counted.append(1) or count(*given))
    monkeypatch.setattr(work, "has_room", lambda nbytes: not scarce)
    monkeypatch.setattr(threads, "count_workers", lambda: workers)
    monkeypatch.setattr(threads, "WORTH_A_PASS", 0)
    wanted = a @ b
    found = {
        "all": (plus_times(A @ B).new(), wanted),
        "mask": (plus_times(A @ B).new(mask=M.S), wanted * allowed),
        "outside": (plus_times(A @ B).new(mask=~M.S), wanted * ~allowed),
        "any, outside": (any_pair(A @ B).new(mask=~M.S), (wanted * ~allowed) != 0),
    }
    assert bool(counted) == scarce
    for name, (C, expected) in found.items():
        np.testing.assert_array_equal(C.to_dense(0), expected, err_msg=name)
        assert C.nvals == np.count_nonzero(expected), name
        i, j, _ = C.to_coo()
        assert (np.diff(i.astype("int64") * columns + j) > 0).all(), name
