"""What may be written around the operators: chains, defaults, masks, names, parts, typed operators, scalars."""

from __future__ import annotations

import builtins
import pickle
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Scalar, Vector, agg, binary, indexunary, monoid, replace, select, semiring, unary
from graphla.common.errors import (
    DimensionMismatch,
    DomainMismatch,
    EmptyScalar,
    GraphlaError,
    InvalidOption,
    ValueOutOfRange,
)

rng = np.random.default_rng()


@pytest.fixture
def u() -> Vector:
    return Vector.from_coo([0, 1], [1, 2], size=3)


@pytest.fixture
def v() -> Vector:
    return Vector.from_coo([1, 2], [10, 20], size=3)


@pytest.fixture
def A() -> Matrix:
    return Matrix.from_coo([0, 0, 1], [0, 2, 1], [5, 6, 7], nrows=2, ncols=3)


def test_a_chain_uses_its_operator_at_each_place(u: Vector, v: Vector) -> None:
    assert binary.plus(u | v | u).new().to_dict() == {0: 2, 1: 14, 2: 20}
    assert binary.plus(u & (v & u)).new().to_dict() == {1: 14}
    assert binary.minus(u | v, left_default=100, right_default=1).new().to_dict() == {0: 0, 1: -8, 2: 80}
    D = u.diag()
    assert semiring.plus_times(D @ D @ u).new().to_dict() == {0: 1, 1: 8}
    with pytest.raises(DomainMismatch, match="inner one an operator first"):
        (u | v) & u
    with pytest.raises(DomainMismatch, match="both left_default= and right_default="):
        binary.plus(u | v, left_default=1)


def test_without_an_operator_there_is_a_default(u: Vector, v: Vector, A: Matrix) -> None:
    p, q = u.dup(bool), v.dup(bool)
    assert (p | q).new().to_dict() == {0: True, 1: True, 2: True}
    assert (p & q).new().to_dict() == {1: True}
    assert (A @ v).new().to_dict() == semiring.plus_times(A @ v).new().to_dict()
    A @= Matrix.from_scalar(1, 3, 3)
    assert A.to_dicts()[1] == {0: 7, 1: 7, 2: 7}
    with pytest.raises(DomainMismatch, match="only valid for BOOL"):
        (u | v).new()


def test_a_vector_is_spread_over_a_matrix(A: Matrix) -> None:
    rows, columns = Vector.from_coo([1], [100], size=2), Vector.from_coo([0, 2], [10, 20], size=3)
    assert (rows + A).to_dicts() == {0: {0: 5, 2: 6}, 1: {0: 100, 1: 107, 2: 100}}
    assert (A + columns).to_dicts() == {0: {0: 15, 2: 26}, 1: {0: 10, 1: 7, 2: 20}}
    assert (rows * A).to_dicts() == {1: {1: 700}}
    assert (A * columns).to_dicts() == {0: {0: 50, 2: 120}}
    with pytest.raises(DimensionMismatch):
        columns | A
    with pytest.raises(DomainMismatch, match="Bad type for argument"):
        A | 1


@pytest.mark.parametrize("size", [1, 9])
def test_masks_are_combined(size: int) -> None:
    """Against sets of indices."""
    held = [Vector.from_coo(np.flatnonzero(p), x[p], size=size) for p, x in rng.integers(0, 2, (2, 2, size)) > 0]
    everything = set(range(size))
    masks = []
    for each in held:
        entries = each.to_dict()
        for mask, holds in ((each.S, set(entries)), (each.V, {i for i, x in entries.items() if x})):
            masks += [(mask, holds), (~mask, everything - holds)]
    for one, p in masks:
        for other, q in masks:
            assert set((one | other).new()) == p | q
            assert set((one & other).new("INT8", complement=True)) == everything - (p & q)
    full = Vector.from_scalar(7, size)
    assert set(full.dup(mask=masks[0][0])) == set(full.select(masks[0][0]).new()) == masks[0][1]


