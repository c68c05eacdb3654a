"""A program for each row of the table in docs/coming_from.md, run with the names of either package.

Each program is an expression; what it gives, or the class of the error that it raises, stands beside it for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

NAMES = ("Matrix", "Vector", "Scalar", "agg", "binary", "indexunary", "monoid", "select", "semiring", "unary")
NAN = float("nan")


@dataclass(frozen=True)
class Difference:
    """What one program gives there, and what it or another one gives here."""

    theirs: Any
    ours: Any
    program: str
    here: str | None = None


def outcome(package: Any, program: str) -> Any:
    """What a program gives with the names of a package; the name of the class of the error that it raises."""
    names = {name: getattr(package, name) for name in NAMES}
    try:
        return eval(program, {**names, "package": package, "NAN": NAN, "np": np})
    except Exception as error:
        return type(error).__name__


def write_program(target: str, statement: str) -> str:
    """A program that makes a container `c`, writes into it and reads it."""
    return f"(c := {target}, {statement}, c.to_dict())[-1]"


DIFFERENCES = {
    "integer `min_plus`, `max_plus`": Difference(
        {0: -56},
        {0: 127},
        'semiring.min_plus(Matrix.from_coo([0], [0], [100], "INT8") @ Vector.from_coo([0], [100], "INT8"))'
        ".new().to_dict()",
    ),
    "`asin`, `acos`, `atan` and their hyperbolic kin of complex numbers": Difference(
        1, "DomainMismatch", "unary.asin(Vector.from_coo([0], [2j])).new().nvals"
    ),
    "complex entries written into a real container": Difference(
        {0: 1.0}, "DomainMismatch", write_program("Vector(float, 1)", "c.update(Vector.from_coo([0], [1 + 2j]))")
    ),
    "a number beside FP32 or UINT64: `v * 0.5`": Difference(
        ("FP64", "FP64"),
        ("FP32", "UINT64"),
        '((Vector.from_coo([0], [1], "FP32") * 0.5).new().dtype.name, '
        '(Vector.from_coo([0], [1], "UINT64") * 2).new().dtype.name)',
    ),
    "`agg.mean` and its kin of narrow integers": Difference(
        -28.0, 100.0, 'Vector.from_coo([0, 1], [100, 100], "INT8").reduce(agg.mean).new().value'
    ),
    "`agg.count_nonzero`, `agg.count_zero` of narrow integers": Difference(
        "INT8", "INT64", 'Vector.from_coo([0], [1], "INT8").reduce(agg.count_nonzero).new().dtype.name'
    ),
    "`min` and `max` over NaN and nothing else": Difference(
        "nan", "inf", "str(Vector.from_coo([0], [NAN]).reduce(monoid.min).new().value)"
    ),
    "`floor`, `ceil`, `round`, `trunc`, `signum` of integers": Difference(
        "FP64", "INT64", "unary.floor(Vector.from_coo([0], [3])).new().dtype.name"
    ),
    "`plus` on BOOL, and so `v.reduce()` and `plus_times`": Difference(
        "KeyError", 2, "Vector.from_coo([0, 1], True).reduce().new().value"
    ),
    "`isnan`, `isinf` of integers": Difference(
        "KeyError", {0: False}, "unary.isnan(Vector.from_coo([0], [3])).new().to_dict()"
    ),
    "`isfinite`, `frexpe`, `frexpx` of integers, `conj` of real numbers": Difference(
        "KeyError",
        {0: 3},
        "(unary.isfinite(Vector.from_coo([0], [3])), unary.conj(Vector.from_coo([0], [3])))[1].new().to_dict()",
    ),
    "`monoid.band` and its kin of signed integers": Difference(
        "KeyError", 2, "Vector.from_coo([0, 1], [3, 2]).reduce(monoid.band).new().value"
    ),
    "positions of INT32 operands: `min_firsti`, `any_secondj`": Difference(
        "INT32",
        "INT64",
        "(lambda A: semiring.ss.min_firsti(A @ A).new().dtype.name)(Matrix.from_coo([0], [0], [1], 'INT32'))",
    ),
    "`dtypes.BOOL == object()`": Difference("TypeError", False, "Vector(bool, 1).dtype == object()"),
    "the order of dtypes, as in `sorted`": Difference(
        ["FP32", "INT8"],
        ["INT8", "FP32"],
        "[t.name for t in sorted(Vector(name, 1).dtype for name in ('INT8', 'FP32'))]",
    ),
    "`semiring.min_plus.binaryop`": Difference("plus", "tropical_plus", "semiring.min_plus.binaryop.name"),
    "`binary.div`, `semiring.plus_div`": Difference(
        (False, False), (True, True), "(hasattr(binary, 'div'), hasattr(semiring, 'plus_div'))"
    ),
    "`dtype.np_type`": Difference("int8", "AttributeError", "str(Vector('INT8', 1).dtype.np_type)"),
    '`config["autocompute"]`': Difference(True, "TypeError", "package.config['autocompute']"),
    "`op[dtype]`, where the operator has no meaning on the dtype": Difference(
        "KeyError", "DomainError", "binary.min['FC64'].name"
    ),
    "`lxnor` of numbers": Difference(
        "BOOL", "INT64", "binary.lxnor(Vector.from_coo([0], [3]) & Vector.from_coo([0], [2])).new().dtype.name"
    ),
    "`indexunary.diagindex(A, s)`": Difference(
        {0: {2: 1}}, {0: {2: 3}}, "indexunary.diagindex(Matrix.from_coo([0], [2], [1]), 1).new().to_dicts()"
    ),
    "`binary.ldexp` of floating-point numbers": Difference(
        "KeyError", {0: 12.0}, "binary.ldexp(Vector.from_coo([0], [1.5]) & Vector.from_coo([0], [3.0])).new().to_dict()"
    ),
    "`binary.bshift(v & w)` by 256": Difference(
        {0: 3}, {0: 0}, "binary.bshift(Vector.from_coo([0], [3]) & Vector.from_coo([0], [256])).new().to_dict()"
    ),
    "`A.power(n, lor_land)` of numbers": Difference(
        "INT64", "BOOL", "Matrix.from_coo([0], [0], [3]).power(2, semiring.lor_land).new().dtype.name"
    ),
    "`ewise_union` of INT8 with the defaults 0 and 0": Difference(
        "INT64",
        "INT8",
        'Vector.from_coo([0], [1], "INT8").ewise_union(Vector.from_coo([0], [2], "INT8"), binary.plus, 0, 0)'
        ".new().dtype.name",
    ),
    "`ewise_add` by `pair` of UINT64 and FP64": Difference(
        {0: 2**53 + 1, 1: 1},
        {0: 2.0**53, 1: 1.0},
        'Vector.from_coo([0], [2**53 + 1], "UINT64", size=2).ewise_add(Vector.from_coo([1], [1.0]), binary.pair)'
        ".new().to_dict()",
    ),
    "`A.setdiag(x, k, mask=~m)` beside the main diagonal": Difference(
        "ValueError",
        {1: {2: 7}},
        "(A := Matrix(int, 3, 3), A.setdiag(7, 1, mask=~Vector.from_coo([0], True, size=2).S), A.to_dicts())[-1]",
    ),
    "expressions of Scalars": Difference("ScalarExpression", "Scalar", "type(Scalar.from_value(5) + 1).__name__"),
    "a value that its dtype does not hold: 300 as INT8, −1 as UINT8, 1.5 as an integer": Difference(
        {0: 44}, "ValueOutOfRange", write_program('Vector("INT8", 1)', "c.update(300)")
    ),
    "`dup(dtype)`, `to_coo(dtype=)`, `to_dense(dtype=)` and `Scalar.from_value(x, dtype)`, which convert by name": (
        Difference({0: 44}, "ValueOutOfRange", 'Vector.from_coo([0], [300]).dup("INT8").to_dict()')
    ),
    "a list of fractions as indices: `from_coo([1.7], …)`": Difference(
        {1: 3}, "BadIndices", "Vector.from_coo([1.7], [3]).to_dict()"
    ),
    "a fraction that positions are compared with: `select.row(A < 1.5)`, `select.tril(A, 1.5)`": Difference(
        {0: {0: 1}}, "DomainMismatch", "select.row(Matrix.from_coo([0, 1], [0, 0], 1) < 1.5).new().to_dicts()"
    ),
    "an index that an assignment names twice": Difference(
        {0: 5}, "GraphlaError", write_program("Vector(int, 3)", "c.__setitem__([0, 0], 5)")
    ),
    "`A.T.V`": Difference("AttributeError", 1, "Matrix.from_coo([0, 1], [1, 0], [True, False]).T.V.new().nvals"),
    "`C(accum=binary.plus[T])` with another dtype than that of C": Difference(
        {0: 1.0},
        "DomainMismatch",
        write_program("Vector.from_coo([0], [1.0])", "c(accum=binary.plus[int]).update(Vector.from_coo([0], [0.5]))"),
    ),
    "a typed aggregator: `agg.sum[int]` of fractions": Difference(
        0, 1, "Vector.from_coo([0, 1], [0.6, 0.6]).reduce(agg.sum[int]).new().value"
    ),
    "indices of `to_coo`": Difference("uint64", "int32", "str(Vector.from_coo([0], [1]).to_coo()[0].dtype)"),
    "an operator of one's own: `binary.register_new(name, function)`, `A.apply(lambda x: x + 1)`": Difference(
        {0: 4}, "TraceError", "Vector.from_coo([0], [4]).apply(lambda x: x if x > 0 else 0).new().to_dict()"
    ),
    "an aggregator of one's own": Difference(
        5,
        5,
        "agg.Aggregator('range', composite=[agg.max, agg.min], finalize=lambda p, q, opts: binary.minus(p & q), "
        "types=[agg.max])(Vector.from_coo([0, 1], [3, 8])).new().value",
        "agg.Aggregator.compose('range', [agg.max, agg.min], lambda p, q: p - q)(Vector.from_coo([0, 1], [3, 8]))"
        ".new().value",
    ),
    "which way a product goes": Difference(False, True, 'hasattr(Matrix(int, 1, 1).mxv(Vector(int, 1)), "explain")'),
}

ABSENT = {
    "unary": "numpy",
    "binary": "binom isclose numpy from_string",
    "": "ss Recorder viz init backend core MAX_SIZE",
}
"""What the list below the table says that is not here, by namespace."""
