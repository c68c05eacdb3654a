"""Loops over vectors and matrices of few rows whose entries come and go: the same as in single steps, with no host."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Scalar, Vector, binary, monoid, replace
from graphla.common.errors import NotConverged
from graphla.engine.cuda.loop.rounds import RoundsRun
from semirings import any_pair, any_secondi, min_plus, plus_first, plus_second
from tests.fuzz import flag_loops
from tests.fuzz.full_loops import ROUNDS_HOW
from tests.graphla.engine.engines import get_engine_named

N = 90


def make_graph(engine: Any, dtype: str = "FP64") -> Matrix:
    random = np.random.default_rng(8)
    cells = np.unique(random.integers(0, N * N, 3 * N))
    values = random.integers(1, 9, cells.size)
    return Matrix.from_coo(cells // N, cells % N, values, dtype, nrows=N, ncols=N, engine=engine)


def compare(make: Any, **limits: Any) -> Any:
    """Run a loop at once and statement by statement; compare what both leave, and return the first."""
    body, kept, live = make()
    other, wanted, also = make()
    done = gl.loop(body, while_entries=live, **limits)
    with gl.trace():
        expected = gl.loop(other, while_entries=also, **limits)
    assert done.plan in ROUNDS_HOW, done.plan
    assert done.rounds == expected.rounds > 1
    for one, two in zip(kept, wanted, strict=True):
        assert flag_loops.read(one) == pytest.approx(flag_loops.read(two))
    assert sum(one.nvals for one in kept) > 0
    return done


@pytest.mark.parametrize("width", [1, 31, 32, 33, 64])
@pytest.mark.parametrize("few_rows", [True, False])
def test_many_searches_at_once(engine: Any, width: int, few_rows: bool) -> None:
    A = make_graph(engine)

    def make() -> Any:
        shape = (width, N) if few_rows else (N, width)
        places = (range(width), np.arange(width)) if few_rows else (np.arange(width), range(width))
        F = Matrix.from_coo(*places, True, nrows=shape[0], ncols=shape[1], engine=engine)
        level = Matrix("INT32", *shape, engine=engine)

        def body(depth: Any) -> None:
            level(F.S) << depth
            F(~level.S, replace) << (any_pair(F @ A) if few_rows else any_pair(A.T @ F))

        return body, (F, level), F

    compare(make)


def test_counts_of_shortest_paths_of_several_sources(engine: Any) -> None:
    """The forward half of betweenness: levels and counts; then its backward half, by the levels."""
    A, k = make_graph(engine), 4
    levels = []

    def forward() -> Any:
        F = Matrix.from_coo(range(k), range(k), 1.0, nrows=k, ncols=N, engine=engine)
        paths, level = F.dup(), Matrix("INT32", k, N, engine=engine)
        level(F.S) << 0
        levels.append((paths, level))

        def body(depth: Any) -> None:
            F(~paths.S, replace) << plus_first(F @ A)
            paths(F.S) << F
            level(F.S) << depth

        return body, (paths, level), F

    compare(forward)
    (paths, level), most = levels[0], levels[0][1].reduce_scalar("max").new().value

    def backward() -> Any:
        depth, share = Scalar("INT64", most), Matrix("FP64", k, N, engine=engine)
        share(paths.S) << 1
        W, here = Matrix("FP64", k, N, engine=engine), Matrix("BOOL", k, N, engine=engine)

        def body(_: Any) -> None:
            here << (level == depth)
            W(here.V, replace) << share / paths
            depth << depth - 1
            here << (level == depth)
            W(here.V, replace) << plus_first(W @ A.T)
            share(binary.plus) << W * paths

        return body, (share,), None

    compare(backward, times=most)


def test_distances_and_parents_by_two_products(engine: Any) -> None:
    A = make_graph(engine)

    def make() -> Any:
        d, q = Vector.from_coo([0], [0.0], size=N, engine=engine), Vector.from_coo([0], [0.0], size=N, engine=engine)
        t, falls = Vector("FP64", N, engine=engine), Vector("BOOL", N, engine=engine)
        hops, seen = Vector("INT64", N, engine=engine), Vector.from_coo([0], [True], size=N, engine=engine)
        hops(seen.S) << 0

        def body(_: Any) -> None:
            t << min_plus(A.T @ q)
            falls(t.S, replace) << t.ewise_union(d, binary.lt, np.inf, np.inf)
            q(falls.V, replace) << t
            d(q.S) << q
            hops(q.S) << any_secondi(A.T @ seen)
            seen(q.S) << True

        return body, (d, q, seen), q

    compare(make)


def test_both_ends_until_they_meet(engine: Any) -> None:
    A = make_graph(engine)

    def make() -> Any:
        q, p = (Vector.from_coo([i], [True], size=N, engine=engine) for i in (0, N - 1))
        level, back, met = (Vector("INT32", N, engine=engine) for _ in range(3))

        def body(depth: Any) -> None:
            level(q.S) << depth
            back(p.S) << depth
            met << level + back
            met(~back.S, replace) << met
            q(~level.S, replace) << any_pair(A.T @ q)
            p(~back.S, replace) << any_pair(A @ p)

        return body, (level, back, met), q

    compare(make)


def test_a_condition_over_what_may_be_empty(engine: Any) -> None:
    A, k = make_graph(engine), 3
    F = Matrix.from_coo(range(k), range(k), True, nrows=k, ncols=N, engine=engine)
    seen, most = F.dup(), Scalar("INT64")

    def body(_: Any) -> None:
        F(~seen.S, replace) << any_pair(F @ A)
        seen(F.S) << True
        most << F.reduce_scalar(monoid.max)

    done = gl.loop(body, while_true=lambda: F.reduce_scalar(monoid.lor), max_rounds=50)
    assert done.plan in ROUNDS_HOW
    assert F.nvals == 0
    assert most.is_empty
    with pytest.raises(NotConverged, match="while_entries still has"):
        gl.loop(lambda _: seen(seen.S) << True, while_entries=seen, max_rounds=2)


@pytest.mark.parametrize("direction", ["push", "pull"])
def test_a_direction_that_is_asked_for(engine: Any, direction: Any) -> None:
    A = make_graph(engine, "INT32")

    def make() -> Any:
        F = Matrix.from_coo(range(5), range(5), 1, "INT32", nrows=5, ncols=N, engine=engine)
        total = Matrix("INT32", 5, N, engine=engine)

        def body(_: Any) -> None:
            total(binary.plus) << F
            F(total.S, replace, direction=direction) << plus_second(F @ A)
            F << F.select("<", 1000)

        return body, (F, total), None

    compare(make, times=3)


@pytest.mark.emulated
def test_a_recorded_loop_runs_again_with_other_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other sources, numbers and limits; only a constant vector of other entries makes another recording."""
    engine = get_engine_named("emulated")
    A, made = make_graph(engine), list[RoundsRun]()
    begin = RoundsRun.__init__

    def count(self: RoundsRun, *given: Any) -> None:
        made.append(self)
        begin(self, *given)

    monkeypatch.setattr(RoundsRun, "__init__", count)

    def run(source: int, number: float, times: int, share: Vector, traced: bool) -> Any:
        x, w = Vector.from_scalar(1.0, N, engine=engine), Vector("FP64", N, engine=engine)
        q, seen = Vector.from_coo([source], [True], size=N, engine=engine), Vector("INT32", N, engine=engine)
        s = Scalar("FP64")

        def body(depth: Any) -> None:
            seen(q.S) << depth
            q(~seen.S, replace) << any_pair(A.T @ q)
            w << x * share
            x << number
            x(binary.plus) << plus_second(A.T @ w)
            s << x.reduce(monoid.plus)

        if traced:
            with gl.trace():
                gl.loop(body, times=times)
        else:
            gl.loop(body, times=times)
        return x.to_dict(), q.to_dict(), seen.to_dict(), s.value

    half, third = (Vector.from_scalar(value, N, engine=engine) for value in (0.5, 0.25))
    given = [(0, 0.5, 4, half), (7, 0.5, 4, half), (8, 2.0, 6, half), (9, 2.0, 6, third), (9, 1.0, 5, third)]
    kept = [run(*one, traced=False) for one in given]
    assert len(made) == 2
    for one, found in zip(given, kept, strict=True):  # what a loop left stays as it was when another one runs
        for part, wanted in zip(found, run(*one, traced=True), strict=True):
            assert part == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_loop_over_flags_is_its_statements(engine: Any, seed: int) -> None:
    flag_loops.check(seed, engine)


