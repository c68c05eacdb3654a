"""Unions, intersections and writes of vectors in every format, against dictionaries, on fresh random vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Vector, binary
from graphla.engine.cpu import threads
from graphla.storage import SparseVector

SEED = int(np.random.SeedSequence().generate_state(1)[0])
SHARES = 0, 0.03, 0.3, 0.8, 1
"""Of entries: empty vectors, lists, flags and full vectors."""


def draw(rng: Any, size: int) -> Vector:
    places = np.flatnonzero(rng.random(size) < rng.choice(SHARES))
    return Vector.from_coo(places, rng.integers(0, 3, places.size), "FP32", size=size, engine="cpu")


def allows(mask: Any, entries: dict[int, float], place: int) -> bool:
    inside = place in entries and (mask.structural or entries[place] != 0)
    return inside != mask.complement


def write(
    old: dict[int, Any], new: dict[int, Any], allowed: set[int], accumulates: bool, replace: bool
) -> dict[int, Any]:
    """C<M, replace> ⊙= T of dictionaries; ⊙ is minus."""
    both = {i: old[i] - new[i] if i in old else new[i] for i in new} if accumulates else new
    inside = (old if accumulates else {}) | both
    outside = {} if replace else {i: x for i, x in old.items() if i not in allowed}
    return outside | {i: x for i, x in inside.items() if i in allowed}


@pytest.mark.parametrize("size", [1, 7, 200])
def test_writes(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of vectors and of numbers, under each kind of mask, which may be the target itself; ranges run in threads."""
    rng = np.random.default_rng(SEED)
    monkeypatch.setattr(threads, "WORTH_A_PASS", 100)
    monkeypatch.setattr(threads, "count_workers", lambda: 2)
    for trial in range(150):
        C, T, M = (draw(rng, size) for _ in range(3))
        M = C if rng.random() < 0.1 else M
        old, new, truths = C.to_dict(), T.to_dict(), M.to_dict()
        kinds = [None, M.S, ~M.S, M.V, ~M.V]
        mask, accum = kinds[rng.integers(5)], [None, binary.minus][rng.integers(2)]
        replace, number = mask is not None and rng.random() < 0.4, rng.random() < 0.3
        C(mask=mask, accum=accum, replace=replace) << (2 if number else T)
        new = dict.fromkeys(range(size), 2) if number else new
        allowed = {i for i in range(size) if mask is None or allows(mask, truths, i)}
        expected = write(old, new, allowed, accum is not None, replace)
        assert C.to_dict() == expected, f"seed {SEED}, trial {trial}: {mask} {accum} {replace}"
        assert number or T.to_dict() == new, f"seed {SEED}, trial {trial}: the operand changed"


@pytest.mark.parametrize("size", [1, 7, 200])
def test_unions_and_intersections(size: int) -> None:
    rng = np.random.default_rng(SEED)
    for trial in range(60):
        left, right = draw(rng, size), draw(rng, size)
        x, y = left.to_dict(), right.to_dict()
        both = {i: x[i] - y[i] for i in x if i in y}
        union, intersection = binary.minus(left | right).new(), binary.minus(left & right).new()
        assert union.to_dict() == x | y | both, f"seed {SEED}, trial {trial}"
        assert intersection.to_dict() == both, f"seed {SEED}, trial {trial}"
        assert (union.nvals, intersection.nvals) == (len(x | y), len(both))


def test_an_expression_sees_that_its_operand_was_written_in_place() -> None:
    x, half = Vector.from_dense(np.ones(8), engine="cpu"), Vector.from_coo([1, 3, 5, 7], 1.0, size=8, engine="cpu")
    double = x + x
    assert double.to_dict()[1] == 2
    x(binary.plus) << half
    assert double.to_dict()[1] == 4
    x(half.S, gl.replace) << x
    assert sorted(double.to_dict()) == [1, 3, 5, 7]


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("accumulates", [False, True])
def test_one_element(share: float, accumulates: bool) -> None:
    """Into a list, flags or a full vector, where an entry is and where none is; a copy does not see it."""
    places = np.arange(int(share * 40))
    v = Vector.from_coo(places, 1, "INT32", size=40, engine="cpu")
    for place in (0, 39, -2):
        before, copy = v.to_dict(), v.dup()
        (v(binary.minus) if accumulates else v())[place] << 7
        at = place % 40
        assert v.to_dict() == before | {at: before[at] - 7 if accumulates and at in before else 7}
        assert (v.nvals, copy.to_dict()) == (len(v.to_dict()), before)
    in_place = not isinstance(v._storage, SparseVector)
    v[3] = 5
    assert (v.get(3), v.dtype) == (5, "INT32")
    assert (v.plan.rule == "value at one place, in place") == in_place


@pytest.mark.parametrize(("dtype", "value"), [("UINT64", 2**64 - 1), ("BOOL", True), ("FC64", 1 + 2j), ("INT8", -128)])
def test_one_element_of_each_kind(dtype: str, value: Any) -> None:
    v = Vector.from_scalar(1, 4, dtype, engine="cpu")
    v[2] = value
    assert v.to_dict() == {0: 1, 1: 1, 2: value, 3: 1}
