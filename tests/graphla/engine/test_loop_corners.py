"""Loops whose vectors come in forms that few bodies bring together."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Vector, binary, replace
from graphla.common.errors import GraphlaError, NotSupported
from semirings import any_pair, max_plus, semiring
from tests.fuzz.full_loops import ROUNDS_HOW


def make_ring(engine: Any, n: int) -> Any:
    """Arcs from each vertex to the next."""
    return gl.Matrix.from_coo(range(n), (np.arange(n) + 1) % n, True, nrows=n, ncols=n, engine=engine)


def test_vectors_that_begin_with_one_entry_each(engine: Any) -> None:
    """Two of them travel with the launch, a third does not."""
    A = make_ring(engine, 70)
    q = Vector.from_coo([3], [True], size=70, engine=engine)
    wall = Vector.from_coo([40], [7], "INT64", size=70, engine=engine)
    goal = Vector.from_coo([69], [2.5], "FP64", size=70, engine=engine)

    def body(_: Any) -> None:
        q(~wall.S, replace) << any_pair(A.T @ q)
        wall(q.S) << q
        goal(binary.plus) << goal

    assert gl.loop(body, while_entries=q).rounds == 37
    assert wall.to_dict() == dict.fromkeys(range(4, 40), 1) | {40: 7}
    assert goal.to_dict() == {69: 2.5 * 2**37}


def test_an_entry_that_is_false_ends_no_row(engine: Any) -> None:
    """The strongest of a row is looked at first; only where it is true does it speak for the row."""
    n = 200
    rows, cols = np.r_[np.zeros(n, int), np.arange(n)], np.r_[np.arange(n), (np.arange(n) + 1) % n]
    cells = np.unique(rows * n + cols)
    A = gl.Matrix.from_coo(cells // n, cells % n, True, nrows=n, ncols=n, engine=engine)
    q = Vector.from_dense(np.arange(n) == 5, engine=engine)

    def body(_: Any) -> None:
        q << semiring.lor_first(q @ A)

    assert gl.loop(body, while_entries=q, times=2).pulled == 2
    assert [i for i, value in q.to_dict().items() if value] == [7]
    assert q.nvals == n


def test_a_push_of_more_entries_than_lanes(engine: Any) -> None:
    """Each arc has an owner of its own, and a warp takes several windows of 32 arcs."""
    n = 5000
    A, q = make_ring(engine, n), Vector.from_dense(np.arange(n), engine=engine)

    def body(_: Any) -> None:
        q(direction="push") << semiring.plus_first(q @ A)

    gl.loop(body, times=2)
    assert q.to_numpy().tolist() == [(i - 2) % n for i in range(n)]


def test_a_told_pull_does_not_tell_others_whom_to_ask_first(engine: Any) -> None:
    n = 40
    A = gl.Matrix.from_coo([0] * n + [7], [*range(n), 20], True, nrows=n, ncols=n, engine=engine)
    for direction in ("pull", None):
        q = Vector.from_coo([0], [True], size=n, engine=engine)

        def body(_: Any, q: Any = q, direction: Any = direction) -> None:
            q(direction=direction) << any_pair(A.T @ q)

        gl.loop(body, times=1)
    if engine.name == "cuda":
        strongest, _, rows = A._storage.cached("transposed", None).cached("loop_rows", None)
        assert (int(strongest[20]), rows) == (0, n)


def test_six_vectors_of_every_form(engine: Any) -> None:
    """Empty, with one entry, with a few, with many, full: those that come last count as well."""

    def run() -> list[dict[int, Any]]:
        A, n = make_ring(engine, 70), 70
        seen = Vector("INT64", n, engine=engine)
        q = Vector.from_coo([3], [True], size=n, engine=engine)
        few = Vector.from_coo([4, 9], [1, 2], "INT32", size=n, engine=engine)
        wide = Vector.from_dense(np.arange(n), engine=engine)
        many = Vector.from_coo(range(0, n, 2), 5, "INT64", size=n, engine=engine)
        full = Vector.from_dense(np.full(n, 2.5), engine=engine)

        def body(turn: Any) -> None:
            seen(q.S) << turn
            few(binary.plus) << 1
            q(~seen.S, replace) << any_pair(A.T @ q)
            wide(q.S) << few
            many(binary.plus) << wide
            full(many.S, binary.plus) << many

        gl.loop(body, while_entries=q, times=5)
        return [v.to_dict() for v in (seen, q, few, wide, many, full)]

    found = run()
    with gl.trace():
        assert found == run()
    assert [len(entries) for entries in found] == [5, 1, 70, 70, 70, 70]


def test_minus_infinity_stands_for_the_least_integer(engine: Any) -> None:
    """The longest path to each vertex of a graph without cycles."""
    A = gl.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], [-9, -3, -4, -1], "INT32", nrows=5, ncols=5, engine=engine)
    d = Vector.from_coo([0], [-1], "INT32", size=5, engine=engine)
    q, t, rises = d.dup(), Vector("INT32", 5, engine=engine), Vector("BOOL", 5, engine=engine)

    def body(_: Any) -> None:
        t << max_plus(q @ A)
        rises(t.S, replace) << t.ewise_union(d, binary.gt, float("-inf"), float("-inf"))
        q(rises.V, replace) << t
        d(q.S) << q

    gl.loop(body, while_entries=q)
    assert d.to_dict() == {0: -1, 1: -10, 2: -4, 3: -5}


@pytest.mark.parametrize("direction", ["push", "pull"])
def test_replace_empties_what_nothing_else_touches(engine: Any, direction: Any) -> None:
    A, n = make_ring(engine, 70), 70
    q, few = Vector.from_dense(np.arange(n), engine=engine), Vector.from_coo([3, 40], [1, 1], size=n, engine=engine)

    def body(_: Any) -> None:
        q(few.S, replace, direction=direction) << semiring.plus_first(q @ A)

    gl.loop(body, times=1)
    assert q.to_dict() == {3: 2, 40: 39}


def test_parts_of_vectors_and_other_sizes_run_as_rounds_and_parts_of_matrices_by_statements(engine: Any) -> None:
    A, n = make_ring(engine, 70), 70
    q, other = Vector.from_coo([3], [True], size=n, engine=engine), Vector("INT64", 9, engine=engine)
    part, block = Vector("INT64", n, engine=engine), gl.Matrix("INT64", n, n, engine=engine)

    def parts(turn: Any) -> None:
        q << any_pair(A.T @ q)
        part[[1, 5]] << turn

    def sizes(turn: Any) -> None:
        q << any_pair(A.T @ q)
        other << turn

    def blocks(turn: Any) -> None:
        q << any_pair(A.T @ q)
        block[[1, 5], [2, 3]] << turn

    why = [gl.loop(body, times=3).plan for body in (parts, sizes, blocks)]
    assert part.to_dict() == {1: 2, 5: 2}
    assert other.to_dict() == dict.fromkeys(range(9), 2)
    assert block.to_dicts() == {1: {2: 2, 3: 2}, 5: {2: 2, 3: 2}}
    assert q.to_dict() == {12: True}
    assert why[2].startswith("statement by statement: ")
    if engine.name == "cuda":
        assert {*why[:2]} <= ROUNDS_HOW


def write_if_true(v: Vector, k: Any) -> None:
    v << (5 if k else 6)


@pytest.mark.parametrize(
    "use",
    [
        write_if_true,
        lambda v, k: v << (5 if k == 0 else 6),
        lambda v, k: v << (5 if k > 2 else 6),
        lambda v, k: v << v * (k + 1),
        lambda v, k: v << v * k,
        lambda v, k: v << v.select(">", k),
        lambda v, k: v[k] << 2,
        lambda v, k: v[[0, k]] << 2,
        lambda v, k: v << (5, 6)[k],
    ],
)
def test_the_number_of_a_round_is_only_assigned(use: Any) -> None:
    """It is unknown while the body is recorded: a branch on it would hold for every round."""
    v = Vector.from_scalar(1, 4, engine="cpu")
    with pytest.raises(NotSupported, match="number of the round"):
        gl.loop(lambda k: use(v, k), times=3)
    assert v.to_dict() == dict.fromkeys(range(4), 1)


@pytest.mark.parametrize("body", [lambda: 3, lambda k, depth: 3, lambda *, k: 3, 3, Vector])
def test_a_body_takes_the_number_of_the_round(body: Any) -> None:
    with pytest.raises(GraphlaError, match="give a function of the number of the round"):
        gl.loop(body, times=3)


def test_bodies_of_every_kind_that_takes_a_number() -> None:
    v = Vector.from_scalar(1, 4, engine="cpu")

    class Doubling:
        def step(self, _: Any) -> None:
            v << v + v

        __call__ = step

    def double(_: Any, more: int = 0) -> None:
        v << v + v

    for body in (Doubling().step, Doubling(), double, lambda *_: double(0), partial(double, more=3)):
        gl.loop(body, times=1)
    assert v.to_dict() == dict.fromkeys(range(4), 32)
