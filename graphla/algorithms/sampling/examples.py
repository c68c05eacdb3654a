"""A call of each function of samples, for what compiles or times first calls: see `all_examples`."""

from __future__ import annotations

from graphla.algorithms.sampling.negative import sample_negative_edges
from graphla.algorithms.sampling.neighbors import sample_neighbors

EXAMPLES = {
    "sample_neighbors": lambda G: [
        sample_neighbors(G, [0, 1], [3, 2], replace=replace, weights=weights, seed=1)
        for replace in (False, True)
        for weights in (False, True)
    ],
    "sample_negative_edges": lambda G: sample_negative_edges(G, 8, seed=1),
}
