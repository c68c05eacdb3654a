"""The edge with the fewest triangles left leaves first. Buckets find it in constant time.

Triangles are counted once, each from its vertex of the lowest degree. When an edge leaves, the shorter row of its ends
is read, and each neighbour is searched in the longer one; edges that have left are taken out of a row once they are a
quarter of it.

Source: Wang, Cheng, "Truss Decomposition in Massive Networks", PVLDB 5(9), 2012.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.undirected import get_simple
from graphla.algorithms.truss_numbers import Settings
from graphla.algorithms.truss_numbers._edges import list_ends
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any]:
    """The number of each arc of the graph without loops; if k is given, k where it is no less, and less elsewhere."""
    k = s.k
    from graphla.algorithms.truss_numbers._buckets_cpu import find_trusses

    G = get_simple(G)
    ends, last_level = list_ends(G), np.iinfo(np.int32).max if k is None else k - 3
    numbers = find_trusses(G.csr, ends, last_level)[ends.ids] + np.int32(2)
    return (numbers if k is None else np.minimum(numbers, np.int32(k)),)


method = Method(
    runs={"cpu": run},
    idea="edges in buckets by the number of triangles left; the first one leaves",
    source="Wang, Cheng, PVLDB 2012",
    rank=100,
)
