"""What works entry by entry agrees with the oracle: union, intersection, apply, select, folds, parts, and the write."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from entry_oracle import (
    OneOf,
    allowance,
    assert_same,
    cast,
    every,
    folded,
    intersection,
    same,
    transposed,
    union,
    write,
)
from operands import FORMS, Operand, found, full_matrix, generator, matrix, skewed, vector

import graphla as gl
from semirings import binary, indexunary, monoid, unary
from semirings.dtypes import lookup
from semirings.python import evaluate

MASKS = (None, "S", "~S", "V", "~V")
PAIRS = [
    ("plus", "INT32", "INT32"),
    ("minus", "FP32", "INT32"),
    ("first", "UINT8", "UINT8"),
    ("second", "INT64", "INT64"),
    ("lt", "INT16", "INT16"),
    ("max", "FP64", "FP64"),
    ("lxor", "BOOL", "BOOL"),
]


def scalar_op(op: Any, a: str, b: str, out: Any) -> Any:
    return evaluate(op, [lookup(a), lookup(b)], out)


def viewed(M: Operand, kind: str) -> Any:
    view = M.held.S if kind.endswith("S") else M.held.V
    return ~view if kind.startswith("~") else view


@pytest.mark.parametrize(("name", "a", "b"), PAIRS)
def test_union_and_intersection_of_vectors(engine: Any, name: str, a: str, b: str) -> None:
    rng, op = generator(name, a), binary[name]
    for left, right in product(FORMS, FORMS):
        x, y = vector(engine, rng, a, 150, left), vector(engine, rng, b, 150, right)
        both = op(x.held & y.held)
        f = scalar_op(op, a, b, both.dtype)
        assert_same(found(both.new()), intersection(x.entries, y.entries, f), f"{name} & {left} {right}")
        either = op(x.held | y.held)
        to = {key: cast(v.entries, v.dtype, either.dtype.name) for key, v in (("x", x), ("y", y))}
        f = scalar_op(op, a, b, either.dtype)
        wanted = {**to["x"], **to["y"], **intersection(x.entries, y.entries, f)}
        assert_same(found(either.new()), wanted, f"{name} | {left} {right}")
        filled = x.held.ewise_union(y.held, op, 1, 2)
        f, (p, q) = scalar_op(op, a, b, filled.dtype), (lookup(a).kind == "b", lookup(b).kind == "b")
        ones = (
            (True if p else 1.0 if lookup(a).kind == "f" else 1),
            (True if q else 2.0 if lookup(b).kind == "f" else 2),
        )
        keys = x.entries.keys() | y.entries.keys()
        wanted = {k: f(x.entries.get(k, ones[0]), y.entries.get(k, ones[1])) for k in keys}
        assert_same(found(filled.new()), wanted, f"{name} union {left} {right}")


def test_union_and_intersection_of_matrices(engine: Any) -> None:
    rng = generator("matrices")
    makes = [lambda: matrix(engine, rng, "FP32", (30, 40), 0.2), lambda: full_matrix(engine, rng, "FP32", (30, 40))]
    for make, other in product(makes, makes):
        A, B = make(), other()
        f = scalar_op(binary.minus, "FP32", "FP32", lookup("FP32"))
        assert_same(found(binary.minus(A.held & B.held).new()), intersection(A.entries, B.entries, f), "&")
        assert_same(found(binary.minus(A.held | B.held).new()), union(A.entries, B.entries, f), "|")
    A, B = matrix(engine, rng, "FP32", (30, 40)), matrix(engine, rng, "FP32", (40, 30))
    turned = transposed(B.entries)
    assert_same(found(binary.minus(A.held & B.held.T).new()), intersection(A.entries, turned, f), "& T")


def test_union_at_the_places_of_a_sparse_mask(engine: Any) -> None:
    rng = generator("at")
    for left, right in product(FORMS, FORMS):
        x, y = vector(engine, rng, "INT32", 150, left), vector(engine, rng, "INT32", 150, right)
        M, w = vector(engine, rng, "BOOL", 150, "sparse"), gl.Vector("INT32", 150, engine=engine)
        w(M.held.S, replace=True) << binary.plus(x.held | y.held)
        wanted = {k: v for k, v in union(x.entries, y.entries, lambda p, q: p + q).items() if k in M.entries}
        assert_same(found(w), wanted, f"{left} {right}")


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
    rng = generator(op.name, dtype)
    of = [vector(engine, rng, dtype, 90, form) for form in FORMS]
    of += [matrix(engine, rng, dtype, (20, 30), 0.2), full_matrix(engine, rng, dtype, (9, 11))]
    for x in of:
        side = {} if bound is None else {"left": bound} if left else {"right": bound}
        expression = x.held.apply(op, **side)
        wanted = {key: applied(op, dtype, bound, left, value, key, expression) for key, value in x.entries.items()}
        assert_same(found(expression.new()), wanted, f"{op.name} {dtype} of {type(x.held.storage).__name__}")


def applied(op: Any, dtype: str, bound: Any, left: bool, value: Any, key: Any, expression: Any) -> Any:
    """One entry."""
    if op in unary.values():
        return evaluate(op, [lookup(dtype)], expression.dtype)(value)
    beside = lookup("INT64") if bound == 1000 else lookup(dtype)
    if op in indexunary.values():
        i, j = key if isinstance(key, tuple) else (key, 0)
        return evaluate(op, [lookup(dtype), beside], expression.dtype)(value, i, j, bound)
    pair = (bound, value) if left else (value, bound)
    return evaluate(op, [lookup(dtype), beside], expression.dtype)(*pair)


@pytest.mark.parametrize(("name", "thunk"), [("tril", 1), ("triu", 0), ("diag", -1), ("valuegt", 1), ("rowle", 5)])
def test_select(engine: Any, name: str, thunk: int) -> None:
    rng, op = generator(name), indexunary[name]
    for x in (
        matrix(engine, rng, "INT32", (25, 30), 0.3),
        full_matrix(engine, rng, "INT32", (9, 11)),
        *(vector(engine, rng, "INT32", 90, form) for form in FORMS),
    ):
        holds = evaluate(op, [lookup("INT32"), lookup("INT32")])
        wanted = {k: v for k, v in x.entries.items() if holds(v, *(k if isinstance(k, tuple) else (k, 0)), thunk)}
        assert_same(found(x.held.select(op, thunk).new()), wanted, f"{name} of {type(x.held.storage).__name__}")


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
    rng, op = generator(name, dtype), monoid[name]
    of = skewed(engine, rng, dtype, (40, 3000), [2500, 100, 40, 0])
    for A in (of, full_matrix(engine, rng, dtype, (7, 90))):
        for axis, held in ((1, A.held.reduce_rowwise(op)), (0, A.held.reduce_columnwise(op))):
            groups: dict[int, list[Any]] = {}
            for key, value in A.entries.items():
                groups.setdefault(key[1 - axis], []).append(value)
            wanted = {k: folded(values, op, lookup(dtype)) for k, values in groups.items()}
            assert_same(found(held.new()), wanted, f"{name} {dtype} axis {axis}")
        whole = folded(list(A.entries.values()), op, lookup(dtype))
        assert same(A.held.reduce_scalar(op).new().value, whole)
    for form in FORMS:
        v = vector(engine, rng, dtype, 9000, form)
        assert same(v.held.reduce(op).new().value, folded(list(v.entries.values()), op, lookup(dtype)))
    assert gl.Vector(dtype, 5, engine=engine).reduce(op).new().is_empty


INDICES = [slice(None), slice(3, 40, 4), [5, 2, 2, 60], 7, slice(10, 10), np.array([1, 0])]


@pytest.mark.parametrize("form", FORMS)
def test_extract_from_a_vector(engine: Any, form: str) -> None:
    v = vector(engine, generator("extract", form), "FP32", 70, form)
    for index in INDICES:
        if isinstance(index, int):
            assert v.held[index].new().value == v.entries.get(index)
            continue
        places = np.arange(70)[index].tolist()
        wanted = {k: v.entries[p] for k, p in enumerate(places) if p in v.entries}
        assert_same(found(v.held[index].new()), wanted, str(index))


def test_extract_from_a_matrix(engine: Any) -> None:
    rng = generator("part")
    for A in (matrix(engine, rng, "INT32", (70, 80), 0.3), full_matrix(engine, rng, "INT32", (70, 80))):
        for rows, cols in product(INDICES, INDICES):
            places = [np.atleast_1d(np.arange(n)[part]).tolist() for n, part in ((70, rows), (80, cols))]
            part = {
                (k, m): A.entries[i, j]
                for k, i in enumerate(places[0])
                for m, j in enumerate(places[1])
                if (i, j) in A.entries
            }
            result = A.held[rows, cols].new()
            if isinstance(rows, int) and isinstance(cols, int):
                assert result.value == part.get((0, 0))
                continue
            if isinstance(rows, int) or isinstance(cols, int):
                part = {k + m: value for (k, m), value in part.items()}
            assert_same(found(result), part, f"{rows} {cols}")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MASKS)
def test_assign_to_a_vector(engine: Any, form: str, kind: str | None) -> None:
    """A scalar and a vector, to all of it and to a part."""
    rng = generator("assign", form, kind)
    for index, accum, replaces in product(
        [slice(None), slice(3, 40, 4), [9, 5, 60]], [None, binary.plus], [False, True]
    ):
        M = vector(engine, rng, "INT8", 70, "bitmap")
        places = np.arange(70)[index].tolist()
        for scalar in (True, False):
            target = vector(engine, rng, "INT32", 70, form)
            source = vector(engine, rng, "INT32", len(places), "bitmap")
            part = dict.fromkeys(range(len(places)), 7) if scalar else source.entries
            how = {} if kind is None else {"mask": viewed(M, kind), "replace": replaces}
            target.held(accum=accum, **how)[index] << (7 if scalar else source.held)
            wanted = assigned(target.entries, places, part, accum is not None, M, kind, replaces)
            assert_same(found(target.held), wanted, f"{index} {accum} {replaces} {scalar}")


def assigned(
    C: dict[Any, Any], places: list[Any], part: dict[Any, Any], adds: bool, M: Operand, kind: str | None, replaces: bool
) -> dict[Any, Any]:
    """C with a part of it assigned, by the oracle."""
    T = {place: part[k] for k, place in enumerate(places) if k in part}
    Z = union(C, T, lambda x, y: x + y) if adds else {k: v for k, v in C.items() if k not in places} | T
    allows = allowance(None, True, False) if kind is None else allowance(M.entries, kind[-1] == "S", kind[0] == "~")
    kept = {} if replaces and kind is not None else {k: v for k, v in C.items() if not allows(k)}
    return kept | {k: v for k, v in Z.items() if allows(k)}


def test_assign_to_a_matrix(engine: Any) -> None:
    rng = generator("assign matrix")
    for rows, cols, scalar in product([slice(None), slice(3, 20, 4), [9, 5]], [slice(None), [2, 0]], [True, False]):
        A = matrix(engine, rng, "FP64", (30, 12), 0.2)
        i, j = np.arange(30)[rows].tolist(), np.arange(12)[cols].tolist()
        B = matrix(engine, rng, "FP64", (len(i), len(j)), 0.4)
        A.held[rows, cols] << (2.5 if scalar else B.held)
        part = dict.fromkeys(product(range(len(i)), range(len(j))), 2.5) if scalar else B.entries
        covered = set(product(i, j))
        wanted = {k: v for k, v in A.entries.items() if k not in covered}
        wanted |= {(i[k], j[m]): value for (k, m), value in part.items()}
        assert_same(found(A.held), wanted, f"{rows} {cols} {scalar}")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MASKS[1:])
def test_write_of_a_vector(engine: Any, form: str, kind: str) -> None:
    """out(mask, accum, replace) << result for each format of the mask and of the result."""
    rng = generator("write", form, kind)
    for mask_form, result, accum, replaces in product(FORMS, FORMS, [None, binary.plus], [False, True]):
        M, target = vector(engine, rng, "INT8", 130, mask_form), vector(engine, rng, "INT32", 130, form)
        v = vector(engine, rng, "FP32", 130, result)
        target.held(viewed(M, kind), accum=accum, replace=replaces) << unary.ainv(v.held)
        T = cast({k: -x for k, x in v.entries.items()}, "FP32", "INT32")
        allows = allowance(M.entries, kind[-1] == "S", kind[0] == "~")
        wanted = write(target.entries, T, allows, (lambda x, y: x + y) if accum else None, replaces)
        assert_same(found(target.held), wanted, f"{mask_form} {result} {accum} {replaces}")


@pytest.mark.parametrize("kind", MASKS[1:])
def test_write_of_a_matrix(engine: Any, kind: str) -> None:
    rng = generator("write matrix", kind)
    for accum, replaces, turned in product([None, binary.plus], [False, True], [False, True]):
        M, target = matrix(engine, rng, "INT8", (20, 25), 0.3), matrix(engine, rng, "INT32", (20, 25), 0.3)
        A = matrix(engine, rng, "INT32", (25, 20) if turned else (20, 25), 0.3)
        target.held(viewed(M, kind), accum=accum, replace=replaces) << (A.held.T if turned else A.held)
        T = transposed(A.entries) if turned else A.entries
        allows = allowance(M.entries, kind[-1] == "S", kind[0] == "~")
        wanted = write(target.entries, T, allows, (lambda x, y: x + y) if accum else None, replaces)
        assert_same(found(target.held), wanted, f"{accum} {replaces} {turned}")


@pytest.mark.parametrize("form", FORMS)
def test_a_result_shares_nothing_with_its_operand(engine: Any, form: str) -> None:
    """Writing into a result in place leaves what it was computed from alone."""
    v = vector(engine, generator("share", form), "INT32", 130, form)
    copies = [v.held.dup(), unary.identity(v.held).new(), v.held[:].new(), v.held.select("valuege", -100).new()]
    w = gl.Vector("INT32", 130, engine=engine)
    w << v.held
    for copy in (*copies, w):
        copy(accum=binary.plus)[[0, 1, 2]] << 50
        copy[[3, 4]] << 60
    assert_same(found(v.held), v.entries, form)


def test_kronecker_and_transpose(engine: Any) -> None:
    rng = generator("kronecker")
    A, B = matrix(engine, rng, "INT32", (7, 5), 0.3), matrix(engine, rng, "INT32", (4, 6), 0.3)
    wanted = {(i * 4 + k, j * 6 + m): x * y for (i, j), x in A.entries.items() for (k, m), y in B.entries.items()}
    assert_same(found(A.held.kronecker(B.held).new()), wanted, "kronecker")
    assert_same(found(A.held.T.new()), transposed(A.entries), "transpose")
    F = full_matrix(engine, rng, "INT16", (7, 5))
    assert_same(found(F.held.T.new()), transposed(F.entries), "full transpose")


def test_values_outside_an_integer_have_a_meaning(engine: Any) -> None:
    """A cast holds floats at the ends of an integer type; NaN becomes 0."""
    given = [np.nan, np.inf, -np.inf, 1e30, -1e30, 2.9, -2.9]
    v = gl.Vector.from_coo(range(7), np.array(given), "FP64", size=7, engine=engine)
    ends = lookup("INT32")
    assert list(v.dup("INT32").to_dict().values()) == [0, ends.max, ends.min, ends.max, ends.min, 2, -2]


def test_every_dtype_comes_and_goes(engine: Any) -> None:
    rng = generator("dtypes")
    for a, b in product(("BOOL", "INT8", "UINT16", "INT64", "FP32"), ("INT16", "UINT32", "UINT64", "FP64", "BOOL")):
        v = vector(engine, rng, a, 60, "bitmap")
        assert_same(found(v.held.dup(b)), cast(v.entries, a, b), f"{a} to {b}")


def test_the_oracle_tells_what_is_wrong() -> None:
    """A value, a missing and a needless entry are each reported."""
    for wrong in ({0: 1}, {0: 1, 1: 3}, {0: 1, 1: 2, 2: 0}):
        with pytest.raises(AssertionError, match="oracle"):
            assert_same(wrong, {0: 1, 1: 2}, "oracle")
    assert_same({0: 2}, {0: OneOf(frozenset({1, 2}))}, "any")
    assert list(every((2, 1))) == [(0, 0), (1, 0)]
