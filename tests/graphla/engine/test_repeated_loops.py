"""Loops that run again, over other contents: planned once, and the same as in single steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Scalar, Vector, binary, monoid, replace
from graphla.common.errors import IndexOutOfBounds
from graphla.containers import loop as loop_module
from semirings import any_pair, min_plus, plus_second
from tests.fuzz.flag_loops import read

N = 60


def make_graph(engine: Any, seed: int, n: int = N) -> Matrix:
    random = np.random.default_rng(seed)
    cells = np.unique(random.integers(0, n * n, 3 * n))
    return Matrix.from_coo(
        cells // n, cells % n, random.integers(1, 9, cells.size), "FP64", nrows=n, ncols=n, engine=engine
    )


def make_ranks(A: Matrix, seed: int, share: Any = 0.5) -> Any:
    """Ranks of a graph from random ones on, with a residual."""
    random = np.random.default_rng(seed)
    r, inverse = (Vector.from_dense(random.random(N), engine=A.engine) for _ in range(2))
    w, change = Vector("FP64", N, engine=A.engine), Scalar("FP64", 1)

    def body(_: Any) -> None:
        w << r * inverse
        r << r * share
        r(binary.plus) << plus_second(A.T @ w)
        change << abs(r).reduce(monoid.plus)

    return body, (r, w, change), {"while_true": lambda: change < 1e6, "times": 4}


def make_searches(A: Matrix, seed: int) -> Any:
    """Three searches at once from random vertices."""
    sources = np.random.default_rng(seed).permutation(N)[:3]
    F = Matrix.from_coo(range(3), sources, True, nrows=3, ncols=N, engine=A.engine)
    level = Matrix("INT32", 3, N, engine=A.engine)

    def body(depth: Any) -> None:
        level(F.S) << depth
        F(~level.S, replace) << any_pair(F @ A)

    return body, (F, level), {"while_entries": F}


def make_levels(A: Matrix, seed: int) -> Any:
    """One search, which is one kernel."""
    q = Vector.from_coo([seed % N], [True], size=N, engine=A.engine)
    level = Vector("INT32", N, engine=A.engine)

    def body(depth: Any) -> None:
        level(q.S) << depth
        q(~level.S, replace) << any_pair(A.T @ q)

    return body, (q, level), {"while_entries": q}


def make_both_ends(A: Matrix, seed: int) -> Any:
    """Searches from two ends, forwards and backwards: vectors of few entries that come from the host."""
    q = Vector.from_coo([seed], [True], size=N, engine=A.engine)
    p = Vector.from_coo([seed, N - 2], [7, 8], size=N, engine=A.engine)
    level, reached = Vector("INT32", N, engine=A.engine), Vector("INT64", N, engine=A.engine)

    def body(depth: Any) -> None:
        level(q.S) << depth
        q(~level.S, replace) << any_pair(A.T @ q)
        p << plus_second(A @ p)
        reached(binary.max) << p

    return body, (q, p, level, reached), {"while_entries": q, "times": 3}


def make_minima(A: Matrix, seed: int) -> Any:
    """Distances joined at positions, with an array of them."""
    random = np.random.default_rng(seed)
    d, p = Vector.from_dense(random.random(N), engine=A.engine), random.integers(-N, N, N)

    def body(_: Any) -> None:
        d(binary.min)[p] << d + 0.25
        d(binary.min) << min_plus(A @ d)

    return body, (d,), {"times": 3}


def make_statements(A: Matrix, seed: int) -> Any:
    """What runs by statements, however often."""
    v = Vector.from_dense(np.random.default_rng(seed).random(N) + 1j, engine=A.engine)
    return lambda _: v << v * 2j, (v,), {"times": 3}


def run_both(make: Any, *settings: Any) -> Any:
    """Run a loop at once and statement by statement, and compare what both leave."""
    (body, kept, how), (other, wanted, same) = make(*settings), make(*settings)
    done = gl.loop(body, **how)
    with gl.trace():
        expected = gl.loop(other, **same)
    assert done.rounds == expected.rounds > 0
    for one, two in zip(kept, wanted, strict=True):
        found, value = (each.value if isinstance(each, Scalar) else read(each) for each in (one, two))
        assert found == pytest.approx(value)
    return done


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The loops that were planned, and not taken as they were planned before."""
    tasks: list[Any] = []

    def plan(task: Any, limit: int) -> Any:
        tasks.append(task)
        return plan_loop(task, limit)

    plan_loop = loop_module.plan_loop
    monkeypatch.setattr(loop_module, "plan_loop", plan)
    return tasks


