"""What follows python-graphblas where it could be otherwise: see docs/coming_from.md for what does not."""

from __future__ import annotations

import sys
from typing import Any

import graphblas as gb
import numpy as np
import pytest
import scipy.sparse

import graphla as gl
from graphla import Matrix, Scalar, Vector, agg, binary, monoid, select, unary
from graphla.common.errors import DomainMismatch, GraphlaError, InvalidGraph, InvalidOption
from semirings import plus_times


@pytest.fixture
def A() -> Matrix:
    return Matrix.from_coo([0, 1, 2, 2], [1, 0, 0, 2], [2, 3, 4, 5], nrows=3, ncols=3, engine="cpu")


@pytest.fixture
def v() -> Vector:
    return Vector.from_coo([0, 2], [5, 7], size=3, engine="cpu")


READS = {
    "nvals": lambda A, v: (v + v).nvals,
    "value": lambda A, v: v[0].value,
    "to_dict": lambda A, v: (A @ v).to_dict(),
    "an operand": lambda A, v: (v + v) * v,
    "a bound number": lambda A, v: v * v.reduce(),
    "an index": lambda A, v: (A + A)[0, 1],
    "iteration": lambda A, v: list(v + v),
    "membership": lambda A, v: 0 in (v + v),
    "a truth": lambda A, v: bool(v.reduce() == 12),
    "a number": lambda A, v: int(v.reduce()),
    "a mask": lambda A, v: v.new(mask=v == 5),
    "isequal": lambda A, v: v.isequal(v + v),
    "an assigned number": lambda A, v: v << v.reduce(),
    "an array": lambda A, v: np.array(v + v),
}


@pytest.mark.parametrize("what", READS)
def test_nothing_is_computed_by_itself_where_autocompute_is_off(what: str, A: Matrix, v: Vector) -> None:
    if what != "an array":
        READS[what](A, v)
    with gl.config.set(autocompute=False), pytest.raises(DomainMismatch, match="enable automatic computation with"):
        READS[what](A, v)


WRITTEN = {
    "a chain": lambda A, v: binary.plus(v | v | v).new(),
    "products": lambda A, v: plus_times(A @ A @ v).new(),
    "a part": lambda A, v: A.__setitem__((slice(0, 2), slice(0, 2)), A[1:, 1:]),
    "into a Scalar": lambda A, v: Scalar("INT64") << v.reduce(),
    "accumulated": lambda A, v: Scalar("INT64", 1)(binary.plus) << v.reduce(),
    "a mask of masks": lambda A, v: v.new(mask=v.S & ~v.V),
    "an aggregator": lambda A, v: (agg.stds(v).new(), A.reduce_rowwise(agg.L1norm).new()),
    "a search": lambda A, v: gl.bfs(gl.Graph(A), 0, method="algebraic"),
    "distances": lambda A, v: gl.sssp(gl.Graph(A), 0, method="algebraic"),
    "all distances": lambda A, v: gl.apsp(gl.Graph(A), method="algebraic"),
    "the transpose": lambda A, v: (A.T.to_coo(), A.T.isequal(A), A.T.nvals, A.T[0, 0].new()),
    "a diagonal": lambda A, v: A.setdiag(v),
    "a smaller shape": lambda A, v: A.resize(2, 2),
    "a comparison": lambda A, v: (A.isequal(A), A.isclose(A)),
    "a power": lambda A, v: A.power(3).new(),
    "an outer product": lambda A, v: v.outer(v).new(),
}


@pytest.mark.parametrize("what", WRITTEN)
def test_what_is_written_down_is_computed_where_autocompute_is_off(what: str, A: Matrix, v: Vector) -> None:
    with gl.config.set(autocompute=False):
        WRITTEN[what](A, v)


def test_autocompute_is_a_truth() -> None:
    assert gl.config.autocompute is True
    with pytest.raises(GraphlaError, match="autocompute=1: give True or False"):
        gl.config.autocompute = 1  # type: ignore[assignment]


