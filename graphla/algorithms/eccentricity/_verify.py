"""Eccentricities from SciPy's distances, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.eccentricity.settings import Settings
from graphla.algorithms.shared.eccentricities import TOLERANCE, compute
from graphla.common.errors import VerificationError


def verify(G: Any, found: Any, s: Settings) -> None:
    """Assert that the sources, and no others, have their eccentricity."""
    expected = compute(G, s)
    wrong = np.flatnonzero(~np.isclose(found, expected, rtol=TOLERANCE, atol=0, equal_nan=True))
    if wrong.size:
        at = int(wrong[0])
        raise VerificationError(
            f"eccentricity: vertex {at} has {found[at]:.12g} instead of {expected[at]:.12g} ({wrong.size:,} differ)"
        )
