"""Operators on complex numbers: the Python text beside NumPy, the laws, the dtypes, and machine code for each."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numba
import numpy as np
import pytest

from graphla.engine.cuda.source import HEADERS, read
from semirings import DomainError, binary, cuda, laws, monoid, python, semiring, unary, unify
from semirings.dtypes import BOOL, COMPLEX, FC32, FC64, FP32, FP64, INT16, INT32, INT64, DType
from semirings.operators import ScalarOp
from semirings.python import evaluate
from tests.nvrtc import compile_kernel, load_library

SAMPLES = (1.5 - 2j, -0.5 + 1j, 2 + 0j, -3j, 0.25 + 0.25j)
NAMES = {"ainv": "negative", "minv": "reciprocal", "conj": "conj", "creal": "real", "cimag": "imag", "carg": "angle"}
FUNCTIONS = ("sqrt", "exp", "exp2", "log", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh", "abs")
TWO = {"plus": "add", "minus": "subtract", "times": "multiply", "truediv": "divide", "pow": "power", "eq": "equal"}


def run(op: ScalarOp, dtype: DType, *operands: complex) -> tuple[complex, complex]:
    """An operator by Python's numbers and by Numba."""
    count = len(operands)
    scope: dict[str, Any] = {"np": np, "math": math}
    exec(python.render_function(op, "function", [dtype] * count), scope)
    kind = np.dtype(dtype.numpy).type
    return evaluate(op, [dtype] * count)(*operands), numba.njit(scope["function"])(*map(kind, operands))


@pytest.mark.parametrize("dtype", COMPLEX, ids=repr)
def test_functions_of_one_number_are_those_of_numpy(dtype: DType) -> None:
    tolerance = 1e-5 if dtype is FC32 else 1e-13
    for name in (*NAMES, *FUNCTIONS):
        wanted = getattr(np, NAMES.get(name, name))(np.array(SAMPLES))
        for z, value in zip(SAMPLES, wanted.tolist(), strict=True):
            assert run(unary[name], dtype, z) == pytest.approx((value, value), rel=tolerance, abs=tolerance), (name, z)


@pytest.mark.parametrize("dtype", COMPLEX, ids=repr)
def test_functions_of_two_numbers_are_those_of_numpy(dtype: DType) -> None:
    tolerance = 1e-5 if dtype is FC32 else 1e-13
    for name, numpy in TWO.items():
        for z, w in pairwise(SAMPLES):
            value = getattr(np, numpy)(np.complex128(z), np.complex128(w)).item()
            assert run(binary[name], dtype, z, w) == pytest.approx((value, value), rel=tolerance), (name, z, w)


def test_dtypes_of_results() -> None:
    common = [unify(FC32, other) for other in (BOOL, INT16, INT32, FP32, FP64, FC64)]
    assert common == [FC32, FC32, FC64, FC32, FC64, FC64]
    assert [unary[name].result_type(FC32) for name in ("abs", "creal", "cimag", "carg", "conj")] == [*[FP32] * 4, FC32]
    assert [unary[name].result_type(INT32) for name in ("creal", "cimag", "carg", "conj")] == [FP64, FP64, FP64, INT32]
    assert (binary.cmplx.result_type(FP32, FP32), binary.cmplx.result_type(INT32, FP32)) == (FC32, FC64)
    assert binary.eq.result_type(FC64, FC64) is BOOL
    assert semiring.plus_times.result_type(FC32, FP64) is FC64
    assert semiring.plus_pair.result_type(FC32, FC32) is INT64
    assert evaluate(binary.cmplx, [FP64, FP64])(1, 2) == 1 + 2j


def test_what_needs_an_order_or_bits_is_refused() -> None:
    for op in (binary.lt, binary.min, binary.mod, binary.bor, binary.absdiff, binary.atan2, unary.floor, unary.signum):
        with pytest.raises(DomainError, match=r"has no meaning on FC64|its domain is"):
            op.result_type(*[FC64] * len(op.arguments))
    for name in ("min", "max", "bor"):
        with pytest.raises(DomainError):
            monoid[name].result_type(FC32)
    with pytest.raises(DomainError, match="min_plus on FC64, FC64"):
        semiring.min_plus.result_type(FC64, FC64)


@pytest.mark.parametrize("name", ["plus", "times", "any"])
def test_monoids_keep_their_laws(name: str) -> None:
    assert laws.check(monoid[name], FC64) == []


def test_the_field_keeps_its_laws() -> None:
    assert laws.check(semiring.plus_times, FC64) == []
    assert laws.check(binary.minus, FC64, every=True)[0].law == "commutativity"


@pytest.mark.skipif(load_library() is None, reason="needs the package nvidia-cuda-nvrtc")
def test_every_operator_compiles() -> None:
    """Machine code for sm_90 of each operator on each complex type, casts to every kind of type among them."""
    texts, uses = [read(HEADERS / "primitives/complex.cuh")], []
    for dtype in COMPLEX:
        for op in (*unary.values(), *(op for op in binary.values() if not op.positional)):
            try:
                render = cuda.render_unary if len(op.arguments) == 1 else cuda.render_binary
                texts.append(render(op, *[dtype] * len(op.arguments), struct=f"S{len(uses)}"))
            except DomainError:
                continue
            uses.append(f"  S{len(uses)}::apply({', '.join([f'{dtype.c}{{1, 2}}'] * len(op.arguments))});")
        for out in (BOOL, INT64, FP32, FC32, FC64):
            texts.append(cuda.render_unary(unary.identity, dtype, out, struct=f"S{len(uses)}"))
            uses.append(f"  S{len(uses)}::apply({dtype.c}{{1, 2}});")
    body = "\n".join(uses)
    assert len(uses) > 60
    assert compile_kernel("".join(texts) + f"__global__ void every() {{\n{body}\n}}\n", "every").size > 0
