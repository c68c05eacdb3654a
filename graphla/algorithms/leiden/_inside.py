"""Arcs within communities, and the connected pieces that they make of these."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from graphla.algorithms.components import components
from graphla.algorithms.shared.communities.climb import keep_fixed
from graphla.algorithms.shared.communities.device_labels import find_device_labels
from graphla.algorithms.shared.communities.labels import name_by_smallest, renumber
from graphla.algorithms.shared.communities.level import Level, make_level
from graphla.common.errors import VerificationError
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import expand_rows

Array = Any


def keep_inside(xp: Any, level: Level, labels: Array) -> Level:
    """The level with the arcs whose ends have the same label."""
    rows = level.rows
    if kernels := find_device_labels(labels):
        return replace(level, rows=kernels.engine.select_flagged_rows(rows, kernels.flag_ends(rows, labels, True)))
    same = labels[expand_rows(rows)] == labels[rows.indices]
    before = xp.concatenate([xp.zeros(1, rows.indptr.dtype), xp.cumsum(same, dtype=rows.indptr.dtype)])
    kept = CompressedMatrix(level.n, level.n, before[rows.indptr], rows.indices[same], rows.values[same])
    return replace(level, rows=kept)


def split(engine: Any, level: Level, labels: Array) -> Array:
    """The connected piece of its community that each vertex belongs to, named by its smallest vertex."""
    rows = keep_inside(engine.xp, level, labels).rows
    if level.slots is None:
        rows.keep_transpose(rows)  # of a level the arcs of both directions are added up
    return components(Graph(Matrix._from_storage(rows, engine))).to_dense(-1)


def verify_connected(name: str, G: Graph, labels: Array, fixed: Array | None) -> None:
    """Assert that the vertices of one label are connected unless some are fixed, in a graph on the host."""
    pieces = keep_fixed(np, split(G.engine, make_level(G), labels), labels, fixed)
    apart = (pieces != name_by_smallest(np, *renumber(np, labels))).nonzero()[0]
    if apart.size:
        v = apart[0]
        raise VerificationError(f"{name}: community {labels[v]} is not connected: {v} is of another piece of it")
