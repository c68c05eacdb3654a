"""Ratios of times of `graphla.csgraph` to those of SciPy's module, measured in turn in one process."""

from __future__ import annotations

import numpy as np
import scipy.sparse.csgraph as theirs

from graphla.doors import csgraph

from .bars import KRON, scipy_matrix
from .common import needs, ratio, source, told_by_python

IMPORT = "import time; begin = time.perf_counter(); import graphla.csgraph; print(time.perf_counter() - begin)"


class Csgraph:
    """Time of ours over time of SciPy's for the same input, warm."""

    timeout = 900
    unit = "ratio"

    def setup(self) -> None:
        needs("cpu")

    def track_csgraph_components(self) -> float:
        S = scipy_matrix(KRON)
        return ratio(lambda: csgraph.connected_components(S), lambda: theirs.connected_components(S), 5)

    def track_csgraph_strong_components(self) -> float:
        S = scipy_matrix(KRON)
        return ratio(
            lambda: csgraph.connected_components(S, connection="strong"),
            lambda: theirs.connected_components(S, connection="strong"),
            5,
        )

    def track_csgraph_floyd_warshall(self) -> float:
        X = np.random.default_rng(1).uniform(1, 100, (2000, 2000))
        return ratio(lambda: csgraph.shortest_path(X, "FW"), lambda: theirs.shortest_path(X, "FW"), 1)

    def track_csgraph_dijkstra(self) -> float:
        S, start = scipy_matrix(KRON + "?weights=1..255"), source(KRON, "cpu")
        return ratio(lambda: csgraph.dijkstra(S, indices=start), lambda: theirs.dijkstra(S, indices=start), 5)

    def track_csgraph_import(self) -> float:
        """Seconds of ``import graphla.csgraph``."""
        return float(np.median([told_by_python(IMPORT) for _ in range(5)]))

    track_csgraph_import.unit = "s"
