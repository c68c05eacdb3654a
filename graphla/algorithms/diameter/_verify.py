"""A diameter from SciPy's distances, on the host."""

from __future__ import annotations

import math
from typing import Any

from graphla.algorithms.shared.eccentricities import TOLERANCE, compute
from graphla.common.errors import VerificationError


def verify(G: Any, value: float, s: Any) -> None:
    """Assert that it is the largest of all distances."""
    expected = float(compute(G, s).max()) if G.n else 0.0
    if not math.isclose(value, expected, rel_tol=TOLERANCE):
        raise VerificationError(f"diameter: {value:.12g} instead of {expected:.12g}")
