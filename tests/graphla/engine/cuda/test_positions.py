"""Parts at positions that stand on the device, which checks them while the host goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import KERNEL_NAMES, get_engine_with_lists

import graphla as gl
from graphla import binary
from graphla.common.errors import GraphlaError, IndexOutOfBounds

SIZE = 500


@pytest.fixture(params=KERNEL_NAMES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    return get_engine_with_lists(request.param, monkeypatch)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def fill(engine: Any, kind: str, rng: Any) -> gl.Vector:
    """A full vector, or one with half of its entries."""
    x = gl.Vector.from_dense(rng.random(SIZE), engine=engine)
    return x if kind == "full" else x.select("valuegt", 0.5).new()


@pytest.mark.parametrize("kind", ["full", "bitmap"])
@pytest.mark.parametrize("dtype", ["int64", "int32"])
def test_a_part_is_read(engine: Any, rng: Any, kind: str, dtype: str) -> None:
    x, places = fill(engine, kind, rng), rng.integers(-SIZE, SIZE, 900).astype(dtype)
    found = x[engine.asarray(places)].new()
    np.testing.assert_array_equal(found.to_numpy(np.nan), x.to_numpy(np.nan)[places])


@pytest.mark.parametrize("kind", ["full", "bitmap"])
def test_a_part_is_written(engine: Any, rng: Any, kind: str) -> None:
    x, y = fill(engine, kind, rng), gl.Vector.from_dense(rng.random(300), engine=engine)
    places = rng.permutation(SIZE)[:300]
    wanted = x.to_numpy(np.nan)
    wanted[places] = y.to_numpy()
    x[engine.asarray(places)] << y
    np.testing.assert_array_equal(x.to_numpy(np.nan), wanted)
    assert x.nvals == np.count_nonzero(~np.isnan(wanted))


@pytest.mark.parametrize("fault", [SIZE, -SIZE - 1, "twice"])
@pytest.mark.parametrize("kind", ["full", "bitmap"])
def test_wrong_positions_are_refused_and_nothing_is_written(engine: Any, rng: Any, kind: str, fault: Any) -> None:
    x, y = fill(engine, kind, rng), gl.Vector.from_dense(rng.random(300), engine=engine)
    before, places = x.to_numpy(np.nan), rng.permutation(SIZE)[:300]
    places[17] = places[200] if fault == "twice" else fault
    held = engine.asarray(places)
    if fault == "twice":
        with pytest.raises(GraphlaError, match=f"index {places[17]} occurs twice"):
            x[held] << y
    else:
        with pytest.raises(IndexOutOfBounds, match=f"index {fault} is out of range for size {SIZE}"):
            x[held] << y
        with pytest.raises(IndexOutOfBounds, match=f"index {fault} is out of range"):
            x[held].new()
    np.testing.assert_array_equal(x.to_numpy(np.nan), before)


def test_other_writes_read_checked_positions(engine: Any, rng: Any) -> None:
    """With a mask, an accumulator, a number, a sparse source, repeats that are joined; and of matrices."""
    x, y = fill(engine, "full", rng), gl.Vector.from_dense(rng.random(300), engine=engine)
    places = rng.permutation(SIZE)[:300]
    held, wanted = engine.asarray(places), x.to_numpy()
    x(binary.plus)[held] << y
    wanted[places] += y.to_numpy()
    np.testing.assert_allclose(x.to_numpy(), wanted)
    x[held[:40]] << 7.0
    wanted[places[:40]] = 7
    np.testing.assert_allclose(x.to_numpy(), wanted)
    twice = engine.asarray(np.r_[places[:5], places[:5]])
    x(binary.plus)[twice] << gl.Vector.from_dense(np.ones(10), engine=engine)
    wanted[places[:5]] += 2
    np.testing.assert_allclose(x.to_numpy(), wanted)
    few = np.sort(places[:30])
    A = gl.Matrix.from_dense(rng.random((SIZE, 3)), engine=engine)
    part = A[engine.asarray(few), :].new()
    np.testing.assert_array_equal(*(np.asarray(engine.to_host(held)) for held in (part.to_dense(), A.to_dense()[few])))
    with pytest.raises(IndexOutOfBounds):
        A[engine.asarray(few + SIZE), :].new()


def test_an_expression_is_used_again(engine: Any, rng: Any) -> None:
    """Its positions are checked once; repeats are looked for at each write, and what is out of bounds stays wrong."""
    x, y = fill(engine, "full", rng), gl.Vector.from_dense(rng.random(300), engine=engine)
    places = rng.permutation(SIZE)[:300]
    part = x[engine.asarray(places)]
    for factor in (1, 2):
        part << y.apply(binary.times, right=factor).new()
        np.testing.assert_array_equal(part.new().to_numpy(), factor * y.to_numpy())
    wrong = x[engine.asarray(places + SIZE)]
    for _ in range(2):
        with pytest.raises(IndexOutOfBounds):
            wrong.new()
        with pytest.raises(IndexOutOfBounds):
            wrong << y
    np.testing.assert_array_equal(part.new().to_numpy(), 2 * y.to_numpy())
