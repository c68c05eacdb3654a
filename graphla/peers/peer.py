"""What a peer is: how it takes a graph, what is timed, and how its answer reads as ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.sssp._weights import distance_dtype, infinity
from graphla.storage import CompressedMatrix


@dataclass(frozen=True)
class Task:
    """A problem on a graph that a library has taken in.

    Parameters
    ----------
    run : callable (*where) -> anything
        What is timed, and nothing else.
    answer : callable (what `run` gave) -> array
        The answer as a method of graphla gives it: levels with −1, distances with infinity.
    """

    run: Callable[..., Any]
    answer: Callable[[Any], Any]


@dataclass(frozen=True)
class Peer:
    """A library.

    Parameters
    ----------
    title : str
        Its name as its authors write it.
    package : str
        What is imported.
    engine : str
        ``"cpu"`` or ``"cuda"``: where it computes.
    tasks : mapping of problem name to callable (CompressedMatrix on the host) -> Task
        Takes the graph in; not timed.
    """

    title: str
    package: str
    engine: str
    tasks: Mapping[str, Callable[[CompressedMatrix], Task]]
    name: str = ""


def as_distances(found: Any, weights: Any) -> Any:
    """Floating-point distances, inf where there is no path, in the dtype that graphla would give."""
    found, dtype = np.asarray(found), distance_dtype(weights.dtype)
    if dtype.kind == "f":
        return found.astype(dtype)
    there, distances = np.isfinite(found), np.full(found.shape, infinity(dtype))
    distances[there] = found[there]
    return distances


def levels_of(found: Any) -> Any:
    """Floating-point levels, inf where there is no path, as int32 with −1."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(found), -1, found).astype(np.int32)


def dense(n: int, pairs: Mapping[int, Any], fill: float) -> Any:
    """An array of a mapping from vertex to number."""
    made = np.full(n, fill)
    made[np.fromiter(pairs.keys(), np.int64, len(pairs))] = np.fromiter(pairs.values(), np.float64, len(pairs))
    return made
