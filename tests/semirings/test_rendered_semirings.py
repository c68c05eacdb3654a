"""The text of whole semirings: what engines read in it."""

from typing import Any

import numpy as np
import pytest

from semirings import DomainError, Monoid, Semiring, any_pair, binary, cuda, min_plus, monoid, python, semiring
from semirings.dtypes import BOOL, FP32, INT32, INT64, REAL, UINT8, DType
from semirings.python import evaluate

MIN_PLUS = """\
struct S {
  using A = float; using B = float; using C = float;
  static __device__ __forceinline__ C mul(A x, B y, long long i, long long k, long long j) {
    const float t0 = x + y;
    return t0;
  }
  static __device__ __forceinline__ C add(C x, C y) {
    const float t0 = fminf(x, y);
    return t0;
  }
  static __device__ __forceinline__ C identity() {
    return __int_as_float(0x7f800000);
  }
  static __device__ __forceinline__ bool is_terminal(C x) {
    return x == -__int_as_float(0x7f800000);
  }
  static constexpr bool has_terminal = true;
  static constexpr bool is_any = false;
  static constexpr int kind = 2;  // min
  static constexpr bool reads_a = true;
  static constexpr bool reads_b = true;
};
"""


def run_module(s: Semiring, a: object, b: object, out: object = None) -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(python.render_semiring(s, a, b, out), scope)
    return scope


def test_the_text_for_cuda() -> None:
    assert cuda.render_semiring(min_plus, FP32, FP32) == MIN_PLUS


@pytest.mark.parametrize("dtype", REAL, ids=repr)
def test_modules_for_numba(dtype: DType) -> None:
    """The product and the sum of every semiring are those of its two operators, cast to the type of the result."""
    one = np.dtype(dtype.numpy).type(1)
    for s in semiring.values():
        try:
            out = s.result_type(dtype, dtype)
        except DomainError:
            continue
        scope = run_module(s, dtype, dtype)
        positions = (7, 8, 9)
        arguments = (1, 1, *positions) if s.multiply.positional else (1, 1)
        with np.errstate(all="ignore"):
            product = scope["mul"](one, one, *(np.int64(p) for p in positions))
        assert product == evaluate(s.multiply, (dtype, dtype), out)(*arguments), s
        with np.errstate(all="ignore"):
            total = scope["add"](product, product)
        assert total == evaluate(s.add.op, (out, out), out)(product, product), s
        assert scope["IDENTITY"] == s.add.identity(out), s
        assert scope["HAS_TERMINAL"] == (s.add.is_any or s.add.terminal(out) is not None), s
        assert scope["IS_ANY"] == s.add.is_any, s


def test_a_product_may_be_added_in_another_type() -> None:
    scope = run_module(semiring.plus_times, "INT8", "INT8", "INT64")
    assert scope["mul"](np.int8(100), np.int8(1), 0, 0, 0).dtype == np.int64
    assert "using A = signed char; using B = signed char; using C = long long;" in cuda.render_semiring(
        semiring.plus_times, "INT8", "INT8", "INT64"
    )


@pytest.mark.parametrize(
    ("s", "dtype", "kind"),
    [
        (min_plus, INT32, "min"),
        (semiring.plus_times, FP32, "plus"),
        (semiring.plus_times, BOOL, "plus"),
        (semiring.max_min, BOOL, "lor"),
        (semiring.min_max, BOOL, "land"),
        (semiring.lor_land, UINT8, "lor"),
        (semiring.bor_band, UINT8, "other"),
        (semiring.eq_lor, BOOL, "other"),
        (any_pair, INT64, "any"),
        (Semiring("own", Monoid("min", binary.max, 0), binary.plus), INT32, "other"),
    ],
)
def test_the_kind_that_selects_an_atomic(s: Semiring, dtype: DType, kind: str) -> None:
    assert f"kind = {cuda.KINDS[kind]};  // {kind}\n" in cuda.render_semiring(s, dtype, dtype)


def test_what_a_struct_reads() -> None:
    reads = "reads_a = false;\n  static constexpr bool reads_b = true;"
    assert reads in cuda.render_semiring(semiring.min_second, FP32, FP32)
    assert "is_terminal(C) {\n    return true;" in cuda.render_semiring(any_pair, FP32, FP32)


def test_structs_of_operators() -> None:
    text = cuda.render_binary(binary.firsti1, FP32, FP32, struct="Row")
    assert text.startswith("struct Row {")
    assert "C apply(A x, B y, long long i, long long k, long long j)" in text
    assert "C apply(A x, B y) {" in cuda.render_binary(binary.plus, FP32, FP32)


def test_monoids_are_named_by_kind() -> None:
    assert set(cuda.KINDS) - {"other"} <= set(monoid)
