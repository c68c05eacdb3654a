"""Loops over full vectors: which bodies are, which are not and why, and what goes wrong in a round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Scalar, Vector, binary, monoid, replace
from graphla.common.errors import DomainMismatch, IndexOutOfBounds, NotConverged
from semirings import min_second, plus_second, plus_times
from tests.fuzz.full_loops import ROUNDS_HOW

N = 70


def make_ring(engine: Any) -> Matrix:
    """Each vertex has an arc to the next one, so that every row and every column has an entry."""
    return Matrix.from_coo(range(N), np.arange(1, N + 1) % N, 1.0, nrows=N, ncols=N, engine=engine)


def fill(value: float, engine: Any, dtype: str = "FP64") -> Vector:
    return Vector.from_scalar(value, N, dtype, engine=engine)


def test_a_product_of_a_matrix_without_empty_rows_is_full(engine: Any) -> None:
    A, x = make_ring(engine), Vector.from_dense(np.arange(N, dtype="float64"), engine=engine)
    done = gl.loop(lambda _: x << plus_times(A @ x), times=3)
    assert done.plan in ROUNDS_HOW
    assert done.pulled is None
    assert x.to_dict() == {i: (i + 3) % N for i in range(N)}


def test_vectors_of_several_sizes(engine: Any) -> None:
    """From 3 tails to 70 heads, and back; the sum of the heads in each round."""
    A = Matrix.from_coo(np.arange(N) % 3, range(N), 1.0, nrows=3, ncols=N, engine=engine)
    few, many, total = Vector.from_dense([1.0, 2.0, 3.0], engine=engine), fill(0, engine), Scalar("FP64")

    def body(_: Any) -> None:
        many << plus_second(A.T @ few)
        few << plus_second(A @ many)
        total << many.reduce()
        few << few / total

    done = gl.loop(body, times=2)
    assert done.plan in ROUNDS_HOW
    values = np.array([1.0, 2.0, 3.0])
    for _ in range(2):
        heads = values[np.arange(N) % 3]
        values = np.bincount(np.arange(N) % 3, heads) / heads.sum()
    assert few.to_dict() == pytest.approx(dict(enumerate(values)))
    assert total.value == pytest.approx(heads.sum())


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (lambda A, x, few, s: lambda _: x(few.S, replace)[2:4] << x[0:2], "removes what its mask leaves out"),
        (lambda A, x, few, s: lambda _: A[2, 3] << 5, "a part of a matrix"),
        (lambda A, x, few, s: lambda _: s << A[2, 3], "of another kind: Extract"),
        (lambda A, x, few, s: lambda _: A << plus_times(A @ A), "its matrix is full, empty or written by the round"),
        (lambda A, x, few, s: lambda _: A << A + A, "neither few rows nor few columns"),
        (lambda A, x, few, s: lambda _: (s << few.reduce(), x << x * s), "a Scalar that may be empty"),
    ],
)
def test_what_does_not_have_a_fixed_size_says_why(engine: Any, body: Any, why: str) -> None:
    A, x, s = make_ring(engine), fill(2, engine), Scalar("FP64", 1)
    if "neither" in why:
        A = Matrix.from_coo(range(1500), range(1500), 1.0, nrows=1500, ncols=1500, engine=engine)
        x = Vector.from_scalar(2.0, 1500, engine=engine)
    few = Vector.from_coo([1, 3], [1, 2], size=N, engine=engine)
    plan = gl.loop(body(A, x, few, s), times=2).plan
    assert why in plan, plan
    assert "as rounds over arrays of fixed size" in plan, plan


@pytest.mark.parametrize(
    "body",
    [
        lambda A, x, few, s: lambda _: few << binary.plus(few | few),
        lambda A, x, few, s: lambda _: x << few,
        lambda A, x, few, s: lambda _: x(few.S, replace) << x,
        lambda A, x, few, s: lambda _: x(few.S) << x.select(">", 1),
        lambda A, x, few, s: lambda _: x << x.select(">", 1),
        lambda A, x, few, s: lambda _: s << few.reduce(),
        lambda A, x, few, s: lambda _: (x(binary.plus) << plus_times(A @ few), few << x.select("<", 3)),
        lambda A, x, few, s: lambda _: (x(direction="push") << plus_times(A @ x), few << plus_times(A @ few)),
    ],
)
def test_what_gains_or_loses_entries_has_flags(engine: Any, body: Any) -> None:
    def run(traced: bool) -> tuple[Any, ...]:
        A, x, s = make_ring(engine), fill(2, engine), Scalar("FP64", 1)
        few = Vector.from_coo([1, 3], [1.0, 2.0], size=N, engine=engine)
        if traced:
            with gl.trace():
                gl.loop(body(A, x, few, s), times=2)
        else:
            assert gl.loop(body(A, x, few, s), times=2).plan in ROUNDS_HOW | {"one kernel"}
        return x.to_dict(), few.to_dict(), s.value

    assert run(traced=False) == run(traced=True)


def test_a_position_out_of_range_changes_nothing(engine: Any) -> None:
    x, y = Vector.from_dense(np.arange(N), engine=engine), Vector.from_dense(np.arange(N), engine=engine)
    for statement in (lambda: y << y[x], lambda: y(binary.min)[x] << y):

        def body(_: Any, write: Any = statement) -> None:
            x << x + 1
            write()

        with pytest.raises(IndexOutOfBounds, match="in round 1 of the loop a vector of positions"):
            gl.loop(body, times=5)
        assert x.to_dict() == y.to_dict() == {i: i for i in range(N)}


def test_a_number_of_a_round_that_does_not_fit(engine: Any) -> None:
    A, x, level = make_ring(engine), fill(1, engine), fill(0, engine, "INT8")

    def body(turn: Any) -> None:
        x(binary.plus) << min_second(A @ x) * 0
        level << turn

    assert gl.loop(body, times=100).plan in ROUNDS_HOW
    with pytest.raises(DomainMismatch, match="integer 128 is out of bounds"):
        gl.loop(body, times=200)
    assert level.reduce(monoid.min).value == 127


def test_a_condition_that_stays_true(engine: Any) -> None:
    A, x, s = make_ring(engine), fill(1, engine), Scalar("FP64", 1)

    def body(_: Any) -> None:
        x(binary.plus) << plus_times(A @ x)
        s << x.reduce(monoid.max)

    with pytest.raises(NotConverged, match="while_true is still true after 6 rounds"):
        gl.loop(body, while_true=lambda: s > 0, max_rounds=6)
    assert s.value == 2**6
    before = x.to_dict()
    assert gl.loop(body, while_true=lambda: s > 0, times=0).rounds == 0
    assert gl.loop(body, while_true=lambda: s > 64, times=9).plan in ROUNDS_HOW
    assert x.to_dict() == before
    assert gl.loop(body, while_true=lambda: s <= 64 * 4, times=9).rounds == 3


def test_a_mask_that_takes_positions_of_its_target(engine: Any) -> None:
    """Every statement sees the whole vector as the one before left it."""
    p = Vector.from_dense((np.arange(N) * 7 + 3) % N, engine=engine)

    def run(traced: bool) -> dict[int, Any]:
        x = Vector.from_dense(np.arange(N) % 5, engine=engine)

        def body(_: Any) -> None:
            x((x[p] > 2).V) << x[p]
            x(binary.max)[p] << x

        if traced:
            with gl.trace():
                gl.loop(body, times=3)
        else:
            gl.loop(body, times=3)
        return x.to_dict()

    assert run(traced=False) == run(traced=True)


def test_a_nested_expression_sees_the_scalar_of_the_round(engine: Any) -> None:
    v, w, s = fill(0, engine), fill(-6, engine), Scalar("FP64", 1)

    def body(_: Any) -> None:
        v(binary.plus) << abs(w / s)
        s << s + 1

    for traced in (False, True):
        v << 0
        s << 1
        if traced:
            with gl.trace():
                gl.loop(body, times=3)
        else:
            gl.loop(body, times=3)
        assert v.to_dict() == dict.fromkeys(range(N), 11.0)


@pytest.mark.parametrize("op", ["min", "plus", "max"])
def test_values_that_come_to_one_place_are_joined(engine: Any, op: str) -> None:
    x = Vector.from_dense(np.arange(N) + 10, engine=engine)
    p, y = Vector.from_dense(np.arange(N) % 4 - 4, engine=engine), Vector.from_dense(np.arange(N) * 3, engine=engine)
    assert gl.loop(lambda _: x(op)[p] << y, times=2).plan in ROUNDS_HOW
    expected = np.arange(N) + 10
    for _ in range(2):
        {"min": np.minimum, "plus": np.add, "max": np.maximum}[op].at(expected, np.arange(N) % 4 - 4, np.arange(N) * 3)
    assert [value for _, value in sorted(x.to_dict().items())] == expected.tolist()


@pytest.mark.parametrize("semiring", [plus_second, min_second])
def test_an_operand_with_gaps(engine: Any, semiring: Any) -> None:
    """Ranks where some vertices have no share to give: rows that meet only those get nothing."""
    random = np.random.default_rng(5)
    cells = np.unique(random.integers(0, N * N, 2 * N))
    A = Matrix.from_coo(cells // N, cells % N, 1.0, nrows=N, ncols=N, engine=engine)
    share = Vector.from_coo(range(0, N, 3), 0.5, size=N, engine=engine)

    def run(traced: bool) -> tuple[dict[int, Any], dict[int, Any], Any]:
        r, w, t = fill(1, engine), Vector("FP64", N, engine=engine), Vector("FP64", N, engine=engine)

        def body(_: Any) -> None:
            w << r * share
            t << semiring(A.T @ w)
            r(binary.plus) << t

        if traced:
            with gl.trace():
                done = gl.loop(body, times=6)
        else:
            done = gl.loop(body, times=6)
        return r.to_dict(), t.to_dict(), done.plan

    found, gained, plan = run(traced=False)
    expected, wanted, _ = run(traced=True)
    assert plan in ROUNDS_HOW | {"one CUDA graph"}
    assert found == pytest.approx(expected)
    assert gained == pytest.approx(wanted)
    assert 0 < len(gained) < N
