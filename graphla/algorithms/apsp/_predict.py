"""The work of an elimination as its symbolic phase predicts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.apsp._eliminate import get_structure
from graphla.algorithms.apsp._start import choose_dtype

LARGE_UPDATES = 1 << 26
"""Updates of a front from which all cores share it."""
FRONT_RATE = {False: 4e8, True: 1e10}
"""Updates per second of the elimination on two cores: of small fronts (measured on New York's roads), of large ones."""
UPDATE_RATE = {"cpu": 4e9, "cuda": 4e12}
"""Updates per second of the sweeps: on two cores; on an H200, of small fronts (measured on New York's roads)."""
CELL_SECONDS = {"cpu": 2e-9, "cuda": 7e-12}
"""Seconds per distance for filling and writing: on two cores; on an H200 (both measured on New York's roads)."""


@dataclass(frozen=True)
class Prediction:
    """What all pairs by elimination cost.

    Parameters
    ----------
    supernodes, front : int
        How many fronts there are, and the vertices of the largest.
    nbytes : int
        The bytes of the factor.
    updates : int
        Sums and minima of the elimination.
    per_distance : float
        Those of the sweeps, per distance.
    seconds : float
        The elimination and all sweeps.
    """

    supernodes: int
    front: int
    nbytes: int
    updates: int
    per_distance: float
    seconds: float

    def __str__(self) -> str:
        return (
            f"elimination with {self.supernodes:,} fronts of up to {self.front:,} vertices, a factor of "
            f"{self.nbytes:,} bytes, {self.updates:,} updates, then {self.per_distance:.1f} per distance"
        )


def predict(G: Any) -> Prediction:
    """Run the symbolic phase of a graph, which is cached with it, and predict the seconds of all pairs."""
    S = get_structure(G)
    heights = S.widths + S.boundaries
    updates = S.widths * heights * heights
    large = updates >= LARGE_UPDATES
    fronts = sum(float(updates[large == flag].sum()) / rate for flag, rate in FRONT_RATE.items())
    row = S.updates_per_row / UPDATE_RATE[G.engine.name] + G.n * CELL_SECONDS[G.engine.name]
    return Prediction(
        supernodes=int(S.parent.size),
        front=int(heights.max(initial=0)),
        nbytes=S.cells * np.dtype(choose_dtype(G, None)).itemsize,
        updates=S.updates,
        per_distance=S.updates_per_row / max(1, G.n),
        seconds=fronts + G.n * row,
    )
