"""Vectors: in, out, change, and what they refuse."""

import numpy as np
import pytest

from graphla import Scalar, Vector, binary, monoid, replace
from graphla.common.errors import DimensionMismatch, DomainMismatch, GraphlaError, IndexOutOfBounds, InvalidGraph
from semirings import DomainError, min_plus, plus_times


@pytest.fixture
def v():
    return Vector.from_coo([1, 3, 4], [10, 30, 40], size=6)


def test_entries_come_out_as_they_went_in(v):
    assert v.to_dict() == {1: 10, 3: 30, 4: 40}
    assert (v.size, v.nvals, v.dtype.name, list(v)) == (6, 3, "INT64", [1, 3, 4])
    assert v.get(2) is None
    assert v.get(2, 7) == 7
    assert 3 in v
    assert 2 not in v


def test_dense_needs_a_fill_value_where_entries_are_absent(v):
    assert v.to_dense(-1).tolist() == [-1, 10, -1, 30, 40, -1]
    assert v.to_numpy(0.5).tolist() == [0.5, 10, 0.5, 30, 40, 0.5]
    with pytest.raises(GraphlaError, match="3 of 6 places have no entry"):
        v.to_dense()


@pytest.mark.parametrize("missing", [0, float("nan")])
def test_from_dense_leaves_out_what_is_missing(missing):
    values = np.array([1.0, missing, 3.0])
    assert Vector.from_dense(values, missing).to_dict() == {0: 1.0, 2: 3.0}


def test_from_dense_copies():
    values = np.arange(3)
    v = Vector.from_dense(values)
    v[0] = 9
    assert values[0] == 0


def test_pairs_and_mappings():
    assert Vector.from_pairs([(2, 5), (0, 1)], size=4).to_dict() == {0: 1, 2: 5}
    assert Vector.from_dict({2: 5}, "FP32").to_dict() == {2: 5.0}
    assert Vector.from_pairs([], size=3).nvals == 0


def test_repeated_places_need_an_operator():
    with pytest.raises(InvalidGraph, match="place 2 occurs twice"):
        Vector.from_coo([2, 0, 2], [1, 2, 3])
    assert Vector.from_coo([2, 0, 2], [1, 2, 3], dup_op=binary.plus).to_dict() == {0: 2, 2: 4}
    assert Vector.from_coo([2, 0, 2], [1, 2, 3], dup_op="first").to_dict() == {0: 2, 2: 1}
    assert Vector.from_coo([2, 0, 2], [1, 2, 3], dup_op=monoid.max).to_dict() == {0: 2, 2: 3}


@pytest.mark.parametrize("index", [6, -7, 100])
def test_an_index_outside_is_refused(v, index):
    with pytest.raises(IndexOutOfBounds, match=f"index {index} is out of range for size 6"):
        v[index]
    with pytest.raises(IndexOutOfBounds):
        v[index] = 1


@pytest.mark.parametrize("index", [1.5, "a", None, True, [[0, 1]], [0.5], Vector, int])
def test_what_is_no_index_is_refused(v, index):
    with pytest.raises(IndexOutOfBounds):
        v[index]


def test_assignment_of_values_and_parts(v):
    v[0] = 5
    v[1:3] << 7
    v[[5, 4]] << Vector.from_coo([0], [50], size=2)
    assert v.to_dict() == {0: 5, 1: 7, 2: 7, 3: 30, 5: 50}
    v(binary.plus)[[0, 5]] << Vector.from_coo([0, 1], [1, 1], size=2)
    assert v.to_dict() == {0: 6, 1: 7, 2: 7, 3: 30, 5: 51}
    with pytest.raises(GraphlaError, match="occurs twice"):
        v[[1, 1]] << 3


def test_assignment_under_masks(v):
    m = Vector.from_coo([0, 1], [True, False], size=6)
    w = v.dup()
    w(m.S) << 1
    assert w.to_dict() == {0: 1, 1: 1, 3: 30, 4: 40}
    w = v.dup()
    w(m.V) << 1
    assert w.to_dict() == {0: 1, 1: 10, 3: 30, 4: 40}
    w = v.dup()
    w(~m.S, replace) << v
    assert w.to_dict() == {3: 30, 4: 40}
    w = v.dup()
    w(~m.V, binary.plus) << v
    assert w.to_dict() == {1: 20, 3: 60, 4: 80}


def test_a_part_with_a_mask_of_its_own(v):
    m = Vector.from_coo([0], [True], size=2)
    v[[1, 3]](m.S) << 99
    assert v.to_dict() == {1: 99, 3: 30, 4: 40}


def test_deletion(v):
    del v[3]
    assert v.to_dict() == {1: 10, 4: 40}
    v.clear()
    assert (v.nvals, v.size, v.dtype.name) == (0, 6, "INT64")


