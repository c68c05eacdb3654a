"""Check answers with the verifier of the problem, and compare them with each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from graphla.common.errors import GraphlaError
from graphla.graphs.graph import Graph

TOLERANCE = 1e-5
"""Relative difference up to which floating-point answers agree; libraries add in different orders."""


def find_fault(
    problem: Any, G: Graph, where: tuple[Any, ...], request: dict[str, Any], arrays: tuple[Any, ...]
) -> str | None:
    """Return the fault that the verifier of the problem finds in an answer to a request, or None."""
    try:
        problem.verify(G, *where, *wrap_arrays(problem, G, arrays), **problem.definition(request))
    except (GraphlaError, ValueError, IndexError, TypeError) as error:
        return " ".join(str(error).split())
    return None


def wrap_arrays(problem: Any, G: Graph, arrays: tuple[Any, ...]) -> Iterable[Any]:
    """Wrap arrays into the numbers, vectors or matrices that the problem returns."""
    for given, array in zip(problem.gives, arrays, strict=False):
        yield given.from_array(G, array)


def find_difference(found: Any, reference: Any) -> str | None:
    """Describe the first vertex or pair at which an answer differs from the reference; None if they agree."""
    if found.shape != reference.shape:
        return f"its shape is {found.shape}, not {reference.shape}"
    if reference.dtype.kind == "f":
        differs = ~np.isclose(found, reference, rtol=TOLERANCE, atol=0.0)
    else:
        differs = found != reference
    positions = np.argwhere(differs)
    if not positions.size:
        return None
    first = tuple(int(part) for part in positions[0])
    if not first:
        return f"{found} instead of {reference}"
    vertex = f"vertex {first[0]}" if len(first) == 1 else f"the pair {first}"
    return f"first at {vertex}: {found[first]} instead of {reference[first]} ({len(positions):,} differ)"
