"""Loops of expressions: the same as statement by statement, on every engine, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Vector, binary, replace
from graphla.common.errors import DimensionMismatch, DomainMismatch, GraphlaError, NotConverged, NotSupported
from graphla.containers.loop import Loop
from semirings import any_pair, min_plus, plus_times
from tests.fuzz.full_loops import ROUNDS_HOW
from tests.loop_bodies import SAMPLES, Sample

FULL_PLANS = {"compiled rounds", "rounds on the host", "the launches of a round, repeated"}
"""Of vectors that stay full: on the CPU, emulated, and on a GPU, where so few rounds are no graph."""
PULLED_OF_A_RING = {"cpu": 0, "cuda": 8}


def make_matrix(engine: Any, n: int = 150, degree: float = 3.0, seed: int = 4, dtype: str = "INT32") -> Any:
    """Random, directed, with a hub and with vertices that nobody reaches."""
    random = np.random.default_rng(seed)
    arcs = int(n * degree)
    rows, cols = random.integers(0, n - 5, arcs), random.integers(0, n - 5, arcs)
    rows, cols = np.r_[rows, np.full(n // 2, 7)], np.r_[cols, np.arange(n // 2)]
    cells = np.unique(rows * n + cols)
    values = random.integers(1, 20, cells.size)
    return gl.Matrix.from_coo(cells // n, cells % n, values, dtype, nrows=n, ncols=n, engine=engine)


def run_in_steps(sample: Sample) -> Loop:
    """The same loop, one statement after the other."""
    with gl.trace():
        return sample.run()


def list_contents(sample: Sample) -> dict[str, Any]:
    return {name: (v.dtype, v.to_dict()) for name, v in sample.vectors.items()}


@pytest.mark.parametrize("direction", [None, "push", "pull"])
@pytest.mark.parametrize("name", SAMPLES)
def test_a_loop_is_its_statements_round_after_round(engine: Any, name: str, direction: Any) -> None:
    A = make_matrix(engine)
    whole, parts = SAMPLES[name](A, direction), SAMPLES[name](A, direction)
    told, expected = whole.run(), run_in_steps(parts)
    assert told.plan in (FULL_PLANS if name == "ranks" and direction != "push" else {"one kernel"})
    assert told.rounds == expected.rounds > 2
    found, wanted = list_contents(whole), list_contents(parts)
    assert found.keys() == wanted.keys()
    for vector in found:
        assert found[vector][0] == wanted[vector][0]
        assert found[vector][1] == pytest.approx(wanted[vector][1], rel=1e-12), vector


@pytest.mark.parametrize("dtype", ["FP32", "FP64", "INT64", "UINT16"])
def test_every_width_of_values(engine: Any, dtype: str) -> None:
    A = make_matrix(engine, dtype=dtype)
    whole, parts = SAMPLES["distances"](A), SAMPLES["distances"](A)
    whole.run(), run_in_steps(parts)
    assert list_contents(whole) == list_contents(parts)


@pytest.mark.parametrize("n", [1, 31, 128, 129, 700])
def test_sizes_around_words_and_groups(engine: Any, n: int) -> None:
    random = np.random.default_rng(n)
    cells = np.unique(random.integers(0, n * n, 4 * n))
    A = gl.Matrix.from_coo(cells // n, cells % n, True, nrows=n, ncols=n, engine=engine)
    whole, parts = SAMPLES["levels"](A), SAMPLES["levels"](A)
    assert whole.run().rounds == run_in_steps(parts).rounds
    assert list_contents(whole) == list_contents(parts)


@pytest.mark.parametrize("n", [700, 5000])
def test_rows_for_a_warp_and_for_a_block(engine: Any, n: int) -> None:
    rows, cols = np.r_[np.arange(1, n), np.full(n - 1, 0)], np.r_[np.full(n - 1, 0), np.arange(1, n)]
    A = gl.Matrix.from_coo(rows, cols, np.arange(rows.size) % 50 + 1, "INT32", nrows=n, ncols=n, engine=engine)
    for name in ("levels", "distances"):
        whole, parts = SAMPLES[name](A, "pull"), SAMPLES[name](A)
        whole.run(), run_in_steps(parts)
        assert list_contents(whole) == list_contents(parts)


@pytest.mark.parametrize(("alone", "listed"), [(0, 0), (0, 40), (0, 10**6), (20, 60), (10**6, 10**6)])
@pytest.mark.parametrize("name", ["levels", "parents", "walks"])
def test_rounds_of_all_blocks_and_of_one(
    engine: Any, name: str, alone: int, listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphla.engine.cuda.loop.kernel.LISTED_ARCS", listed)
    monkeypatch.setattr("graphla.engine.cuda.loop.kernel.ALONE_ARCS", alone)
    for A in (make_matrix(engine, 300, 1.3), make_matrix(engine, 200, 4.0), gl.generate.grid2d(12, 9, engine=engine).A):
        whole, parts = SAMPLES[name](A), SAMPLES[name](A)
        assert whole.run().rounds == run_in_steps(parts).rounds
        assert list_contents(whole) == list_contents(parts)


@pytest.mark.parametrize("listed", [0, 10**6])
def test_directions_are_decided_by_what_is_closed(engine: Any, listed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphla.engine.cuda.loop.kernel.ALONE_ARCS", 0)
    monkeypatch.setattr("graphla.engine.cuda.loop.kernel.LISTED_ARCS", listed)
    n = 400  # every vertex has four neighbours, so arcs are as many as the mean degree says
    rows = np.repeat(np.arange(n), 4)
    A = gl.Matrix.from_coo(rows, (rows + np.tile([1, -1, 19, -19], n)) % n, True, nrows=n, ncols=n, engine=engine)
    told = {direction: SAMPLES["levels"](A, direction).run() for direction in (None, "push", "pull")}
    assert (told["push"].pulled, told["pull"].pulled) == (0, told["pull"].rounds)
    pulled = PULLED_OF_A_RING[engine.name]
    assert told[None].pulled == pulled
    assert f"{pulled} of them pulled: one kernel" in repr(told[None])


def make_program(A: Any, given: dict[str, Any]) -> Sample:
    """Statements of every kind around a product, with masks by value and complements, on storages of every format."""
    n, engine = A.nrows, A.engine
    few = Vector.from_coo([3, 8], [2, 5], "INT32", size=n, engine=engine)
    many = Vector.from_coo(range(0, n, 2), np.arange(0, n, 2) % 7, "INT32", size=n, engine=engine)
    full = Vector.from_scalar(3, n, "INT16", engine=engine)
    flags = Vector.from_coo(range(0, n, 3), np.arange(0, n, 3) % 2 == 0, "BOOL", size=n, engine=engine)
    total = Vector("FP64", n, engine=engine)

    def body(turn: Any) -> None:
        full(flags.V) << turn
        many(~flags.V, binary.plus) << (few | full)._over(binary.plus)
        few(many.V, replace, **given) << min_plus(A @ few)
        flags(few.S) << few.apply("valuegt", 4)
        few(~flags.V) << few.apply(binary.minus, left=30)
        total(binary.plus) << (few & full)._over(binary.times)
        total(~flags.S) << 0.5

    return Sample(body, {"few": few, "many": many, "full": full, "flags": flags, "total": total}, few, times=5)


@pytest.mark.parametrize("direction", [None, "push", "pull"])
def test_statements_of_every_kind(engine: Any, direction: Any) -> None:
    A = make_matrix(engine, 90)
    whole, parts = make_program(A, {"direction": direction}), make_program(A, {"direction": direction})
    assert whole.run().rounds == run_in_steps(parts).rounds == 5
    assert list_contents(whole) == list_contents(parts)


def test_loops_one_after_the_other_leave_nothing_behind(engine: Any) -> None:
    A = make_matrix(engine)
    for name in ("levels", "distances", "levels", "components"):
        whole, parts = SAMPLES[name](A), SAMPLES[name](A)
        whole.run(), run_in_steps(parts)
        assert list_contents(whole) == list_contents(parts)


def test_a_loop_that_does_not_end_says_so(engine: Any) -> None:
    A = gl.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, 1, 1], "INT64", nrows=3, ncols=3, engine=engine)
    q = Vector.from_coo([0], [0], "INT64", size=3, engine=engine)

    def walk(_: Any) -> None:
        q << min_plus(q @ A)

    with pytest.raises(NotConverged, match="max_rounds=7: while_entries still has 1 entries after 7 rounds"):
        gl.loop(walk, while_entries=q, max_rounds=7)
    assert q.to_dict() == {1: 7}
    assert gl.loop(walk, while_entries=q, times=2).rounds == 2
    assert q.to_dict() == {0: 9}
    with pytest.raises(NotConverged, match="max_rounds=4:"):
        gl.loop(walk, while_entries=q)


@pytest.mark.parametrize("n", [128, 129])
def test_a_round_whose_number_does_not_fit_is_refused(engine: Any, n: int) -> None:
    A = gl.Matrix.from_coo(range(n - 1), range(1, n), True, nrows=n, ncols=n, engine=engine)
    q, level = Vector.from_coo([0], [True], size=n, engine=engine), Vector("INT8", n, engine=engine)

    def step(depth: Any) -> None:
        level(q.S) << depth
        q(~level.S, replace) << any_pair(A.T @ q)

    if n == 128:
        assert gl.loop(step, while_entries=q).rounds == n
    else:
        with pytest.raises(DomainMismatch, match="integer 128 is out of bounds for int8"):
            gl.loop(step, while_entries=q)
        assert q.to_dict() == {128: True}
    assert level.to_dict() == {i: i for i in range(128)}


def test_no_round_changes_nothing(engine: Any) -> None:
    A = make_matrix(engine)
    sample = SAMPLES["levels"](A)
    before = list_contents(sample)
    assert gl.loop(sample.body, while_entries=sample.live, times=0).rounds == 0
    assert list_contents(sample) == before
    nothing = Vector("BOOL", A.nrows, engine=engine)
    assert gl.loop(sample.body, while_entries=nothing).rounds == 0
    assert list_contents(sample) == before


def test_a_body_of_two_products_needs_no_host(engine: Any) -> None:
    A, B = make_matrix(engine), make_matrix(engine)

    def run(traced: bool) -> tuple[Any, Any]:
        q, level = Vector.from_coo([0], [True], size=A.nrows, engine=engine), Vector("INT32", A.nrows, engine=engine)

        def two_products(depth: Any) -> None:
            level(q.S) << depth
            q(~level.S, replace) << any_pair(A.T @ q)
            q(~level.S, replace) << any_pair(B.T @ q)

        if traced:
            with gl.trace():
                return gl.loop(two_products, while_entries=q), level.to_dict()
        return gl.loop(two_products, while_entries=q), level.to_dict()

    (done, found), (expected, wanted) = run(traced=False), run(traced=True)
    assert done.plan in ROUNDS_HOW
    assert (done.rounds, found) == (expected.rounds, wanted)
    assert len(found) > 1


def test_an_empty_matrix(engine: Any) -> None:
    A = gl.Matrix("BOOL", 4, 4, engine=engine)
    sample = SAMPLES["levels"](A)
    assert sample.run().rounds == 1
    assert sample.vectors["level"].to_dict() == {0: 0}


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (lambda q, A: lambda _: q << any_pair(A @ q).new(), NotSupported, "make a new container"),
        (lambda q, A: lambda _: q << (q.nvals > 3), NotSupported, "look at nvals"),
        (lambda q, A: lambda turn: q << q.apply(binary.plus, turn), NotSupported, "the number of the round"),
        (lambda q, A: lambda _: q << any_pair(A @ q.dup()), NotSupported, "cannot look at entries"),
        (lambda q, A: lambda _: q.clear(), NotSupported, "cannot look at entries"),
        (lambda q, A: lambda _: gl.loop(lambda _: q << any_pair(A @ q), times=1), NotSupported, "run another loop"),
        (lambda q, A: lambda _: A.clear(), NotSupported, "cannot look at entries"),
        (lambda q, A: lambda _: None, GraphlaError, "holds no statement"),
        (lambda q, A: lambda _: q << "many", DomainMismatch, "Bad type for argument `value`: 'many'"),
        (lambda q, A: lambda _: q << Vector("BOOL", 3, engine=q.engine), DimensionMismatch, "the expression"),
        (lambda q, A: lambda _: q(Vector("BOOL", 3, engine=q.engine).S) << q, DimensionMismatch, "the mask has shape"),
        (lambda q, A: lambda _: q(accum="nothing") << q, GraphlaError, "nothing"),
    ],
)
def test_bad_bodies(engine: Any, body: Any, error: Any, message: str) -> None:
    A = make_matrix(engine)
    q = Vector.from_coo([0], [True], size=A.nrows, engine=engine)
    with pytest.raises(error, match=message):
        gl.loop(body(q, A), while_entries=q)
    assert q.to_dict() == {0: True}
    assert q.nvals == 1  # nothing is recorded any more


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "give while_entries="),
        ({"times": 3, "max_rounds": 4}, "give while_entries="),
        ({"times": -1}, "times=-1"),
        ({"times": 2.5}, "times=2.5"),
        ({"while_entries": 3}, "give a Vector"),
    ],
)
def test_bad_limits(given: dict[str, Any], message: str) -> None:
    with pytest.raises(GraphlaError, match=message):
        gl.loop(lambda _: None, **given)


def test_operands_of_two_engines_are_refused() -> None:
    from tests.graphla.engine.engines import get_engine_named

    A, other = make_matrix(get_engine_named("cpu")), Vector("INT32", 150, engine=get_engine_named("emulated"))
    q = Vector.from_coo([0], [1], "INT32", size=150, engine=A.engine)

    def body(_: Any) -> None:
        q << plus_times(A @ q)
        other(q.S) << 1

    with pytest.raises(NotSupported, match="the operands live on"):
        gl.loop(body, while_entries=q)
