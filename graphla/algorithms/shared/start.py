"""The values that rounds begin with: those of a caller, as an earlier answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.arguments import show, to_array
from graphla.common.errors import InvalidOption
from graphla.containers.interop import to_engine_array
from graphla.containers.vector import Vector
from graphla.storage.convert import are_finite, cast_indices, copy_array
from semirings.dtypes import DType

Array = Any


def read_start(G: Any, value: Any, dtype: DType, signed: bool = False) -> Array | None:
    """The numbers of a caller, one for each vertex, as a new float64 array on the engine; None if none are given.

    A vertex without an entry has 0. With `signed` any numbers will do, else none may be negative and one must be
    positive.
    """
    if value is None:
        return None
    given = value.to_dense(0) if isinstance(value, Vector) else value
    found = to_array(lambda held: to_engine_array(G.engine, held), given, "start", InvalidOption)
    if found.dtype.kind not in "iuf" or found.ndim != 1:
        raise InvalidOption(f"start={show(value)}: give a Vector or an array of {G.n:,} real numbers")
    if found.size != G.n:
        raise InvalidOption(
            f"start: {found.size:,} values for {G.n:,} vertices; give one for each, as a Vector has after resize({G.n})"
        )
    with np.errstate(over="ignore"):
        finite = are_finite(cast_indices(found, dtype.numpy))
    if not finite:
        raise InvalidOption(f"start: a value is no finite {dtype.name} number; give those of an answer")
    held = cast_anew(found, "float64")
    if G.n and not signed and (float(held.min()) < 0 or float(held.max()) <= 0):
        raise InvalidOption("start: give values of which none is negative and one is positive")
    return held


def cast_anew(values: Array, dtype: Any) -> Array:
    """A new array of the values in a dtype."""
    return copy_array(values) if values.dtype == dtype else cast_indices(values, dtype)
