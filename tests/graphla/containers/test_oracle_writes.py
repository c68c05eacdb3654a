"""Extracting and assigning parts, masks, accumulators, replace and aliasing agree with SuiteSparse:GraphBLAS."""

from typing import Any

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_pairs import (
    DTYPES,
    MASKS,
    assert_same,
    check,
    check_written,
    make_mask,
    matrices,
    select_side,
    sizes,
    vectors,
    writings,
)

import graphla as gl

few = settings(max_examples=150, deadline=None)
dtypes = st.sampled_from(["INT64", "FP64", "INT8", "BOOL"])


@st.composite
def indices(draw: Any, size: int, repeats: bool = False, single: bool = True) -> Any:
    """An int, a slice of any step, or a list of places."""
    kinds = ["slice", "list", *(["int"] if size and single else [])]
    kind = draw(st.sampled_from(kinds))
    if kind == "int":
        return draw(st.integers(-size, size - 1))
    if kind == "slice":
        ends = st.none() | st.integers(-size - 1, size + 1)
        return slice(draw(ends), draw(ends), draw(st.sampled_from([None, 1, 2, 3, -1, -2])))
    places = st.integers(0, size - 1) if size else st.nothing()
    return np.array(draw(st.lists(places, max_size=6 if size else 0, unique=not repeats)), "int64")


def find_extent(index: Any, size: int) -> tuple[int, ...]:
    """The shape that an index of one dimension leaves."""
    return () if isinstance(index, int) else np.arange(size)[index].shape


@few
@given(data=st.data())
def test_parts_of_vectors(data: Any) -> None:
    n = data.draw(sizes)
    v, index = data.draw(vectors(n, data.draw(dtypes))), data.draw(indices(n, repeats=True))
    check(lambda lib, v: v[index], v)


@few
@given(data=st.data())
def test_parts_of_matrices(data: Any) -> None:
    m, n = data.draw(sizes), data.draw(sizes)
    turned = data.draw(st.booleans())
    A = data.draw(matrices(*((n, m) if turned else (m, n)), data.draw(dtypes)))
    rows, cols = data.draw(indices(m, repeats=True)), data.draw(indices(n, repeats=True))
    check(lambda lib, A: (A.T if turned else A)[rows, cols], A)


@few
@given(data=st.data())
def test_assigning_to_parts_of_vectors(data: Any) -> None:
    n = data.draw(sizes)
    out, index = data.draw(vectors(n, data.draw(dtypes))), data.draw(indices(n, single=False))
    part = find_extent(index, n)
    value = data.draw(st.integers(0, 1) | vectors(*part, data.draw(dtypes)))
    outer, inner = data.draw(writings((n,))), data.draw(writings(part))
    for how, within in ((outer, False), (inner, True)):
        target = out.dup()
        for lib, held in ((gl, target.ours), (gb, target.theirs)):
            (given_value,) = select_side((value,), lib)
            settings = how.make_settings(lib)
            (held[index](**settings) if within else held(**settings)[index]) << given_value
        assert_same(target.ours, target.theirs)


@few
@given(data=st.data())
def test_assigning_to_parts_of_matrices(data: Any) -> None:
    m, n = data.draw(sizes), data.draw(sizes)
    out = data.draw(matrices(m, n, data.draw(dtypes)))
    rows, cols = data.draw(indices(m)), data.draw(indices(n))
    part = (*find_extent(rows, m), *find_extent(cols, n))
    if not part:
        return
    make = vectors if len(part) == 1 else matrices
    value = data.draw(st.integers(0, 1) | make(*part, data.draw(dtypes)))
    outer, inner = data.draw(writings((m, n))), data.draw(writings(part))
    for how, within in ((outer, False), (inner, True)):
        target = out.dup()
        for lib, held in ((gl, target.ours), (gb, target.theirs)):
            (given_value,) = select_side((value,), lib)
            settings = how.make_settings(lib)
            (held[rows, cols](**settings) if within else held(**settings)[rows, cols]) << given_value
        assert_same(target.ours, target.theirs)


@few
@given(data=st.data())
def test_assigning_to_a_line_under_the_mask_of_a_vector(data: Any) -> None:
    m, n = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    out, column = data.draw(matrices(m, n, data.draw(dtypes))), data.draw(st.booleans())
    length, place = (m, data.draw(st.integers(0, n - 1))) if column else (n, data.draw(st.integers(0, m - 1)))
    places = data.draw(st.just(slice(None)) | indices(length, single=False))
    value = data.draw(st.integers(0, 1) | vectors(*find_extent(places, length), data.draw(dtypes)))
    how, target = data.draw(writings((length,))), out.dup()
    for lib, held in ((gl, target.ours), (gb, target.theirs)):
        (given_value,) = select_side((value,), lib)
        held(**how.make_settings(lib))[(places, place) if column else (place, places)] << given_value
    assert_same(target.ours, target.theirs)


