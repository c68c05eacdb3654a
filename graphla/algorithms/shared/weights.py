"""The weights as the methods need them: dtype of the distances, infinity, quantiles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from graphla.problem import Option
from graphla.storage.convert import gather

Array = np.ndarray[Any, Any]

SAMPLE = 4096  # number of weights from which quantiles are estimated


def distance_dtype(weight: Any) -> np.dtype[Any]:
    """Return the dtype of the distances: floats and 64-bit integers stay, narrower integers become 32-bit."""
    weight = np.dtype(weight)
    if weight.kind == "f" or weight.itemsize == 8 or weight == np.uint32:
        return np.dtype(np.float32) if weight == np.float16 else weight
    return np.dtype(np.int32)


@cache
def infinity(dtype: Any) -> Any:
    """Return the value that means no path: the largest value of an integer dtype, inf of a float dtype."""
    dtype = np.dtype(dtype)
    return dtype.type(np.inf if dtype.kind == "f" else np.iinfo(dtype).max)


def get_weights(G: Any) -> Any:
    """Return the weights of ``G.csr`` in the dtype of the distances; cached with the graph."""
    values = G.csr.values
    dtype = distance_dtype(values.dtype)
    if values.dtype == dtype:
        return values
    return G.cached(f"weights_{dtype}", lambda g: g.csr.values.astype(dtype))


def get_entering_weights(G: Any) -> Any:
    """Return the weights of ``G.csc`` in the dtype of the distances; cached with the graph."""
    values = G.csc.values
    dtype = distance_dtype(values.dtype)
    if G.csc is G.csr:
        return get_weights(G)
    if values.dtype == dtype:
        return values
    return G.cached(f"entering_weights_{dtype}", lambda g: g.csc.values.astype(dtype))


def _sample_weights(G: Any) -> np.ndarray[Any, Any]:
    values = get_weights(G)
    positions = np.linspace(0, values.size - 1, min(SAMPLE, values.size)).astype(np.int64)
    sample = gather(values, G.engine.xp.asarray(positions))
    return np.sort(np.asarray(sample.get() if hasattr(sample, "get") else sample, dtype=np.float64))


def estimate_quantile(G: Any, fraction: float) -> float:
    """Estimate a quantile of the weights: about this fraction of the arcs is lighter. 1.0 in a graph without arcs."""
    if not G.nvals:
        return 1.0
    spread = G.cached("weights_sample", _sample_weights)
    chosen = float(spread[min(int(fraction * spread.size), spread.size - 1)])
    lightest = spread[spread > 0]
    return chosen if chosen > 0 else float(lightest[0]) if lightest.size else 1.0


def estimate_typical_weight(G: Any) -> float:
    """Estimate a typical weight: the geometric mean of mean and median, which a few heavy arcs affect less."""
    if not G.nvals:
        return 1.0
    spread = G.cached("weights_sample", _sample_weights)
    return math.sqrt(float((spread / spread.size).sum())) * math.sqrt(estimate_quantile(G, 0.5)) or 1.0


def find_heaviest(G: Any) -> Any:
    """Return the largest weight in the dtype of the distances; 0 in a graph without arcs."""
    dtype = distance_dtype(G.csr.values.dtype)
    return G.cached("weights_heaviest", lambda g: dtype.type(get_weights(g).max().item() if g.nvals else 0))


def compute_bucket_end(nearest: Any, step: Any, none: Any) -> Any:
    """Return the least multiple of the step that exceeds `nearest`, in the dtype of the distances."""
    dtype = none.dtype
    if dtype.kind == "f":
        end = dtype.type(min((math.floor(float(nearest) / float(step)) + 1) * float(step), float(np.finfo(dtype).max)))
        return end if end > nearest else np.nextafter(nearest, none)
    end = (int(nearest) // int(step) + 1) * int(step)
    return dtype.type(min(end, int(none)))


def _check_step(value: Any) -> str | None:
    if value is None:
        return None
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float, np.integer, np.floating))
        or isinstance(value, np.timedelta64)
    ):
        return "the step is a number, or None to let the method find it"
    if math.isnan(value) or value <= 0:
        return "the step must be greater than zero; None lets the method find it"
    return None


STEP = Option(None, None, _check_step, "width of a bucket, in the unit of the weights; None finds one from the graph")


def refuses_negative(G: Any, request: Mapping[str, Any]) -> str | None:
    """Return why a method that settles vertices cannot solve this graph, or None."""
    least = G.min_weight
    if least is not None and least != least:
        return "a weight is NaN"
    if least is not None and least < 0:
        return f"the smallest weight is {least}; method 'algebraic' takes negative weights"
    return None


def add_saturating(d: Array, w: Array, none: Any) -> Array:
    """Return d + w, saturated: infinity absorbs, and sums do not wrap around."""
    if d.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            return d + w
    with np.errstate(over="ignore"):
        total = d + w
    over = (w > 0) & (total < d)
    under = (w < 0) & (total > d)
    least = np.iinfo(d.dtype).min
    return np.where((d == none) | (w == none) | over, none, np.where(under, least, total)).astype(d.dtype)
