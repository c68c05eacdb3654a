"""Weak components after insertions: the labels that new arcs join are united, and all vertices renamed.

Source: Hong, Dhulipala, Shun, "Exploring the Design Space of Static and Incremental Graph Connectivity Algorithms",
PVLDB 14(4), 2020.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphla.containers.vector import Vector
from graphla.graphs.changes import Change
from graphla.graphs.graph import Graph


def join_labels(before: Graph, made: Graph, old: Vector, change: Change, options: Mapping[str, Any]) -> Vector | None:
    """The labels of a graph with more arcs; None if some have gone, or strong components are asked for."""
    if options.keys() - {"kind"} or options.get("kind", "weak") != "weak" or change.gone.rows.size:
        return None
    engine = made.engine
    held = engine.xp.arange(made.n, dtype="int32")
    held[: before.n] = old.to_dense(0)
    ends = [engine.to_host(held[engine.asarray(side)]) for side in (change.fresh.rows, change.fresh.cols)]
    names, numbers = np.unique(np.concatenate(ends), return_inverse=True)
    renamed = engine.xp.arange(made.n, dtype="int32")
    renamed[engine.asarray(names)] = engine.asarray(names[find_smallest(names.size, *np.split(numbers, 2))])
    return Vector.from_dense(renamed[held], engine=engine)


def find_smallest(n: int, tails: Any, heads: Any) -> Any:
    """The smallest vertex of the component of each vertex of a small graph."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count, parts = connected_components(coo_array((np.ones(tails.size), (tails, heads)), shape=(n, n)), directed=False)
    smallest = np.full(count, n)
    np.minimum.at(smallest, parts, np.arange(n))
    return smallest[parts]
