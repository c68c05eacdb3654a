"""Core numbers after a change: the largest c such that each vertex v has c(v) neighbours u with c(u) ≥ c(v).

Arcs that go lower c: a vertex that has too few such neighbours gets the largest number that it has enough for, and its
neighbours are looked at again. What that finds is the largest such c that is nowhere above the last one, new arcs
included. Arcs that come raise it, by one in a round: a vertex of number k rises only together with others of number k
that equal numbers join to an end of a new arc, or to one that has risen in the round before. Of these are dropped, one
after the other, those that have no k + 1 neighbours that rise or have more than k.

Source: Sarıyüce, Gedik, Jacques-Silva, Wu, Çatalyürek, "Streaming Algorithms for k-Core Decomposition", PVLDB 6(6),
2013 (the walks); Lü, Zhou, Zhang, Stanley, "The H-index of a Network Node and its Relation to Degree and Coreness",
Nature Communications 7, 2016 (numbers that only fall).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphla.containers.vector import Vector
from graphla.graphs.changes import Change
from graphla.graphs.graph import Graph

SHARE = 1 / 2
"""The share of the arcs after which cores are peeled from nothing."""
SEARCH_ARCS = 10_000
"""Arcs that are looked through in any case."""


def move_cores(before: Graph, made: Graph, old: Vector, change: Change, options: Mapping[str, Any]) -> Vector | None:
    """The core numbers of a changed graph on the CPU; None if it is directed, or much would be looked through."""
    if options or made.engine.name != "cpu" or not made.symmetric:
        return None
    from graphla.algorithms.following._cores_cpu import lower_cores, raise_cores

    core, most = np.zeros(made.n, np.int32), max(SEARCH_ARCS, int(SHARE * made.nvals))
    core[: old.size] = old.to_dense(0)
    rows, fresh = (made.csr.indptr, made.csr.indices), change.fresh
    most = lower_cores(*rows, core, change.gone.rows, most)
    if most >= 0:
        most = raise_cores(*rows, core, fresh.rows[core[fresh.rows] <= core[fresh.cols]], most)
    return Vector.from_dense(core, engine=made.engine) if most >= 0 else None
