"""Operands of the conformance tests: the same entries as a container of an engine and as a dictionary."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

import graphla as gl
from graphla.storage import FullMatrix, FullVector
from graphla.storage.formats import as_bitmap, as_sparse
from semirings.dtypes import lookup

FORMS = ("sparse", "bitmap", "full")
FILL = {"sparse": 0.04, "bitmap": 0.5, "full": 1.0}


@dataclass(frozen=True)
class Operand:
    """A container and what it holds."""

    held: Any
    entries: dict[Any, Any]

    @property
    def dtype(self) -> str:
        return self.held.dtype.name


def make_generator(*seed: Any) -> np.random.Generator:
    """The same numbers for the same words, in every process."""
    return np.random.default_rng(zlib.crc32(repr(seed).encode()))


def draw_values(rng: np.random.Generator, dtype: str, count: int) -> Any:
    """Small values whose sums and products are exact."""
    kind = lookup(dtype)
    if kind.kind == "b":
        return rng.random(count) < 0.6
    low, high = (0, 5) if kind.kind == "u" else (-4, 5)
    drawn = rng.integers(low, high, count)
    return (drawn / 2 if kind.kind == "f" else drawn).astype(kind.numpy)


def make_vector(engine: Any, rng: np.random.Generator, dtype: str, size: int, form: str) -> Operand:
    """A vector in one of the three formats, whatever the plan would choose."""
    places = np.flatnonzero(rng.random(size) < FILL[form])
    held = draw_values(rng, dtype, places.size)
    made = gl.Vector.from_coo(places, held, dtype, size=size, engine=engine)
    xp = engine.xp
    storage = as_sparse(xp, made._storage) if form == "sparse" else as_bitmap(xp, made._storage)
    if form == "full":
        storage = FullVector(storage.values)
    return Operand(gl.Vector._from_storage(storage, engine), dict(zip(places.tolist(), held.tolist(), strict=True)))


def make_matrix(
    engine: Any, rng: np.random.Generator, dtype: str, shape: tuple[int, int], fill: float = 0.08
) -> Operand:
    """A sparse matrix."""
    return make_from_cells(engine, rng, dtype, shape, np.flatnonzero(rng.random(shape[0] * shape[1]) < fill))


def make_from_cells(engine: Any, rng: np.random.Generator, dtype: str, shape: tuple[int, int], cells: Any) -> Operand:
    """A sparse matrix with entries at given cells, row after row."""
    held = draw_values(rng, dtype, cells.size)
    rows, cols = cells // max(1, shape[1]), cells % max(1, shape[1])
    made = gl.Matrix.from_coo(rows, cols, held, dtype, nrows=shape[0], ncols=shape[1], engine=engine)
    keys = zip(rows.tolist(), cols.tolist(), strict=True)
    return Operand(made, dict(zip(keys, held.tolist(), strict=True)))


def make_full_matrix(engine: Any, rng: np.random.Generator, dtype: str, shape: tuple[int, int]) -> Operand:
    """A matrix with every entry, stored as such."""
    held = draw_values(rng, dtype, shape[0] * shape[1]).reshape(shape)
    made = gl.Matrix._from_storage(FullMatrix(engine.asarray(held)), engine)
    return Operand(made, {(i, j): held[i, j].item() for i in range(shape[0]) for j in range(shape[1])})


def make_skewed(
    engine: Any, rng: np.random.Generator, dtype: str, shape: tuple[int, int], lengths: list[int]
) -> Operand:
    """A sparse matrix whose first rows have given lengths; the other rows have up to six entries."""
    rows = [*lengths, *rng.integers(0, 7, shape[0] - len(lengths)).tolist()]
    cells = [i * shape[1] + np.sort(rng.choice(shape[1], n, replace=False)) for i, n in enumerate(rows)]
    return make_from_cells(engine, rng, dtype, shape, np.concatenate(cells).astype("int64"))


def to_entries(what: Any) -> dict[Any, Any]:
    """The entries of a container."""
    *places, held = (what.engine.to_host(part).tolist() for part in what.to_coo())
    keys = places[0] if len(places) == 1 else zip(*places, strict=True)
    return dict(zip(keys, held, strict=True))


MASKS = (None, "S", "~S", "V", "~V")


def make_view(M: Operand, kind: str) -> Any:
    view = M.held.S if kind.endswith("S") else M.held.V
    return ~view if kind.startswith("~") else view
