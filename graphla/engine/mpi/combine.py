"""Combining the arrays of ranks by a monoid, on this rank."""

from __future__ import annotations

from functools import cache, reduce
from typing import Any

import numpy as np

from graphla.engine.local import create_local
from graphla.storage.convert import get_array_module
from semirings import Monoid
from semirings.dtypes import DType, lookup

UFUNCS = {
    "plus": "add",
    "times": "multiply",
    "min": "fmin",
    "max": "fmax",
    "bor": "bitwise_or",
    "band": "bitwise_and",
    "bxor": "bitwise_xor",
}
ON_TRUTHS = {
    "lor": "logical_or",
    "max": "logical_or",
    "times": "logical_and",
    "land": "logical_and",
    "min": "logical_and",
    "lxor": "logical_xor",
}


def prepare(array: Any, monoid: Monoid) -> Any:
    """Cast an array to the dtype in which the monoid combines; a NaN becomes the identity of min and max.

    So NaN counts for nothing there whatever its rank; a value of NaN alone gives the identity, as in reductions.
    """
    closed = find_closed(monoid, array.dtype)
    if array.dtype != closed.numpy:
        array = (array != 0) if closed.kind == "b" else array.astype(closed.numpy)
    if closed.kind == "f" and monoid.name in ("min", "max"):
        xp = get_array_module(array)
        return (xp.fmin if monoid.name == "min" else xp.fmax)(array, array.dtype.type(monoid.identity(closed)))
    return array


@cache
def find_closed(monoid: Monoid, dtype: Any) -> DType:
    """The dtype in which a monoid combines values of a dtype."""
    return monoid.result_type(lookup(dtype))


def combine(parts: list[Any], monoid: Monoid) -> Any:
    """Combine arrays of one length, element by element, in the order of the ranks."""
    if monoid.is_any:
        return parts[-1]
    dtype = lookup(parts[0].dtype)
    return reduce(find_function(parts[0], monoid, dtype), parts)


def find_function(array: Any, monoid: Monoid, dtype: DType) -> Any:
    """Return the monoid as a function of two arrays: that of NumPy, or the engine's."""
    names = ON_TRUTHS if dtype.kind == "b" else UFUNCS
    ordered = dtype.kind != "c" or monoid.name in ("plus", "times")
    on_host = isinstance(array, np.ndarray)
    if on_host and monoid.op.name == monoid.name and monoid.name in names and ordered:
        return getattr(np, names[monoid.name])
    engine = create_local("cpu" if on_host else "cuda")
    return lambda x, y: engine.apply_operator(monoid.op, (x, y), (dtype, dtype), dtype)
