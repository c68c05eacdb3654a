"""`scipy.sparse.csgraph` with the same names and answers, on every core and on the GPU.

Change ``from scipy.sparse import csgraph`` to ``from graphla import csgraph``. What SciPy and NumPy hold is answered on
the CPU, and what CuPy and cupyx hold on the GPU, without a copy to the host. `docs/csgraph.md` lists what graphla
computes itself, and what it leaves to SciPy.

Examples
--------
>>> import numpy as np
>>> from graphla import csgraph
>>> csgraph.connected_components(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
(2, array([0, 0, 1], dtype=int32))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.doors.csgraph.components import connected_components
from graphla.doors.csgraph.convert import (
    construct_dist_matrix,
    csgraph_from_dense,
    csgraph_from_masked,
    csgraph_masked_from_dense,
    csgraph_to_dense,
    csgraph_to_masked,
    reconstruct_path,
)
from graphla.doors.csgraph.flow import maximum_bipartite_matching, maximum_flow, min_weight_full_bipartite_matching
from graphla.doors.csgraph.paths import bellman_ford, dijkstra, floyd_warshall, johnson, shortest_path, yen
from graphla.doors.csgraph.structure import laplacian, minimum_spanning_tree, reverse_cuthill_mckee, structural_rank
from graphla.doors.csgraph.traversal import breadth_first_order, breadth_first_tree, depth_first_order, depth_first_tree

if TYPE_CHECKING:
    from scipy.sparse.csgraph import NegativeCycleError

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_masked_from_dense",
    "csgraph_to_dense",
    "csgraph_to_masked",
    "depth_first_order",
    "depth_first_tree",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "laplacian",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "minimum_spanning_tree",
    "reconstruct_path",
    "reverse_cuthill_mckee",
    "shortest_path",
    "structural_rank",
    "yen",
]


def __getattr__(name: str) -> Any:
    """SciPy's own error class; SciPy is imported when it is first asked for, which takes a third of a second."""
    if name == "NegativeCycleError":
        from scipy.sparse.csgraph import NegativeCycleError

        return NegativeCycleError
    raise AttributeError(f"module 'graphla.csgraph' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
