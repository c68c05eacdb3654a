"""Loops compiled for the CPU: directions as statements choose them, sums in order, shares of all cores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Vector
from graphla.containers.loop import record_body
from graphla.engine.cpu import threads
from graphla.engine.cpu.loop.kernel_text import find_active_slots
from graphla.language.recording import Round
from graphla.planning.loops.kernel import plan_kernel
from semirings import plus_times
from tests.loop_bodies import ROUNDS_SAMPLES, SAMPLES, Sample


def make_regular(n: int = 3000, turns: Any = (1, 7, -60, 111, 420, -777, 1009, 1300), dtype: str = "INT32") -> Any:
    """Every vertex has as many arcs, so a push is what the mean degree says; soon all are reached."""
    rows, values = np.repeat(np.arange(n), len(turns)), np.random.default_rng(6).integers(1, 30, n * len(turns))
    return gl.Matrix.from_coo(rows, (rows + np.tile(turns, n)) % n, values, dtype, nrows=n, ncols=n, engine="cpu")


@pytest.mark.parametrize("name", ["levels", "components", "reached", "beats"])
def test_a_round_goes_the_way_of_its_statement(name: str) -> None:
    A = make_regular()
    with gl.trace() as seen:
        SAMPLES[name](A).run()
    pulls = sum(line.direction == "pull" for line in seen.operations)
    assert pulls
    assert SAMPLES[name](A).run().pulled == pulls


def make_sums(A: Any, start: Any) -> Sample:
    """Walks that fade: sums of numbers whose order can be told from the last bits."""
    q = Vector.from_coo([0, 5, 11], start, "FP64", size=A.nrows, engine="cpu")

    def body(_: Any) -> None:
        q(direction="push") << plus_times(q @ A)
        q << q.apply("times", 0.1)

    return Sample(body, {"q": q}, q, times=6)


def test_sums_of_floats_are_those_of_statements_to_the_last_bit() -> None:
    A = make_regular(5000, (3, 1, -2, 2), "FP64")
    whole, parts = make_sums(A, [0.1, 0.7, 1.3]), make_sums(A, [0.1, 0.7, 1.3])
    whole.run()
    with gl.trace():
        parts.run()
    assert whole.vectors["q"].isequal(parts.vectors["q"])


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_pulls_in_shares_of_several_threads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    A = make_regular(1700)
    alone = SAMPLES[name](A, "pull")
    alone.run()
    monkeypatch.setattr(threads, "WORTH_A_PASS", 1)
    monkeypatch.setattr(threads, "count_workers", lambda: 3)
    shared = SAMPLES[name](A, "pull")
    shared.run()
    for key, vector in alone.vectors.items():
        assert vector.isclose(shared.vectors[key], rel_tol=1e-12), key


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("levels", {"q"}),
        ("distances", {"q", "t", "falls"}),
        ("walks", {"q"}),
        ("ranks", {"rank", "flow"}),
        ("beats", None),
    ],
)
def test_where_a_round_can_change_anything(name: str, kept: set[str] | None) -> None:
    sample = SAMPLES[name](make_regular(20, (1, 2)))
    plan, vectors, _ = plan_kernel(record_body(sample.body, Round()), sample.live, None, 9)
    slots = find_active_slots(plan.body)
    names = {id(vector): key for key, vector in sample.vectors.items()}
    assert kept == (None if slots is None else {names[id(vectors[slot])] for slot in slots})


def test_a_schedule_has_its_reason() -> None:
    A = make_regular(20, (1, 2), "FP64")
    assert SAMPLES["levels"](A).run().why == ("one product of a square matrix and a vector",)
    assert ROUNDS_SAMPLES["ranks"](A).run().why[0] == "where entries are is the same in each round"
    flagged = SAMPLES["levels"](A)
    flagged.vectors["level"](flagged.vectors["q"].S) << 3
    twice = gl.loop(lambda turn: [flagged.body(turn) for _ in range(2)], while_entries=flagged.live, max_rounds=40)
    assert twice.why[0] == "no single kernel: it has 2 products, and a kernel is built around one"
