"""What forces are asked for, and the numbers that the tree of the CPU and that of a GPU share."""

from __future__ import annotations

from typing import NamedTuple

LEAF = 32
"""Bodies of a leaf: a warp on a GPU, four vectors of eight on a CPU."""
CODE_BITS, NUMBER_BITS = 32, 31
"""Of a key: the place along the curve, and the number of the vertex."""
NUMBER_MASK = (1 << NUMBER_BITS) - 1
SOFT = 1e-6
"""Added to squares of distances: bodies at one place do not repel each other."""


class Physics(NamedTuple):
    """How strong forces are, and how exact.

    Parameters
    ----------
    theta : float
        Above 0, at most 1: the radius of what counts as one body, over its distance.
    scaling, gravity : float
        The factors of the repulsion and of the pull to the origin.
    """

    theta: float
    scaling: float
    gravity: float