def test_a_mask_is_a_mask(u: Vector, v: Vector) -> None:
    truths = Vector.from_coo([0, 1], [True, False], size=3)
    w = Vector.from_scalar(1, 3)
    w(truths, replace) << 5
    assert w.to_dict() == {0: 5}
    assert isinstance(u.S | truths, type(truths | u.S))
    for wrong in (lambda: bool(u.S), lambda: u.S == u.S, lambda: u.S | object(), lambda: u.S & v, lambda: w(replace)):
        with pytest.raises(DomainMismatch):
            wrong()
    assert v[[0, 2]].new(input_mask=v.S).to_dict() == {1: 20}
    w(input_mask=~v.S) << u[:]
    assert w.to_dict() == {0: 1}
    with pytest.raises(DomainMismatch, match="only be used for extract"):
        w(input_mask=v.S) << 1


def test_operators_by_other_names(u: Vector, v: Vector) -> None:
    assert u.ewise_add(v, "+").new().isequal(u.ewise_add(v, binary.plus))
    assert u.ewise_mult(v, builtins.max).new().to_dict() == {1: 10}
    assert u.select("index<=", 0).new().to_dict() == {0: 1}
    assert u.inner(v, "min.+").new() == 12
    u("plus") << v
    assert u.to_dict() == {0: 1, 1: 12, 2: 20}
    assert (unary.cos(0), binary.plus(5, 2)) == (1, 7)
    for wrong in (semiring.min_plus, unary.abs, agg.sum, 5, "nothing"):
        with pytest.raises(GraphlaError, match="Expected type: BinaryOp"):
            u.ewise_add(v, wrong)
    with pytest.raises(DomainMismatch, match="accumulator"):
        u(unary.one)


def test_an_operator_bound_to_a_type(u: Vector) -> None:
    half = binary.truediv[float]
    assert (half.type, half.return_type, half.binaryop, binary.truediv[float]) == ("FP64", "FP64", half, half)
    assert (monoid.plus[int].identity, binary.plus.monoid, monoid.plus.binaryop) == (0, monoid.plus, binary.plus)
    assert (binary.minus.commutes_to, binary.plus.is_commutative, monoid.min.is_idempotent) == (
        binary.rminus,
        True,
        True,
    )
    assert pickle.loads(pickle.dumps(half)) is half
    assert pickle.loads(pickle.dumps(select.tril)) is select.tril
    assert monoid.plus["FP32"](u & u).new().dtype == "FP32"
    assert (int in agg.sum, "FC64" in agg.min, agg.sum["FP32"].return_type, agg.sum[int].parent) == (
        True,
        False,
        "FP32",
        agg.sum,
    )
    with pytest.raises(KeyError, match=r"agg\.sum_of_inverses does not work with BOOL"):
        agg.sum_of_inverses[bool]
    assert u.reduce(agg.count["INT16"]).new().isequal(Scalar("INT16", 2), check_dtype=True)
    with pytest.raises(DomainMismatch, match="the container is INT64"):
        u(binary.plus[float]) << u


def test_a_comparison_is_taken_apart(A: Matrix, u: Vector) -> None:
    assert select.value(A > 5).new().to_dicts() == {0: {2: 6}, 1: {1: 7}}
    assert select.value(A > 5).new().to_dicts() == {0: {2: 6}, 1: {1: 7}}
    assert select.row(A < 1).new().to_dicts() == {0: {0: 5, 2: 6}}
    assert select.column(A >= 1).new().to_dicts() == {0: {2: 6}, 1: {1: 7}}
    assert select.index(u <= 0).new().to_dict() == {0: 1}
    assert indexunary.colindex(A, thunk=2).new().to_dicts() == {0: {0: 2, 2: 4}, 1: {1: 3}}
    for wrong in (lambda: select.value(A), lambda: select.row(u < 1), lambda: u.select(u == 1, 777)):
        with pytest.raises(DomainMismatch):
            wrong()


def test_parts_are_assigned_from_sequences(v: Vector, A: Matrix) -> None:
    v[[0, 1]] = [2, 3]
    v[...] << v + 1
    assert v.to_dict() == {0: 3, 1: 4, 2: 21}
    assert v[[Scalar.from_value(2), Scalar.from_value(0)]].new().to_dict() == {0: 21, 1: 3}
    A[0, :] = np.arange(3)
    assert A.to_dicts()[0] == {0: 0, 1: 1, 2: 2}
    with pytest.raises(DimensionMismatch, match="shape mismatch"):
        v[[0, 1]] = [1, 2, 3]
    for wrong in (v, v.S, "a", 1.5, Scalar.from_value(1.0)):
        with pytest.raises((DomainMismatch, IndexError), match="index"):
            v[wrong]


