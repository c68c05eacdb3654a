"""Checks of results on the GPU by certificates, for graphs whose check on the host would take minutes."""

from __future__ import annotations

from typing import Any

import cupy as cp
import cupyx
import numpy as np

import graphla as gl
from graphla.algorithms.shared.random_order import make_priorities
from graphla.common.errors import GraphlaError


def check_set(G: gl.Graph, chosen: Any) -> None:
    """A vertex is chosen exactly if no neighbour of higher priority is: only the set of the definition is so."""
    rows, cols, _ = G.A.to_coo()
    priorities = make_priorities(G, 0)
    first = chosen[cols] & (priorities[cols] > priorities[rows])
    if bool((chosen == (cp.bincount(rows[first], minlength=G.n) > 0)).any()):
        raise GraphlaError("the set is not that of the priorities")


def check_cores(G: gl.Graph, cores: Any) -> None:
    """Each vertex has as many neighbours of its number or more, and peeling level by level removes it at its level."""
    rows, cols, _ = G.A.to_coo()
    inside = cp.bincount(rows[cores[cols] >= cores[rows]], minlength=G.n)
    if bool(((cores < 0) | (inside < cores)).any()):
        raise GraphlaError("a core number is too large")
    degrees, order = cp.diff(G.csr.indptr).astype(np.int32), cp.argsort(cores)
    ends = np.cumsum(cp.bincount(cores).get())
    for k, end in enumerate(ends):
        members = order[0 if k == 0 else ends[k - 1] : end]
        while members.size:
            ready = degrees[members] <= k
            removed, members = members[ready], members[~ready]
            if not removed.size:
                raise GraphlaError(f"a vertex of the core number {k} is in a larger core")
            cupyx.scatter_add(degrees, list_neighbours(G, removed), -1)


def list_neighbours(G: gl.Graph, vertices: Any) -> Any:
    """The neighbours of each vertex, one row after the other."""
    begins = G.csr.indptr[vertices]
    ends = cp.cumsum(G.csr.indptr[vertices + 1] - begins)
    places = cp.arange(int(ends[-1]))
    row = cp.searchsorted(ends, places, side="right")
    return G.csr.indices[begins[row] + places - (cp.concatenate([cp.zeros(1, ends.dtype), ends])[row])]
