"""Rows that several threads fill are joined to what one thread gives: unions, masks, selection and parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from graphla import Matrix, binary, select
from graphla.engine.cpu import threads

SEED = int(np.random.SeedSequence().generate_state(1)[0])
ROWS, COLUMNS = 70, 90


def draw(rng: Any, share: float) -> Any:
    """Return a dense matrix with a hub, empty rows at its ends and between; zero means that there is no entry."""
    dense = rng.integers(1, 9, (ROWS, COLUMNS)) * (rng.random((ROWS, COLUMNS)) < share)
    dense[7] = 5
    dense[[0, 20, 21, -1]] = 0
    return dense.astype("float32")


def load(dense: Any) -> Matrix:
    rows, columns = np.nonzero(dense)
    return Matrix.from_coo(rows, columns, dense[rows, columns], nrows=ROWS, ncols=COLUMNS, engine="cpu")


@pytest.fixture(params=[1, 3])
def workers(request: Any, monkeypatch: pytest.MonkeyPatch) -> int:
    """Use so many threads, however little there is to do."""
    monkeypatch.setattr(threads, "count_workers", lambda: request.param)
    monkeypatch.setattr(threads, "WORTH_A_PASS", 0)
    return request.param


@pytest.mark.parametrize("shares", [(0.1, 0.3), (0.3, 0.01), (0.0, 0.2), (0.0, 0.0)])
def test_pieces_are_joined(shares: tuple[float, float], workers: int) -> None:
    print(f"seed {SEED}")
    rng = np.random.default_rng(SEED)
    a, m = draw(rng, shares[0]), draw(rng, shares[1])
    if shares == (0.0, 0.0):
        a[:], m[:] = 0, 0
    A, M, b, i, j = load(a), load(m), m != 0, *np.indices(a.shape)
    quarter, order = np.arange(3, 60, 2), rng.permutation(COLUMNS)
    filtered = A.dup()
    filtered(~M.S) << A.apply("ainv")
    part = load(np.where((i >= 5) & (i < 50) & (j >= 2) & (j < 40), m, 0))
    replaced = A.dup()
    replaced[5:50, 2:40] << part[5:50, 2:40]
    found = {
        "union": (binary.plus(A | M), a + m),
        "filled": (A.ewise_union(M, "plus", 1, 2), np.where((a != 0) | b, np.where(a, a, 1) + np.where(b, m, 2), 0)),
        "intersection": (binary.plus(A & M), np.where(b & (a != 0), a + m, 0)),
        "inside": (A.dup().new(mask=M.S), np.where(b, a, 0)),
        "outside": (filtered, np.where(b, a, -a)),
        "replaced": (replaced, np.where((i >= 5) & (i < 50) & (j >= 2) & (j < 40), m, a)),
        "values": (select.valuegt(A, 4), np.where(a > 4, a, 0)),
        "tril": (select.tril(A, -3), np.where(j <= i - 3, a, 0)),
        "triu": (select.triu(A, 3), np.where(j >= i + 3, a, 0)),
        "diag": (select.diag(A, 3), np.where(j == i + 3, a, 0)),
        "rowle": (select.rowle(A, 30), np.where(i <= 30, a, 0)),
        "rowgt": (select.rowgt(A, 30), np.where(i > 30, a, 0)),
        "window": (A[4:66, 5:80], a[4:66, 5:80]),
        "rows": (A[4:66, :], a[4:66]),
        "numbered": (A[quarter, quarter], a[np.ix_(quarter, quarter)]),
        "renumbered": (A[quarter, order], a[np.ix_(quarter, order)]),
    }
    for name, (expression, wanted) in found.items():
        C = expression if isinstance(expression, Matrix) else expression.new()
        np.testing.assert_array_equal(C.to_dense(0), wanted, err_msg=name)
        assert C.nvals == (wanted != 0).sum(), name
        rows, columns, _ = C.to_coo()
        assert (np.diff(rows * COLUMNS + columns) > 0).all(), name