def test_export_takes_a_dtype_and_parts(v: Vector, A: Matrix) -> None:
    indices, values = v.to_coo("FP32", indices=False)
    assert (indices, values.dtype) == (None, np.float32)
    rows, _, values = A.to_coo(columns=False)
    assert (rows.tolist(), values.tolist()) == ([0, 0, 1], [5, 6, 7])
    assert A.to_csr(float)[2].dtype == A.to_dense(0, float).dtype == np.float64
    assert Matrix.from_csc(*A.to_csc(), nrows=2, ncols=3).isequal(A)
    assert A.to_dicts("col") == {0: {0: 5}, 1: {1: 7}, 2: {0: 6}}
    assert (v.to_scipy_sparse("csc").shape, v.diag(1, dtype="INT8").dtype) == ((3, 1), "INT8")
    assert Vector("INT64", 3).reduce("plus", allow_empty=False).new() == 0
    for wrong in (lambda: Matrix.from_csr(*A.to_csr(), nrows=9), lambda: Vector.from_coo([], []), lambda: v.get([0])):
        with pytest.raises(ValueError, match=r"must be|Unable to infer|Bad index"):
            wrong()


def test_a_scalar_is_written_and_asked() -> None:
    s = Scalar.from_value(5, name="s")
    s.value = 6
    s() << s + 1
    s(accum="+") << Vector.from_coo([0], [3])[0]
    assert (s.value, s.name, s.dup(clear=True, name="t").is_empty, s.dup(name="t").name) == (10, "s", True, "t")
    assert np.array([s, s]).tolist() == [10, 10]
    assert binary.plus(s | 2) == 12
    assert s.ewise_union(Scalar("INT64"), binary.plus, 1, 20) == 30
    assert (s.wait() is s, s.isclose(10.0), s.isclose(Scalar("FP64", 10), check_dtype=True)) == (True, True, False)
    assert (s.dup(is_cscalar=False).is_grbscalar, s.is_cscalar) == (True, True)
    with pytest.raises(TypeError, match="unhashable"):
        hash(s)
    with pytest.raises(ValueOutOfRange):
        Scalar("INT8") << 300
    with pytest.raises(EmptyScalar):
        float(Scalar("INT8"))
    for wrong in (lambda: s(replace), lambda: s(mask=s), lambda: s[0], lambda: s.isequal(object()), lambda: s << "a"):
        with pytest.raises(DomainMismatch):
            wrong()
    with pytest.raises(InvalidOption):
        gl.Vector("INT8", 1).wait("never")


@pytest.mark.parametrize(
    "name", ["plus_minus", "min_first", "max_secondi", "min_firsti", "plus_secondj1", "plus_times"]
)
def test_products_over_commuted_semirings_are_transposed(name: str) -> None:
    """(A ⊗ B)ᵀ = Bᵀ ⊗' Aᵀ, where ⊗' commutes with ⊗."""
    A = Matrix.from_coo([0, 0, 2], [1, 2, 0], [3, 5, 4], nrows=3, ncols=3)
    B = Matrix.from_coo([1, 2, 0], [0, 2, 1], [2, 7, 1], nrows=3, ncols=3)
    op: Any = getattr(gl.semiring, name)
    assert op(A @ B).new().isequal(op.commutes_to(B.T @ A.T).new().T.new())


def test_one_operand_of_infix_expressions_without_an_operator() -> None:
    p, q = Vector.from_coo([0, 1], [True, False], size=3), Vector.from_coo([0, 1], [True, True], size=3)
    assert unary.sqrt(p & q).new().to_dict() == {0: 1.0, 1: 0.0}
    assert unary.sqrt(p | q).new().dtype == "FP32"
    assert binary.plus(p & q, 1).new().to_dict() == {0: 2, 1: 1}
    assert gl.indexunary.rowindex(p & q).new().to_dict() == {0: 0, 1: 1}
    A = Matrix.from_coo([0], [0], [4.0], nrows=1, ncols=1)
    assert unary.sqrt(A @ A).new().get(0, 0) == 4.0
    with pytest.raises(DomainMismatch, match="take a binary operator"):
        unary.sqrt(Vector.from_coo([0], [1], size=1) & Vector.from_coo([0], [1], size=1)).new()
