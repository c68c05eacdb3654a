"""Statements in the body of a loop, one kind at a time: without the host, and the same as in single steps."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Scalar, Vector, indexunary, monoid, select
from tests.fuzz.flag_loops import read
from tests.fuzz.full_loops import FULL_HOW

N = 50


def make_things(engine: Any, seed: int) -> Any:
    """A graph, vectors with and without gaps, matrices of few rows, Scalars and positions."""
    random = np.random.default_rng(seed)
    cells = np.unique(random.integers(0, N * N, 3 * N))
    things = SimpleNamespace(n=N)
    things.A = Matrix.from_coo(
        cells // N, cells % N, random.integers(1, 4, cells.size), "INT64", nrows=N, ncols=N, engine=engine
    )
    things.x, things.y = (Vector.from_dense(random.integers(0, 9, N), engine=engine) for _ in range(2))
    things.z = Vector.from_dense(random.random(N) * 9, engine=engine)
    places = np.sort(random.permutation(N)[: N // 2])
    things.few = Vector.from_coo(places, random.integers(0, 9, places.size), "INT64", size=N, engine=engine)
    things.f, things.s = Scalar("FP64", 2.5), Scalar("INT64", 3)
    things.k, things.r = Vector("INT64", 3, engine=engine), Vector("INT64", N, engine=engine)
    spots = np.unique(random.integers(0, 3 * N, N))
    things.F = Matrix.from_coo(
        spots % 3, spots // 3, random.integers(1, 9, spots.size), "INT64", nrows=3, ncols=N, engine=engine
    )
    things.p = random.permutation(N)
    return things


Make = Callable[[Any], Callable[[Any], Any]]


def run_both(make: Make, engine: Any, times: int = 3) -> Any:
    """Run a loop at once and statement by statement on fresh random contents, and compare all that both leave."""
    seed = int(np.random.default_rng().integers(1 << 30))
    whole, parts = make_things(engine, seed), make_things(engine, seed)
    done = gl.loop(make(whole), times=times)
    with gl.trace():
        gl.loop(make(parts), times=times)
    for name in ("x", "y", "z", "few", "k", "r", "F"):
        one, two = getattr(whole, name), getattr(parts, name)
        assert one.dtype == two.dtype
        assert read(one) == pytest.approx(read(two)), (name, seed)
    assert (whole.f.value, whole.s.value) == pytest.approx((parts.f.value, parts.s.value)), seed
    assert done.plan in FULL_HOW, done.plan
    return done


THUNKS: dict[str, Make] = {
    "value": lambda t: lambda _: (t.s << t.s + 1, t.few << t.x.select(">", t.s)),
    "float beside integers": lambda t: lambda _: (t.f << t.f + 0.5, t.few << select.valuegt(t.x, t.f)),
    "integer beside floats": lambda t: lambda _: (t.s << t.s + 1, t.z(t.x.S) << t.z.select("<=", t.s)),
    "position": lambda t: lambda _: (t.s << t.s * 2, t.few << t.x.select("rowle", t.s)),
    "a reduction": lambda t: lambda _: (t.few << t.x.select(">=", t.y.reduce(monoid.min)), t.y << t.y + 1),
    "of few rows": lambda t: lambda _: (t.s << t.s + 1, t.F << t.F.select("<", t.s * 2)),
    "applied": lambda t: lambda _: (t.s << t.s + 1, t.x << t.x.apply(indexunary.rowindex, right=t.s)),
    "truths": lambda t: lambda _: (t.s << t.s + 1, t.few << t.x.select(t.y > t.s)),
    "a Scalar that stays": lambda t: lambda _: t.few << t.x.select("!=", t.s),
}


@pytest.mark.parametrize("name", THUNKS)
def test_scalars_that_entries_are_compared_with(engine: Any, name: str) -> None:
    run_both(THUNKS[name], engine)
