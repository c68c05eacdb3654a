"""The same program run by graphla and by python-graphblas (SuiteSparse), on the same entries.

A program is a function of a library and of containers; both libraries spell the notation alike, so it is written once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import graphblas as gb
import numpy as np
from hypothesis import strategies as st

import graphla as gl
from graphla.storage import FullVector
from graphla.storage.formats import as_bitmap, as_sparse
from semirings.dtypes import lookup

DTYPES = ("BOOL", "INT8", "INT32", "INT64", "UINT8", "FP32", "FP64")
FORMS = ("sparse", "bitmap", "full")
FILLS = (0.0, 0.3, 0.8, 1.0)


@dataclass(frozen=True)
class Pair:
    """A container of each library with the same entries; None in both where an operand is left out."""

    ours: Any
    theirs: Any

    def __repr__(self) -> str:
        return f"{self.ours!r}"

    def dup(self) -> "Pair":
        return Pair(self.ours.dup(), self.theirs.dup())


def draw_values(rng: np.random.Generator, dtype: str, count: int) -> Any:
    """Small values of which every sum and product is exact, in whatever order."""
    kind = lookup(dtype)
    if kind.kind == "b":
        return rng.integers(0, 2, count).astype(bool)
    if kind.kind == "f":
        return (rng.integers(-8, 9, count) / 4).astype(kind.numpy)
    return rng.integers(0 if kind.kind == "u" else -3, 4, count).astype(kind.numpy)


def to_form(v: Any, form: str) -> Any:
    """The vector with its storage turned sparse, bitmap or (if every entry is there) full."""
    xp = v.engine.xp
    if form == "full" and v.nvals == v.size:
        return gl.Vector._from_storage(FullVector(as_bitmap(xp, v._storage).values.copy()), v.engine)
    storage = as_sparse(xp, v._storage) if form == "sparse" else as_bitmap(xp, v._storage)
    return gl.Vector._from_storage(storage, v.engine)


def make_vector(rng: np.random.Generator, dtype: str, size: int, fill: float, form: str) -> Pair:
    places = np.flatnonzero(rng.random(size) < (1.0 if form == "full" else fill))
    held = draw_values(rng, dtype, places.size)
    ours = gl.Vector.from_coo(places, held, dtype, size=size, engine="cpu")
    return Pair(to_form(ours, form), gb.Vector.from_coo(places, held, dtype, size=size))


def make_matrix(rng: np.random.Generator, dtype: str, nrows: int, ncols: int, fill: float, full: bool = False) -> Pair:
    places = np.flatnonzero(rng.random(nrows * ncols) < (1.0 if full else fill))
    held = draw_values(rng, dtype, places.size)
    rows, cols = places // max(1, ncols), places % max(1, ncols)
    theirs = gb.Matrix.from_coo(rows, cols, held, dtype, nrows=nrows, ncols=ncols)
    if full:
        return Pair(gl.Matrix.from_dense(held.reshape(nrows, ncols), dtype=dtype, engine="cpu"), theirs)
    return Pair(gl.Matrix.from_coo(rows, cols, held, dtype, nrows=nrows, ncols=ncols, engine="cpu"), theirs)


@st.composite
def rngs(draw: Any) -> np.random.Generator:
    return np.random.default_rng(draw(st.integers(0, 2**32)))


@st.composite
def vectors(draw: Any, size: int, dtype: str) -> Pair:
    return make_vector(draw(rngs()), dtype, size, draw(st.sampled_from(FILLS)), draw(st.sampled_from(FORMS)))


@st.composite
def matrices(draw: Any, nrows: int, ncols: int, dtype: str) -> Pair:
    full = draw(st.integers(0, 3)) == 0 and nrows * ncols > 0
    return make_matrix(draw(rngs()), dtype, nrows, ncols, draw(st.sampled_from(FILLS)), full)


sizes = st.integers(0, 7)
MASKS = ("none", "S", "V", "~S", "~V")


def make_mask(of: Any, kind: str) -> Any:
    """The container as a mask of that kind."""
    if kind == "none":
        return None
    view = of.S if kind.endswith("S") else of.V
    return ~view if kind.startswith("~") else view


@dataclass(frozen=True)
class Writing:
    """How a result is written: ``out(mask, accum, replace) <<``."""

    of: Pair | None = None
    kind: str = "none"
    accum: str | None = None
    replace: bool = False
    direction: str | None = None

    def make_settings(self, lib: Any) -> dict[str, Any]:
        held = None if self.of is None else self.of.ours if lib is gl else self.of.theirs
        found = {} if self.kind == "none" else {"mask": make_mask(held, self.kind)}
        if self.accum is not None:
            found["accum"] = lib.binary[self.accum] if lib is gl else getattr(lib.binary, self.accum)
        if lib is gl and self.direction is not None:
            found["direction"] = self.direction
        return {**found, "replace": True} if self.replace and self.kind != "none" else found


@st.composite
def writings(
    draw: Any,
    shape: tuple[int, ...],
    accums: tuple[str | None, ...] = (None, "plus", "second"),
    directions: tuple[str | None, ...] = (None,),
) -> Writing:
    kind = draw(st.sampled_from(MASKS))
    make = vectors if len(shape) == 1 else matrices
    of = draw(make(*shape, draw(st.sampled_from(["BOOL", "INT8"])))) if kind != "none" else None
    accum, direction = draw(st.sampled_from(accums)), draw(st.sampled_from(directions))
    return Writing(of, kind, accum, draw(st.booleans()), direction)


def find_semiring(lib: Any, name: str) -> Any:
    """The semiring of that name; python-graphblas keeps positional ones apart."""
    apart = lib is gb and name.split("_")[1] in ("firsti", "firstj", "secondi", "secondj")
    return getattr(lib.semiring.ss if apart else lib.semiring, name)


def select_side(pairs: tuple[Any, ...], lib: Any) -> list[Any]:
    """The side of each pair that belongs to a library; what is no pair as it is."""
    side = "ours" if lib is gl else "theirs"
    return [getattr(pair, side) if isinstance(pair, Pair) else pair for pair in pairs]


def list_entries(what: Any) -> tuple[list[Any], ...]:
    return tuple(np.asarray(part).tolist() for part in what.to_coo())


def assert_same(ours: Any, theirs: Any) -> None:
    """Shape, dtype, structure and values."""
    if theirs.ndim == 0:
        assert (ours.dtype.name, ours.value) == (theirs.dtype.name, theirs.value)
        return
    assert ours.shape == theirs.shape
    assert ours.dtype.name == theirs.dtype.name
    assert ours.nvals == theirs.nvals
    *places, mine = ours.to_coo()
    *their_places, their = theirs.to_coo()
    for here, there in zip(places, their_places, strict=True):
        np.testing.assert_array_equal(here, there)
    np.testing.assert_array_equal(mine, their)


def check(program: Callable[..., Any], *pairs: Any) -> None:
    """Both libraries give the same for an expression."""
    results = [program(lib, *select_side(pairs, lib)).new() for lib in (gl, gb)]
    assert_same(*results)


def check_written(program: Callable[..., Any], out: Pair, how: Writing, *pairs: Any) -> None:
    """Both libraries write the same into a target."""
    target = out.dup()
    for lib in (gl, gb):
        held = target.ours if lib is gl else target.theirs
        held(**how.make_settings(lib)) << program(lib, *select_side(pairs, lib))
    assert_same(target.ours, target.theirs)
