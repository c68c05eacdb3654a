"""Parts taken out and put in, and results written under masks, by an oracle of dictionaries."""

from __future__ import annotations

import tracemalloc
from itertools import product
from typing import Any

import numpy as np
import pytest
from entry_oracle import assert_same, cast, make_allowance, transpose, unite, write
from operands import (
    FORMS,
    MASKS,
    Operand,
    make_full_matrix,
    make_generator,
    make_matrix,
    make_vector,
    make_view,
    to_entries,
)

import graphla as gl
from semirings import binary, unary

INDICES = [slice(None), slice(3, 40, 4), [5, 2, 2, 60], 7, slice(10, 10), np.array([1, 0])]


@pytest.mark.parametrize("form", FORMS)
def test_extract_from_a_vector(engine: Any, form: str) -> None:
    v = make_vector(engine, make_generator("extract", form), "FP32", 70, form)
    for index in INDICES:
        if isinstance(index, int):
            assert v.held[index].new().value == v.entries.get(index)
            continue
        places = np.arange(70)[index].tolist()
        wanted = {k: v.entries[p] for k, p in enumerate(places) if p in v.entries}
        assert_same(to_entries(v.held[index].new()), wanted, str(index))


def test_extract_from_a_matrix(engine: Any) -> None:
    rng = make_generator("part")
    for A in (make_matrix(engine, rng, "INT32", (70, 80), 0.3), make_full_matrix(engine, rng, "INT32", (70, 80))):
        for rows, cols in product(INDICES, INDICES):
            places = [np.atleast_1d(np.arange(n)[part]).tolist() for n, part in ((70, rows), (80, cols))]
            part = {
                (k, m): A.entries[i, j]
                for k, i in enumerate(places[0])
                for m, j in enumerate(places[1])
                if (i, j) in A.entries
            }
            result = A.held[rows, cols].new()
            if isinstance(rows, int) and isinstance(cols, int):
                assert result.value == part.get((0, 0))
                continue
            if isinstance(rows, int) or isinstance(cols, int):
                part = {k + m: value for (k, m), value in part.items()}
            assert_same(to_entries(result), part, f"{rows} {cols}")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MASKS)
def test_assign_to_a_vector(engine: Any, form: str, kind: str | None) -> None:
    """A scalar and a vector, to all of it and to a part."""
    rng = make_generator("assign", form, kind)
    for index, accum, replaces in product(
        [slice(None), slice(3, 40, 4), [9, 5, 60]], [None, binary.plus], [False, True]
    ):
        M = make_vector(engine, rng, "INT8", 70, "bitmap")
        places = np.arange(70)[index].tolist()
        for scalar in (True, False):
            target = make_vector(engine, rng, "INT32", 70, form)
            source = make_vector(engine, rng, "INT32", len(places), "bitmap")
            part = dict.fromkeys(range(len(places)), 7) if scalar else source.entries
            how = {} if kind is None else {"mask": make_view(M, kind), "replace": replaces}
            target.held(accum=accum, **how)[index] << (7 if scalar else source.held)
            wanted = assign(target.entries, places, part, accum is not None, M, kind, replaces)
            assert_same(to_entries(target.held), wanted, f"{index} {accum} {replaces} {scalar}")


@pytest.mark.parametrize("make", [make_matrix, make_full_matrix])
def test_accumulate_into_a_block(engine: Any, make: Any) -> None:
    """``C[I, J](accum) << part``: what the part lacks, and what is outside of it, stays."""
    rng = make_generator("block", make.__name__)
    share = (0.3,) if make is make_matrix else ()
    for rows, cols, scalar in product([slice(3, 40, 4), [9, 5, 60]], [slice(None), [70, 2]], [False, True]):
        target = make(engine, rng, "INT32", (70, 80), *share)
        places = [np.arange(n)[part].tolist() for n, part in ((70, rows), (80, cols))]
        source = make_matrix(engine, rng, "INT32", (len(places[0]), len(places[1])), 0.5)
        cells = product(range(len(places[0])), range(len(places[1])))
        part = dict.fromkeys(cells, 7) if scalar else source.entries
        target.held[rows, cols](binary.plus) << (7 if scalar else source.held)
        T = {(places[0][k], places[1][m]): value for (k, m), value in part.items()}
        assert_same(to_entries(target.held), unite(target.entries, T, lambda x, y: x + y), f"{rows} {cols} {scalar}")


