"""Unions and intersections under masks of few and of many entries, beside full matrices, against dense arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from graphla import Matrix, binary
from graphla.engine.cpu import entrywise

SEED = int(np.random.SeedSequence().generate_state(1)[0])
SHAPE = 40, 300


def draw(rng: Any, share: float) -> Any:
    """Return a dense matrix with a full row and empty ones; zero means that there is no entry."""
    dense = rng.integers(1, 9, SHAPE) * (rng.random(SHAPE) < share)
    if share < 1:
        dense[4], dense[[0, 7, -1]] = 6, 0
    return dense.astype("float64")


def load(dense: Any) -> Matrix:
    if dense.all():
        return Matrix.from_dense(dense, engine="cpu")
    rows, columns = np.nonzero(dense)
    return Matrix.from_coo(
        rows, columns, dense[rows, columns], nrows=dense.shape[0], ncols=dense.shape[1], engine="cpu"
    )


@pytest.mark.parametrize("allowed", [0.003, 0.5])
@pytest.mark.parametrize("shares", [(0.4, 1), (1, 0.4), (0.6, 0.02), (0.02, 0.6), (0.6, 0.6)])
def test_under_masks(shares: tuple[float, float], allowed: float, monkeypatch: pytest.MonkeyPatch) -> None:
    print(f"seed {SEED}")
    rng = np.random.default_rng(SEED)
    a, b, m = draw(rng, shares[0]), draw(rng, shares[1]), draw(rng, allowed)
    m[4] = np.where(rng.random(SHAPE[1]) < allowed, 3, 0)
    m[4, 8] = 3
    A, B, M = load(a), load(b), load(m)
    cut: list[int] = []
    look = entrywise.list_large
    monkeypatch.setattr(entrywise, "list_large", lambda plan: cut.append(1) or look(plan))
    both, either = (a != 0) & (b != 0), (a != 0) | (b != 0)
    wanted = {"&": np.where(both, a - b, 0), "|": np.where(both, a - b, a + b)}
    there = {"&": both, "|": either}
    masks = {"S": (M.S, m != 0), "~S": (~M.S, m == 0), "V": (M.apply("gt", right=4).new().V, m > 4)}
    for sign, expression in {"&": binary.minus(A & B), "|": binary.minus(A | B)}.items():
        for name, (mask, inside) in masks.items():
            C, expected = expression.new(mask=mask), there[sign] & inside
            np.testing.assert_array_equal(C.to_dense(0), np.where(expected, wanted[sign], 0), err_msg=sign + name)
            assert C.nvals == expected.sum(), sign + name
    turned = binary.minus(A.T & B.T).new(mask=M.T.new().S)
    np.testing.assert_array_equal(turned.to_dense(0), np.where(both & (m != 0), a - b, 0).T)
    assert cut


@pytest.mark.parametrize("few", [0.0, 0.004, 0.2])
def test_few_entries_are_added_to_many(few: float) -> None:
    print(f"seed {SEED}")
    rng = np.random.default_rng(SEED)
    a, b = draw(rng, 0.7), draw(rng, few)
    b[4] = 0
    b[5, [0, 17, -1]] = 2
    C = load(a)
    C(binary.minus) << load(b)
    np.testing.assert_array_equal(C.to_dense(0), np.where((a != 0) & (b != 0), a - b, a + b))
    np.testing.assert_array_equal(
        binary.minus(load(b) | load(a)).new().to_dense(0), np.where((a != 0) & (b != 0), b - a, a + b)
    )
