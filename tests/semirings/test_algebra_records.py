"""Operators, their types and their namespaces."""

import copy
import dataclasses
import pickle
import re
from typing import Any

import numpy as np
import pytest

import semirings
from semirings import (
    DomainError,
    RegistrationError,
    UnknownDType,
    binary,
    indexunary,
    lookup,
    monoid,
    register_binary,
    register_indexunary,
    register_monoid,
    register_semiring,
    register_unary,
    semiring,
    unary,
    unify,
    where,
)
from semirings.dtypes import BOOL, FP32, FP64, INT8, INT16, INT32, INT64, REAL, UINT8, UINT32, UINT64, DType
from semirings.python import evaluate


class Product:
    """Stands for an expression of matrices."""

    def _over(self, operator: object, *args: object) -> tuple[object, ...]:
        return (operator, *args)


@pytest.mark.parametrize("name", ["INT32", "int32", np.int32, np.dtype("int32"), INT32])
def test_lookup(name: object) -> None:
    assert lookup(name) is INT32


def test_lookup_of_python_types() -> None:
    assert [lookup(t) for t in (bool, int, float, np.bool_, np.float64)] == [BOOL, INT64, FP64, BOOL, FP64]


@pytest.mark.parametrize("unknown", ["INT128", "complex256", bytes, None, 3, np.dtype("S4"), np.float16])
def test_lookup_of_the_unknown_lists_what_there_is(unknown: object) -> None:
    with pytest.raises(UnknownDType, match=r"BOOL, INT8.*FP64"):
        lookup(unknown)


def test_unify_is_the_rule_of_numpy() -> None:
    for a in REAL:
        for b in REAL:
            assert unify(a, b) == lookup(np.promote_types(a.numpy, b.numpy)), (a, b)


@pytest.mark.parametrize("t", [t for t in REAL if t is not BOOL], ids=repr)
def test_limits_are_those_of_numpy(t: DType) -> None:
    limits = (-np.inf, np.inf) if t.kind == "f" else (np.iinfo(t.numpy).min, np.iinfo(t.numpy).max)
    assert (t.min, t.max) == limits
    assert np.dtype(t.numpy).itemsize * 8 == t.bits


@pytest.mark.parametrize(
    ("op", "dtypes", "result"),
    [
        (binary.plus, (INT8, INT32), INT32),
        (binary.plus, (BOOL, BOOL), BOOL),
        (binary.lt, (INT8, INT32), BOOL),
        (binary.iseq, (INT8, INT32), INT32),
        (binary.pair, (INT8, FP32), INT64),
        (binary.first, (INT8, FP32), FP32),
        (binary.second, (INT8, FP32), FP32),
        (binary.firsti, (INT8, FP32), INT64),
        (binary.cdiv, (INT8, INT8), INT8),
        (binary.truediv, (INT8, INT8), FP64),
        (binary.lor, (INT8, INT8), INT8),
        (indexunary.tril, (FP32, INT64), BOOL),
        (indexunary.rowindex, (FP32, INT64), INT64),
        (unary.lnot, (FP32,), FP32),
        (monoid.lor, (FP32,), BOOL),
        (monoid.plus, (BOOL,), INT64),
        (monoid.plus, (INT8,), INT8),
        (semiring.lor_land, (FP32, INT8), BOOL),
        (semiring.plus_pair, (BOOL, BOOL), INT64),
        (semiring.min_plus, (INT32, INT32), INT32),
        (semiring.any_secondi, (BOOL, BOOL), INT64),
        (semiring.min_first, (INT8, FP32), FP32),
        (semiring.plus_pair, (INT8, INT8), INT64),
        (semiring.lxor_pair, (INT8, INT8), BOOL),
    ],
)
def test_result_types(op: Any, dtypes: tuple[DType, ...], result: DType) -> None:
    assert op.result_type(*dtypes) == result
    assert op.result_type(*(t.numpy for t in dtypes)) == result