def assign(
    C: dict[Any, Any], places: list[Any], part: dict[Any, Any], adds: bool, M: Operand, kind: str | None, replaces: bool
) -> dict[Any, Any]:
    """C with a part of it assigned, by the oracle."""
    T = {place: part[k] for k, place in enumerate(places) if k in part}
    Z = unite(C, T, lambda x, y: x + y) if adds else {k: v for k, v in C.items() if k not in places} | T
    allows = (
        make_allowance(None, True, False)
        if kind is None
        else make_allowance(M.entries, kind[-1] == "S", kind[0] == "~")
    )
    kept = {} if replaces and kind is not None else {k: v for k, v in C.items() if not allows(k)}
    return kept | {k: v for k, v in Z.items() if allows(k)}


def test_assign_to_a_matrix(engine: Any) -> None:
    rng = make_generator("assign matrix")
    for rows, cols, scalar in product([slice(None), slice(3, 20, 4), [9, 5]], [slice(None), [2, 0]], [True, False]):
        A = make_matrix(engine, rng, "FP64", (30, 12), 0.2)
        i, j = np.arange(30)[rows].tolist(), np.arange(12)[cols].tolist()
        B = make_matrix(engine, rng, "FP64", (len(i), len(j)), 0.4)
        A.held[rows, cols] << (2.5 if scalar else B.held)
        part = dict.fromkeys(product(range(len(i)), range(len(j))), 2.5) if scalar else B.entries
        covered = set(product(i, j))
        wanted = {k: v for k, v in A.entries.items() if k not in covered}
        wanted |= {(i[k], j[m]): value for (k, m), value in part.items()}
        assert_same(to_entries(A.held), wanted, f"{rows} {cols} {scalar}")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MASKS[1:])
def test_write_of_a_vector(engine: Any, form: str, kind: str) -> None:
    """out(mask, accum, replace) << result for each format of the mask and of the result."""
    rng = make_generator("write", form, kind)
    for mask_form, result, accum, replaces in product(FORMS, FORMS, [None, binary.plus], [False, True]):
        M, target = make_vector(engine, rng, "INT8", 130, mask_form), make_vector(engine, rng, "INT32", 130, form)
        v = make_vector(engine, rng, "FP32", 130, result)
        target.held(make_view(M, kind), accum=accum, replace=replaces) << unary.ainv(v.held)
        T = cast({k: -x for k, x in v.entries.items()}, "FP32", "INT32")
        allows = make_allowance(M.entries, kind[-1] == "S", kind[0] == "~")
        wanted = write(target.entries, T, allows, (lambda x, y: x + y) if accum else None, replaces)
        assert_same(to_entries(target.held), wanted, f"{mask_form} {result} {accum} {replaces}")


@pytest.mark.parametrize("kind", MASKS[1:])
def test_write_of_a_matrix(engine: Any, kind: str) -> None:
    rng = make_generator("write matrix", kind)
    for accum, replaces, turned in product([None, binary.plus], [False, True], [False, True]):
        M, target = make_matrix(engine, rng, "INT8", (20, 25), 0.3), make_matrix(engine, rng, "INT32", (20, 25), 0.3)
        A = make_matrix(engine, rng, "INT32", (25, 20) if turned else (20, 25), 0.3)
        target.held(make_view(M, kind), accum=accum, replace=replaces) << (A.held.T if turned else A.held)
        T = transpose(A.entries) if turned else A.entries
        allows = make_allowance(M.entries, kind[-1] == "S", kind[0] == "~")
        wanted = write(target.entries, T, allows, (lambda x, y: x + y) if accum else None, replaces)
        assert_same(to_entries(target.held), wanted, f"{accum} {replaces} {turned}")


