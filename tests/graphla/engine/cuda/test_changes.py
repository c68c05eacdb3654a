"""The kernels of changes to a matrix: places and lists that span many blocks, against NumPy."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.graphs import changes_cuda
from tests.graphla.engine.engines import get_engine_named

PLACES = [pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
TILE = changes_cuda.TILE


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "int64", "complex128"])
@pytest.mark.parametrize("size", [0, 1, TILE, 3 * TILE + 7])
def test_lists_with_entries_out_and_in(size: int, dtype: str, place: str) -> None:
    engine, seed = get_engine_named(place), secrets.randbits(32)
    rng = np.random.default_rng(seed)
    for leaves, comes in ((0.0, 3), (0.1, size // 9), (1.0, 5), (0.5, 2 * size), (0.9, 0)):
        held = rng.integers(0, 100, size).astype(dtype)
        out = np.flatnonzero(rng.random(size) < leaves)
        count = size - out.size + comes
        into = np.sort(rng.choice(count, comes, replace=False))
        fresh = rng.integers(0, 100, comes).astype(dtype)
        wanted = np.empty(count, dtype)
        old = np.ones(count, bool)
        old[into] = False
        wanted[old], wanted[into] = np.delete(held, out), fresh
        made = engine.xp.empty(count, dtype)
        changes_cuda.splice(engine, *map(engine.asarray, (held, out, into, fresh)), made)
        np.testing.assert_array_equal(engine.to_host(made), wanted, err_msg=f"seed {seed}")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("before", "after"), [("int32", "int64"), ("int64", "int32")])
def test_pointers_after_a_change(before: str, after: str, place: str) -> None:
    engine, seed = get_engine_named(place), secrets.randbits(32)
    rng = np.random.default_rng(seed)
    for rows, n, comes in ((0, 7, 5), (300, 300, 0), (700, 1500, 400), (1, 1, 9)):
        lengths = rng.integers(0, 9, rows)
        gone = np.flatnonzero(lengths & 1)
        fresh = np.sort(rng.integers(0, n, comes))
        indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(before)
        longer = np.pad(lengths - (lengths & 1), (0, n - rows)) + np.bincount(fresh, minlength=n)
        made = changes_cuda.move_pointers(engine, *map(engine.asarray, (indptr, gone, fresh)), n, after)
        wanted = np.concatenate([[0], np.cumsum(longer)]).astype(after)
        np.testing.assert_array_equal(engine.to_host(made), wanted, err_msg=f"seed {seed}", strict=True)


@pytest.mark.parametrize("place", PLACES)
def test_places_of_arcs(place: str) -> None:
    engine, seed = get_engine_named(place), secrets.randbits(32)
    rng: Any = np.random.default_rng(seed)
    n = 300
    keys = np.unique(rng.integers(0, n, 5000) ** 2 // n * n + rng.integers(0, n, 5000))
    csr = gl.Graph((keys // n, keys % n), n=n, engine=engine).csr
    rows, columns = rng.integers(0, n + 5, 4000), rng.integers(0, n + 5, 4000)
    places, there = changes_cuda.locate(engine, csr, engine.asarray(rows), engine.asarray(columns))
    inside = (rows < n) & (columns < n)
    wanted = np.searchsorted(keys, np.where(rows < n, rows * n + np.minimum(columns, n), keys[-1] + 1))
    np.testing.assert_array_equal(engine.to_host(places), wanted, err_msg=f"seed {seed}")
    np.testing.assert_array_equal(engine.to_host(there), inside & np.isin(rows * n + columns, keys))
