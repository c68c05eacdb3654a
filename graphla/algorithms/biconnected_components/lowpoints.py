"""One depth-first search: a vertex from which no edge leads above its parent closes a component. O(V + E) on one core.

The search numbers vertices as it finds them, and keeps the least number beside each subtree: its lowpoint. Where that
of a child is no less than the number of its parent, the vertices of the stack from the child on are a component, with
the parent. Each of them stands for the edges to vertices found before it, so that no stack of edges is needed.

Source: Hopcroft, Tarjan, "Algorithm 447: Efficient Algorithms for Graph Manipulation", Communications of the ACM 16(6),
1973; Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM J. Comput. 1(2), 1972.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.undirected import get_simple
from graphla.problem import Method


def run(G: Any) -> tuple[Any]:
    """The number of each arc but loops."""
    from graphla.algorithms.biconnected_components.lowpoints_cpu import close_components, number_arcs

    csr, found = get_simple(G).csr, np.zeros((G.n, 2), np.int32)
    count = close_components(csr.indptr, csr.indices, found).size
    return (number_arcs(csr.indptr, csr.indices, found, count),)


method = Method(
    runs={"cpu": run},
    idea="one depth-first search; a vertex from which no edge leads above its parent closes a component",
    source="Hopcroft, Tarjan, CACM 1973; Tarjan, SIAM J. Comput. 1972",
    rank=100,
)
