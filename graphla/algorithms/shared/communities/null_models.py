"""What communities are measured against: the weight that chance would put between two vertices.

It is the product of their strengths and a scale. Of modularity, RB configuration, the strengths are the weights of
their arcs, and of CPM and RB Erdős–Rényi they are alike for all vertices: so methods need not know which it is.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from graphla.algorithms.shared.communities.level import Level
from graphla.common.errors import InvalidOption

Quality = Literal["modularity", "cpm", "erdos_renyi"]
QUALITIES: tuple[str, ...] = get_args(Quality)


def weigh(xp: Any, level: Level, quality: str, resolution: float) -> Level:
    """The lowest level with the strengths and the scale of a quality.

    Strengths that are alike are the power of two below the mean weight of a vertex: gains that may be rounding are told
    by their share of strengths.
    """
    if quality == "modularity" or not level.total:
        return replace(level, scale=resolution / level.total if level.total else 0.0)
    power = int(np.frexp(level.total / level.n)[1]) - 1
    try:
        scale = math.ldexp(*find_chance(level, quality, resolution, power))
    except OverflowError:
        raise InvalidOption(f"resolution={resolution}: it is too large beside the weights") from None
    return replace(level, strengths=xp.full_like(level.strengths, 2.0**power), scale=scale)


def find_chance(level: Level, quality: str, resolution: float, power: int) -> tuple[float, int]:
    """The weight of chance between two vertices, as a number and a power of two, where strengths are one of these."""
    if quality == "cpm":
        return resolution, level.exponent - 2 * power
    loops = level.total > level.add_up(float(level.rows.values.sum())) / level.strengths.shape[1]
    return resolution * (level.total / (level.n * (level.n - (not loops)))), -2 * power
