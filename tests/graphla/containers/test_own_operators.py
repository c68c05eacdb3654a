"""Operators of one's own under python-graphblas's names: registered, anonymous, or a function where one is expected."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Vector, binary, indexunary, monoid, select, semiring, unary
from graphla.common.errors import DomainMismatch, RegistrationError, TraceError
from semirings import register_indexunary, where
from semirings.dtypes import BOOL
from tests.graphla.engine.engines import NAMES, get_engine_named

KINDS = ("unary", "binary", "indexunary", "monoid", "semiring", "select")
PROGRAMS = {
    "apply": "A.apply(lambda x: 2 * x + 1)",
    "apply a function of two values": "A.apply(lambda x, y: x - 2 * y, right=3)",
    "apply one to the right": "A.apply(lambda x, y: x - 2 * y, left=3)",
    "apply a function of positions": "A.apply(indexunary.register_anonymous(lambda x, i, j, t: 9 * i + j + t), 5)",
    "ewise_add": "A.ewise_add(B, lambda x, y: 100 * x + y)",
    "ewise_mult": "A.ewise_mult(B, lambda x, y: 100 * x + y)",
    "ewise_union": "A.ewise_union(B, lambda x, y: 100 * x + y, 0, 0)",
    "accumulate": "(C := A.dup(), C(binary.register_anonymous(lambda x, y: 9 * x + y)) << B, C)[-1]",
    "an anonymous operator": "binary.register_anonymous(lambda x, y: 9 * x + y)(A & B)",
    "an anonymous semiring": "A.mxm(B, semiring.register_anonymous(monoid.min, OPERATOR))",
    "an anonymous monoid": "A.reduce_rowwise(monoid.register_anonymous(OPERATOR, 0))",
    "select": "select.register_anonymous(lambda x, i, j, t: x > i + t)(A, 1)",
    "positions": "unary.positioni(A)",
    "positions of columns, from one": "A.apply(unary.positionj1)",
}


def make(library: Any, rows: Any, columns: Any, values: Any) -> Any:
    return library.Matrix.from_coo(rows, columns, values, "INT64", nrows=6, ncols=6, dup_op=library.monoid.min)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_programs_of_python_graphblas(program: str) -> None:
    """The same entries there and here."""
    gb = pytest.importorskip("graphblas")
    rng = np.random.default_rng(list(PROGRAMS).index(program))
    arrays = [rng.integers(0, 6, 15) for _ in range(6)]
    found = []
    for library in (gb, gl):
        names = {kind: getattr(library, kind) for kind in KINDS}
        names["OPERATOR"] = library.binary.register_anonymous(lambda x, y: x + y)
        names |= {"A": make(library, *arrays[:3]), "B": make(library, *arrays[3:])}
        result = eval(PROGRAMS[program], names)
        result = result if isinstance(result, library.Matrix) else result.new()
        found.append([part.tolist() for part in result.to_coo()])
    assert found[0] == found[1]


@pytest.mark.parametrize("engine", NAMES)
def test_a_function_computes_on_each_engine(engine: str) -> None:
    v = Vector.from_coo([0, 3], [4.0, -9.0], size=5, engine=get_engine_named(engine))
    assert v.apply(lambda x: where(x < 0, 0.5, x)).new().to_dict() == {0: 4.0, 3: 0.5}
    assert v.apply(np.fabs).new().to_dict() == {0: 4.0, 3: 9.0}
    assert v.select(lambda x, i, j, t: i >= t, 2).new().to_dict() == {3: -9.0}


def test_functions_that_compute_the_same_are_one_operator() -> None:
    """So a lambda in a loop is compiled once."""
    assert binary.register_anonymous(lambda x, y: x + 2 * y) is binary.register_anonymous(lambda a, b: a + 2 * b)
    assert unary.register_anonymous(lambda x: x * 1) is not unary.register_anonymous(lambda x: x * 1.0)
    assert unary.register_anonymous(lambda x: x + 1, "next") is not unary.register_anonymous(lambda x: x + 1)
    assert repr(unary.register_anonymous(lambda x: x + 1, "next")) == "unary.next"


def test_named_operators_are_found_under_their_names() -> None:
    twice = unary.register_new("test_twice", lambda x: x + x)
    below = select.register_new("test_below", lambda x, i, j, t: x < t)
    nearest = semiring.register_new("test_nearest", monoid.register_new("test_min", binary.min, math.inf), binary.plus)
    v = Vector.from_coo([0, 1], [3, 9], engine="cpu")
    assert v.apply("test_twice").new().isequal(twice(v).new())
    assert unary.test_twice is twice
    assert below(v, 4).new().to_dict() == select.test_below(v, 4).new().to_dict() == {0: 3}
    assert semiring.test_nearest is nearest
    assert indexunary.test_below(v, 4).new().to_dict() == {0: True, 1: False}
    with pytest.raises(RegistrationError, match="the unary operator 'test_twice' exists already"):
        unary.register_new("test_twice", lambda x: x)


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy])
def test_operators_without_a_name_are_pickled(again: Any) -> None:
    plus_thrice = semiring.register_anonymous(monoid.plus, binary.register_anonymous(lambda x, y: x + 3 * y))
    A = Matrix.from_coo([0, 1], [1, 0], [2, 5], engine="cpu")
    assert again(plus_thrice)(A @ A).new().isequal(plus_thrice(A @ A).new())
    assert again(select.register_anonymous(lambda x, i, j, t: x > t))(A, 3).new().nvals == 1
    assert again(select.tril)(A).new().nvals == 1


REFUSALS: dict[str, tuple[Any, type[Exception], str]] = {
    "an if": (lambda v: v.apply(lambda x: x if x > 0 else 0), TraceError, "its truth .* is not possible; write where"),
    "math": (lambda v: v.apply(math.sqrt), TraceError, "or a function of math is not possible"),
    "three values": (
        lambda v: v.apply(lambda x, y, z: x),
        TraceError,
        "takes 3 arguments: an operator is a function of",
    ),
    "any number": (lambda v: v.apply(lambda *x: x[0]), TraceError, "takes 0 arguments"),
    "a semiring": (
        lambda v: v.vxm(v.diag(), lambda x, y: x),
        DomainMismatch,
        "is a binary operator. Expected type: Sem",
    ),
    "no rule": (
        lambda v: v.select(lambda x: x > 1),
        DomainMismatch,
        "is a unary operator. Expected type: IndexUnaryOp",
    ),
    "a monoid": (lambda v: v.reduce(lambda x, y: x + y), DomainMismatch, "is no monoid: register one"),
    "a text": (lambda v: v.apply(lambda x: "s"), TraceError, "'s' of type str is neither an expression nor a number"),
    "no function": (lambda v: unary.register_new("test_three", 3), TraceError, "function=3: give a function"),
    "a container": (lambda v: v.apply(v), DomainMismatch, "or a function such as lambda x: x \\+ 1"),
    "a type": (lambda v: v.apply(int), DomainMismatch, "give an operator, such as binary.plus"),
    "no operator": (lambda v: monoid.register_anonymous(1, 2), RegistrationError, "op=1: give a binary operator"),
    "a name of two lines": (
        lambda v: monoid.register_anonymous(binary.plus, 0, name="a\nb"),
        RegistrationError,
        "give a text of one line",
    ),
    "a name that joins lines": (
        lambda v: binary.register_anonymous(lambda x, y: x, "a\\"),
        RegistrationError,
        "without a backslash",
    ),
    "no monoid": (lambda v: semiring.register_anonymous(1, 2), RegistrationError, "add=1: give a monoid"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_refusals(what: str) -> None:
    call, error, message = REFUSALS[what]
    with pytest.raises(error, match=message):
        call(Vector.from_coo([0, 2], [1.5, 2.0], engine="cpu"))


def test_rules_are_listed_beside_operators_of_any_domain() -> None:
    """One that is not defined on INT64, or nowhere, broke ``dir(select)`` for good."""
    register_indexunary("test_truths_alone", lambda x, i, j, t: x & t, domain=(BOOL,))
    register_indexunary("test_nowhere", lambda x, i, j, t: x < t, domain=())
    listed = set(dir(select))
    assert {"test_truths_alone", "tril"} <= listed
    assert "test_nowhere" not in listed
