"""Parts at the places of an array: extracted, assigned, refused, wherever the array is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operands import FORMS, make_generator, make_skewed, make_vector, to_entries

import graphla as gl
from graphla.common.errors import GraphlaError, IndexOutOfBounds

SIZE = 300
DTYPES = ("int64", "int32", "uint8", "int8")


def list_places(engine: Any, rng: Any, dtype: str, count: int) -> Any:
    """Different places, some of them counted from the end where the dtype allows it, on the engine's side."""
    most = min(SIZE, np.iinfo(dtype).max + 1)
    places = rng.permutation(most)[:count].astype(dtype)
    if np.dtype(dtype).kind == "i" and dtype != "int8":
        places[::7] -= SIZE
    return engine.asarray(places), np.where(places < 0, places.astype("int64") + SIZE, places).tolist()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", FORMS)
def test_extracted_and_assigned(engine: Any, dtype: str, form: str) -> None:
    rng = make_generator(dtype, form)
    p, places = list_places(engine, rng, dtype, 100)
    x = make_vector(engine, rng, "INT32", SIZE, form)
    part = x.held[p].new()
    assert to_entries(part) == {k: x.entries[i] for k, i in enumerate(places) if i in x.entries}
    for other in FORMS:
        y, target = make_vector(engine, rng, "FP64", 100, other), x.held.dup()
        wanted = {i: v for i, v in x.entries.items() if i not in set(places)}
        target[p] << y.held.apply("floor").new("INT32")
        wanted |= {places[k]: int(np.floor(v)) for k, v in y.entries.items()}
        assert to_entries(target) == wanted
        assert to_entries(x.held) == x.entries


def test_a_vector_permuted_into_itself(engine: Any) -> None:
    x = gl.Vector.from_dense(np.arange(SIZE), engine=engine)
    p = engine.asarray(np.random.default_rng(3).permutation(SIZE))
    x[p] << x
    assert to_entries(x) == {int(i): k for k, i in enumerate(engine.to_host(p))}


def test_the_index_is_taken_when_it_is_written(engine: Any) -> None:
    """What happens to the array later does not change the expression."""
    x, p = gl.Vector.from_dense(np.arange(10), engine=engine), engine.asarray(np.array([3, 1, 2]))
    part = x[p]
    p[:] = 10**9
    assert to_entries(part.new()) == {0: 3, 1: 1, 2: 2}


@pytest.mark.parametrize("size", [10, 10_000])
def test_refused(engine: Any, size: int) -> None:
    """Places outside, and places named twice; found by flags, and by sorting where they are few."""
    x = gl.Vector.from_dense(np.arange(size), engine=engine)
    for wrong in (size, -size - 1, 2**40):
        with pytest.raises(IndexOutOfBounds, match=f"index {wrong} is out of range for size {size}"):
            x[engine.asarray(np.array([0, wrong, 1]))].new()
    y = gl.Vector.from_dense(np.arange(3), engine=engine)
    with pytest.raises(GraphlaError, match="index 4 occurs twice"):
        x[engine.asarray(np.array([4, 1, 4]))] << y
    with pytest.raises(GraphlaError, match=f"index {size - 1} occurs twice"):
        x[engine.asarray(np.array([size - 1, 1, -1]))] << y


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize("dtype", ["INT32", "FP64", "BOOL"])
def test_lines_of_a_matrix(engine: Any, cached: bool, dtype: str) -> None:
    """Rows and columns, with and without entries, of a matrix and of its transpose, whether that is cached or not."""
    rng = make_generator("lines", dtype)
    made = make_skewed(engine, rng, dtype, (60, 90), [90, 0, 1, 40])
    A = made.held
    if cached:
        engine.transpose(A._storage)
    for i in (0, 1, 2, 3, 59, -1):
        assert to_entries(A[i, :].new()) == {c: v for (r, c), v in made.entries.items() if r == i % 60}
        assert to_entries(A.T[:, i].new()) == to_entries(A[i, :].new())
    for j in (0, 5, 89, -2):
        assert to_entries(A[:, j].new()) == {r: v for (r, c), v in made.entries.items() if c == j % 90}
        assert to_entries(A.T[j, :].new()) == to_entries(A[:, j].new())
    assert to_entries(A[:, 7].new()) == to_entries(A[np.arange(60), 7].new())


@pytest.mark.parametrize("cached", [False, True])
def test_a_matrix_permuted(engine: Any, cached: bool) -> None:
    """All rows, half of them, few, and repeated ones, beside columns in another order."""
    rng = make_generator("permuted")
    made = make_skewed(engine, rng, "INT32", (60, 90), [90, 0, 1, 40])
    A = made.held
    if cached:
        engine.transpose(A._storage)
    q = rng.permutation(90)
    for p in (rng.permutation(60), rng.permutation(60)[:30], np.array([5, 3, 5]), range(60), 3):
        chosen = [p] if isinstance(p, int) else list(p)
        wanted = {
            (k, c): made.entries[r, int(j)]
            for k, r in enumerate(map(int, chosen))
            for c, j in enumerate(q)
            if (r, int(j)) in made.entries
        }
        got = to_entries(A[p if isinstance(p, int | range) else engine.asarray(p), engine.asarray(q)].new())
        assert got == ({c: v for (_, c), v in wanted.items()} if isinstance(p, int) else wanted)