def test_copies_are_apart(v):
    w = Vector("INT64", 6)
    w << v
    w[0] = 1
    u = v.dup("FP32")
    assert v.nvals == 3
    assert u.dtype.name == "FP32"
    assert u.isequal(v)
    assert not u.isequal(v, check_dtype=True)


def test_equality():
    a = Vector.from_coo([0, 2], [1.0, 2.0], size=3)
    assert a.isequal(a.dup())
    assert not a.isequal(Vector.from_coo([0, 1], [1.0, 2.0], size=3))
    assert not a.isequal(Vector.from_coo([0, 2], [1.0, 2.5], size=3))
    assert not a.isequal(Vector.from_coo([0, 2], [1.0, 2.0], size=4))
    b = Vector.from_coo([0, 2], [1.0 + 1e-9, 2.0], size=3)
    assert not a.isequal(b)
    assert a.isclose(b)
    assert not a.isclose(b, rel_tol=1e-12)
    with pytest.raises(DomainMismatch):
        a.isequal([1, 2])


def test_reductions(v):
    assert v.reduce("plus").new().value == 80
    assert v.reduce(binary.max).new().value == 40
    assert Vector("INT32", 4).reduce().new().is_empty
    assert v.inner(v).new().value == 2600
    s = Scalar("INT64", 1)
    s(binary.plus) << v.reduce()
    assert s.value == 81


def test_no_entries_and_no_length():
    for size in (0, 5):
        v = Vector("INT32", size)
        assert plus_times(v @ v).new().is_empty
        assert binary.plus(v | v).new().nvals == 0
        assert v.apply("ainv").new().nvals == 0
        assert v.select(">", 0).new().nvals == 0
        assert v.to_dict() == {}
        assert v.isequal(v.dup())
        assert v[[]].new().size == 0
        assert repr(v)
        assert "<table>" in v._repr_html_()


def test_operands_that_do_not_fit(v):
    w = Vector("INT64", 5)
    with pytest.raises(DimensionMismatch, match=r"\(6,\) and \(5,\)"):
        binary.plus(v | w)
    with pytest.raises(DimensionMismatch):
        w << v
    with pytest.raises(DimensionMismatch, match="the mask has shape"):
        v(w.S) << v
    with pytest.raises(DomainMismatch, match="without an operator"):
        (v | v).new()
    with pytest.raises(DomainMismatch, match="semiring is called on a product"):
        min_plus(v)
    with pytest.raises(DomainMismatch):
        v | 3


def test_a_dtype_on_which_an_operator_has_no_meaning():
    v = Vector.from_coo([0], [1.5], size=2)
    with pytest.raises((DomainMismatch, DomainError), match="band"):
        binary.band(v & v)


def test_values_that_a_dtype_cannot_hold(v):
    small = Vector("INT8", 3)
    with pytest.raises(DomainMismatch, match="does not fit INT8"):
        small << 300
    with pytest.raises(DomainMismatch, match=r"2\.5 cannot be stored as INT64"):
        v[0] = 2.5
    with pytest.raises(DomainMismatch, match="object dtype"):
        Vector.from_coo([0], [object()])


def test_how_is_said_once(v):
    with pytest.raises(GraphlaError, match="multiple values for argument"):
        v(v.S, v.V)
    with pytest.raises(GraphlaError, match="Mask must be"):
        v(v) << v
    with pytest.raises(GraphlaError, match="direction='sideways'"):
        v(direction="sideways")
    with pytest.raises(GraphlaError, match="accumulator"):
        v(accum=3) << v


def test_resize(v):
    v.resize(4)
    assert v.to_dict() == {1: 10, 3: 30}
    v.resize(10)
    assert v.size == 10


def test_repr_names_what_there_is(v):
    text = repr(v)
    assert "Vector 6 INT64, 3 entries" in text
    assert "40" in text
    assert "… 92 more" in repr(Vector.from_scalar(1, 100))


def test_sentinels_are_no_entries():
    v = Vector._from_sentinel(np.array([0, -1, 2]), -1, Vector("BOOL", 0).engine)
    assert v.size == 3
    assert v.to_dict() == {0: 0, 2: 2}


@pytest.mark.parametrize("absent", [0, 3])
@pytest.mark.parametrize("entries", [2, 90])
def test_few_entries_are_written_where_the_target_stands(absent, entries):
    q = Vector.from_coo(np.arange(entries), np.arange(entries) + 7, size=100)
    level = Vector.from_coo(np.arange(100 - absent), np.zeros(100 - absent), "INT64", size=100)
    values = level._storage.values
    level(q.S) << q
    level(q.S) << 4
    level(binary.min) << Vector.from_coo([1], [2], size=100)
    assert level._storage.values is values
    assert level.to_dict() == {i: 2 if i == 1 else 4 if i < entries else 0 for i in range(100 - absent)}
