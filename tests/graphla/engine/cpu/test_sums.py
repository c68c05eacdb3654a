"""Sums by NumPy have the bits of kernels: negative zeros, infinities, long rows, whole numbers that wrap around."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.engine.cpu.late import LateKernel, compile_at_once
from graphla.engine.cpu.sums import has_plain_products
from semirings import semiring
from semirings.dtypes import lookup

N = 200


@pytest.fixture(autouse=True)
def machine_code() -> None:
    """Here kernels are interpreted."""


def draw(bits: np.random.Generator, dtype: str, shape: int | tuple[int, int]) -> Any:
    """Numbers of which sums depend on their order, and some that show how a sum began."""
    if dtype.startswith("f"):
        found = bits.standard_normal(shape) * 10.0 ** bits.integers(-3, 4, shape)
        found[bits.random(shape) < 0.3] = -0.0
        found[bits.random(shape) < 0.01] = np.inf
        return found.astype(dtype)
    return bits.integers(-(2**62), 2**62, shape).astype(dtype)


CALLS: dict[str, Callable[[gl.Matrix, gl.Matrix], Any]] = {
    "rows": lambda A, X: A.reduce_rowwise("plus").new(),
    "columns": lambda A, X: A.T.new().reduce_rowwise("plus").new(),
    "plus_times": lambda A, X: semiring.plus_times(A @ X).new(),
    "plus_second": lambda A, X: semiring.plus_second(A @ X).new(),
    "plus_second of flags": lambda A, X: semiring.plus_second(A.dup("BOOL") @ X).new(),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint64", "int8"])
@pytest.mark.parametrize("name", CALLS)
def test_sums_have_the_bits_of_machine_code(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bits = np.random.default_rng(seed := secrets.randbits(32))
    ends = bits.integers(0, N, 2000), np.minimum(bits.geometric(0.02, 2000), N - 1)
    A = gl.Matrix.from_coo(*ends, draw(bits, dtype, 2000), nrows=N, ncols=N, dup_op="first", engine="cpu")
    X = gl.Matrix.from_dense(draw(bits, dtype, (N, 3)), engine="cpu")
    with compile_at_once():
        compiled = [part.tobytes() for part in CALLS[name](A, X).to_coo()]
    seen = list[Any]()
    monkeypatch.setattr(LateKernel, "__call__", lambda self, *args: seen.append(self) or self.interpret(*args))
    assert [part.tobytes() for part in CALLS[name](A, X).to_coo()] == compiled, f"seed {seed}"
    assert seen


def test_sums_of_other_dtypes_are_left_to_kernels() -> None:
    single, double = lookup("FP32"), lookup("FP64")
    assert has_plain_products(semiring.plus_times, double, double, double)
    assert not has_plain_products(semiring.plus_times, single, double, double)
    assert not has_plain_products(semiring.plus_second, single, single, double)
    assert not has_plain_products(semiring.min_plus, double, double, double)
    assert not has_plain_products(semiring.plus_times, lookup("BOOL"), lookup("BOOL"), lookup("BOOL"))
