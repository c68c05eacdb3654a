"""Right or wrong: by the verifier of the problem, and against the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from graphla.comparing.contest import fills
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.errors import GraphlaError
from graphla.graph import Graph

TOLERANCE = 1e-5
"""Relative difference at which floating-point answers of two libraries still agree: they add in other orders."""


def fault(problem: Any, G: Graph, where: tuple[Any, ...], arrays: tuple[Any, ...]) -> str | None:
    """What the verifier of the problem finds wrong with an answer; None if it finds nothing."""
    try:
        problem.verify(G, *where, *wrapped(problem, G, arrays))
    except (GraphlaError, ValueError, IndexError, TypeError) as error:
        return " ".join(str(error).split())
    return None


def wrapped(problem: Any, G: Graph, arrays: tuple[Any, ...]) -> Iterable[Any]:
    """Arrays as the vectors, or the matrices, that a call of the problem gives."""
    for array, absent in zip(arrays, fills(problem, arrays[0].dtype), strict=False):
        kind = Vector if array.ndim == 1 else Matrix
        yield kind._from_sentinel(array, absent, G.engine)


def difference(found: Any, reference: Any) -> str | None:
    """The first vertex (or pair) at which an answer departs from a right one; None if there is none."""
    if found.shape != reference.shape:
        return f"its shape is {found.shape}, not {reference.shape}"
    if reference.dtype.kind == "f":
        apart = ~np.isclose(found, reference, rtol=TOLERANCE, atol=0.0)
    else:
        apart = found != reference
    places = np.argwhere(apart)
    if not places.size:
        return None
    first = tuple(int(part) for part in places[0])
    vertex = f"vertex {first[0]}" if len(first) == 1 else f"the pair {first}"
    return f"first at {vertex}: {found[first]} instead of {reference[first]} ({len(places):,} differ)"
