"""Lay out a graph without coordinates by pivot multidimensional scaling.

The distances to some pivots, which are far from each other, are squared and centred. The coordinates are the two
principal components of that table. U. Brandes, C. Pich, "Eigensolver methods for progressive multidimensional scaling
of large data", Graph Drawing 2006. O(pivots × (V + E)).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.graphs.graph import Graph

PIVOTS = 60


def compute_layout(G: Graph, pivots: int = PIVOTS) -> Any:
    """Return two coordinates for each vertex of a connected graph, as an array of shape (n, 2)."""
    squares = compute_pivot_distances(G, pivots) ** 2
    centred = squares - squares.mean(0) - squares.mean(1, keepdims=True) + squares.mean()
    _, directions = np.linalg.eigh(centred.T @ centred)
    return centred @ directions[:, [-1, -2]]


def compute_pivot_distances(G: Graph, pivots: int) -> Any:
    """Return the distances from pivots as an array of shape (n, pivots).

    Each pivot is the vertex farthest from the pivots before it.
    """
    table = np.empty((G.n, pivots))
    nearest = np.full(G.n, np.inf)
    pivot = 0
    for column in range(pivots):
        table[:, column] = bfs(G, pivot).to_numpy(0)
        nearest = np.minimum(nearest, table[:, column])
        pivot = int(nearest.argmax())
    return table
