"""Rows of vectors on a GPU: launches of vectors.cuh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.random_words import hash_seed
from graphla.engine.cuda.blocks import make_launch

Array = Any
KERNELS = Path(__file__).with_name("vectors.cuh")
PEAK_ROWS = 64
"""Rows of a column that a thread looks through."""
PRODUCTS = (
    "draw_signs", "take_rows<float, int, false>", "take_rows<float, int, true>", "scale_rows<float, false>",
    "scale_rows<float, true>", "take_vectors<float>",
)  # fmt: skip
FILTERS = "walk_rows<float, int>", "combine<float>", "find_peaks", "find_first_peaks", "orient<float>"
launch, launch_filter = make_launch(KERNELS, PRODUCTS), make_launch(KERNELS, FILTERS)


def draw_signs(engine: Any, seed: int, n: int, columns: int) -> Array:
    """A random sign for each cell: float32[n, columns]."""
    out = engine.xp.empty((n, columns), "float32")
    launch(engine, "draw_signs", out.size, hash_seed(seed), np.int64(out.size), out)
    return out


def take_vectors(engine: Any, X: Array, chosen: Array) -> Array:
    """Some rows."""
    out = engine.xp.empty((chosen.size, X.shape[1]), X.dtype)
    numbers = np.int32(X.shape[1]), np.int64(out.size)
    launch(engine, f"take_vectors<{engine.c_type(X)}>", out.size, X, chosen, *numbers, out)
    return out


def take_rows(engine: Any, product: Any, sums: Array, shape: tuple[int, int], averaged: bool) -> Array:
    """The rows of a product, zeros where it has none; if averaged, over the sums of weights."""
    values, indptr = product.values, product.indptr
    out = engine.xp.empty(shape, values.dtype)
    name = f"take_rows<{engine.c_type(values)}, {engine.c_type(indptr)}, {str(averaged).lower()}>"
    launch(engine, name, out.size, values, indptr, sums, np.int32(shape[1]), np.int64(out.size), out)
    return out


def scale_rows(engine: Any, X: Array, share: float = 1.0, total: Array | None = None) -> Array:
    """Rows scaled to a length; added to a total if there is one."""
    rows, columns = X.shape
    out = engine.xp.empty((rows, columns), X.dtype) if total is None else total
    name = f"scale_rows<{engine.c_type(X)}, {str(total is not None).lower()}>"
    launch(engine, name, 32 * rows, X, X.dtype.type(share), np.int32(columns), np.int64(rows), out)
    return out


def walk_rows(engine: Any, product: Any, sums: Array, V: Array, kept: float) -> Array:
    """A factor times V, minus the average over neighbours and the vertex itself."""
    values, indptr, out = product.values, product.indptr, engine.xp.empty(V.shape, V.dtype)
    name = f"walk_rows<{engine.c_type(values)}, {engine.c_type(indptr)}>"
    sizes = np.int32(V.shape[1]), np.int64(V.size)
    launch_filter(engine, name, V.size, values, indptr, sums, V, V.dtype.type(kept), *sizes, out)
    return out


def combine(engine: Any, *terms: tuple[float, Array]) -> Array:
    """The sum of two or three factors times vectors."""
    first = terms[0][1]
    out, padded = engine.xp.empty(first.shape, first.dtype), (*terms, (0.0, first))[:3]
    given = (part for factor, X in padded for part in (first.dtype.type(factor), X))
    launch_filter(engine, f"combine<{engine.c_type(first)}>", first.size, *given, np.int64(first.size), out)
    return out


def orient(engine: Any, X: Array, squares: Array, dtype: Any) -> Array:
    """X S^-1/4, the largest axis first, with the largest number of each positive."""
    rows, columns = X.shape
    peaks, places = (engine.xp.zeros(columns, "uint64") for _ in range(2))
    out, sizes = engine.xp.empty((rows, columns), dtype), (np.int32(columns), np.int64(rows))
    tasks = -(-rows // PEAK_ROWS) * columns
    launch_filter(engine, "find_peaks", tasks, X, *sizes, peaks)
    launch_filter(engine, "find_first_peaks", tasks, X, peaks, *sizes, places)
    name = f"orient<{engine.c_type(out)}>"
    launch_filter(engine, name, out.size, X, squares, places, np.int32(columns), np.int64(out.size), out)
    return out
