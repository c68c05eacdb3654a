"""The dtypes of widths: the width of the path without arcs, and the types in which a kernel compares them."""

from __future__ import annotations

from typing import Any

import numpy as np


def find_whole(dtype: Any) -> Any:
    """The width of the path without arcs: the identity of the minimum."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.True_
    return dtype.type(np.inf if dtype.kind == "f" else np.iinfo(dtype).max)


def find_least(dtype: Any) -> Any:
    """The least number of a dtype."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.False_
    return dtype.type(-np.inf if dtype.kind == "f" else np.iinfo(dtype).min)


def find_wide(dtype: Any) -> np.dtype[Any]:
    """A dtype of 4 or 8 bytes, for which there are atomics."""
    dtype = np.dtype(dtype)
    if dtype.itemsize >= 4:
        return dtype
    return np.dtype(np.float32 if dtype.kind == "f" else np.int32)
