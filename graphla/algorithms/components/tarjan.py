"""One depth-first search: a vertex from which no path leads back to an older one closes a strong component.

The search numbers vertices as it finds them and keeps, for each, the least number that it is known to reach on the
stack. When the search leaves a vertex that reaches none older than itself, the stack above it is its component.
O(V + E) on one core, whatever the graph.

Source: Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM J. Comput. 1(2), 1972; with one number per
vertex, as in Pearce, "A Space-Efficient Algorithm for Finding Strongly Connected Components", IPL 116(1), 2016.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.components import Settings
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any]:
    """The smallest vertex of each vertex's strong component."""
    from graphla.algorithms.components.tarjan_cpu import number_strong

    number = np.empty(G.n, np.int32)
    smallest = np.empty(number_strong(G.csr.indptr, G.csr.indices, number), np.int32)
    smallest[number[::-1]] = np.arange(G.n - 1, -1, -1, dtype=np.int32)  # the last one written is the smallest
    return (smallest[number],)


def refuses_weak(G: Any, request: Any) -> str | None:
    """Methods for strong components find no weak ones."""
    weak = request.get("kind", "weak") == "weak"
    return "it finds strong components; method='afforest' finds weak ones" if weak else None


method = Method(
    runs={"cpu": run},
    idea="one depth-first search; a vertex that reaches none older closes a component",
    source="Tarjan, SIAM J. Comput. 1972; Pearce, IPL 2016",
    refuses=refuses_weak,
    rank=90,
)
