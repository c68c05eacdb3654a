"""Options of what settles in rounds: their number, the dtype of the values, weights that divide."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphla.common.arguments import find_int, show
from graphla.common.errors import InvalidGraph, InvalidOption
from semirings.dtypes import DType, lookup

DTYPES = ("FP32", "FP64")

LEAST_ON_GPU = float(np.finfo("float32").tiny)
"""The smallest positive FP32 number that a kernel does not take for zero."""


def check_rounds(name: str, value: Any, least: int) -> int:
    """A number of rounds, from `least` on."""
    rounds = find_int(value)
    if rounds is None or not least <= rounds < 2**31:
        raise InvalidOption(f"{name}={show(value)}: a number of rounds is an int from {least} on")
    return rounds


def check_dtype(value: Any) -> DType:
    """FP32 or FP64."""
    dtype = lookup(value)
    if dtype.name not in DTYPES:
        raise InvalidOption(f"dtype={value!r}: ranks are computed in FP32 or FP64")
    return dtype


def check_weights(G: Any, value: Any) -> bool:
    """Whether weights count; then all must be positive and finite."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidOption(f"weights={show(value)}: True if an arc counts by its weight, False if all arcs are alike")
    if not value or not G.nvals or G.dtype.name == "BOOL":
        return False
    if not G.min_weight > 0:
        raise InvalidGraph(
            f"weights=True: the smallest weight is {G.min_weight}, and only positive weights divide a rank; give "
            "weights=False, or a graph without these arcs, as gl.Graph(select.valuegt(G.A, 0).new())"
        )
    if G.engine.name == "cuda" and G.dtype.name == "FP32" and G.min_weight < LEAST_ON_GPU:
        raise InvalidGraph(
            f"weights=True: the smallest weight is {G.min_weight}, and FP32 numbers below {LEAST_ON_GPU:.3g} "
            "are zero on a GPU; multiply the weights, make them FP64 before they go there, or take G.to('cpu')"
        )
    if not math.isfinite(G.max_weight):
        raise InvalidGraph(f"weights=True: the largest weight is {G.max_weight}, and a share of it is no number")
    return True


def is_number(value: Any) -> bool:
    """Whether it is a real number, and no truth value."""
    kinds = int | float | np.integer | np.floating
    return isinstance(value, kinds) and not isinstance(value, bool | np.timedelta64)
