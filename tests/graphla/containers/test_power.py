"""The power 0 is the identity of the product, also where ⊗ saturates."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.containers.power import ONES
from semirings import semiring

NAMES = sorted({"plus_times", "min_max", "lor_land"} | {s.name for s in semiring.values() if s.multiply in ONES})


@pytest.mark.parametrize("dtype", ["INT32", "UINT8", "FP32"])
@pytest.mark.parametrize("name", NAMES)
def test_the_power_0_changes_nothing(name: str, dtype: str) -> None:
    op, held = semiring[name], "BOOL" if name == "lor_land" else dtype
    A = gl.Matrix.from_coo([0, 0, 2], [1, 2, 0], [1, 0, 3], held, nrows=3, ncols=3)
    one = A.power(0, op).new()
    assert one.nvals == 3
    assert op(one @ A).new().isequal(A)
    assert op(A @ one).new().isequal(A)
