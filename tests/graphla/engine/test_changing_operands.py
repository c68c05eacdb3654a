"""The text of a statement stays and its operands change: formats, masks, emptiness, and targets as operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import NAMES, get_engine_with_lists

from graphla import Matrix, Vector
from semirings import binary, min_plus

SIZE = 40
FILLS = (0.0, 0.01, 0.5, 1.0)
"""Shares of entries of which vectors are empty, lists, flags, and full."""
Entries = dict[int, float]


@pytest.fixture(params=NAMES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    return get_engine_with_lists(request.param, monkeypatch)


def draw(bits: np.random.Generator, fill: float, engine: Any) -> Vector:
    """A vector of whole numbers, some of which are 0; one entry at least if any is wanted."""
    places = np.flatnonzero(bits.random(SIZE) < fill)
    places = bits.integers(SIZE, size=1) if fill and not places.size else places
    return Vector.from_coo(places, bits.integers(0, 4, places.size).astype("float64"), size=SIZE, engine=engine)


def write(old: Entries, new: Entries, allowed: set[int], adds: bool, replaces: bool) -> Entries:
    """C<M, replace> ⊙= T of dictionaries: the definition."""
    joined = {i: old[i] + new[i] if i in old and i in new else {**old, **new}[i] for i in old.keys() | new.keys()}
    after = joined if adds else new
    kept = {} if replaces else {i: x for i, x in old.items() if i not in allowed}
    return kept | {i: x for i, x in after.items() if i in allowed}


def make_mask(bits: np.random.Generator, of: Vector) -> tuple[Any, set[int]]:
    """One of the four masks of a vector, and the places that it allows."""
    structural, complement = bits.random(2) < 0.5
    inside = {i for i, x in of.to_dict().items() if structural or x}
    mask = of.S if structural else of.V
    return (~mask, set(range(SIZE)) - inside) if complement else (mask, inside)


@pytest.mark.parametrize("seed", range(6))
def test_a_write_is_that_of_the_definition_whatever_stood_there_before(engine: Any, seed: int) -> None:
    bits = np.random.default_rng(seed)
    for _ in range(30):
        target, source, of = (draw(bits, bits.choice(FILLS), engine) for _ in range(3))
        source, of = (target if bits.random() < 0.2 else each for each in (source, of))
        mask, allowed = make_mask(bits, of) if bits.random() < 0.7 else (None, set(range(SIZE)))
        adds, replaces = bits.random() < 0.5, mask is not None and bits.random() < 0.4
        wanted = write(target.to_dict(), source.to_dict(), allowed, adds, replaces)
        target(mask=mask, accum=binary.plus if adds else None, replace=replaces) << source
        assert target.to_dict() == wanted


@pytest.mark.parametrize("seed", range(4))
def test_a_number_under_a_mask_is_written_where_it_allows(engine: Any, seed: int) -> None:
    bits = np.random.default_rng(seed)
    for _ in range(20):
        target, of = (draw(bits, bits.choice(FILLS), engine) for _ in range(2))
        mask, allowed = make_mask(bits, target if bits.random() < 0.2 else of)
        wanted = write(target.to_dict(), dict.fromkeys(range(SIZE), 3.0), allowed, False, False)
        before = of.to_dict()
        target(mask) << 3
        assert target.to_dict() == wanted
        assert of is target or of.to_dict() == before


@pytest.mark.parametrize("seed", range(3))
def test_a_push_is_that_of_the_definition_for_lists_and_flags(engine: Any, seed: int) -> None:
    bits = np.random.default_rng(seed)
    dense = np.where(bits.random((SIZE, SIZE)) < 0.1, bits.integers(1, 5, (SIZE, SIZE)), np.inf)
    rows, columns = np.nonzero(np.isfinite(dense))
    A = Matrix.from_coo(rows, columns, dense[rows, columns], nrows=SIZE, ncols=SIZE, engine=engine)
    for fill in FILLS * 2:
        source, target = draw(bits, fill, engine), draw(bits, bits.choice(FILLS), engine)
        held = source.to_dict()
        sums = {(i, j): x + dense[i, j] for i, x in held.items() for j in range(SIZE) if np.isfinite(dense[i, j])}
        wanted = {j: min(x for (_, k), x in sums.items() if k == j) for j in {k for _, k in sums}}
        mask, allowed = make_mask(bits, target)
        expected = {j: x for j, x in wanted.items() if j in allowed}
        assert min_plus(A.T @ source).new(mask=mask).to_dict() == expected
        into = target.dup()
        into(mask, replace=True, direction="push") << min_plus(A.T @ source)
        assert into.to_dict() == expected
        assert source.to_dict() == held
