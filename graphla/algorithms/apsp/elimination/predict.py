"""The work of an elimination as its symbolic phase predicts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.eliminate import count_working_bytes, get_structure
from graphla.algorithms.apsp.elimination.structure import LARGE_UPDATES, Structure, count_depths

FRONT_RATE = {False: 4e8, True: 1e10}
"""Updates per second of the elimination on two cores: of small fronts (measured on New York's roads), of large ones."""
DEPTH_SECONDS = 1.15e-4
"""Seconds per depth of the tree of an elimination on an H200 (measured: 0.9e-4 to 1.6e-4 on roads)."""
TILE_RATE = 7e11
"""Updates per second of all fronts on an H200 (measured on a cubic grid of 64,000 vertices)."""
UPDATE_RATE = {"cpu": 4e9, "cuda": 2e12}
"""Updates per second of the sweeps: on two cores; on an H200, of small fronts (fitted to New York and Florida)."""
CELL_SECONDS = {"cpu": 2e-9, "cuda": 4e-12}
"""Seconds per distance for filling and writing: on two cores; on an H200 (fitted to the same)."""


@dataclass(frozen=True)
class Prediction:
    """What all pairs by elimination cost.

    Parameters
    ----------
    graph : str
        Vertices, arcs, dtype and engine in words.
    n, arcs : int
        The vertices and the arcs.
    supernodes, front, depths : int
        How many fronts there are, the vertices of the largest, and the depth of their tree.
    cells, nbytes : int
        The numbers of the factor, and their bytes.
    working_bytes : int
        The bytes of the factor and of what is held while it is made.
    updates : int
        Sums and minima of the elimination.
    per_row : int
        Those of the sweep for one source.
    eliminate_seconds, row_seconds : float
        The elimination, and the sweep for one of many sources.
    row_bytes : int
        The bytes of a row.
    """

    graph: str
    n: int
    arcs: int
    supernodes: int
    front: int
    depths: int
    cells: int
    nbytes: int
    working_bytes: int
    updates: int
    per_row: int
    eliminate_seconds: float
    row_seconds: float
    row_bytes: int

    @property
    def seconds(self) -> float:
        """The elimination and all sweeps."""
        return self.eliminate_seconds + self.n * self.row_seconds

    def __str__(self) -> str:
        return (
            f"elimination with {self.supernodes:,} fronts of up to {self.front:,} vertices, a factor of "
            f"{self.nbytes:,} bytes, {self.updates:,} updates, then {self.per_row / max(1, self.n):.1f} per distance"
        )

    def describe(self) -> str:
        """Return the prediction as a table in text."""
        rows = {
            "order": f"nested dissection: {self.supernodes:,} fronts of up to {self.front:,} vertices at "
            f"{self.depths:,} depths of their tree",
            "fill": f"{self.cells:,} cells of the factor, {self.cells / max(1, self.arcs):.1f} per arc",
            "memory": f"{self.nbytes:,} bytes of the factor, {self.working_bytes:,} while it is made",
            "elimination": f"{self.updates:,} updates, {2 * self.updates:,} operations, "
            f"about {self.eliminate_seconds:.2g} s",
            "a row": f"{self.per_row:,} updates, {self.row_bytes:,} bytes, about {self.row_seconds:.2g} s among many",
            "all rows": f"{self.n * self.per_row:,} updates, {self.n * self.row_bytes:,} bytes, "
            f"about {self.n * self.row_seconds:.2g} s",
        }
        return "\n".join([f"elimination of {self.graph}", *(f"{name:12} {text}" for name, text in rows.items())])


def predict(G: Any, chosen: np.dtype[Any]) -> Prediction:
    """Run the symbolic phase of a graph, which is cached with it, and predict the work and the seconds."""
    S = get_structure(G)
    return Prediction(
        graph=f"{G.n:,} vertices and {G.nvals:,} arcs on {G.engine.name!r}, {chosen.name}",
        n=G.n,
        arcs=G.nvals,
        supernodes=int(S.parent.size),
        front=int((S.widths + S.boundaries).max(initial=0)),
        depths=count_depths(S),
        cells=S.cells,
        nbytes=S.cells * chosen.itemsize,
        working_bytes=count_working_bytes(G, S, chosen),
        updates=S.updates,
        per_row=S.updates_per_row,
        eliminate_seconds=predict_elimination(G, S),
        row_seconds=predict_row(G.engine.name, G.n, S.updates_per_row),
        row_bytes=G.n * chosen.itemsize,
    )


def predict_row(engine: str, n: int, updates: int) -> float:
    """Predict the seconds of the sweep for one of many sources: its updates, and n distances to write."""
    return updates / UPDATE_RATE[engine] + n * CELL_SECONDS[engine]


def predict_elimination(G: Any, S: Structure) -> float:
    """Predict the seconds of the numeric phase."""
    if G.engine.name == "cuda":
        return predict_on_device(S.updates, count_depths(S))
    heights = S.widths + S.boundaries
    updates = S.widths * heights * heights
    large = updates >= LARGE_UPDATES
    return sum(float(updates[large == flag].sum()) / rate for flag, rate in FRONT_RATE.items())


def predict_on_device(updates: int, depths: int) -> float:
    """Predict the seconds of the numeric phase on a GPU, which takes the depths of the tree one after another."""
    return updates / TILE_RATE + depths * DEPTH_SECONDS
