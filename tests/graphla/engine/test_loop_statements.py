"""Statements in the body of a loop, one kind at a time: without the host, and the same as in single steps."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Scalar, Vector, binary, indexunary, monoid, select
from graphla.common.errors import GraphlaError
from semirings import plus_times
from tests.fuzz.flag_loops import read
from tests.fuzz.full_loops import ROUNDS_HOW
from tests.graphla.engine.engines import get_engine_named

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
    things.b, things.c = (
        Vector.from_coo(places, random.random(places.size) < half, "BOOL", size=N, engine=engine) for half in (0.5, 0.2)
    )
    things.f, things.s = Scalar("FP64", 2.5), Scalar("INT64", 3)
    things.k, things.r = Vector("INT64", 3, engine=engine), Vector("INT64", N, engine=engine)
    spots = np.unique(random.integers(0, 3 * N, N))
    things.F = Matrix.from_coo(
        spots % 3, spots // 3, random.integers(1, 9, spots.size), "INT64", nrows=3, ncols=N, engine=engine
    )
    spots = np.unique(random.integers(0, 12 * 97, N))
    shape = {"nrows": 12, "ncols": 97, "engine": engine}
    things.wide = Matrix.from_coo(spots % 12, spots // 12, random.integers(1, 9, spots.size), "INT64", **shape)
    things.l = Vector("INT64", 12, engine=engine)
    things.p, things.m = random.permutation(N), random.integers(0, N, N)
    things.q = Vector.from_dense(things.p, engine=engine)
    return things


Make = Callable[[Any], Callable[[Any], Any]]


def run_both(make: Make, engine: Any, times: int = 3) -> Any:
    """Run a loop at once and statement by statement on fresh random contents, and compare all that both leave."""
    seed = int(np.random.default_rng().integers(1 << 30))
    whole, parts = make_things(engine, seed), make_things(engine, seed)
    done = gl.loop(make(whole), times=times)
    with gl.trace():
        gl.loop(make(parts), times=times)
    for name in ("x", "y", "z", "few", "b", "c", "k", "r", "F", "wide", "l"):
        one, two = getattr(whole, name), getattr(parts, name)
        assert one.dtype == two.dtype
        assert read(one) == pytest.approx(read(two)), (name, seed)
    assert (whole.f.value, whole.s.value) == pytest.approx((parts.f.value, parts.s.value)), seed
    assert done.plan in ROUNDS_HOW, done.plan
    return done


BODIES: dict[str, Make] = {
    "operators of another dtype": lambda t: (
        lambda _: (
            t.b << t.b.ewise_union(t.c, binary.eq, 0, 1),
            t.few << t.few.ewise_union(t.b, binary.plus, 0.5, 1),
            t.z << binary.plus["FP64"](t.x | t.y),
            t.r << t.z.select(select.valuegt["INT64"], 3),
            t.c << binary.lt["FP32"](t.b | t.c),
        )
    ),
    "thunks of values": lambda t: (
        lambda _: (
            t.s << t.s + 1,
            t.few << t.x.select(">", t.s),
            t.z(t.x.S) << t.z.select("<=", t.s),
            t.F << t.F.select("<", t.s * 2),
        )
    ),
    "thunks of other kinds": lambda t: (
        lambda _: (
            t.f << t.f + 0.5,
            t.few << select.valuegt(t.x, t.f),
            t.y << t.y.apply(indexunary.rowindex, right=t.s),
            t.r << t.x.select("rowle", t.s),
            t.s << t.s * 2,
        )
    ),
    "thunks that are reductions": lambda t: (
        lambda _: (
            t.few << t.x.select(">=", t.y.reduce(monoid.min)),
            t.r << t.x.select(t.y > t.s),
            t.y << t.y + 1,
        )
    ),
    "a thunk that stays": lambda t: lambda _: t.few << t.x.select("!=", t.s),
    "rows of a sparse matrix": lambda t: (
        lambda _: (
            t.r << t.A.reduce_rowwise("plus"),
            t.x(binary.plus) << t.A.reduce_columnwise(monoid.max),
            t.y(t.few.S) << t.A.T.reduce_rowwise("min"),
            t.z << plus_times(t.A @ t.r),
        )
    ),
    "along few rows": lambda t: (
        lambda _: (
            t.F << t.F + 1,
            t.k(binary.plus) << t.F.reduce_rowwise("min"),
            t.F << t.F.select(">", 2),
            t.k(binary.max) << t.F.T.reduce_columnwise(monoid.max),
        )
    ),
    "along more rows": lambda t: lambda _: (t.wide << t.wide + 1, t.l << t.wide.reduce_rowwise("min")),
    "beside few rows": lambda t: (
        lambda _: (
            t.F << t.F.select("<", 40) * 2,
            t.r << t.F.reduce_columnwise("plus"),
            t.few << (t.F * 2).reduce_columnwise("min") * t.x,
        )
    ),
    "parts of full vectors": lambda t: (
        lambda turn: (
            t.x[t.p] << t.y + t.x,
            t.y[t.p[:9]] << turn,
            t.x[t.p[:5]] << t.s,
            t.x[2:20:3] << t.y[20:2:-3],
            t.y << t.y[::-1],
        )
    ),
    "parts of themselves": lambda t: lambda _: (t.x[t.p] << t.x, t.x(binary.minus)[t.p] << t.x + t.y),
    "places that change": lambda t: lambda _: (t.q << t.n - 1 - t.q, t.x[t.q] << t.y),
    "parts with gaps": lambda t: lambda _: (t.x[t.p] << t.few, t.few[t.p[:7]] << t.y[t.p[7:14]], t.few[t.p[:3]] << 5),
    "gaps into gaps": lambda t: (
        lambda _: (
            t.few[t.p] << t.x.select(">", 4),
            t.few(binary.minus)[t.m[:1]] << t.y[t.m[1:2]],
            t.x << t.x + 1,
        )
    ),
    "one entry": lambda t: (
        lambda _: (t.x[3] << t.s, t.s << t.y[3], t.f << t.few[3], t.few << t.few + 1, t.y << t.y + 1)
    ),
    "monoids into gaps and under masks": lambda t: (
        lambda _: (
            t.few(binary.plus)[t.m] << t.y,
            t.x(t.few.S, binary.max)[t.m] << t.y,
        )
    ),
    "under masks": lambda t: (
        lambda _: (
            t.x(t.few.S)[t.p] << t.y,
            t.few(~t.few.S)[t.p] << t.y.select("<", 6),
            t.few(t.x.V)[t.p] << t.y,
            t.few(t.few.S)[t.p] << t.x,
        )
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_kinds_of_statements(engine: Any, name: str) -> None:
    run_both(BODIES[name], engine)


@pytest.mark.parametrize("changes", [False, True])
def test_a_place_that_is_assigned_twice_is_refused(engine: Any, changes: bool) -> None:
    """By a loop as by a statement; what comes later in the loop counts as well, and nothing is written."""
    x, y = (Vector.from_dense(np.arange(N), engine=engine) for _ in range(2))
    q = Vector.from_dense(np.arange(N), engine=engine)

    def body(_: Any) -> None:
        if changes:
            q << q // 2
        x[q] << y

    if not changes:
        q << q // 2
    with pytest.raises(GraphlaError, match="twice"):
        gl.loop(body, times=2)
    assert x.to_dict() == {i: i for i in range(N)}
    with pytest.raises(GraphlaError, match="occurs twice"):
        x[q if not changes else q // 2] << y


@pytest.mark.emulated
def test_positions_of_the_host_are_moved_to_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, moved = get_engine_named("emulated"), list[Any]()
    things = make_things(engine, 1)
    places, asarray = things.p.copy(), engine.asarray

    def move(values: Any) -> Any:
        moved.append(np.array(values))
        return asarray(values)

    monkeypatch.setattr(engine, "asarray", move)
    done = gl.loop(lambda _: things.x[places] << things.y[things.m], times=2)
    assert done.plan in ROUNDS_HOW
    for positions in (things.p, things.m):
        assert any(np.array_equal(positions, each) for each in moved)


@pytest.mark.parametrize("size", [3, 45])
def test_transposed_squares(engine: Any, size: int) -> None:
    def run(traced: bool) -> Any:
        random = np.random.default_rng(size)
        spots = np.unique(random.integers(0, size * size, 3 * size))
        S = Matrix.from_coo(
            spots // size, spots % size, random.random(spots.size), nrows=size, ncols=size, engine=engine
        )
        D = Matrix.from_dense(random.random((size, size)), engine=engine)

        def body(_: Any) -> None:
            S(binary.plus) << S.T
            D << (D.T + D) * 0.5
            D(S.S) << D.T

        if traced:
            with gl.trace():
                gl.loop(body, times=3)
        else:
            assert gl.loop(body, times=3).plan in ROUNDS_HOW
        return read(S), read(D)

    for found, wanted in zip(run(traced=False), run(traced=True), strict=True):
        assert found == pytest.approx(wanted)