@pytest.mark.parametrize("form", FORMS)
def test_a_result_shares_nothing_with_its_operand(engine: Any, form: str) -> None:
    """Writing into a result in place leaves what it was computed from alone."""
    v = make_vector(engine, make_generator("share", form), "INT32", 130, form)
    copies = [v.held.dup(), unary.identity(v.held).new(), v.held[:].new(), v.held.select("valuege", -100).new()]
    w = gl.Vector("INT32", 130, engine=engine)
    w << v.held
    for copy in (*copies, w):
        copy(accum=binary.plus)[[0, 1, 2]] << 50
        copy[[3, 4]] << 60
    assert_same(to_entries(v.held), v.entries, form)


@pytest.mark.parametrize("form", ["full", "bitmap"])
def test_a_part_of_a_vector_costs_what_it_has(engine: Any, form: str) -> None:
    """Entries of a few places come and go in place: nothing lists the million others."""
    n = 1 << 20
    v = gl.Vector.from_dense(np.arange(n), engine=engine)
    if form == "bitmap":
        del v[0]
    one, two = gl.Vector.from_coo([1], [60], size=3, engine=engine), gl.Vector.from_dense([7, 8], engine=engine)
    M = gl.Vector.from_coo([40, 90], True, "BOOL", size=n, engine=engine)
    tracemalloc.start()
    v[[50, 10, 30]] << one
    del v[20]
    del v[100:110:5]
    v(~M.S)[[40, 41]] << two
    v(M.S)[[90, 91]] << gl.Vector("INT64", 2, engine=engine)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 3 * n, "flags of a byte each, and little else"
    gone = {0: {"bitmap": [0], "full": []}[form], 1: [50, 30, 20, 100, 105, 90]}
    wanted = {i: i for i in range(n)} | {10: 60, 41: 8}
    for i in (*gone[0], *gone[1]):
        del wanted[i]
    assert to_entries(v) == wanted


@pytest.mark.parametrize("form", FORMS)
def test_a_vector_is_assigned_to_a_part_of_itself(engine: Any, form: str) -> None:
    v = make_vector(engine, make_generator("itself", form), "INT32", 130, form)
    places = np.random.default_rng(3).permutation(130).tolist()
    own, masked = v.held.dup(), v.held.dup()
    own[places] << own
    assert_same(to_entries(own), {places[i]: value for i, value in v.entries.items()}, form)
    masked(masked.S)[places] << masked
    moved = {places[i]: value for i, value in v.entries.items() if places[i] in v.entries}
    assert_same(to_entries(masked), moved, form)


@pytest.mark.parametrize("form", ["S", "V"])
def test_a_part_under_a_mask_costs_what_the_mask_lets_through(engine: Any, form: str) -> None:
    """Two entries of a mask over 20,000 × 20,000 places, which would take 3 GB one by one."""
    n = 20_000
    A = gl.Matrix.from_coo([5], [7], [3], nrows=n, ncols=n, engine=engine)
    M = gl.Matrix.from_coo([2, 4, 6], [3, n - 1, 0], [1, 1, 0], nrows=n, ncols=n, engine=engine)
    tracemalloc.start()
    with gl.config.set(memory_limit=1 << 20):
        A(M.S if form == "S" else M.V)[: n // 2, 1:] << 9
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 16 << 20
    assert sorted(A.to_dicts().items()) == [(2, {3: 9}), (4, {n - 1: 9}), (5, {7: 3})]


def test_a_part_without_a_mask_is_predicted_before_it_is_made(engine: Any) -> None:
    A = gl.Matrix("INT64", 20_000, 20_000, engine=engine)
    with gl.config.set(memory_limit=1 << 20), pytest.raises(gl.errors.OutOfMemory, match="this needs about 3,"):
        A[:10_000, :20_000] << 9
