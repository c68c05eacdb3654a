"""Special functions, remainders and single bits on each engine, beside plain Python on fresh random operands."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from graphla import Matrix, Vector, binary, unary
from semirings import plus_absfirst

RANDOM = np.random.default_rng()
SIZE = 300


def draw(kind: str, engine: Any) -> Vector:
    """A full vector of numbers of a few units, or of any bits."""
    low, high = (-9, 9) if kind == "FP64" else (-128, 128)
    values = RANDOM.uniform(low, high, SIZE) if kind == "FP64" else RANDOM.integers(low, high, SIZE)
    return Vector.from_dense(values, dtype=kind, engine=engine)


def to_list(v: Vector) -> list[Any]:
    return np.asarray(v.engine.to_host(v.to_dense())).tolist()


def set_bit(x: int, y: int) -> int:
    """The integer `x` of any width with bit `y` set, counted from 1."""
    return x | (1 << (y - 1)) if 1 <= y <= 64 else x


REFERENCES: list[tuple[Any, str, Callable[..., float]]] = [
    (unary.tgamma, "FP64", math.gamma),
    (unary.frexpx, "FP64", lambda x: math.frexp(x)[0]),
    (binary.remainder, "FP64", math.remainder),
    (binary.ldexp, "FP64", lambda x, y: math.ldexp(x, int(y))),
    (binary.bset, "INT8", lambda x, y: set_bit(x, y) if y <= 8 else x),
]


def wrap(value: float, kind: str) -> float:
    """The value as the dtype holds it."""
    return value if kind == "FP64" else (int(value) + 128) % 256 - 128


@pytest.mark.parametrize(("op", "kind", "reference"), REFERENCES, ids=lambda each: getattr(each, "name", ""))
def test_values_are_those_of_plain_python(op: Any, kind: str, reference: Callable[..., float], engine: Any) -> None:
    operands = [draw(kind, engine) for _ in range(1 if op.sort == "unary" else 2)]
    found = op(operands[0] if op.sort == "unary" else operands[0] & operands[1]).new()
    assert found.dtype == kind
    wanted = [wrap(reference(*row), kind) for row in zip(*map(to_list, operands), strict=True)]
    assert np.allclose(to_list(found), wanted, rtol=1e-12, atol=0)


def test_a_product_of_absolute_values(engine: Any) -> None:
    values = RANDOM.integers(-50, 50, (7, 5)).astype(np.int32)
    A, v = Matrix.from_dense(values, engine=engine), Vector.from_dense(np.ones(5, np.int32), engine=engine)
    assert to_list(plus_absfirst(A @ v).new()) == np.abs(values).sum(axis=1).tolist()