def test_one_value_for_all_is_given_to_a_repeated_index_once() -> None:
    ours, theirs = Vector.from_coo([3, 0, 3], 7), gb.Vector.from_coo([3, 0, 3], 7)
    assert ours.to_dict() == theirs.to_dict() == {0: 7, 3: 7}
    assert Matrix.from_coo([1, 1], [0, 0], True).to_dicts() == {1: {0: True}}
    for make in (
        lambda: Vector.from_coo([0, 0], 7, dup_op="plus"),
        lambda: gb.Vector.from_coo([0, 0], 7, dup_op="plus"),
    ):
        with pytest.raises(ValueError, match="dup_op must be None"):
            make()
    with pytest.raises(InvalidGraph, match="Duplicate indices"):
        Matrix.from_csr([0, 2], [1, 1])


@pytest.mark.parametrize("weights", [[], [[4, 4]]])
def test_repeated_arcs_of_a_graph_are_refused_as_ever(weights: list[Any]) -> None:
    with pytest.raises(InvalidGraph, match="occurs twice"):
        _ = gl.Graph(([0, 0], [1, 1], *weights), n=2, engine="cpu").csr
    assert gl.Graph(([0, 0], [1, 1], *weights), n=2, dup="first", engine="cpu").nvals == 1


def test_repeats_of_scipy_are_refused_without_an_operator() -> None:
    S = scipy.sparse.coo_array(([1, 2], ([0, 0], [1, 1])), shape=(2, 2))
    for library in (Matrix.from_scipy_sparse, gb.io.from_scipy_sparse):
        with pytest.raises(ValueError, match="Duplicate indices found"):
            library(S)
    assert Matrix.from_scipy_sparse(S, dup_op="plus").to_dicts() == {0: {1: 3}}


def test_hypersparse_rows_and_columns_come_back(A: Matrix) -> None:
    rng = np.random.default_rng()
    S = scipy.sparse.random_array((40, 30), density=0.02, rng=rng)
    ours, theirs = Matrix.from_scipy_sparse(S), gb.io.from_scipy_sparse(S)
    for way in ("dcsr", "dcsc"):
        parts = getattr(ours, f"to_{way}")()
        for one, other in zip(parts, getattr(theirs, f"to_{way}")(), strict=True):
            np.testing.assert_array_equal(one, other)
        assert getattr(Matrix, f"from_{way}")(*parts, nrows=40, ncols=30).isequal(ours)
    with pytest.raises(InvalidGraph, match="from_dcsr: indptr"):
        Matrix.from_dcsr([0], [0, 5], [1], [2])


def test_a_transpose_is_exported_in_the_order_of_its_matrix(A: Matrix) -> None:
    rows, columns, values = A.to_coo()
    i, j, held = A.T.to_coo()
    assert [i.tolist(), j.tolist(), held.tolist()] == [columns.tolist(), rows.tolist(), values.tolist()]
    assert A.T.to_coo(rows=False)[0] is None
    assert Matrix.from_coo(*A.T.to_coo(), nrows=3, ncols=3).isequal(A.T)


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "**", "^", "|", "&", "@"])
def test_an_expression_is_not_changed_in_place(sign: str, A: Matrix) -> None:
    for e in (A.T, A + A, A | A):
        with pytest.raises(TypeError, match="is not supported for an expression"):
            exec(f"e {sign}= A", {"e": e, "A": A})


def test_divmod_and_exclusive_or(v: Vector) -> None:
    for pair in (divmod(v, 3), divmod(3, v)):
        assert [each.new().to_dict() for each in pair]
    assert [e.new().to_dict() for e in divmod(v, 3)] == [{0: 1, 2: 2}, {0: 2, 2: 1}]
    truths = v.dup(bool)
    assert (True ^ truths).new().to_dict() == {0: False, 2: False}
    for make in (lambda: v ^ True, lambda: 6 ^ truths, lambda: truths ^ v):
        with pytest.raises(TypeError, match="only supported for BOOL"):
            make()