@pytest.mark.parametrize(
    ("op", "dtypes", "words"),
    [
        (binary.bor, (FP32, FP32), r"binary\.bor has no meaning on FP32; its domain is INT8"),
        (unary.bnot, (BOOL,), r"unary\.bnot has no meaning on BOOL"),
        (monoid.band, (FP64,), r"monoid\.band is no monoid on FP64"),
        (semiring.bor_band, (FP64, FP64), r"semiring\.bor_band on FP64, FP64: binary\.band has no meaning"),
    ],
)
def test_outside_the_domain(op: Any, dtypes: tuple[DType, ...], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        op.result_type(*dtypes)


def test_what_an_operator_reads() -> None:
    read = {
        name: (binary[name].reads_first, binary[name].reads_second) for name in ("plus", "pair", "first", "secondi")
    }
    assert read == {
        "plus": (True, True),
        "pair": (False, False),
        "first": (True, False),
        "secondi": (False, False),
    }
    assert binary.secondi.positional == "secondi"
    assert binary.plus.positional is None


def test_positions() -> None:
    names = "firsti firstj secondi secondj firsti1 firstj1 secondi1 secondj1"
    found = [evaluate(binary[name], (FP32, FP32))(0.0, 0.0, 10, 20, 30) for name in names.split()]
    assert found == [10, 20, 20, 30, 11, 21, 21, 31]


def test_integer_division() -> None:
    div, floordiv, mod = (evaluate(binary[name], (INT8, INT8)) for name in ("cdiv", "floordiv", "mod"))
    assert [div(7, -2), div(-7, 2), div(5, 0), div(-5, 0), div(0, 0), div(-128, -1)] == [
        -3,
        -3,
        127,
        -128,
        0,
        -128,
    ]
    assert [floordiv(7, -2), floordiv(-7, 2), floordiv(6, 2), floordiv(-5, 0)] == [-4, -4, 3, -128]
    assert [mod(7, -2), mod(-7, 2), mod(7, 0), mod(-128, -1)] == [-1, 1, 0, 0]


def test_boolean_arithmetic() -> None:
    pairs = [(False, False), (False, True), (True, False), (True, True)]
    table = {
        name: [evaluate(binary[name], (BOOL, BOOL))(*p) for p in pairs]
        for name in ("plus", "times", "minus", "min", "max", "lxnor")
    }
    assert table["plus"] == table["max"] == [False, True, True, True]
    assert table["times"] == table["min"] == [False, False, False, True]
    assert table["minus"] == [False, True, True, False]
    assert table["lxnor"] == [True, False, False, True]


def test_a_call_hands_the_operator_to_its_operand() -> None:
    assert semirings.min_plus(Product()) == (semiring.min_plus,)
    assert binary.plus(Product(), 1) == (binary.plus, 1)
    assert indexunary.tril(Product(), -1) == (indexunary.tril, -1)
    assert monoid.plus(Product()) == (monoid.plus,)
    with pytest.raises(TypeError, match=r"binary\.plus was called on 1 of type int.*plus\(A & B\)"):
        binary.plus(1, Product())  # pyright: ignore[reportArgumentType]


def test_names() -> None:
    assert semirings.any_pair is semiring.any_pair is semiring["any_pair"] is semiring.any_oneb
    assert binary.oneb is binary.pair
    assert "min_plus" in semiring
    assert "min_plus" in dir(semirings)
    assert {"plus", "min"} <= set(dir(monoid))
    assert len(binary) > len(binary.values())
    assert re.match(r"<\d+ monoid operators: any, band, bor", repr(monoid))
    with pytest.raises(AttributeError, match=re.escape("no monoid operator 'minus'; there are any, band")):
        monoid.minus
    with pytest.raises(KeyError, match="no binary operator"):
        binary["nothing"]
    with pytest.raises(AttributeError, match="no attribute or semiring 'min_nothing'"):
        semirings.min_nothing
    with pytest.raises(ImportError):
        from semirings import plus_nothing  # noqa: F401


@pytest.mark.parametrize("op", [unary.abs, binary.plus, indexunary.tril, monoid.min, semiring.min_plus], ids=repr)
def test_operators_are_frozen_and_pickle_to_themselves(op: Any) -> None:
    assert pickle.loads(pickle.dumps(op)) is op
    assert copy.deepcopy(op) is op
    with pytest.raises(dataclasses.FrozenInstanceError):
        op.name = "other"


def test_registered_operators_are_usable_at_once() -> None:
    clip = register_binary("test_plus_clip", lambda a, b: semirings.minimum(a + b, 100))
    assert binary.test_plus_clip is clip
    assert evaluate(clip, (INT32, INT32))(70, 70) == 100
    least = register_monoid("test_least", binary.min, {"INT32": 50, np.float32: 1.5}, lambda t: -t.max)
    assert (least.identity("INT32"), least.identity(FP32)) == (50, 1.5)
    assert least.terminal(INT8) == -127
    with pytest.raises(DomainError, match="no identity on INT8"):
        least.identity(INT8)
    with pytest.raises(DomainError, match="no identity on INT8"):
        least.result_type(INT8)
    assert register_semiring("test_least_clip", least, clip).result_type(INT32, INT32) == INT32
    assert semirings.test_least_clip is semiring.test_least_clip
    step = register_unary("test_step", lambda x: where(x > 0, 1, 0), result="INT8")
    assert step.result_type(FP64) == INT8
    assert evaluate(step, (FP64,))(2.5) == 1
    near = register_indexunary("test_near", lambda x, i, j, thunk: abs(i - j) <= thunk)
    assert evaluate(near, (FP32, INT64))(0.0, 5, 7, 2) is True


@pytest.mark.parametrize("name", ["plus", "1x", "a b", "", "_hidden", "class", "values", "add"])
def test_a_taken_or_bad_name_is_refused(name: str) -> None:
    with pytest.raises(RegistrationError, match=re.escape(repr(name))):
        register_binary(name, lambda x, y: x)


@pytest.mark.parametrize("gives", [len, unary.abs, lambda *dtypes: "none such", lambda *dtypes: 1 / 0])
def test_a_function_that_gives_no_type_or_number_is_refused(gives: Any) -> None:
    """It was entered, and every listing of operators broke on it."""
    register: dict[str, Any] = {
        "result of one": lambda: register_unary("test_bad", lambda x: x, result=gives),
        "result of two": lambda: register_binary("test_bad", lambda x, y: x, result=gives),
        "result of a rule": lambda: register_indexunary("test_bad", lambda x, i, j, thunk: x, result=gives),
        "identity": lambda: register_monoid("test_bad", binary.plus, gives),
        "terminal": lambda: register_monoid("test_bad", binary.plus, 0, terminal=gives),
    }
    for what, enter in register.items():
        with pytest.raises(RegistrationError, match=f"{what.split()[0]}=.*; on BOOL it gives none"):
            enter()
    assert "test_bad" not in {*unary, *binary, *monoid}


def test_a_function_may_give_a_dtype_by_its_name() -> None:
    assert register_unary("test_named_result", lambda x: x, result=lambda x: "INT8").result_type(FP64) == INT8


def test_a_positional_operator_is_no_monoid() -> None:
    with pytest.raises(RegistrationError, match="reads positions"):
        register_monoid("test_position", binary.firsti, 0)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [(UINT8, -1), (INT8, 128), (INT16, 0.5), (UINT32, float("nan")), (BOOL, 2), (UINT64, -5)],
)
def test_an_identity_must_fit(dtype: DType, value: float) -> None:
    plus = semirings.Monoid("local", binary.plus, value)
    with pytest.raises(DomainError, match="does not fit"):
        plus.identity(dtype)


def test_relatives_of_typed_operators_and_semirings() -> None:
    assert semiring.min_firsti["FC64"].monoid is monoid.min["INT64"]
    assert semiring.max_absfirst["FC64"].monoid is monoid.max["FP64"]
    assert semiring.plus_times.is_commutative
    assert semiring.plus_minus.commutes_to is semiring.plus_rminus
    assert semiring.any_first["INT8"].commutes_to is semiring.any_second["INT8"]
    assert semiring.min_secondi.commutes_to is semiring.min_firstj
    assert semiring.min_secondj1.commutes_to is semiring.min_firsti1
    assert binary.secondi1.commutes_to is binary.firsti1
    assert (binary.plus[int].parent, binary.atan2.commutes_to) == (binary.plus, None)
    assert monoid.min.identities[INT8] == 127
    assert not hasattr(binary.min, "is_idempotent")
    assert monoid.min[int].is_idempotent
    with pytest.raises(KeyError, match="no meaning on FC64"):
        _ = binary.min["FC64"]
