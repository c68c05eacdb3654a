"""Every shipped operator on every type that it accepts, with operands at the edges of the types."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from semirings import DomainError, binary, indexunary, unary
from semirings.dtypes import COMPLEX, FP32, FP64, INT64, REAL, DType, Number
from semirings.expression import symbols
from semirings.nodes import Call, Expression
from semirings.operators import ScalarOp

INEXACT = frozenset(
    {
        "cbrt",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
    }
    | {"sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "atan2", "hypot", "pow", "erf", "erfc", "lgamma", "tgamma"}
)
"""Primitives that libraries round differently: to a few units in the last place."""


@dataclass(frozen=True)
class Case:
    """An operator on types; `types` holds those of all its parameters."""

    op: ScalarOp
    given: tuple[DType, ...]
    out: DType

    @property
    def types(self) -> list[DType]:
        types = self.op.symbol_types(*self.given)
        return [types[name] for name in self.op.arguments]

    def list_operands(self) -> list[tuple[Number, ...]]:
        """Tuples of operands; the positions and what is not read are held at one value."""
        read = symbols(self.op.body)
        types = self.op.symbol_types(*self.given)
        return list(
            product(*(list_edges(types[n]) if n in read else list_edges(types[n])[:1] for n in self.op.arguments))
        )

    def agree(self, a: Number, b: Number) -> bool:
        """Whether two results are the same, up to the rounding of inexact primitives."""
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        if a == b or not is_inexact(self.op.body):
            return a == b
        epsilon = 2.0**-23 if FP32 in (self.out, *self.given) else 2.0**-52
        near_zero = 8 * epsilon if self.op.name == "lgamma" else 0  # between the poles it is a sum that cancels
        return math.isclose(a, b, rel_tol=8 * epsilon, abs_tol=near_zero if self.out.kind == "f" else 1)

    def __str__(self) -> str:
        return f"{self.op!r} {' '.join(t.name for t in self.given)} -> {self.out}"


def is_inexact(expression: Expression) -> bool:
    return isinstance(expression, Call) and (
        expression.op in INEXACT or any(is_inexact(arg) for arg in expression.args)
    )


def list_edges(t: DType) -> list[Number]:
    """The ends of a type, the values about zero, and some in between."""
    if t.kind == "b":
        return [False, True]
    if t.kind == "f":
        largest, tiny = (3.4028234663852886e38, 1e-40) if t is FP32 else (1.7976931348623157e308, 5e-324)
        tiny = 1.401298464324817e-45 if t is FP32 else tiny
        return [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -2.5,
            7.0,
            -255.75,
            2.0**31,
            -(2.0**63),
            largest,
            tiny,
            math.inf,
            -math.inf,
            math.nan,
        ]
    low, high = int(t.min), int(t.max)
    return sorted(
        {
            low,
            low + 1,
            high - 1,
            high,
            0,
            1,
            2,
            5,
            7,
            max(low, -1),
            max(low, -2),
            max(low, -7),
            t.bits - 1,
            t.bits,
        }
    )


def list_accepted(op: ScalarOp, given: tuple[DType, ...], out: DType | None = None) -> Iterator[Case]:
    try:
        natural = op.result_type(*given)
    except DomainError:
        return
    if natural in COMPLEX:  # tests/semirings/test_complex_operators.py
        return
    yield Case(op, given, out or natural)


def list_cases() -> list[Case]:
    """Every operator on every type, some on two types, and every cast."""
    found: list[Case] = []
    for t in REAL:
        found += [case for op in unary.values() for case in list_accepted(op, (t,))]
        found += [case for op in binary.values() if not op.positional for case in list_accepted(op, (t, t))]
        found += [case for op in indexunary.values() for case in list_accepted(op, (t, t if t is not FP64 else INT64))]
        found += [case for out in REAL for case in list_accepted(unary.identity, (t,), out)]
    found += [case for op in binary.values() if op.positional for case in list_accepted(op, (FP32, FP32))]
    mixed = [t for t in product(REAL, REAL) if t[0] != t[1]]
    found += [case for op in (binary.plus, binary.min, binary.lt) for t in mixed for case in list_accepted(op, t)]
    return found
