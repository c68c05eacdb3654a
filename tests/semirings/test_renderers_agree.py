"""The CUDA text and the Python text compute the same, whoever runs them: every operator on every type."""

import math
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
import scipy.special
from host_program import Program
from rendered_cases import Case, list_accepted, list_cases

from semirings import binary, indexunary, python, unary
from semirings.dtypes import BOOL, FP32, FP64, INT8, INT32, INT64, UINT64, Number
from semirings.expression import trace
from semirings.operators import BinaryOp
from semirings.python import evaluate

CASES = list_cases()
ON_ARRAYS = SimpleNamespace(
    erf=scipy.special.erf,
    erfc=scipy.special.erfc,
    gamma=scipy.special.gamma,
    lgamma=scipy.special.gammaln,
    ldexp=np.ldexp,
    frexp=np.frexp,
)
"""The functions of `math` that rendered text calls, on NumPy's scalars and without errors."""


def find_differences(case: Case, results: Iterable[Number], reference: Callable[..., Number]) -> list[str]:
    """What is not as the reference says, as text."""
    rows = zip(case.list_operands(), results, strict=True)
    wanted = [(row, got, reference(*row)) for row, got in rows]
    return [f"{case} of {row}: {got!r}, not {want!r}" for row, got, want in wanted if not case.agree(got, want)]


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize(
    "flags",
    [("-O1",), ("-O0", "-fsanitize=undefined,address,float-cast-overflow", "-fno-sanitize-recover=all")],
    ids=["plain", "sanitized"],
)
def test_cuda_text_computes_what_python_text_computes(flags: tuple[str, ...], tmp_path: Path) -> None:
    """Undefined behaviour ends the sanitized program, and with it the test."""
    results = Program(CASES).run(tmp_path, *flags)
    wrong = [
        line
        for case, result in zip(CASES, results, strict=True)
        for line in find_differences(case, result, evaluate(case.op, case.given, case.out))
    ]
    assert not wrong, "\n".join(wrong[:20])


def run_case(case: Case, function: Callable[..., Any]) -> list[Number]:
    """The results of a function on NumPy's scalars."""
    kinds = [np.dtype(t.numpy).type for t in case.types]
    with np.errstate(all="ignore"):
        results = [function(*(kind(v) for kind, v in zip(kinds, row, strict=True))) for row in case.list_operands()]
    return [r.item() if isinstance(r, np.generic) else r for r in results]


def compile_case(case: Case, modules: Any = math) -> Callable[..., Any]:
    scope: dict[str, Any] = {"np": np, "math": modules}
    exec(python.render_function(case.op, "function", case.given, case.out), scope)
    return scope["function"]


def test_python_text_on_numpy_scalars() -> None:
    """The stand-ins for NumPy, on which the laws rest, compute what NumPy does."""
    wrong: list[str] = []
    for case in CASES:
        reference = evaluate(case.op, case.given, case.out)
        wrong += find_differences(case, run_case(case, compile_case(case, ON_ARRAYS)), reference)
    # NumPy takes the square root for a power of one half, which differs from C's power there alone.
    wrong = [line for line in wrong if not ("pow" in line and "-inf" in line and "0.5" in line)]
    # SciPy's logarithm of the gamma function is infinite for the smallest number, and negative at minus infinity.
    wrong = [line for line in wrong if not ("lgamma" in line and ("(-inf,)" in line or "(5e-324,)" in line))]
    assert not wrong, "\n".join(wrong[:20])


def make_binary(name: str, function: Callable[..., Any]) -> BinaryOp:
    return BinaryOp(name, trace(function, ("x", "y")))


WRAPPING = [
    make_binary("less_after_adding", lambda x, y: x + y < x),
    make_binary("distance_within", lambda x, y: abs(x - y) <= 7),
    make_binary("back_again", lambda x, y: (x * y) // y == x),
    make_binary("negative_of_negative", lambda x, y: (-x < 0) ^ (x > y)),
]
"""Expressions that a compiler gets wrong if it takes it that no sum overflows."""


def list_covering_cases() -> list[Case]:
    """Each primitive on a type of each kind, and the casts between kinds."""
    kinds = (BOOL, INT32, INT64, UINT64, FP32)
    binaries = [op for op in binary.values() if not op.positional]
    found = [case for op in binaries for t in kinds for case in list_accepted(op, (t, t))]
    found += [case for t in (*kinds, INT8, FP64) for out in kinds for case in list_accepted(unary.identity, (t,), out)]
    found += [case for op in unary.values() for t in (INT64, FP32) for case in list_accepted(op, (t,))]
    found += [case for op in indexunary.values() for case in list_accepted(op, (FP64, INT64))]
    found += [case for op in WRAPPING for case in list_accepted(op, (INT64, INT64))]
    return [*found, *list_accepted(binary.firstj, (INT32, FP32))]


COVERING = list_covering_cases()


def test_python_text_compiled_by_numba() -> None:
    wrong: list[str] = []
    for case in COVERING:
        signature = tuple(numba.from_dtype(np.dtype(t.numpy)) for t in case.types)
        compiled = numba.njit(signature)(compile_case(case))
        returned = numba.types.unliteral(compiled.nopython_signatures[0].return_type)
        assert returned == numba.from_dtype(np.dtype(case.out.numpy)), case
        wrong += find_differences(case, run_case(case, compiled), evaluate(case.op, case.given, case.out))
    assert not wrong, "\n".join(wrong[:20])
