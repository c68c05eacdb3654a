"""Bodies of loops: what the tests record, run and compile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import graphla as gl
from graphla import Scalar, Vector, binary, replace
from graphla.containers.loop import Loop, record_body, record_condition
from graphla.engine.cuda.loop.kernel_text import body_text
from graphla.engine.cuda.loop.rounds_text import write_finish, write_map
from graphla.language.recording import Round
from graphla.planning.loops.kernel import plan_kernel
from graphla.planning.loops.phases import Finish, Map
from graphla.planning.loops.rounds import plan_static
from semirings import any_pair, any_secondi, lor_land, max_min, min_first, min_plus, min_second, plus_first, plus_times

INF = float("inf")


@dataclass(frozen=True)
class Sample:
    """A body over vectors that it writes, and how long it goes on."""

    body: Callable[[Any], Any]
    vectors: dict[str, Vector]
    live: Vector | None
    times: int | None = None
    condition: Any = None

    def run(self) -> Loop:
        return gl.loop(self.body, while_entries=self.live, while_true=self.condition, times=self.times)


def make_levels(A: Any, direction: Any = None) -> Sample:
    q, level = Vector.from_coo([0], [True], size=A.nrows, engine=A.engine), Vector("INT32", A.nrows, engine=A.engine)

    def body(depth: Any) -> None:
        level(q.S) << depth
        q(~level.S, replace, direction=direction) << any_pair(A.T @ q)

    return Sample(body, {"q": q, "level": level}, q)


def make_parents(A: Any, direction: Any = None) -> Sample:
    q = Vector.from_coo([0], [0], "INT32", size=A.nrows, engine=A.engine)
    level, parent = Vector("INT32", A.nrows, engine=A.engine), q.dup()

    def body(depth: Any) -> None:
        level(q.S) << depth
        q(~level.S, replace, direction=direction) << any_secondi(A.T @ q)
        parent(q.S) << 1  # any parent will do, so which one is no part of the test

    return Sample(body, {"q": q, "level": level, "parent": parent}, q)


def make_distances(A: Any, direction: Any = None) -> Sample:
    def settle(d: Vector, q: Vector, t: Vector, falls: Vector) -> None:
        q(falls.V, replace) << t
        d(q.S) << q

    return make_relaxation(A, direction, settle)


def make_bucket(A: Any, direction: Any = None) -> Sample:
    """Distances below an end, as delta-stepping has them: what fell and stays below goes on."""

    def settle(d: Vector, q: Vector, t: Vector, falls: Vector) -> None:
        t(falls.V, replace) << t
        d(t.S) << t
        q << t.select("valuelt", 25)

    return make_relaxation(A, direction, settle)


def make_relaxation(A: Any, direction: Any, settle: Callable[[Vector, Vector, Vector, Vector], Any]) -> Sample:
    """Paths by one more arc, and where they are shorter; `settle` says what becomes of them."""
    dtype, n = A.dtype, A.nrows
    d = Vector.from_coo([0], [0], dtype, size=n, engine=A.engine)
    q, t, falls = d.dup(), Vector(dtype, n, engine=A.engine), Vector("BOOL", n, engine=A.engine)

    def body(_: Any) -> None:
        t(direction=direction) << min_plus(A.T @ q)
        falls(t.S, replace) << t.ewise_union(d, binary.lt, INF, INF)
        settle(d, q, t, falls)

    return Sample(body, {"d": d, "q": q, "t": t, "falls": falls}, q)


def make_widths(A: Any, direction: Any = None) -> Sample:
    """The widest path to each vertex: the same over max_min, with an accumulator and a selection."""
    dtype, n = A.dtype, A.nrows
    w = Vector.from_coo([0], [100], dtype, size=n, engine=A.engine)
    q, t = w.dup(), Vector(dtype, n, engine=A.engine)
    rises = Vector(dtype, n, engine=A.engine)

    def body(_: Any) -> None:
        t(direction=direction) << max_min(q @ A)
        rises << t.ewise_union(w, binary.minus, 0, 0)
        rises << rises.select(">", 0)
        q(rises.S, replace) << t
        w(binary.max) << q

    return Sample(body, {"w": w, "q": q, "t": t, "rises": rises}, q)


def make_reached(A: Any, direction: Any = None) -> Sample:
    """What is reached over arcs whose value is true: a truth ends a row, but its value has to be read."""
    q = Vector.from_coo([0, 2], [True, True], size=A.nrows, engine=A.engine)
    seen = q.dup()
    true = A.apply("valuegt", 6).new("BOOL")

    def body(_: Any) -> None:
        q(~seen.V, replace, direction=direction) << lor_land(true.T @ q)
        q << q.select("==", True)
        seen(q.S) << True

    return Sample(body, {"q": q, "seen": seen}, q)


def make_walks(A: Any, direction: Any = None) -> Sample:
    """Walks of each length, and of all: what a round reaches may have been reached by the last one."""
    q = Vector.from_coo([0, 7], [1, 1], "INT64", size=A.nrows, engine=A.engine)
    total = Vector("INT64", A.nrows, engine=A.engine)

    def body(_: Any) -> None:
        total(binary.plus) << q
        q(direction=direction) << plus_first(q @ A)

    return Sample(body, {"q": q, "total": total}, q, times=6)


def make_beats(A: Any, direction: Any = None) -> Sample:
    """Levels, and beside them what each round changes everywhere before its product."""
    q, level = Vector.from_coo([0], [True], size=A.nrows, engine=A.engine), Vector("INT8", A.nrows, engine=A.engine)
    beat = Vector.from_scalar(0, A.nrows, "INT32", engine=A.engine)

    def body(depth: Any) -> None:
        beat(binary.plus) << 1
        level(q.S) << depth
        q(~level.S, replace, direction=direction) << any_pair(A.T @ q)

    return Sample(body, {"q": q, "level": level, "beat": beat}, q)


def make_components(A: Any, direction: Any = None) -> Sample:
    """The least number of a vertex that reaches each vertex; a full vector at first."""
    n, engine = A.nrows, A.engine
    least = Vector.from_coo(range(n), range(n), "INT64", size=n, engine=engine)
    q, t, falls = least.dup(), Vector("INT64", n, engine=engine), Vector("BOOL", n, engine=engine)

    def body(_: Any) -> None:
        t(direction=direction) << min_first(q @ A)
        falls << (t & least)._over(binary.lt)
        q(falls.V, replace) << t
        least(binary.min) << q

    return Sample(body, {"least": least, "q": q, "falls": falls}, q)


def make_ranks(A: Any, direction: Any = None) -> Sample:
    """Ranks of random surfing without dangling vertices: a fixed number of rounds over plus_times."""
    n, engine = A.nrows, A.engine
    rank = Vector.from_scalar(1 / n, n, "FP64", engine=engine)
    share = Vector.from_scalar(0.25, n, "FP64", engine=engine)
    flow = Vector("FP64", n, engine=engine)

    def body(_: Any) -> None:
        flow << (rank & share)._over(binary.times)
        rank(binary.plus, direction=direction) << plus_times(A.T @ flow)
        rank << rank.apply(binary.times, 0.5)
        rank << rank.apply(binary.plus, left=0.125)

    return Sample(body, {"rank": rank, "flow": flow}, None, times=4)


SAMPLES = {
    f.__name__.removeprefix("make_"): f
    for f in (
        make_levels,
        make_parents,
        make_distances,
        make_bucket,
        make_widths,
        make_reached,
        make_walks,
        make_beats,
        make_components,
        make_ranks,
    )
}


def make_surfing(A: Any) -> Sample:
    """Ranks by residual: vectors that stay full, with sums before and after the product."""
    n, engine = A.nrows, A.engine
    r, share, lost = (Vector.from_scalar(value, n, "FP64", engine=engine) for value in (1 / n, 0.25, 0.5))
    w, before, gone = r.dup(), r.dup(), Scalar("FP64")

    def body(_: Any) -> None:
        before << r
        w << r * share
        gone << plus_times(r @ lost)
        r << 0.15
        r(binary.plus) << plus_times(A.T @ w)
        r << r + gone

    return Sample(body, {"r": r, "w": w}, None, 4, lambda: abs(r - before).reduce() > 1e-3)


def make_hooks(A: Any) -> Sample:
    """Components by hooking and shortcutting: positions in vectors."""
    n = A.nrows
    f = Vector.from_coo(range(n), range(n), "INT32", size=n, engine=A.engine)
    g, m, changes = f.dup(), f.dup(), Scalar("BOOL", True)

    def body(_: Any) -> None:
        m << g
        m(binary.min) << min_second(A @ g)
        f(binary.min)[f] << m
        f(binary.min) << m
        m << f[f]
        changes << (m != g).reduce("lor")
        g << m

    return Sample(body, {"f": f, "g": g, "m": m}, None, 9, changes)


ROUNDS_SAMPLES = {"ranks": make_surfing, "hooks": make_hooks}
"""Bodies over vectors that stay full."""


def render_round(name: str, part: str) -> str:
    """The struct of the k-th map, or of the end, of a sample over full vectors as the engine renders it."""
    sample = ROUNDS_SAMPLES[name](gl.Matrix.from_coo([0, 1], [1, 0], [1, 1], "FP64", engine="cpu"))
    statements = record_body(sample.body, Round())
    plan, *_ = plan_static(statements, None, record_condition(sample.condition, statements), 4)
    phases = plan.body.round
    if part == "finish":
        return write_finish(next(p for p in reversed(phases) if isinstance(p, Finish)), plan.body.condition)
    return write_map([p for p in phases if isinstance(p, Map)][int(part)])


def render_text(name: str) -> str:
    """The struct of a sample as the engine renders it."""
    sample = SAMPLES[name](gl.Matrix.from_coo([0, 1], [1, 0], [1, 1], "INT32", engine="cpu"))
    plan, *_ = plan_kernel(record_body(sample.body, Round()), sample.live, None, 1)
    return body_text(plan.body)
