"""Connected pieces of communities on the host: of the two ends of each arc within one, the larger root hangs below."""

# pyright: reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.level import Level
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late

Array = Any


@inner()
def find_root(root, v):  # type: ignore[no-untyped-def]
    """The smallest vertex that is known of the piece of v; the way there becomes shorter."""
    while root[v] != v:
        root[v] = root[root[v]]
        v = root[v]
    return v


@compile_late(0.2, lambda indptr, indices, *_: 2 * len(indptr) + 0.3 * len(indices), views=True)
def join_inside(indptr, indices, labels, root):  # type: ignore[no-untyped-def]
    """Join the ends of all arcs whose ends have the same label."""
    for v in range(len(labels)):
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if u < v and labels[u] == labels[v]:
                a, b = find_root(root, u), find_root(root, v)
                root[max(a, b)] = min(a, b)
    for v in range(len(labels)):
        root[v] = find_root(root, v)


def split(level: Level, labels: Array) -> Array:
    """The piece of its community that each vertex belongs to, as `_inside.split` finds it."""
    rows, root = level.rows, np.arange(level.n, dtype=np.int32)
    join_inside(rows.indptr, rows.indices, labels, root)
    return root
