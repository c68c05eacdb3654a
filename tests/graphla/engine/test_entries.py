"""What works entry by entry agrees with the oracle: union, intersection, apply, select and folds."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from entry_oracle import (
    OneOf,
    are_same,
    assert_same,
    cast,
    intersect,
    list_keys,
    make_fold,
    transpose,
    unite,
)
from operands import FORMS, make_full_matrix, make_generator, make_matrix, make_skewed, make_vector, to_entries

import graphla as gl
from semirings import binary, indexunary, monoid, unary
from semirings.dtypes import lookup
from semirings.python import evaluate

PAIRS = [
    ("plus", "INT32", "INT32"),
    ("minus", "FP32", "INT32"),
    ("first", "UINT8", "UINT8"),
    ("second", "INT64", "INT64"),
    ("lt", "INT16", "INT16"),
    ("max", "FP64", "FP64"),
    ("lxor", "BOOL", "BOOL"),
]


def make_scalar_op(op: Any, a: str, b: str, out: Any) -> Any:
    return evaluate(op, [lookup(a), lookup(b)], out)


@pytest.mark.parametrize(("name", "a", "b"), PAIRS)
def test_union_and_intersection_of_vectors(engine: Any, name: str, a: str, b: str) -> None:
    rng, op = make_generator(name, a), binary[name]
    for left, right in product(FORMS, FORMS):
        x, y = make_vector(engine, rng, a, 150, left), make_vector(engine, rng, b, 150, right)
        both = op(x.held & y.held)
        f = make_scalar_op(op, a, b, both.dtype)
        assert_same(to_entries(both.new()), intersect(x.entries, y.entries, f), f"{name} & {left} {right}")
        either = op(x.held | y.held)
        to = {key: cast(v.entries, v.dtype, either.dtype.name) for key, v in (("x", x), ("y", y))}
        f = make_scalar_op(op, a, b, either.dtype)
        wanted = {**to["x"], **to["y"], **intersect(x.entries, y.entries, f)}
        assert_same(to_entries(either.new()), wanted, f"{name} | {left} {right}")
        filled = x.held.ewise_union(y.held, op, 1, 2)
        f, (p, q) = make_scalar_op(op, a, b, filled.dtype), (lookup(a).kind == "b", lookup(b).kind == "b")
        ones = (
            (True if p else 1.0 if lookup(a).kind == "f" else 1),
            (True if q else 2.0 if lookup(b).kind == "f" else 2),
        )
        keys = x.entries.keys() | y.entries.keys()
        wanted = {k: f(x.entries.get(k, ones[0]), y.entries.get(k, ones[1])) for k in keys}
        assert_same(to_entries(filled.new()), wanted, f"{name} union {left} {right}")


def test_union_and_intersection_of_matrices(engine: Any) -> None:
    rng = make_generator("matrices")
    makes = [
        lambda: make_matrix(engine, rng, "FP32", (30, 40), 0.2),
        lambda: make_full_matrix(engine, rng, "FP32", (30, 40)),
    ]
    for make, other in product(makes, makes):
        A, B = make(), other()
        f = make_scalar_op(binary.minus, "FP32", "FP32", lookup("FP32"))
        assert_same(to_entries(binary.minus(A.held & B.held).new()), intersect(A.entries, B.entries, f), "&")
        assert_same(to_entries(binary.minus(A.held | B.held).new()), unite(A.entries, B.entries, f), "|")
    A, B = make_matrix(engine, rng, "FP32", (30, 40)), make_matrix(engine, rng, "FP32", (40, 30))
    turned = transpose(B.entries)
    assert_same(to_entries(binary.minus(A.held & B.held.T).new()), intersect(A.entries, turned, f), "& T")


def test_union_at_the_places_of_a_sparse_mask(engine: Any) -> None:
    rng = make_generator("at")
    for left, right in product(FORMS, FORMS):
        x, y = make_vector(engine, rng, "INT32", 150, left), make_vector(engine, rng, "INT32", 150, right)
        M, w = make_vector(engine, rng, "BOOL", 150, "sparse"), gl.Vector("INT32", 150, engine=engine)
        w(M.held.S, replace=True) << binary.plus(x.held | y.held)
        wanted = {k: v for k, v in unite(x.entries, y.entries, lambda p, q: p + q).items() if k in M.entries}
        assert_same(to_entries(w), wanted, f"{left} {right}")


MAPS = [
    (unary.ainv, "INT8", None, False),
    (unary.abs, "FP32", None, False),
    (unary.lnot, "BOOL", None, False),
    (unary.minv, "FP64", None, False),
    (binary.plus, "INT32", 3, False),
    (binary.minus, "FP32", 2.5, True),
    (binary.minus, "UINT16", 2, False),
    (binary.gt, "INT64", 0, False),
    (binary.times, "UINT8", 1000, False),
    (indexunary.rowindex, "FP32", 1, False),
    (indexunary.colindex, "INT32", 0, False),
]


@pytest.mark.parametrize(("op", "dtype", "bound", "left"), MAPS, ids=lambda part: getattr(part, "name", str(part)))
def test_apply(engine: Any, op: Any, dtype: str, bound: Any, left: bool) -> None:
    rng = make_generator(op.name, dtype)
    of = [make_vector(engine, rng, dtype, 90, form) for form in FORMS]
    of += [make_matrix(engine, rng, dtype, (20, 30), 0.2), make_full_matrix(engine, rng, dtype, (9, 11))]
    for x in of:
        side = {} if bound is None else {"left": bound} if left else {"right": bound}
        expression = x.held.apply(op, **side)
        wanted = {key: apply(op, dtype, bound, left, value, key, expression) for key, value in x.entries.items()}
        assert_same(to_entries(expression.new()), wanted, f"{op.name} {dtype} of {type(x.held._storage).__name__}")


def apply(op: Any, dtype: str, bound: Any, left: bool, value: Any, key: Any, expression: Any) -> Any:
    """One entry."""
    if op in unary.values():
        return evaluate(op, [lookup(dtype)], expression.dtype)(value)
    own = lookup(dtype)
    beside = lookup("INT64") if own.kind in "iu" or bound == 1000 else own
    if op in indexunary.values():
        i, j = key if isinstance(key, tuple) else (key, 0)
        return evaluate(op, [own, beside], expression.dtype)(value, i, j, bound)
    (a, x), (b, y) = ((beside, bound), (own, value)) if left else ((own, value), (beside, bound))
    return evaluate(op, [a, b], expression.dtype)(x, y)


@pytest.mark.parametrize(("name", "thunk"), [("tril", 1), ("triu", 0), ("diag", -1), ("valuegt", 1), ("rowle", 5)])
def test_select(engine: Any, name: str, thunk: int) -> None:
    rng, op = make_generator(name), indexunary[name]
    for x in (
        make_matrix(engine, rng, "INT32", (25, 30), 0.3),
        make_full_matrix(engine, rng, "INT32", (9, 11)),
        *(make_vector(engine, rng, "INT32", 90, form) for form in FORMS),
    ):
        holds = evaluate(op, [lookup("INT32"), lookup("INT32")])
        wanted = {k: v for k, v in x.entries.items() if holds(v, *(k if isinstance(k, tuple) else (k, 0)), thunk)}
        assert_same(to_entries(x.held.select(op, thunk).new()), wanted, f"{name} of {type(x.held._storage).__name__}")


FOLDS = [
    ("plus", "INT32"),
    ("plus", "FP64"),
    ("min", "FP32"),
    ("max", "INT8"),
    ("times", "UINT16"),
    ("land", "BOOL"),
    ("lor", "BOOL"),
    ("lxor", "BOOL"),
    ("any", "INT64"),
    ("bor", "UINT8"),
]


@pytest.mark.parametrize(("name", "dtype"), FOLDS)
def test_folds(engine: Any, name: str, dtype: str) -> None:
    rng, op = make_generator(name, dtype), monoid[name]
    fold = make_fold(op, lookup(dtype))
    of = make_skewed(engine, rng, dtype, (40, 3000), [2500, 100, 40, 0])
    for A in (of, make_full_matrix(engine, rng, dtype, (7, 90))):
        for axis, held in ((1, A.held.reduce_rowwise(op)), (0, A.held.reduce_columnwise(op))):
            groups: dict[int, list[Any]] = {}
            for key, value in A.entries.items():
                groups.setdefault(key[1 - axis], []).append(value)
            wanted = {k: fold(values) for k, values in groups.items()}
            assert_same(to_entries(held.new()), wanted, f"{name} {dtype} axis {axis}")
        whole = fold(list(A.entries.values()))
        assert are_same(A.held.reduce_scalar(op).new().value, whole)
    for form in FORMS:
        v = make_vector(engine, rng, dtype, 9000, form)
        assert are_same(v.held.reduce(op).new().value, fold(list(v.entries.values())))
    assert gl.Vector(dtype, 5, engine=engine).reduce(op).new().is_empty


def test_kronecker_and_transpose(engine: Any) -> None:
    rng = make_generator("kronecker")
    A, B = make_matrix(engine, rng, "INT32", (7, 5), 0.3), make_matrix(engine, rng, "INT32", (4, 6), 0.3)
    wanted = {(i * 4 + k, j * 6 + m): x * y for (i, j), x in A.entries.items() for (k, m), y in B.entries.items()}
    assert_same(to_entries(A.held.kronecker(B.held).new()), wanted, "kronecker")
    assert_same(to_entries(A.held.T.new()), transpose(A.entries), "transpose")
    F = make_full_matrix(engine, rng, "INT16", (7, 5))
    assert_same(to_entries(F.held.T.new()), transpose(F.entries), "full transpose")


def test_values_outside_an_integer_have_a_meaning(engine: Any) -> None:
    """A cast holds floats at the ends of an integer type; NaN becomes 0."""
    given = [np.nan, np.inf, -np.inf, 1e30, -1e30, 2.9, -2.9]
    v = gl.Vector.from_coo(range(7), np.array(given), "FP64", size=7, engine=engine)
    ends = lookup("INT32")
    out = gl.Vector("INT32", 7, engine=engine)
    out << v
    assert list(out.to_dict().values()) == [0, ends.max, ends.min, ends.max, ends.min, 2, -2]


def test_every_dtype_comes_and_goes(engine: Any) -> None:
    rng = make_generator("dtypes")
    for a, b in product(("BOOL", "INT8", "UINT16", "INT64", "FP32"), ("INT16", "UINT32", "UINT64", "FP64", "BOOL")):
        v = make_vector(engine, rng, a, 60, "bitmap")
        out = gl.Vector(b, 60, engine=engine)
        out << v.held
        assert_same(to_entries(out), cast(v.entries, a, b), f"{a} to {b}")


def test_a_union_of_truths_with_gaps_is_cast(engine: Any) -> None:
    """Where neither operand has an entry, the value is a truth all the same, whatever memory held before."""
    n = 64
    _ = [gl.Vector.from_scalar(-1, n, "INT8", engine=engine) for _ in range(4)]  # leaves bytes that are no truths
    left, right = (gl.Vector.from_coo(range(at, n, 3), 1, "INT64", size=n, engine=engine) for at in (0, 1))
    out = gl.Vector("INT64", n, engine=engine)
    out << binary.lt(left | right)
    assert out.to_dict() == dict.fromkeys((i for i in range(n) if i % 3 < 2), 1)


def test_the_oracle_tells_what_is_wrong() -> None:
    """A value, a missing and a needless entry are each reported."""
    for wrong in ({0: 1}, {0: 1, 1: 3}, {0: 1, 1: 2, 2: 0}):
        with pytest.raises(AssertionError, match="oracle"):
            assert_same(wrong, {0: 1, 1: 2}, "oracle")
    assert_same({0: 2}, {0: OneOf(frozenset({1, 2}))}, "any")
    assert list(list_keys((2, 1))) == [(0, 0), (1, 0)]