@pytest.mark.parametrize("make", [make_ranks, make_searches, make_levels, make_both_ends, make_minima, make_statements])
def test_other_contents_are_not_planned_again(engine: Any, make: Any, planned: list[Any]) -> None:
    A, B = make_graph(engine, 1), make_graph(engine, 2)
    plans = {run_both(make, A, seed).plan for seed in range(4)}
    assert len(plans) == len(planned) == 1
    assert any("statement" in plan for plan in plans) == (make is make_statements)
    run_both(make, B, 1)
    assert len(planned) == (1 if make is make_statements else 2), "another matrix is another plan"


def test_numbers_that_are_equal_and_not_the_same(engine: Any, planned: list[Any]) -> None:
    """Numbers decide dtypes, and zeros differ in their sign."""
    A = make_graph(engine, 1)

    def run(number: Any) -> Any:
        x = Vector.from_dense(np.full(N, 2, "int8"), engine=engine)
        signs, wide = Vector("FP64", N, engine=engine), Vector("FP64", N, engine=engine)

        def body(_: Any) -> None:
            wide << binary.truediv(1, plus_second(A.T @ x) * 0 + 1)
            signs << wide.apply(binary.times, right=number)
            wide << x * number

        gl.loop(body, times=1)
        return [np.signbit(v) for v in signs.to_dict().values()], wide.to_dict()

    fresh = [run(number) for number in (1, True, 1.0, 0.0, -0.0, 1 << 40)]
    assert len(planned) == 6
    assert fresh == [run(number) for number in (1, True, 1.0, 0.0, -0.0, 1 << 40)]
    assert len(planned) == 6
    assert fresh[3] != fresh[4]


def test_a_scalar_that_the_body_reads(engine: Any) -> None:
    A, x, factor = make_graph(engine, 1), Vector.from_scalar(1.0, N, engine=engine), Scalar("FP64", 2)
    for number in (2, 3, 2):
        factor.value, before = number, x.to_dict()
        gl.loop(lambda _: x << x * factor, times=2)
        assert x.to_dict() == {i: v * number**2 for i, v in before.items()}
    x << 1
    factor.value = 2
    once = gl.loop(lambda _: (x << plus_second(A.T @ x), x << x * factor), times=1)
    assert once.rounds == 1


def test_a_container_that_is_full_and_then_is_not(engine: Any, planned: list[Any]) -> None:
    A = make_graph(engine, 1)
    for places in (range(N), range(3, N), range(N)):
        x, y = (Vector.from_coo(places, np.arange(len(places)), "FP64", size=N, engine=engine) for _ in range(2))
        gl.loop(lambda _, x=x: x(binary.plus) << plus_second(A @ x), times=2)
        for _ in range(2):
            y(binary.plus) << plus_second(A @ y)
        assert x.to_dict() == y.to_dict()
    assert len(planned) == 2


def test_a_wrong_position_is_found_in_each_call(engine: Any) -> None:
    x = Vector.from_dense(np.arange(N), engine=engine)
    places = np.arange(N)
    for wrong in (N - 1, N, N - 1, -N - 1):
        places[3] = wrong
        if -N <= wrong < N:
            gl.loop(lambda _: x(binary.min)[places] << x, times=2)
        else:
            with pytest.raises(IndexOutOfBounds):
                gl.loop(lambda _: x(binary.min)[places] << x, times=2)