def test_what_is_about_to_be_written_is_no_value(A: Matrix, v: Vector) -> None:
    for make in (lambda: v()(), lambda: v()[0](), lambda: v[[0, 1]]()(), lambda: v[0]()()):
        with pytest.raises(TypeError, match="not callable"):
            make()
    for held in (v(), v()[0], v[0](), A[1, 2]()):
        with pytest.raises(TypeError, match="not defined"):
            bool(held)
        with pytest.raises(TypeError, match="not defined"):
            _ = held == held
    for s in (v, A, Scalar("INT8")):
        with pytest.raises(InvalidOption, match="descriptor"):
            s(nthreads=4)


def test_scalars_are_selected_by_their_value() -> None:
    s = Scalar.from_value(5)
    assert [select.value(s < 10).new().value, select.value(s > 10).new().value] == [5, None]
    assert [select.valueeq(s, 5).value, select.valuene(5, s).value] == [5, None]
    assert [s.select(">", 4).value, s.select("valuelt", 4).value] == [5, None]
    assert select.value(Scalar("INT8") < 10).is_empty
    with pytest.raises(TypeError, match="no comparison"):
        select.value(s | s)
    with pytest.raises(TypeError, match="no position"):
        select.tril(s)


def test_an_aggregator_of_others(A: Matrix) -> None:
    mean_of_ends = agg.Aggregator.compose("middle", [agg.max, agg.min], lambda high, low: unary.ainv(high + low))
    assert A.reduce_rowwise(mean_of_ends).new().to_dict() == {0: -4, 1: -6, 2: -9}
    assert mean_of_ends(Vector("INT64", 3)).new().is_empty


def test_indices_are_whole_numbers_within_bounds(A: Matrix) -> None:
    with pytest.raises(ValueError, match="indices must be integers, not float64"):
        Vector.from_coo(np.array([1.0]), [1])
    with pytest.raises(OverflowError, match="18446744073709551616"):
        Vector.from_coo([0, 2**64], [0, 1])
    with pytest.raises(OverflowError, match="18446744073709551614"):
        Vector.from_coo([0, 2**64 - 2], [0, 1])
    for index in ((0, 2), np.array([0.0]), np.array([[0]]), object()):
        with pytest.raises(TypeError, match="Invalid type for index"):
            A[1, index]


def test_a_product_of_two_vectors_is_not_assigned_by_at(v: Vector) -> None:
    with pytest.raises(TypeError, match="@= is not supported"):
        v @= v  # type: ignore[misc]
    with pytest.raises(TypeError, match="@= is not supported"):
        exec("s @= v", {"s": Scalar("INT8"), "v": v})


def test_which_kind_of_scalar_an_expression_gives(v: Vector) -> None:
    assert v.reduce(monoid.plus).new().is_cscalar is gb.Vector(int, 2).reduce().new().is_cscalar is False
    assert (v @ v).is_cscalar is v[0].new(is_cscalar=True).is_cscalar is True


def test_what_a_container_takes() -> None:
    v, n = Vector.from_dense(np.arange(1000.0), engine="cpu"), 1000
    assert v.nbytes == 8 * n
    assert sys.getsizeof(v) >= 8 * n
    A = v.diag()
    assert A.nbytes == 8 * n + 4 * n + 4 * (n + 1)
    assert sys.getsizeof(A) >= A.nbytes


def test_parts_of_an_export_that_are_none_are_left_out(A: Matrix, v: Vector) -> None:
    assert v.to_coo(indices=None)[0] is None
    assert [part is None for part in A.to_coo(rows=None, columns=None)] == [True, True, False]
    with pytest.raises(InvalidOption, match="give True or False"):
        v.to_coo(indices="no")  # type: ignore[arg-type]
