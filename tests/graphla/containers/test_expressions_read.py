"""Expressions are read like the containers that they give; those of one value stand wherever a number may."""

from __future__ import annotations

import pytest

from graphla import Matrix, Scalar, Vector, binary, unary
from graphla.common.errors import DomainMismatch


@pytest.fixture
def v() -> Vector:
    return Vector.from_coo([0, 2], [3, 4], size=4)


@pytest.fixture
def A() -> Matrix:
    return Matrix.from_coo([0, 1, 1], [1, 2, 0], [5, 6, 7], nrows=2, ncols=3)


def test_an_expression_is_read_like_a_container(v: Vector, A: Matrix) -> None:
    total = v + v
    assert (total.nvals, total.ndim, total.size, len(total)) == (2, 1, 4, 4)
    assert total.isequal(Vector.from_coo([0, 2], [6, 8], size=4))
    assert total.to_dict() == {0: 6, 2: 8}
    assert (total.get(2), total.get(1, "none"), 2 in total, 1 in total, list(total)) == (8, "none", True, False, [0, 2])
    assert (total[2].new().value, total[[0, 2]].to_dict()) == (8, {0: 6, 1: 8})
    assert (A.T.nrows, A.T.ncols, A.T.get(2, 1), (2, 1) in A.T, (1, 1) in A.T) == (3, 2, 6, True, False)
    assert list(A.T) == [(0, 1), (1, 0), (2, 1)]
    assert A.isequal(A.T.new().T.new())
    assert A.T.to_dense(0).tolist() == [[0, 7], [5, 0], [0, 6]]
    assert A.T.diag().to_dict() == A.diag().to_dict()


def test_a_value_is_computed_again_once_an_operand_has_changed(v: Vector) -> None:
    total = v + v
    assert total.to_dict() == {0: 6, 2: 8}
    assert total._value is total._value
    v[1] = 5
    assert total.to_dict() == {0: 6, 1: 10, 2: 8}


def test_one_value_stands_where_a_number_may(v: Vector) -> None:
    total = v.reduce("plus")
    assert (int(total), float(total), complex(v[0]), bool(v[0])) == (7, 7.0, 3, True)
    assert (v[0].value, v[1].is_empty) == (3, True)
    assert ((total * 2).new().value, (v[0] + 1).new().value, (total + Scalar.from_value(1)).new().value) == (14, 4, 8)
    assert unary.ainv(total).new().value == -7
    assert (v * total).to_dict() == {0: 21, 2: 28}
    assert (v + v[0]).to_dict() == {0: 6, 2: 7}
    assert v.select(">", v[0]).to_dict() == {2: 4}
    assert v[v[0] - 1].new().value == 4


def test_one_value_is_assigned(v: Vector, A: Matrix) -> None:
    v[1] = v[0]
    v[3] << v.reduce("plus")
    v[2](binary.plus) << 7
    assert v.to_dict() == {0: 3, 1: 3, 2: 11, 3: 10}
    A[0, 0] = A[1, 2]
    A[0, 1](binary.times) << A[0, 0]
    assert A.to_dense(0).tolist() == [[6, 30, 0], [7, 0, 6]]
    v[0] = Scalar("INT64")
    v[:2](binary.plus) << Scalar("INT64")
    assert v.to_dict() == {1: 3, 2: 11, 3: 10}


def test_an_empty_value_leaves_what_is_accumulated() -> None:
    s = Scalar.from_value(5)
    s(binary.plus) << Vector("INT64", 3).reduce("plus")
    assert s.value == 5
    s << Vector("INT64", 3).reduce("plus")
    assert s.is_empty


def test_entries_are_removed_by_any_index(v: Vector, A: Matrix) -> None:
    del v[[0, 1]]
    assert v.to_dict() == {2: 4}
    del v[:]
    del A[1, :2]
    assert (v.nvals, list(A)) == (0, [(0, 1), (1, 2)])
    del A[:, [2, 0]]
    assert list(A) == [(0, 1)]


def test_what_has_many_values_is_no_number(v: Vector) -> None:
    with pytest.raises(DomainMismatch, match=r"an expression of shape \(4,\) is not an int"):
        int(v + v)
    with pytest.raises(DomainMismatch, match="an expression of one value cannot be iterated over"):
        list(v.reduce("plus"))
    with pytest.raises(AttributeError, match="'Ewise' object has no attribute 'nothing'"):
        (v + v).nothing
    with pytest.raises(DomainMismatch, match="only valid for BOOL"):
        (v | v).nvals
