"""Calls for paths between two vertices, for what compiles or times first calls: see `all_examples`."""

from __future__ import annotations

import numpy as np

from graphla.algorithms.sssp import shortest_path
from graphla.algorithms.sssp.k_shortest import k_shortest_paths

EXAMPLES = {
    "k_shortest_paths": lambda G: k_shortest_paths(G, 0, G.n - 1, 9),
    "shortest_path": lambda G: shortest_path(G, 0, G.n - 1, heuristic=np.zeros(G.n)),
}
