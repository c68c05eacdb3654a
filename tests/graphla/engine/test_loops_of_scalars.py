"""Loops with Scalars, conditions, several products and vectors of indices, against NumPy and SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import graphla as gl
from graphla import Matrix, Scalar, Vector, binary, monoid
from graphla.common.errors import (
    DimensionMismatch,
    DomainMismatch,
    EmptyScalar,
    GraphlaError,
    IndexOutOfBounds,
    InvalidIndex,
    NotConverged,
    NotSupported,
)
from semirings import min_second, plus_second, plus_times
from tests.fuzz.full_loops import ROUNDS_HOW

N = 130


def make_arcs(seed: int = 3, n: int = N) -> Any:
    """A random adjacency matrix of SciPy: vertices without arcs, several components, a hub."""
    random = np.random.default_rng(seed)
    rows, cols = random.integers(0, n - 20, 2 * n), random.integers(0, n - 20, 2 * n)
    cells = np.unique(np.r_[rows * n + cols, np.arange(n // 3) * n + 5])
    cells = cells[(cells // n < n // 2) == (cells % n < n // 2)]
    return sp.csr_array((np.ones(cells.size), (cells // n, cells % n)), (n, n))


def to_matrix(arcs: Any, engine: Any, dtype: str = "FP64") -> Matrix:
    coo = arcs.tocoo()
    return Matrix.from_coo(*coo.coords, coo.data, dtype, nrows=N, ncols=N, engine=engine)


def fill(value: float, engine: Any, dtype: str = "FP64") -> Vector:
    return Vector.from_scalar(value, N, dtype, engine=engine)


def to_numpy(v: Vector) -> Any:
    return np.asarray(v.to_numpy())


def test_ranks_by_residual(engine: Any) -> None:
    arcs = make_arcs()
    A, r, before, w = to_matrix(arcs, engine), fill(1 / N, engine), fill(0, engine), fill(0, engine)
    out = np.asarray(arcs.sum(axis=1))
    inverse = Vector.from_dense(np.divide(0.85, out, where=out > 0, out=np.zeros(N)), engine=engine)
    dangling = Vector.from_dense((out == 0) * 1.0, engine=engine)
    lost, change = Scalar("FP64"), Scalar("FP64")

    def step(_: Any) -> None:
        before << r
        w << r * inverse
        lost << plus_times(r @ dangling)
        r << 0.15 / N
        r(binary.plus) << plus_second(A.T @ w)
        r << r + lost * 0.85 / N
        change << abs(r - before).reduce()

    done = gl.loop(step, while_true=lambda: abs(r - before).reduce() > 1e-9, max_rounds=200)
    expected, rounds = np.full(N, 1 / N), 0
    old = np.zeros(N)
    while np.abs(expected - old).sum() > 1e-9:
        old, rounds = expected, rounds + 1
        expected = 0.15 / N + arcs.T @ (old * to_numpy(inverse)) + 0.85 / N * (old * (out == 0)).sum()
    assert done.rounds == rounds
    assert to_numpy(r) == pytest.approx(expected, rel=1e-12)
    assert change.value == pytest.approx(np.abs(expected - old).sum(), rel=1e-5)
    assert lost.value == pytest.approx((old * (out == 0)).sum(), rel=1e-12)


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_two_products_and_their_norms(engine: Any, dtype: str) -> None:
    arcs = make_arcs(5)
    A, h, a, total = to_matrix(arcs, engine, dtype), fill(1, engine, dtype), fill(0, engine, dtype), Scalar(dtype)

    def step(_: Any) -> None:
        a << 0
        a(binary.plus) << plus_second(A.T @ h)
        total << a.reduce(monoid.max)
        a << a / total
        h << 0
        h(binary.plus) << plus_times(A @ a)
        h << h / h.reduce(monoid.max)

    assert gl.loop(step, times=7).rounds == 7
    hubs = np.ones(N)
    for _ in range(7):
        authorities = arcs.T @ hubs
        authorities /= authorities.max()
        hubs = arcs @ authorities
        hubs /= hubs.max()
    assert to_numpy(h) == pytest.approx(hubs, rel=1e-4 if dtype == "FP32" else 1e-12)
    assert to_numpy(a) == pytest.approx(authorities, rel=1e-4 if dtype == "FP32" else 1e-12)


def find_components(A: Matrix, n: int) -> tuple[Any, Any]:
    """FastSV with hooking and shortcutting by vectors of indices: labels, and the loop that ran."""
    f = Vector.from_dense(np.arange(n, dtype="int32"), engine=A.engine)
    g, m, changes = f.dup(), f.dup(), Scalar("BOOL", True)

    def hook(_: Any) -> None:
        m << g
        m(binary.min) << min_second(A @ g)
        m(binary.min) << min_second(A.T @ g)
        f(binary.min)[f] << m
        f(binary.min) << m
        m << f[f]
        changes << (m != g).reduce(monoid.lor)
        g << m
        f(binary.min) << g

    done = gl.loop(hook, while_true=changes, max_rounds=N)
    return to_numpy(f), done


@pytest.mark.parametrize("seed", range(3))
def test_components_by_hooking_and_shortcutting(engine: Any, seed: int) -> None:
    arcs = make_arcs(seed)
    labels, done = find_components(to_matrix(arcs, engine), N)
    _, expected = sp.csgraph.connected_components(arcs, directed=False)
    smallest = np.full(N, N)
    np.minimum.at(smallest, expected, np.arange(N))
    assert labels.tolist() == smallest[expected].tolist()
    assert 1 < done.rounds < 12


def test_matrices_in_a_loop(engine: Any) -> None:
    arcs = make_arcs(2)
    P, power, count = to_matrix(arcs, engine), to_matrix(arcs, engine), Scalar("INT64", 0)
    ones = power.apply("one").new("INT64")

    def multiply(_: Any) -> None:
        power << plus_times(power @ P)
        ones << power.apply("one")
        count << ones.reduce_scalar()

    assert gl.loop(multiply, while_true=lambda: count < 900, times=3).rounds == 3
    expected = (arcs @ arcs @ arcs @ arcs).toarray()
    assert power.to_dense(0).tolist() == pytest.approx(expected)
    assert count.value == (expected != 0).sum()


def test_the_loop_ends_when_the_condition_is_false_or_empty(engine: Any) -> None:
    v, s = Vector.from_coo([1, 3], [1, 1], "INT32", size=5, engine=engine), Scalar("INT32", 1)

    def double(_: Any) -> None:
        v << v + v
        s << v.reduce(monoid.max)

    assert gl.loop(double, while_true=lambda: s < 16, max_rounds=9).rounds == 4
    assert gl.loop(double, while_true=lambda: s < 16, max_rounds=9).rounds == 0
    assert v.to_dict() == {1: 16, 3: 16}
    with pytest.raises(NotConverged, match="max_rounds=3: while_true is still true after 3 rounds"):
        gl.loop(double, while_true=lambda: s > 0, max_rounds=3)
    assert gl.loop(double, while_true=s, times=2).rounds == 2
    nothing = Vector("INT32", 5, engine=engine)

    def count(_: Any) -> None:
        s << nothing.reduce()
        nothing << nothing

    assert gl.loop(count, while_true=s, max_rounds=3).rounds == 1
    assert s.is_empty


def test_scalars_in_every_place(engine: Any) -> None:
    v, s, t = fill(3, engine), Scalar("FP64", 2), Scalar("INT64", 0)

    def body(turn: Any) -> None:
        t << turn
        s(binary.plus) << 1 / (s * 2)
        v << s - v
        v << v * s
        v << abs(v) + (v / v.reduce(monoid.max)).reduce("plus")
        v << -v
        v << -v

    gl.loop(body, times=3)
    expected, held = np.full(N, 3.0), 2.0
    for _ in range(3):
        held += 1 / (held * 2)
        expected = (held - expected) * held
        expected = np.abs(expected) + (expected / expected.max()).sum()
    assert to_numpy(v) == pytest.approx(expected)
    assert (s.value, t.value) == (pytest.approx(held), 2)


def read(what: Any) -> Any:
    """Let the host look at a Scalar of the body in a way that is refused."""
    return lambda v, s: lambda _: (what(s), s << v.reduce())


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (read(float), NotSupported, "the body reads Scalar FP64: 2.0 on the host"),
        (read(bool), NotSupported, "on the host"),
        (read(lambda s: s.value), NotSupported, "on the host"),
        (read(lambda s: s.is_empty), NotSupported, "on the host"),
        (read(lambda s: s.get(3)), NotSupported, "on the host"),
        (read(lambda s: s == 3), NotSupported, "on the host"),
        (lambda v, s: lambda _: float(v.reduce()), NotSupported, "make a new container"),
        (lambda v, s: lambda _: setattr(s, "value", 3), NotSupported, "set the value of a Scalar"),
        (lambda v, s: lambda _: s.clear(), NotSupported, "set the value of a Scalar"),
        (lambda v, s: lambda _: s << v, DimensionMismatch, "reduce it"),
        (lambda v, s: lambda _: s << "two", DomainMismatch, "'two' is no number"),
        (lambda v, s: lambda _: v << v[v], InvalidIndex, "FP64|index"),
    ],
)
def test_bad_bodies_with_scalars(engine: Any, body: Any, error: Any, message: str) -> None:
    v, s = fill(3, engine), Scalar("FP64", 2)
    with pytest.raises(error, match=message):
        gl.loop(body(v, s), times=2)
    assert (s.value, v.nvals) == (2, N)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (lambda v, s: {"while_true": 3, "max_rounds": 3}, "while_true=3: give a Scalar"),
        (lambda v, s: {"while_true": v, "max_rounds": 3}, "give a Scalar that the body writes"),
        (lambda v, s: {"while_true": len, "max_rounds": 3}, "while_true=<built-in function len>: give a Scalar"),
        (lambda v, s: {"while_true": lambda: v > 3, "max_rounds": 3}, "expression of one value"),
        (lambda v, s: {"while_true": v.reduce() > 3, "max_rounds": 3}, "computed before the loop: give a function"),
        (lambda v, s: {"while_true": Scalar("BOOL", True), "max_rounds": 3}, "it never changes"),
        (lambda v, s: {"while_true": lambda: s << 3, "max_rounds": 3}, "writes a statement"),
        (lambda v, s: {"while_true": lambda: float(s) > 3, "max_rounds": 3}, "while_true reads Scalar"),
        (lambda v, s: {"while_true": s}, "max_rounds=None: give max_rounds= or times="),
        (lambda v, s: {"while_true": s, "while_entries": v, "times": 3}, "give one of the two"),
        (lambda v, s: {"while_true": s, "times": 3, "max_rounds": 3}, "times=3, max_rounds=3"),
    ],
)
def test_bad_conditions(how: Any, message: str) -> None:
    v, s = fill(3, "cpu"), Scalar("FP64", 2)

    def body(_: Any) -> None:
        v << v + v
        s << v.reduce()

    with pytest.raises(GraphlaError, match=message):
        gl.loop(body, **how(v, s))
    assert s.value == 2


@pytest.mark.parametrize("value", [np.float64, Vector, [1.0], "x", None])
def test_what_is_no_value_is_refused_in_a_body(value: Any) -> None:
    v = fill(3, "cpu")
    with pytest.raises(DomainMismatch, match="Bad type for argument `value`"):
        gl.loop(lambda _: v << value, times=2)


def test_an_empty_scalar_in_a_round_is_refused(engine: Any) -> None:
    v, s = fill(3, engine), Scalar("FP64")
    with pytest.raises(EmptyScalar, match="empty Scalar"):
        gl.loop(lambda _: v << v / s, times=2)


@pytest.mark.parametrize("op", ["plus", "max", gl.agg.sum, gl.agg.all])
def test_a_reduction_that_is_never_empty_in_a_loop(op: Any, engine: Any) -> None:
    few, sums, s = Vector("FP64", N, engine=engine), fill(0, engine), Scalar("FP64")
    limit = Vector.from_dense(np.arange(N) % 3 + 1.5, engine=engine)

    def body(_: Any) -> None:
        limit << limit - 1
        few << limit.select(">", 0)
        s << few.reduce(op, allow_empty=False)
        sums << sums + s

    done = gl.loop(body, times=4)
    assert done.plan in ROUNDS_HOW
    looped = to_numpy(sums)
    sums << 0
    limit << limit + 4
    for k in range(4):
        body(k)
    assert np.array_equal(looped, to_numpy(sums))
    name = getattr(op, "name", op)
    assert few.nvals == 0
    assert s.value == {"plus": 0, "sum": 0, "max": -np.inf, "all": 1}[name]


@pytest.mark.parametrize("op", ["min", monoid.times, gl.agg.max, gl.agg.bitwise_any, binary.plus["FP64"]])
def test_a_reduction_of_no_entries_is_the_identity_or_empty(op: Any, engine: Any) -> None:
    v, A = Vector("INT64", 3, engine=engine), Matrix("INT64", 3, 2, engine=engine)
    ends = np.iinfo("int64")
    identity = {"min": ends.max, "times": 1, "max": ends.min, "bitwise_any": 0, "plus": 0}[getattr(op, "name", op)]
    for of in (v.reduce, A.reduce_scalar):
        assert of(op).new().is_empty
        assert of(op, allow_empty=False).new().value == identity
    assert plus_times(A @ A.T).mask(A[:, [0, 1, 1]].new().S).reduce_scalar("max", allow_empty=False).new() == ends.min


def test_extract_by_a_vector(engine: Any) -> None:
    random = np.random.default_rng(8)
    values, places = random.integers(0, 90, 40), random.integers(-40, 40, 55)
    v, p = Vector.from_dense(values, engine=engine), Vector.from_dense(places, engine=engine)
    assert np.asarray(v[p].new().to_numpy()).tolist() == values[places].tolist()
    some = Vector.from_coo([0, 3], [7, 8], size=4, engine=engine)
    assert some[Vector.from_dense([3, 1, 0, 3, -1], engine=engine)].new().to_dict() == {0: 8, 2: 7, 3: 8, 4: 8}
    A = Matrix.from_dense(values.reshape(8, 5), engine=engine)
    rows = Vector.from_dense([7, 0, 7], engine=engine)
    assert engine.to_host(A[rows, 1:3].new().to_dense()).tolist() == values.reshape(8, 5)[[7, 0, 7], 1:3].tolist()
    with pytest.raises(IndexOutOfBounds, match="index 40 is out of range for size 40"):
        v[Vector.from_dense([40], engine=engine)].new()
    with pytest.raises(InvalidIndex, match="this has 2 of 4"):
        v[some]
    with pytest.raises(InvalidIndex, match="a Vector of them"):
        v[v < 3]


@pytest.mark.parametrize("op", ["min", "max", "plus", "lor", "bxor"])
def test_assign_to_places_that_repeat(engine: Any, op: str) -> None:
    random = np.random.default_rng(9)
    dtype = "bool" if op == "lor" else "int64"
    f, m, p = random.integers(0, 50, 30), random.integers(0, 50, 80), random.integers(0, 30, 80)
    f, m = f.astype(dtype), m.astype(dtype)
    v, w = (Vector.from_dense(each, engine=engine) for each in (f, m))
    v(op)[Vector.from_dense(p, engine=engine)] << w
    join = {"min": np.minimum, "max": np.maximum, "plus": np.add, "lor": np.logical_or, "bxor": np.bitwise_xor}[op]
    join.at(f, p, m)
    assert np.asarray(v.to_numpy()).tolist() == f.tolist()


def test_assign_to_places_that_repeat_under_a_mask(engine: Any) -> None:
    v = Vector.from_coo([0, 1, 4], [10, 20, 30], "INT32", size=6, engine=engine)
    mask = Vector.from_coo([0, 2, 3], [True, True, False], size=6, engine=engine)
    few = Vector.from_coo([0, 1, 3], [1.75, 2.0, 4.0], size=4, engine=engine)
    w, kept = v.dup(), v.dup()
    v(binary.plus)[[2, 2, 0, 0]] << few
    assert v.to_dict() == {0: 14, 1: 20, 2: 3, 4: 30}
    w(mask.V, binary.plus)[[1, 2, 2, 2]] << few
    assert w.to_dict() == {0: 10, 1: 20, 2: 6, 4: 30}
    kept(mask.S, binary.plus, gl.replace)[[1, 2, 2, 2]] << few
    assert kept.to_dict() == {0: 10, 2: 6}
    for accum in (None, binary.first, binary.minus):
        with pytest.raises(GraphlaError, match=r"index 2 occurs twice.*operator of a monoid"):
            v(accum=accum)[[1, 2, 2, 3]] << few


def test_an_expression_sees_what_is_written_in_place(engine: Any) -> None:
    v = Vector.from_dense(np.arange(6), engine=engine)
    total = v.reduce()
    assert total.value == 15
    v << 5
    assert total.value == 30
    v(binary.plus) << Vector.from_coo([1], [7], size=6, engine=engine)
    assert total.value == 37
    v[Vector.from_dense([0, 2], engine=engine)] << Vector.from_dense([0, 0], engine=engine)
    assert total.value == 27
    v(binary.max)[[4, 4]] << Vector.from_dense([9, 8], engine=engine)
    assert total.value == 31


def test_a_scalar_on_the_left_of_a_comparison_compares_entries(engine: Any) -> None:
    v, s = Vector.from_coo([0, 2, 3], [4, 5, 4], size=5, engine=engine), Scalar("INT64", 4)
    assert (s == v).new().to_dict() == {0: True, 2: False, 3: True}
    assert (s != v).new().to_dict() == {0: False, 2: True, 3: False}
    assert s == 4
    assert s != "four"
