"""Closed semirings that are eliminated: as min_plus, max_min or max_times over the same arcs with other values.

max_plus is min_plus over −w, min_max is max_min over values in reverse order, and lor_land is max_min over 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import distance_dtype
from graphla.common.arguments import show
from graphla.common.errors import DomainMismatch, NotSupported
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from semirings import Semiring


@dataclass(frozen=True)
class Closed:
    """A semiring in which cycles add nothing.

    Parameters
    ----------
    name : str
        Its name.
    core : str
        The semiring that is eliminated.
    encode : callable (values) -> values
        The values of the arcs in that semiring.
    decode : callable (results) -> results
        Its results in this one.
    """

    name: str
    core: str
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]

    def prepare(self, G: Graph) -> Graph:
        """Return the graph with the values of the core; later changes of G do not reach it."""
        if self.encode is keep:
            return Graph(G.A.dup(), name=G.name)
        csr = G.csr
        values = self.encode(csr.values)
        A = Matrix.from_csr(csr.indptr, csr.indices, values, nrows=G.n, ncols=G.n, engine=G.engine)
        return Graph(A, name=G.name)


def keep(values: Any) -> Any:
    return values


def negate(values: Any) -> Any:
    """Return −values; those of unsigned integers as signed ones."""
    if values.dtype == np.uint64:
        raise NotSupported("max_plus: negative UINT64 do not exist: take the matrix as FP64 or INT64, A.dup('FP64')")
    wide = np.dtype(np.int64) if values.dtype == np.uint32 else distance_dtype(values.dtype)
    return -values.astype(wide)


def reverse(values: Any) -> Any:
    """Return values in reverse order: −x of floats, the bits inverted of integers."""
    held = values.astype(distance_dtype(values.dtype), copy=False)
    return -held if held.dtype.kind == "f" else ~held


def require_factors(values: Any) -> Any:
    """Return values as floats; refuse those with which products do not fall along paths."""
    if values.size and not (values.min() >= 0 and values.max() < np.inf):
        raise DomainMismatch("max_times: a value is negative or infinite: give probabilities, from 0 to 1")
    return values if values.dtype.kind == "f" else values.astype(np.float64)


def to_truth(values: Any) -> Any:
    """Return truths as 0 and 1."""
    return values.astype(bool).astype(np.uint8)


def from_truth(values: Any) -> Any:
    """Return whether a value is more than 0."""
    return values != 0


CLOSED = {
    each.name: each
    for each in (
        Closed("min_plus", "min_plus", keep, keep),
        Closed("max_plus", "min_plus", negate, lambda results: -results),
        Closed("max_min", "max_min", keep, keep),
        Closed("min_max", "max_min", reverse, reverse),
        Closed("max_times", "max_times", require_factors, keep),
        Closed("lor_land", "max_min", to_truth, from_truth),
    )
}


def find_closed(op: Any) -> Closed:
    """Return the closed semiring that an argument names; refuse others."""
    name = op.name if isinstance(op, Semiring) else op
    if isinstance(name, str) and name in CLOSED:
        return CLOSED[name]
    raise NotSupported(f"semiring={show(op)}: elimination takes the closed semirings {', '.join(CLOSED)}")
