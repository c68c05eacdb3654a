"""Places for the vertices of a graph without coordinates: pivot multidimensional scaling.

Distances to some pivots, far from each other, are squared and centred; the two principal directions of that table
are the coordinates. U. Brandes, C. Pich, "Eigensolver methods for progressive multidimensional scaling of large
data", Graph Drawing 2006. O(pivots × (V + E)).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.graph import Graph

PIVOTS = 60


def places(G: Graph, pivots: int = PIVOTS) -> Any:
    """Two coordinates for each vertex of a connected graph, as an array of shape (n, 2)."""
    squares = far_distances(G, pivots) ** 2
    centred = squares - squares.mean(0) - squares.mean(1, keepdims=True) + squares.mean()
    _, directions = np.linalg.eigh(centred.T @ centred)
    return centred @ directions[:, [-1, -2]]


def far_distances(G: Graph, pivots: int) -> Any:
    """Distances from pivots, each the vertex farthest from those before it, as an array of shape (n, pivots)."""
    table = np.empty((G.n, pivots))
    nearest = np.full(G.n, np.inf)
    pivot = 0
    for column in range(pivots):
        table[:, column] = bfs(G, pivot).to_numpy(0)
        nearest = np.minimum(nearest, table[:, column])
        pivot = int(nearest.argmax())
    return table