def test_what_does_not_fit_runs_by_statements(engine: Any) -> None:
    """Few entries of many rows take little by themselves, and more than is allowed as arrays."""
    k = 64
    F = Matrix.from_coo(range(2), range(2), 1, "INT64", nrows=k, ncols=N, engine=engine)

    def body(_: Any) -> None:
        F << F.select("<", 9)

    assert gl.loop(body, times=2).plan in ROUNDS_HOW
    with gl.config.set(memory_limit=100_000):
        assert "bytes with their work space, and 100,000 may be used" in gl.loop(body, times=2).plan
    assert F.nvals == 2


def test_a_loop_explains_itself(engine: Any) -> None:
    A, k = make_graph(engine), 3
    F = Matrix.from_coo(range(k), range(k), True, nrows=k, ncols=N, engine=engine)
    level, x = Matrix("INT32", k, N, engine=engine), Vector.from_scalar(1.0, N, engine=engine)

    def body(depth: Any) -> None:
        level(F.S) << depth
        F(~level.S, replace) << any_pair(F @ A)
        x(binary.plus) << plus_second(A @ x)

    told = gl.loop(body, while_entries=F, times=3).explain().splitlines()
    assert told[0].startswith("loop of 3 rounds: ")
    assert [line.strip() for line in told[1:]] == [
        "no single kernel: one kernel goes on by the entries of a vector",
        "3 × 90 of BOOL: a value and a flag for each cell, the 3 of a vertex side by side",
        "3 × 90 of INT32: a value and a flag for each cell, the 3 of a vertex side by side",
        "90 of FP64: a value for each cell",
        "any_pair: push or pull, chosen anew in each round by the arcs of the entries, under the mask",
        "plus_second: pull, for the operand is full",
    ]
