"""What every shipped operator promises holds on every type, and what holds is promised."""

import pytest

from semirings import (
    BinaryOp,
    DomainError,
    Monoid,
    Semiring,
    binary,
    laws,
    monoid,
    semiring,
)
from semirings.dtypes import BOOL, FP32, FP64, INT8, INT32, INT64, REAL, UINT8, DType
from semirings.expression import inf, minimum, sqrt, trace
from semirings.python import evaluate

DISTRIBUTION = {"distribution from the left", "distribution from the right"}
ANNIHILATION = {"annihilation from the left", "annihilation from the right"}


def list_carriers(x: Semiring | Monoid | BinaryOp) -> list[DType]:
    """The types on which `x` has a meaning."""
    found: list[DType] = []
    for t in REAL:
        try:
            x.result_type(t, t)
        except DomainError:
            continue
        found.append(t)
    return found


def find_broken_laws(x: Semiring | Monoid | BinaryOp, *, every: bool = False) -> set[str]:
    """The laws that fail on some type."""
    return {violation.law for t in list_carriers(x) for violation in laws.check(x, t, every=every)}


@pytest.mark.parametrize("m", monoid.values(), ids=repr)
def test_monoids_keep_their_laws(m: Monoid) -> None:
    assert list_carriers(m)
    assert not find_broken_laws(m)


@pytest.mark.parametrize("dtype", REAL, ids=repr)
def test_semirings_keep_what_they_promise(dtype: DType) -> None:
    found = [v for s in semiring.values() if dtype in list_carriers(s) for v in laws.check(s, dtype, samples=6, seed=3)]
    assert not found


def test_what_holds_on_every_type_is_promised() -> None:
    for s in semiring.values():
        if not s.multiply.positional:
            failing = find_broken_laws(s, every=True)
            assert s.annihilates == (failing.isdisjoint(ANNIHILATION) and not s.add.is_any), s
            assert s.distributes == failing.isdisjoint(DISTRIBUTION), s


CLASSICAL = "plus_times min_plus max_plus min_max max_min lor_land land_lor lxor_land eq_lor bor_band band_bor"


@pytest.mark.parametrize("name", CLASSICAL.split())
def test_the_semirings_of_the_books_are_semirings(name: str) -> None:
    assert semiring[name].annihilates == (name != "max_plus")
    assert semiring[name].distributes


def test_no_length_of_an_unsigned_type_is_an_infinity_below_all_others() -> None:
    for t in REAL:
        failing = {violation.law for violation in laws.check(semiring.max_plus, t, every=True)}
        assert failing == (ANNIHILATION if t.kind == "u" else set()), t


def test_binary_operators_keep_what_they_promise() -> None:
    for op in binary.values():
        if not op.positional:
            assert not find_broken_laws(op), op


def test_commutative_operators_say_so() -> None:
    for op in binary.values():
        if not op.positional:
            assert op.commutative == ("commutativity" not in find_broken_laws(op, every=True)), op


@pytest.mark.parametrize(
    ("name", "dtype", "identity", "terminal"),
    [
        ("min", INT32, 2**31 - 1, -(2**31)),
        ("min", FP32, float("inf"), float("-inf")),
        ("min", BOOL, True, False),
        ("max", UINT8, 0, 255),
        ("plus", INT64, 0, None),
        ("plus", BOOL, False, True),
        ("times", INT8, 1, 0),
        ("times", FP64, 1.0, None),
        ("lor", BOOL, False, True),
        ("land", BOOL, True, False),
        ("lxor", BOOL, False, None),
        ("eq", BOOL, True, None),
        ("band", INT32, -1, 0),
        ("band", UINT8, 255, 0),
        ("bxnor", UINT8, 255, None),
    ],
)
def test_identities_and_terminals(name: str, dtype: DType, identity: object, terminal: object) -> None:
    assert monoid[name].identity(dtype) == identity
    assert monoid[name].terminal(dtype) == terminal


def test_tropical_plus_holds_infinity_and_both_ends() -> None:
    plus = evaluate(binary.tropical_plus, (INT8, INT8))
    assert [plus(127, -128), plus(100, 100), plus(-100, -100), plus(126, 0), plus(3, 4)] == [
        127,
        127,
        -128,
        126,
        7,
    ]
    plus = evaluate(binary.arctic_plus, (INT8, INT8))
    assert [plus(-128, 127), plus(100, 100), plus(-100, -100), plus(3, 4)] == [-128, 127, -128, 7]
    plus = evaluate(binary.arctic_plus, (UINT8, UINT8))
    assert [plus(0, 5), plus(0, 0), plus(200, 100), plus(255, 0)] == [5, 0, 255, 255]
    plus = evaluate(binary.tropical_plus, (UINT8, UINT8))
    assert [plus(255, 0), plus(200, 100), plus(3, 4)] == [255, 255, 7]


def test_a_violation_shows_law_operands_and_sides() -> None:
    wrong = Monoid("minus", binary.minus, 0)
    found = {v.law: v for v in laws.check(wrong, INT8)}
    assert set(found) == {"associativity", "commutativity", "identity"}
    one = found["identity"]
    assert (one.operands, one.left, one.right) == ((-127,), 127, -127)
    assert str(one) == "monoid.minus on INT8: identity fails on (-127): 127 != -127"


def test_a_wrong_identity_or_terminal_is_found() -> None:
    from_one = Monoid("from_one", binary.plus, 1)
    assert [v.law for v in laws.check(from_one, INT32)] == ["identity"]
    ends = Monoid("ends", binary.min, inf.value, 0)
    assert [v.law for v in laws.check(ends, INT32)] == ["terminal"]
    assert not laws.check(ends, UINT8)


def test_a_semiring_of_ones_own_is_checked() -> None:
    capped = BinaryOp("capped", trace(lambda x, y: minimum(x + y, 100), ("x", "y")))
    promise = Semiring("min_capped", monoid.min, capped, annihilates=True)
    assert {v.law for v in laws.check(promise, FP64)} == ANNIHILATION
    assert {v.law for v in laws.check(semiring.min_times, INT32, every=True)} == DISTRIBUTION | ANNIHILATION
    assert not laws.check(semiring.min_times, INT32)


def test_what_was_not_checked_is_said() -> None:
    found = laws.check(semiring.min_times, INT32)
    assert repr(found) == f"[], not checked: {', '.join(found.unchecked)}"
    assert set(found.unchecked) == DISTRIBUTION | ANNIHILATION
    assert laws.check(semiring.min_times, INT32, every=True).unchecked == ()
    assert repr(laws.check(semiring.min_plus, INT32)) == "[]"
    assert laws.check(semiring.any_secondi, INT32, every=True).unchecked == ("annihilation", "distribution")
    assert laws.check(binary.minus, INT8).unchecked == ("commutativity", "associativity")


def test_nan_on_one_side_of_finite_operands_is_a_violation() -> None:
    undefined = BinaryOp("root", trace(lambda x, y: sqrt(x - y), ("x", "y")), commutative=True)
    assert [v.law for v in laws.check(undefined, FP32)] == ["commutativity"]


def test_laws_refuse_a_type_without_meaning() -> None:
    with pytest.raises(DomainError, match=r"bor.*FP32"):
        laws.check(semiring.bor_band, FP32)
