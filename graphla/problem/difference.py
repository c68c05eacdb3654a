"""How an answer differs from a right one: exactly, and floats by more than rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
TOLERANCE = 1e-5
"""Relative difference up to which floating-point answers agree; libraries add in different orders."""


def find_difference(found: Array, reference: Array) -> str | None:
    """Describe the first vertex, pair or entry at which an answer differs from the reference; None if they agree."""
    if found.shape != reference.shape:
        return f"its shape is {found.shape}, not {reference.shape}"
    positions = np.argwhere(find_differing(found, reference))
    if not positions.size:
        return None
    first: Any = tuple(positions[0].tolist())
    if reference.ndim == 0:
        return f"{found} instead of {reference}"
    place = f"the pair {first}" if len(first) > 1 else f"{'entry' if found.dtype.names else 'vertex'} {first[0]}"
    return f"first at {place}: {found[first]} instead of {reference[first]} ({len(positions):,} differ)"


def find_differing(found: Array, reference: Array) -> Array:
    """Where two arrays of one shape differ; records where one of their fields does."""
    names = reference.dtype.names
    if names:
        fields = [find_differing(found[name], reference[name]) for name in names]
        return np.any(fields, axis=0)
    return (
        ~np.isclose(found, reference, rtol=TOLERANCE, atol=0.0) if reference.dtype.kind == "f" else found != reference
    )