def test_the_mask_of_a_vector_wants_one_line() -> None:
    A, v = gl.Matrix("INT8", 2, 2), gl.Vector("INT8", 2)
    with pytest.raises(gl.errors.GraphlaError, match=r"wants one row, C\(m\)\[i, J\]"):
        A(v.S)[:, :] << 1
    with pytest.raises(gl.errors.DimensionMismatch, match=r"the mask has shape \(2,\), the result \(3,\)"):
        gl.Matrix("INT8", 2, 3)(v.S)[0, :] << 1


@few
@given(data=st.data())
def test_assigning_one_place(data: Any) -> None:
    n = data.draw(st.integers(1, 7))
    out, place = data.draw(vectors(n, data.draw(dtypes))), data.draw(st.integers(-n, n - 1))
    target = out.dup()
    for held in (target.ours, target.theirs):
        held[place] = 1
    assert_same(target.ours, target.theirs)
    for held in (target.ours, target.theirs):
        del held[place]
    assert_same(target.ours, target.theirs)


@few
@given(data=st.data())
def test_writing_a_whole(data: Any) -> None:
    n = data.draw(sizes)
    rank = data.draw(st.sampled_from([1, 2]))
    make, shape = (vectors, (n,)) if rank == 1 else (matrices, (n, data.draw(sizes)))
    out, value = data.draw(make(*shape, data.draw(dtypes))), data.draw(make(*shape, data.draw(dtypes)))
    how = data.draw(writings(shape))
    check_written(lambda lib, value: value, out, how, value)
    check_written(lambda lib, value: value, out, how, data.draw(st.integers(0, 1)))


@few
@given(data=st.data())
def test_a_transpose_is_assigned(data: Any) -> None:
    m, n = data.draw(sizes), data.draw(sizes)
    out, value = data.draw(matrices(m, n, data.draw(dtypes))), data.draw(matrices(n, m, data.draw(dtypes)))
    check_written(lambda lib, value: value.T, out, data.draw(writings((m, n))), value)


@few
@given(data=st.data())
def test_a_target_is_its_own_operand_and_mask(data: Any) -> None:
    n = data.draw(sizes)
    numbers = st.sampled_from(["INT64", "FP64", "INT8"])
    A, v = data.draw(matrices(n, n, data.draw(numbers))), data.draw(vectors(n, data.draw(numbers)))
    kind, replace = data.draw(st.sampled_from(MASKS[1:])), data.draw(st.booleans())
    for program in (
        lambda lib, A, v: A(make_mask(A, kind), replace=replace) << A.T,
        lambda lib, A, v: v(make_mask(v, kind), replace=replace) << lib.semiring.plus_times(A @ v),
        lambda lib, A, v: v(make_mask(v, kind), replace=replace) << lib.binary.max(v | v),
        lambda lib, A, v: v(make_mask(v, kind), replace=replace) << 1,
        lambda lib, A, v: v(lib.binary.second, make_mask(v, kind), replace=replace) << v[::-1],
        lambda lib, A, v: A(make_mask(A, kind), replace=replace) << lib.semiring.any_pair(A @ A.T),
    ):
        mine, their = (A.ours.dup(), v.ours.dup()), (A.theirs.dup(), v.theirs.dup())
        program(gl, *mine)
        program(gb, *their)
        for ours, theirs in zip(mine, their, strict=True):
            assert_same(ours, theirs)


@few
@given(data=st.data())
def test_masks_of_new_containers(data: Any) -> None:
    n = data.draw(sizes)
    v, w, mask = (data.draw(vectors(n, dtype)) for dtype in ("INT64", "INT64", "BOOL"))
    kind = data.draw(st.sampled_from(MASKS[1:]))
    results = [
        lib.binary.plus(x | y).new("FP64", mask=make_mask(m, kind))
        for lib, x, y, m in ((gl, v.ours, w.ours, mask.ours), (gb, v.theirs, w.theirs, mask.theirs))
    ]
    assert_same(*results)


@pytest.mark.parametrize("dtype", DTYPES)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_copies_in_another_dtype(dtype: str, data: Any) -> None:
    v = data.draw(vectors(data.draw(sizes), data.draw(st.sampled_from(["INT64", "FP64", "INT8"]))))
    if dtype.startswith("UINT") and any(value <= -1 for value in v.ours.to_dict().values()):
        with pytest.raises(gl.errors.GraphlaError, match=rf"does not fit {dtype}.*take a signed dtype"):
            v.ours.dup(dtype)
    else:
        assert_same(v.ours.dup(dtype), v.theirs.dup(dtype))
