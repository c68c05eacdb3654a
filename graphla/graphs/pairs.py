"""Vertices and pairs of them as callers give them: a sequence; a row a pair, or a tuple of two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphla.common.arguments import show, speaks, to_list
from graphla.common.errors import DimensionMismatch, InvalidGraph
from graphla.common.typing import ArrayLike, Vertex

Pairs = Sequence[Sequence[Vertex]] | np.ndarray[Any, Any] | tuple[ArrayLike, ArrayLike]
"""Pairs (u, v): a sequence of tuples, an array of shape (k, 2), or a tuple of two lists or arrays."""
WAYS = "give pairs (u, v), an array of shape (k, 2), or a tuple of two arrays of one length"


def split_pairs(given: Any, what: str) -> tuple[Any, Any]:
    """Return the first and the second vertices of pairs, two sequences, as they were called.

    A tuple of two lists or arrays holds the first and the second vertices; anything else has a row a pair.
    """
    if isinstance(given, tuple) and len(given) == 2 and all(map(is_column, given)):
        first, second = given
        if len(first) != len(second):
            raise DimensionMismatch(f"{what}: a tuple of {len(first)} and {len(second)} vertices: {WAYS}")
        return first, second
    held: Any = np.asarray(given) if speaks(given, "columns") else given
    found = getattr(held, "shape", None)
    shape = found if isinstance(found, tuple) else (0,)
    if len(shape) == 2 and shape[1] == 2:
        if isinstance(held, np.ndarray) and held.dtype.kind == "f" and np.isnan(held).any():
            raise InvalidGraph(
                f"{what}=nan: an array of {held.dtype} with NaN, and vertices are ints: leave these rows out"
            )
        return held[:, 0], held[:, 1]
    if len(shape) != 1:
        raise DimensionMismatch(f"{what}: an array of shape {tuple(shape)}: {WAYS}")
    rows = [read_pair(pair, what) for pair in list_rows(held, what)]
    return [first for first, _ in rows], [second for _, second in rows]


def list_vertices(values: Any, what: str, numbered: bool) -> list[Any]:
    """Return vertices as they were called; refuse arrays of truths, and of floats where vertices are `numbered`."""
    kind = str(getattr(values, "dtype", "")).removeprefix("torch.")
    if kind == "bool":
        raise InvalidGraph(f"{what}: an array of truths names no vertices: give np.flatnonzero(mask)")
    if numbered and kind.startswith("float") and getattr(values, "ndim", 0) == 1 and len(values):
        wrong = next((each for each in values if not float(each).is_integer()), values[0])
        raise InvalidGraph(f"{what}={show(float(wrong))}: an array of {kind}, and vertices are ints: give .astype(int)")
    return to_list(getattr(values, "to_pylist", lambda: values)(), what, "vertices", InvalidGraph)


def is_column(part: Any) -> bool:
    """Whether it is a list or an array of vertices, and no vertex or pair."""
    return isinstance(part, list | range) or getattr(part, "ndim", None) == 1 or speaks(part, "to_pylist")


def list_rows(pairs: Any, what: str) -> list[Any]:
    """Return the pairs."""
    try:
        return to_list(pairs, what, "pairs of vertices", DimensionMismatch)
    except DimensionMismatch:
        raise DimensionMismatch(f"{what}={show(pairs)}: {WAYS}") from None


def read_pair(pair: Any, what: str) -> tuple[Any, Any]:
    """Return the two vertices of a pair."""
    if not isinstance(pair, str | bytes) and speaks(pair, "__iter__"):
        found = list(pair)
        if len(found) == 2:
            return found[0], found[1]
    raise DimensionMismatch(f"{what}: {show(pair)} is no pair: {WAYS}")
